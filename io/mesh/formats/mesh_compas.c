// COMPAS JSON: assemblies, block models and their problems, meshes; one mesh block a block.
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "mesh_compas.h"

#define EXPECTED "an Assembly, BlockModel, Problem, Mesh, Block or a list of meshes"
#define DEEPEST_GROUP 64   // of groups of elements in each other

// -- text -----------------------------------------------------------------------------------------

// Length of a word that Python writes and JSON has not: NaN, Infinity, -Infinity; 0 for others.
static size_t strange_word(const char *at, const char *end)
{
  static const char *const words[] = {"NaN", "Infinity", "-Infinity"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    const size_t length = strlen(words[i]);
    const bool fits = (size_t)(end - at) >= length && memcmp(at, words[i], length) == 0;
    if (fits && (at + length == end || !isalnum((unsigned char)at[length]))) return length;
  }
  return 0;
}

// Copies a text with null for such words outside of strings: what needs a number then says so by
// name, and what does not is read. Returns how many bytes that takes; to may be NULL.
static size_t replace_strange(const char *bytes, size_t count, char *to)
{
  bool in_string = false;
  size_t used = 0;
  for (size_t i = 0; i < count;) {
    const size_t word = in_string ? 0 : strange_word(bytes + i, bytes + count);
    if (word > 0) {
      if (to) memcpy(to + used, "null", 4);
      used += 4;
      i += word;
      continue;
    }
    const bool escaped = in_string && bytes[i] == '\\' && i + 1 < count;
    if (bytes[i] == '"') in_string = !in_string;
    for (int k = 0; k < 1 + escaped; k++, i++, used++)
      if (to) to[used] = bytes[i];
  }
  return used;
}

// The tree of the file (json_decref), or NULL with a message.
static json_t *load(CompasReader *reader)
{
  const MeshScan *scan = &reader->scan;
  const size_t count = (size_t)(scan->end - scan->at);
  const size_t room = replace_strange(scan->at, count, NULL);
  char *text = memory_allocate(room + 1);
  replace_strange(scan->at, count, text);
  json_error_t error;
  json_t *root = json_loadb(text, room, JSON_REJECT_DUPLICATES, &error);
  memory_free(text);
  if (root) return root;
  const MeshWord reason = {error.text, strlen(error.text)};
  mesh_compas_fail(reader, NULL, "line %d is no JSON: %s", error.line,
                   mesh_word_name(reason, reader->reading->arena));
  return NULL;
}

// -- assemblies -----------------------------------------------------------------------------------

// An attribute of a node, or its default.
static const json_t *attribute(const json_t *graph, const json_t *node, const char *key)
{
  const json_t *value = json_object_get(node, key);
  if (value) return value;
  // by the words of nodes, and of vertices as nodes were called first
  static const char *const words[] = {"default_node_attributes", "dna", "default_vertex_attributes",
                                      "dva"};
  const json_t *defaults = NULL;
  for (size_t i = 0; i < sizeof words / sizeof words[0] && !defaults; i++)
    defaults = json_object_get(graph, words[i]);
  return json_object_get(defaults, key);
}

static json_t *nodes_of(const json_t *graph)
{
  json_t *nodes = json_object_get(graph, "node");
  return nodes ? nodes : json_object_get(graph, "vertex");
}

// The member of an object by a key that may have quotes on either side.
static const json_t *find_quoted(const CompasReader *reader, const json_t *object, const char *key)
{
  const json_t *value = json_object_get(object, key);
  if (value) return value;
  const char *wanted = mesh_compas_key(reader, key);
  value = json_object_get(object, wanted);
  if (value) return value;
  char quoted[256];
  snprintf(quoted, sizeof quoted, "'%s'", wanted);
  return json_object_get(object, quoted);
}

// The block of a node: its own, or one of the list beside the graph (0.x), by reference or key.
static const json_t *block_of(const CompasReader *reader, const json_t *graph, const json_t *blocks,
                              const char *key)
{
  const json_t *node = json_object_get(nodes_of(graph), key);
  const json_t *own = attribute(graph, node, "block");
  if (json_is_string(own)) return find_quoted(reader, blocks, json_string_value(own));
  if (json_is_object(own)) return own;
  return find_quoted(reader, blocks, key);
}

