// A block of a COMPAS file: its dtype, vertices, faces and transformation.
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mesh_compas.h"

bool mesh_compas_fail(CompasReader *reader, const char *block, const char *format, ...)
{
  assert(reader->scan.path != NULL && "a file has a path");
  const ErrorText error = reader->reading->error;
  if (reader->scan.failed) return false;
  reader->scan.failed = true;
  char reason[384];
  va_list words;
  va_start(words, format);
  vsnprintf(reason, sizeof reason, format, words);
  va_end(words);
  if (block)
    snprintf(error.text, error.bytes, "%s: block '%.200s': %s", reader->scan.path, block, reason);
  else snprintf(error.text, error.bytes, "%s: %s", reader->scan.path, reason);
  return false;
}

// A text of the file for a message.
static const char *visible(const CompasReader *reader, const char *text)
{
  assert(text != NULL && "a text is there");
  const size_t length = strlen(text);
  return mesh_word_name((MeshWord){text, length < 80 ? length : 80}, reader->reading->arena);
}

// -- dtypes ---------------------------------------------------------------------------------------

// Older files write "datatype".
static const char *type_of(const json_t *object)
{
  const json_t *type = json_object_get(object, "dtype");
  if (!type) type = json_object_get(object, "datatype");
  return json_string_value(type);
}

const json_t *mesh_compas_data(const json_t *object)
{
  const json_t *data = json_object_get(object, "data");
  return json_is_object(data) ? data : object;
}

const char *mesh_compas_class(const json_t *object, const char *const *packages)
{
  assert(packages != NULL && "packages are named");
  const char *type = type_of(object), *slash = type ? strrchr(type, '/') : NULL;
  if (!slash) return NULL;
  const size_t package = strcspn(type, "./");
  for (int i = 0; packages[i]; i++)
    if (strlen(packages[i]) == package && strncmp(type, packages[i], package) == 0)
      return slash + 1;
  return NULL;
}

bool mesh_compas_refuse_type(CompasReader *reader, const char *block, const json_t *object,
                             const char *expected)
{
  assert(expected != NULL && "something is expected");
  const char *type = type_of(object);
  if (type)
    return mesh_compas_fail(reader, block, "the dtype '%s' is not read, expected %s",
                            visible(reader, type), expected);
  return mesh_compas_fail(reader, block, "%s, expected %s",
                          json_is_object(object) ? "an object without a dtype" : "no object",
                          expected);
}

const char *mesh_compas_key(const CompasReader *reader, const char *key)
{
  assert(key != NULL && "a key is a text");
  const size_t length = strlen(key);
  const bool quoted = length >= 2 && (key[0] == '\'' || key[0] == '"') && key[length - 1] == key[0];
  const MeshWord word = {key + quoted, length - (quoted ? 2 : 0)};
  return mesh_word_name(word, reader->reading->arena);
}

bool mesh_compas_flag(CompasReader *reader, const char *block, const json_t *value, bool *flag)
{
  *flag = json_is_true(value) || (json_is_integer(value) && json_integer_value(value) == 1);
  if (!value || json_is_null(value) || json_is_boolean(value)) return true;
  if (json_is_integer(value) && (*flag || json_integer_value(value) == 0)) return true;
  return mesh_compas_fail(reader, block, "is_support is neither true nor false");
}

// -- places ---------------------------------------------------------------------------------------

CompasPlace mesh_compas_identity(void) { return (CompasPlace){.turn = mat3_diagonal(1, 1, 1)}; }

CompasPlace mesh_compas_after(CompasPlace outer, CompasPlace inner)
{
  return (CompasPlace){mat3_mul_mat(outer.turn, inner.turn),
                       vec3_add(mat3_mul(outer.turn, inner.shift), outer.shift)};
}

bool mesh_compas_place(CompasReader *reader, const char *block, const json_t *transformation,
                       CompasPlace *place)
{
  *place = mesh_compas_identity();
  if (!transformation || json_is_null(transformation)) return true;
  const json_t *rows = json_object_get(mesh_compas_data(transformation), "matrix");
  double m[4][4];
  bool affine = json_array_size(rows) == 4;
  for (size_t i = 0; i < 4 && affine; i++) {
    const json_t *row = json_array_get(rows, i);
    affine = json_array_size(row) == 4;
    for (size_t j = 0; j < 4 && affine; j++) {
      affine = json_is_number(json_array_get(row, j));
      m[i][j] = json_number_value(json_array_get(row, j));
    }
  }
  affine = affine && m[3][0] == 0 && m[3][1] == 0 && m[3][2] == 0 && m[3][3] == 1;
  if (!affine)
    return mesh_compas_fail(reader, block,
                            "a transformation without a 'matrix' of 4 rows of 4 numbers, the last "
                            "[0, 0, 0, 1]");
  *place = (CompasPlace){.turn = {{{m[0][0], m[0][1], m[0][2]},
                                   {m[1][0], m[1][1], m[1][2]},
                                   {m[2][0], m[2][1], m[2][2]}}},
                         .shift = {m[0][3], m[1][3], m[2][3]}};
  return true;
}

// -- vertices -------------------------------------------------------------------------------------

