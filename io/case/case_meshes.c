// Reads the key mesh of a case file: path, scale, axes and the body that is meant.
#include "case_meshes.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "case_elastic.h"
#include "mesh_list.h"

#define MESSAGE_BYTES 1024

static const SharedMesh *find_mesh(const CaseMeshes *meshes, const char *path, MeshFrame mesh_frame)
{
  assert(path != NULL && "a mesh has a path");
  for (int i = 0; i < meshes->count; i++) {
    const SharedMesh *mesh = meshes->items[i];
    if (strcmp(mesh->path, path) == 0 && mesh->mesh_frame.scale == mesh_frame.scale &&
        mesh->mesh_frame.up == mesh_frame.up && mesh->mesh_frame.hull == mesh_frame.hull &&
        mesh->mesh_frame.flat == mesh_frame.flat &&
        mesh->mesh_frame.surface == mesh_frame.surface &&
        mesh->mesh_frame.pieces == mesh_frame.pieces &&
        mesh->mesh_frame.cells == mesh_frame.cells &&
        mesh->mesh_frame.most_nodes == mesh_frame.most_nodes)
      return mesh;
  }
  return NULL;
}

static const SharedMesh *keep_mesh(CaseMeshes *meshes, SharedMesh mesh)
{
  assert(meshes->count <= meshes->capacity && "meshes lie in their room");
  assert(mesh.count > 0 && "a mesh has a body");
  meshes->items = arena_grow(meshes->arena, meshes->items, meshes->count + 1, &meshes->capacity,
                             sizeof *meshes->items);
  SharedMesh *kept = arena_allocate(meshes->arena, sizeof *kept);
  *kept = mesh;
  meshes->items[meshes->count++] = kept;
  return kept;
}

static void keep_use(CaseMeshes *meshes, const CaseNode *node, const SharedMesh *mesh)
{
  assert(meshes->use_count <= meshes->use_capacity && mesh != NULL && "uses lie in their room");
  meshes->uses = arena_grow(meshes->arena, meshes->uses, meshes->use_count + 1,
                            &meshes->use_capacity, sizeof *meshes->uses);
  char key[256];
  case_tree_key_path(node, key, sizeof key);
  const size_t bytes = strlen(key) + 1;
  meshes->uses[meshes->use_count++] =
      (MeshUse){memcpy(arena_allocate(meshes->arena, bytes), key, bytes), mesh};
}

// The name of the body that a node is of; NULL: it has none.
static const char *name_above(const CaseNode *node)
{
  for (const CaseNode *p = node->parent; p; p = p->parent) {
    const CaseNode *name = p->kind == NODE_MAPPING ? case_tree_find(p, "name") : NULL;
    if (name && name->kind == NODE_SCALAR) return name->text;
  }
  return NULL;
}

static const SharedMesh *read_mesh_file(CaseReader *reader, const CaseNode *node, const char *file,
                                        MeshFrame mesh_frame)
{
  assert(mesh_frame.scale > 0 && mesh_frame.up >= 0 && mesh_frame.up <= 2 &&
         "a mesh has a scale and an upward axis");
  CaseMeshes *meshes = reader->meshes;
  if (reader->failed) return NULL;
  if (!meshes || !meshes->read) {
    case_tree_fail(reader, node, "meshes cannot be read here");
    return NULL;
  }
  const char *path = case_value_path(reader, file);
  const SharedMesh *known = find_mesh(meshes, path, mesh_frame);
  if (known) return known;
  SharedMesh mesh;
  char error[MESSAGE_BYTES] = "";
  if (meshes->read(path, mesh_frame, meshes->arena, &mesh, (ErrorText){error, sizeof error}))
    return keep_mesh(meshes, mesh);
  const char *name = name_above(node);
  char quoted[64] = "";
  if (name) case_tree_quote(name, quoted, sizeof quoted);
  case_tree_fail(reader, node, "%s%s%s%s", *quoted ? "body '" : "", quoted, *quoted ? "': " : "",
                 error);
  return NULL;
}