static bool read_assembly(CompasReader *reader, const json_t *data)
{
  const json_t *graph = json_object_get(data, "graph"), *blocks = json_object_get(data, "blocks");
  if (!graph) graph = json_object_get(data, "assembly");
  graph = mesh_compas_data(graph ? graph : data);
  json_t *nodes = nodes_of(graph), *node;
  if (!json_is_object(nodes))
    return mesh_compas_fail(reader, NULL, "an assembly without a graph of nodes");
  const char *key;
  json_object_foreach(nodes, key, node)
  {
    CompasBlock block = {.name = mesh_compas_key(reader, key),
                         .mesh = block_of(reader, graph, blocks, key),
                         .place = mesh_compas_identity()};
    if (!block.mesh) return mesh_compas_fail(reader, block.name, "the node has no block");
    if (!mesh_compas_flag(reader, block.name, attribute(graph, node, "is_support"), &block.fixed) ||
        !mesh_compas_add(reader, &block))
      return false;
  }
  return true;
}

// -- models ---------------------------------------------------------------------------------------

static const char *const element_packages[] = {"compas_dem", "compas_model", NULL};

// A block model: its elements by guid.
typedef struct {
  CompasReader *reader;
  json_t *elements;   // borrowed values
  json_t *held;       // names of blocks that a problem holds, less those found; NULL: none
  CompasPlace place;
} Model;

// Elements of a model, in a dict or a list, by guid; json_decref.
static json_t *collect_elements(const json_t *data)
{
  json_t *list = json_object_get(data, "elements"), *all = json_object(), *element;
  const char *guid;
  size_t i;
  json_object_foreach(list, guid, element) json_object_set(all, guid, element);
  json_array_foreach(list, i, element)
  {
    const char *name = json_string_value(json_object_get(element, "guid"));
    if (name) json_object_set(all, name, element);
  }
  return all;
}

static bool is_block(const json_t *element)
{
  const char *class = mesh_compas_class(element, element_packages);
  return class && (strcmp(class, "Block") == 0 || strcmp(class, "BlockElement") == 0);
}

// Blocks of a group that is moved would move with it.
static bool refuse_moved_groups(Model *model, const json_t *branch, int depth)
{
  if (depth > DEEPEST_GROUP)
    return mesh_compas_fail(model->reader, NULL, "more than %d groups in each other",
                            DEEPEST_GROUP);
  json_t *children = json_object_get(branch, "children"), *child;
  const char *guid = json_string_value(json_object_get(branch, "element"));
  const json_t *element = guid ? json_object_get(model->elements, guid) : NULL;
  const json_t *moved = json_object_get(mesh_compas_data(element), "transformation");
  if (json_array_size(children) > 0 && element && moved && !json_is_null(moved))
    return mesh_compas_fail(model->reader, NULL,
                            "a group of elements has a transformation, which is not read: apply it "
                            "to its blocks");
  size_t i;
  json_array_foreach(children, i, child)
  {
    if (!refuse_moved_groups(model, child, depth + 1)) return false;
  }
  return true;
}

static bool add_element(Model *model, const char *name, const json_t *element)
{
  CompasReader *reader = model->reader;
  if (!is_block(element))
    return mesh_compas_refuse_type(reader, name, element, "a Block of compas_dem");
  const json_t *data = mesh_compas_data(element), *mesh = json_object_get(data, "geometry");
  if (!mesh) mesh = json_object_get(data, "shape");
  if (!json_is_object(mesh))
    return mesh_compas_fail(reader, name, "the element has no 'geometry' and no 'shape'");
  CompasBlock block = {.name = name, .mesh = mesh};
  CompasPlace own;
  if (!mesh_compas_place(reader, name, json_object_get(data, "transformation"), &own) ||
      !mesh_compas_flag(reader, name, json_object_get(data, "is_support"), &block.fixed))
    return false;
  block.place = mesh_compas_after(model->place, own);
  if (json_object_del(model->held, name) == 0) block.fixed = true;
  return mesh_compas_add(reader, &block);
}