// A mesh block while it is read.
typedef struct {
  CompasReader *reader;
  const char *name;
  const json_t *defaults;   // of vertices
  json_t *numbers;          // of points, by the key of their vertex
} BlockReading;

static bool read_coordinate(BlockReading *block, const json_t *vertex, const char *key,
                            const char *axis, double *value)
{
  const json_t *number = json_object_get(vertex, axis);
  if (!number) number = json_object_get(block->defaults, axis);
  *value = json_number_value(number);
  if (json_is_number(number)) return true;
  return mesh_compas_fail(block->reader, block->name, "%s of vertex '%s' is %s", axis,
                          visible(block->reader, key),
                          number ? "no finite number" : "missing, and has no default");
}

static bool read_vertices(BlockReading *block, const json_t *vertices, CompasPlace place)
{
  CompasReader *reader = block->reader;
  MeshDraft *draft = &reader->reading->draft;
  const char *key;
  json_t *vertex;
  json_object_foreach((json_t *)vertices, key, vertex)
  {
    vec3 p;
    if (!read_coordinate(block, vertex, key, "x", &p.x) ||
        !read_coordinate(block, vertex, key, "y", &p.y) ||
        !read_coordinate(block, vertex, key, "z", &p.z))
      return false;
    const char *text = mesh_compas_key(reader, key);
    if (json_object_get(block->numbers, text))
      return mesh_compas_fail(reader, block->name, "two vertices are called '%s'", text);
    json_object_set_new(block->numbers, text, json_integer(draft->points.count));
    if (!mesh_draft_point(draft, &reader->scan, vec3_add(mat3_mul(place.turn, p), place.shift)))
      return false;
  }
  return true;
}

// -- faces ----------------------------------------------------------------------------------------

static bool read_corner(BlockReading *block, const char *face, const json_t *corner)
{
  CompasReader *reader = block->reader;
  char number[32];
  const char *key = NULL;
  if (json_is_integer(corner)) {
    snprintf(number, sizeof number, "%lld", (long long)json_integer_value(corner));
    key = number;
  } else if (json_is_string(corner)) {
    key = mesh_compas_key(reader, json_string_value(corner));
  }
  if (!key)
    return mesh_compas_fail(reader, block->name,
                            "a corner of face '%s' is neither a number nor a name",
                            visible(reader, face));
  const json_t *point = json_object_get(block->numbers, key);
  if (!point)
    return mesh_compas_fail(reader, block->name,
                            "face '%s' names vertex '%s', and the block has none of that name",
                            visible(reader, face), visible(reader, key));
  return mesh_draft_corner(&reader->reading->draft, &reader->scan, json_integer_value(point));
}

static bool read_faces(BlockReading *block, const json_t *faces)
{
  CompasReader *reader = block->reader;
  MeshDraft *draft = &reader->reading->draft;
  const int64_t number = reader->names.count;
  const char *key;
  json_t *face;
  json_object_foreach((json_t *)faces, key, face)
  {
    if (json_array_size(face) < 3)
      return mesh_compas_fail(reader, block->name, "face '%s' is no list of at least 3 vertices",
                              visible(reader, key));
    if (!mesh_draft_face(draft, &reader->scan, number)) return false;
    for (size_t i = 0; i < json_array_size(face); i++)
      if (!read_corner(block, key, json_array_get(face, i))) return false;
  }
  return true;
}

bool mesh_compas_add(CompasReader *reader, const CompasBlock *block)
{
  static const char *const packages[] = {"compas",     "compas_assembly", "compas_cra",
                                         "compas_dem", "compas_model",    NULL};
  static const char *const classes[] = {"Mesh", "Block", "BlockMesh", "BlockGeometry"};
  assert(block->name != NULL && "a block has a name, be it a number");
  const char *class = mesh_compas_class(block->mesh, packages);
  bool known = !type_of(block->mesh) && json_object_get(block->mesh, "vertex");
  for (size_t i = 0; class && i < sizeof classes / sizeof classes[0]; i++)
    known = known || strcmp(class, classes[i]) == 0;
  if (!known) return mesh_compas_refuse_type(reader, block->name, block->mesh, "a Mesh or a Block");

  const json_t *data = mesh_compas_data(block->mesh), *faces = json_object_get(data, "face"),
               *vertices = json_object_get(data, "vertex");
  if (!json_is_object(vertices) || !json_is_object(faces))
    return mesh_compas_fail(reader, block->name, "a mesh without 'vertex' and 'face'");
  if (json_object_size(faces) == 0)
    return mesh_compas_fail(reader, block->name, "its mesh has no faces");
  bool fixed;
  const json_t *attributes = json_object_get(data, "attributes");
  if (!mesh_compas_flag(reader, block->name, json_object_get(attributes, "is_support"), &fixed))
    return false;
  BlockReading reading = {reader, block->name, json_object_get(data, "default_vertex_attributes"),
                          json_object()};
  if (!reading.defaults) reading.defaults = json_object_get(data, "dva");
  const bool sound = read_vertices(&reading, vertices, block->place) && read_faces(&reading, faces);
  json_decref(reading.numbers);
  if (!sound) return false;
  *(const char **)mesh_list_add(&reader->names, sizeof(char *)) = block->name;
  *(bool *)mesh_list_add(&reader->fixed, sizeof(bool)) = block->fixed || fixed;
  return true;
}