static int read_up(CaseReader *reader, const CaseNode *node)
{
  static const char *const axes[] = {"x", "y", "z"};
  char found[TREE_FOUND_BYTES];
  for (int k = 0; k < 3; k++)
    if (case_value_is_word(node, axes[k])) return k;
  if (node)
    case_tree_fail(reader, node, "expected 'x', 'y' or 'z', found %s",
                   case_tree_found(node, found));
  return 2;
}

// The body that is meant by its number from 1 or by its name: its index.
static int read_choice(CaseReader *reader, const CaseNode *node, const SharedMesh *mesh)
{
  assert(mesh->count > 0 && "a mesh has a body");
  if (node->kind == NODE_SCALAR && (!node->plain || strspn(node->text, "0123456789") == 0)) {
    int chosen = -1, count = 0;
    for (int i = 0; i < mesh->count; i++)
      if (strcmp(mesh->names[i], node->text) == 0) {
        chosen = i;
        count++;
      }
    if (count == 1) return chosen;
    char found[TREE_FOUND_BYTES];
    case_tree_fail(reader, node,
                   "expected the name of a body or its number from 1 to %d, found %s, which %s; "
                   "drystone mesh %s lists them",
                   mesh->count, case_tree_found(node, found),
                   count ? "several bodies have" : "no body has", mesh->path);
    return 0;
  }
  return (int)case_value_integer(reader, node, 1, mesh->count, 1) - 1;
}

// What is wanted of the bodies of a file.
typedef enum { WANT_BODIES, WANT_SURFACES, WANT_CELLS } MeshWish;

// The mesh of a node and the index of the body it asks for, -1 for none.
// most_nodes: of a piece of its bodies, where cells are wanted; 0: these stay whole.
static const SharedMesh *read_mesh(CaseReader *reader, const CaseNode *node, MeshWish wish,
                                   int most_nodes, int *chosen)
{
  static const char *const keys[] = {"file",   "scale", "up",   "hull", "surface",
                                     "pieces", "flat",  "body", NULL};
  static const NumberRule scale = {1e-9, 1e9, "a scale from 1e-9 to 1e9 m per unit of the file"};
  static const NumberRule flat = {0, MESH_FLAT_LARGEST, "a part of the size of a body, 0 to 0.01"};
  *chosen = -1;
  const bool as_surface = wish == WANT_SURFACES;
  MeshFrame mesh_frame = {.scale = 1,
                          .up = 2,
                          .surface = as_surface,
                          .cells = wish == WANT_CELLS,
                          .most_nodes = wish == WANT_CELLS ? most_nodes : 0};
  const CaseNode *file = node, *body = NULL;
  char found[TREE_FOUND_BYTES];
  if (node && node->kind == NODE_LIST)
    case_tree_fail(reader, node,
                   "expected the path of a mesh or a mapping with the key 'file', found %s",
                   case_tree_found(node, found));
  else if (node && node->kind == NODE_MAPPING) {
    const CaseNode *mapping = case_value_mapping(reader, node, keys);
    file = case_value_require(reader, mapping, "file");
    mesh_frame.scale = case_value_number(reader, case_tree_find(mapping, "scale"), &scale, 1);
    mesh_frame.up = read_up(reader, case_tree_find(mapping, "up"));
    mesh_frame.hull = case_value_flag(reader, case_tree_find(mapping, "hull"), false);
    const CaseNode *part = case_tree_find(mapping, "flat");
    if (part) {
      mesh_frame.flat = case_value_number(reader, part, &flat, 0);
      if (mesh_frame.flat == 0) mesh_frame.flat = MESH_AS_IT_IS;
    }
    const CaseNode *surface = case_tree_find(mapping, "surface");
    mesh_frame.surface = case_value_flag(reader, surface, false) || as_surface;
    const CaseNode *pieces = case_tree_find(mapping, "pieces");
    if (pieces) mesh_frame.pieces = (int)case_value_integer(reader, pieces, 1, MESH_MOST_PIECES, 1);
    if (!mesh_block_one_form(mesh_frame))
      case_tree_fail(reader,
                     pieces    ? pieces
                     : surface ? surface
                               : node,
                     "%s",
                     as_surface
                         ? "a room is what its surface holds: expected neither hull nor pieces"
                         : MESH_FORMS_EXCLUDE);
    if (mesh_frame.cells && (mesh_frame.hull || mesh_frame.surface || mesh_frame.pieces > 0))
      case_tree_fail(reader, node,
                     "cells of the file fill its bodies as they are: expected neither hull nor "
                     "surface nor pieces");
    body = case_tree_find(mapping, "body");
  }
  const char *name = case_value_text(reader, file, "");
  if (!reader->failed && !*name)
    case_tree_fail(reader, file ? file : node, "expected the path of a mesh");
  const SharedMesh *mesh = read_mesh_file(reader, file, name, mesh_frame);
  if (mesh) keep_use(reader->meshes, node, mesh);
  if (mesh && body) *chosen = read_choice(reader, body, mesh);
  return mesh;
}