// Blocks in the order of the graph's nodes, whose keys are the names; without a graph in their own.
static bool add_elements(Model *model, const json_t *graph)
{
  CompasReader *reader = model->reader;
  json_t *nodes = json_object_get(mesh_compas_data(graph), "node"), *node;
  const char *key;
  size_t taken = 0, blocks = 0;
  char number[32];
  json_object_foreach(model->elements, key, node) blocks += is_block(node);
  if (json_object_size(nodes) == 0) {
    json_object_foreach(model->elements, key, node)
    {
      snprintf(number, sizeof number, "%zu", taken++);
      if (!add_element(model, mesh_compas_key(reader, number), node)) return false;
    }
    return true;
  }
  json_object_foreach(nodes, key, node)
  {
    const char *name = mesh_compas_key(reader, key);
    const char *guid = json_string_value(json_object_get(node, "element"));
    const json_t *element = guid ? json_object_get(model->elements, guid) : NULL;
    if (!element) return mesh_compas_fail(reader, name, "the node names no element of the model");
    if (!add_element(model, name, element)) return false;
    taken++;
  }
  return taken >= blocks ||
         mesh_compas_fail(reader, NULL, "%zu blocks of the model are in no node of its graph",
                          blocks - taken);
}

static bool read_model(CompasReader *reader, const json_t *data, json_t *held)
{
  Model model = {.reader = reader, .held = held, .elements = collect_elements(data)};
  bool sound =
      mesh_compas_place(reader, NULL, json_object_get(data, "transformation"), &model.place);
  if (sound && json_object_size(model.elements) == 0)
    sound = mesh_compas_fail(reader, NULL, "a model without elements");
  sound = sound &&
          refuse_moved_groups(&model, json_object_get(json_object_get(data, "tree"), "root"), 0) &&
          add_elements(&model, json_object_get(data, "graph"));
  json_decref(model.elements);
  return sound;
}

// -- problems -------------------------------------------------------------------------------------

// Whether a vector of a displacement is three zeros.
static bool is_zero(const json_t *vector)
{
  bool zero = json_array_size(vector) == 3;
  for (size_t i = 0; i < 3 && zero; i++) {
    const json_t *value = json_array_get(vector, i);
    zero = json_is_number(value) && json_number_value(value) == 0;
  }
  return zero;
}

// Names of the blocks that a problem holds; one that it moves, or holds in part, is refused.
static bool read_displacements(CompasReader *reader, const json_t *conditions, json_t *held)
{
  json_t *list = json_object_get(conditions, "displacements"), *entry;
  size_t i;
  json_array_foreach(list, i, entry)
  {
    const json_t *block = json_object_get(entry, "block_index");
    if (!json_is_integer(block))
      return mesh_compas_fail(reader, NULL, "displacement %zu has no 'block_index'", i);
    char name[32];
    snprintf(name, sizeof name, "%lld", (long long)json_integer_value(block));
    if (!is_zero(json_object_get(entry, "translation")) ||
        !is_zero(json_object_get(entry, "rotation")))
      return mesh_compas_fail(reader, name,
                              "the problem moves it or holds it in part; make translation and "
                              "rotation [0, 0, 0], and give it a 'motion' or a joint in the case");
    json_object_set_new(held, name, json_true());
  }
  return true;
}

static bool read_problem(CompasReader *reader, const json_t *data)
{
  static const char *const packages[] = {"compas_dem", NULL};
  const json_t *model = json_object_get(data, "model");
  const json_t *conditions = mesh_compas_data(json_object_get(data, "boundary_conditions"));
  const char *class = mesh_compas_class(model, packages);
  if (!class || strcmp(class, "BlockModel") != 0)
    return mesh_compas_refuse_type(reader, NULL, model, "the BlockModel of the problem");
  json_t *held = json_object(), *flag;
  bool sound = read_displacements(reader, conditions, held) &&
               read_model(reader, mesh_compas_data(model), held);
  const char *name;
  json_object_foreach(held, name, flag)
  {
    if (sound)
      sound =
          mesh_compas_fail(reader, name, "the problem holds it, and its model has no such node");
  }
  json_decref(held);
  return sound;
}