static ShapeRecipe read_single(CaseReader *reader, const CaseNode *node, MeshWish wish)
{
  int chosen;
  const SharedMesh *mesh = read_mesh(reader, node, wish, 0, &chosen);
  assert((!mesh || chosen < mesh->count) && "a body is one of its mesh");
  if (!mesh || reader->failed) return (ShapeRecipe){0};
  if (chosen < 0 && mesh->count > 1) {
    case_tree_fail(reader, node,
                   "%s holds %d bodies: choose one by body, a number from 1 or a name", mesh->path,
                   mesh->count);
    return (ShapeRecipe){0};
  }
  return mesh->shapes[chosen < 0 ? 0 : chosen];
}

ShapeRecipe case_read_solid(CaseReader *reader, const CaseNode *node)
{
  return read_single(reader, node, WANT_BODIES);
}

ShapeRecipe case_read_surface(CaseReader *reader, const CaseNode *node)
{
  return read_single(reader, node, WANT_SURFACES);
}

// Bodies of which some are in pieces: as many bodies of the entry as there are pieces.
static void take_pieces(CaseReader *reader, const SharedMesh *mesh, int first, int count,
                        BodyGroup *group)
{
  assert(mesh->pieces != NULL && mesh->cells != NULL && "bodies of cells are cut");
  FileBody *file = arena_allocate_zero(reader->arena, (size_t)count, sizeof *file);
  size_t total = 0;
  for (int i = 0; i < count; i++) {
    const SharedPieces *of = &mesh->pieces[first + i];
    file[i].first = total;
    total += of->pieces ? (size_t)of->pieces->count : 1;
    file[i].end = total;
    file[i].pieces = of->pieces;
    file[i].arm = of->arm;
  }
  ShapeRecipe *solids = arena_allocate(reader->arena, total * sizeof *solids);
  FiniteMesh *cells = arena_allocate(reader->arena, total * sizeof *cells);
  for (int i = 0; i < count; i++) {
    const SharedPieces *of = &mesh->pieces[first + i];
    for (uint64_t k = file[i].first; k < file[i].end; k++) {
      solids[k] = of->pieces ? of->shapes[k - file[i].first] : mesh->shapes[first + i];
      cells[k] = of->pieces ? of->pieces->cells[k - file[i].first] : mesh->cells[first + i];
    }
  }
  group->kind = GROUP_MESH;
  group->shape = (ShapeRecipe){0};
  group->solid_count = (int)total;
  group->solids = solids;
  group->cells = cells;
  group->cuts.file_count = count;
  group->cuts.file = file;
}

// All bodies of a file that has been read, or the one that is chosen.
static void take_bodies(const SharedMesh *mesh, int chosen, BodyGroup *group)
{
  assert(group->shape.part_count == 0 && chosen < mesh->count && "a group gets one shape");
  const int first = chosen < 0 ? 0 : chosen;
  group->member_names = mesh->names + first;
  group->member_fixed = mesh->fixed ? mesh->fixed + first : NULL;
  group->cells = mesh->cells ? mesh->cells + first : NULL;
  group->kind = chosen >= 0 || mesh->count == 1 ? GROUP_BODY : GROUP_MESH;
  if (group->kind == GROUP_BODY) {
    group->shape = mesh->shapes[first];
    return;
  }
  group->solid_count = mesh->count;
  group->solids = mesh->shapes;
}

void case_read_mesh_group(CaseReader *reader, const CaseNode *node, BodyGroup *group)
{
  int chosen;
  const MeshWish wish = case_elastic_of_file(node) ? WANT_CELLS : WANT_BODIES;
  // bodies that are told apart stay whole
  const int most_nodes = case_tree_find(node->parent, "where") ? 0 : group->cuts.most_nodes;
  const SharedMesh *mesh = read_mesh(reader, node, wish, most_nodes, &chosen);
  group->kind = GROUP_BODY;
  if (!mesh || reader->failed) return;
  if (mesh->fixed)
    case_tree_fail_key(
        reader, node, "a COMPAS file: expected it under 'compas', by which its supports are fixed");
  else take_bodies(mesh, chosen, group);
  if (reader->failed || !mesh->pieces) return;
  const int first = chosen < 0 ? 0 : chosen, count = chosen < 0 ? mesh->count : 1;
  bool any = false;
  for (int i = first; i < first + count; i++) any = any || mesh->pieces[i].pieces;
  if (any) take_pieces(reader, mesh, first, count, group);
}

void case_read_compas_group(CaseReader *reader, const CaseNode *node, BodyGroup *group)
{
  int chosen;
  const SharedMesh *mesh = read_mesh(reader, node, WANT_BODIES, 0, &chosen);
  group->kind = GROUP_BODY;
  if (!mesh || reader->failed) return;
  if (!mesh->fixed)
    case_tree_fail_key(reader, node,
                       "no COMPAS file, whose name ends with .json: expected it under "
                       "'mesh'");
  else take_bodies(mesh, chosen, group);
}

const char *case_mesh_notes(const CaseMeshes *meshes)
{
  assert(meshes->arena != NULL && meshes->count >= 0 && "notes have a place");
  size_t bytes = 1;
  for (int i = 0; i < meshes->count; i++)
    if (*meshes->items[i]->note)
      bytes += strlen(meshes->items[i]->path) + strlen(meshes->items[i]->note) + 4;
  char *text = arena_allocate(meshes->arena, bytes), *end = text;
  *text = 0;
  for (int i = 0; i < meshes->count; i++)
    if (*meshes->items[i]->note)
      end += snprintf(end, bytes - (size_t)(end - text), "%s%s: %s", end > text ? "\n" : "",
                      meshes->items[i]->path, meshes->items[i]->note);
  return text;
}

static size_t print_use(const MeshUse *use, char *text, size_t bytes)
{
  assert(use->key != NULL && use->mesh != NULL && "a use has a key and a mesh");
  char path[512];
  case_tree_quote(use->mesh->path, path, sizeof path);
  return mesh_list_print(&(MeshLine){.contents = use->mesh->contents,
                                     .layout = use->mesh->layout,
                                     .key = use->key,
                                     .key_length = (int)strlen(use->key),
                                     .path = path,
                                     .path_length = (int)strlen(path)},
                         text, bytes);
}

const char *case_mesh_list(const CaseMeshes *meshes)
{
  assert(meshes->arena != NULL && meshes->use_count >= 0 && "a list has a place");
  size_t bytes = 1;
  for (int i = 0; i < meshes->use_count; i++) bytes += print_use(&meshes->uses[i], NULL, 0);
  char *text = arena_allocate(meshes->arena, bytes), *end = text;
  *text = 0;
  for (int i = 0; i < meshes->use_count; i++)
    end += print_use(&meshes->uses[i], end, bytes - (size_t)(end - text));
  return text;
}