// -- files ----------------------------------------------------------------------------------------

// Meshes in a list, or in lists of it, as groups of a drawing become; names are their numbers.
static bool read_list(CompasReader *reader, const json_t *list, int depth)
{
  size_t i;
  json_t *mesh;
  json_array_foreach(list, i, mesh)
  {
    if (json_is_array(mesh)) {
      if (depth == DEEPEST_GROUP)
        return mesh_compas_fail(reader, NULL, "more than %d lists in each other", DEEPEST_GROUP);
      if (!read_list(reader, mesh, depth + 1)) return false;
      continue;
    }
    char number[32];
    snprintf(number, sizeof number, "%lld", (long long)reader->names.count);
    const CompasBlock block = {
        .name = mesh_compas_key(reader, number), .mesh = mesh, .place = mesh_compas_identity()};
    if (!mesh_compas_add(reader, &block)) return false;
  }
  return true;
}

static bool read_root(CompasReader *reader, json_t *root)
{
  static const char *const packages[] = {"compas_assembly", "compas_cra", "compas_dem", NULL};
  static const char *const meshes[] = {"compas", "compas_assembly", "compas_cra", NULL};
  const json_t *data = mesh_compas_data(root);
  if (json_is_array(root)) return read_list(reader, root, 0);
  const char *class = mesh_compas_class(root, packages), *mesh = mesh_compas_class(root, meshes);
  if (class && (strcmp(class, "Assembly") == 0 || strcmp(class, "CRA_Assembly") == 0))
    return read_assembly(reader, data);
  if (class && strcmp(class, "BlockModel") == 0) return read_model(reader, data, NULL);
  if (class && strcmp(class, "Problem") == 0) return read_problem(reader, data);
  if (mesh && (strcmp(mesh, "Mesh") == 0 || strcmp(mesh, "Block") == 0)) {
    const CompasBlock block = {"0", root, mesh_compas_identity(), false};
    return mesh_compas_add(reader, &block);
  }
  // what "data" of 0.x writes has no dtype
  const bool untyped =
      json_is_object(root) && !json_object_get(root, "dtype") && !json_object_get(root, "datatype");
  if (untyped && json_is_object(json_object_get(data, "assembly")) &&
      json_is_object(json_object_get(data, "blocks")))
    return read_assembly(reader, data);
  return mesh_compas_refuse_type(reader, NULL, root, EXPECTED);
}

// Names and supports go to the mesh blocks, which are numbered as their first faces come.
static void finish(CompasReader *reader, const json_t *root)
{
  MeshReading *reading = reader->reading;
  const int64_t *keys = mesh_draft_finish(reading);
  MeshSoup *soup = reading->soup;
  assert(soup->mesh_block_count == reader->names.count && "every block has a face");
  bool *fixed = arena_allocate(reading->arena, (size_t)soup->mesh_block_count * sizeof *fixed);
  for (int i = 0; i < soup->mesh_block_count; i++) {
    soup->mesh_block_names[i] = ((const char **)reader->names.rows)[keys[i]];
    fixed[i] = ((const bool *)reader->fixed.rows)[keys[i]];
  }
  soup->mesh_block_fixed = fixed;
  soup->mesh_blocks_apart = true;
  soup->remark = mesh_compas_remark(reader, root);
}

bool mesh_compas_read(MeshReading *reading)
{
  assert(reading->file_count >= 1 && reading->files[0].bytes != NULL && "a mesh has a file");
  CompasReader reader = {.reading = reading,
                         .scan = mesh_scan_new(&reading->files[0], reading->error)};
  mesh_scan_skip_mark(&reader.scan);
  json_t *root = load(&reader);
  const bool sound = root && read_root(&reader, root);
  if (sound && reader.names.count > 0) finish(&reader, root);
  const bool empty = sound && reader.names.count == 0;
  if (empty) mesh_compas_fail(&reader, NULL, "no blocks in it");
  json_decref(root);
  memory_free(reader.names.rows);
  memory_free(reader.fixed.rows);
  mesh_scan_destroy(&reader.scan);
  return sound && !empty;
}
