// PLY, text and binary of both byte orders: element vertex with x, y, z; element face with a list.
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "mesh_draft.h"

#include "check.h"

enum { ELEMENTS_MOST = 64, PROPERTIES_MOST = 1024 };

typedef enum { ELEMENT_IGNORED, ELEMENT_VERTEX, ELEMENT_FACE } ElementRole;
typedef enum { ROLE_IGNORED, ROLE_X, ROLE_Y, ROLE_Z, ROLE_CORNERS, ROLES } PropertyRole;

typedef struct {
  const char *names[2];
  int bytes;
  bool is_float, is_signed;
} PlyType;

typedef struct {
  const PlyType *type;
  const PlyType *count_type;   // NULL: not a list
  PropertyRole role;
} PlyProperty;

typedef struct {
  char name[MESH_QUOTE_BYTES];   // in quotes, for messages
  ElementRole role;
  int64_t count;
  int first_property, property_count;
  bool has[ROLES];
} PlyElement;

typedef struct {
  MeshScan scan;
  MeshDraft *draft;
  int element_count, property_count;
  PlyElement elements[ELEMENTS_MOST];
  PlyProperty properties[PROPERTIES_MOST];
  int64_t vertex_count;
  bool has_format, is_binary;   // of the data; the header is text
} PlyReader;

static const PlyType *find_type(MeshWord word)
{
  static const PlyType types[] = {
      {{"char", "int8"}, 1, false, true},    {{"uchar", "uint8"}, 1, false, false},
      {{"short", "int16"}, 2, false, true},  {{"ushort", "uint16"}, 2, false, false},
      {{"int", "int32"}, 4, false, true},    {{"uint", "uint32"}, 4, false, false},
      {{"float", "float32"}, 4, true, true}, {{"double", "float64"}, 8, true, true},
  };
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (mesh_word_is(word, types[i].names[0]) || mesh_word_is(word, types[i].names[1]))
      return &types[i];
  return NULL;
}

// -------------------------------------------------------------------------------------------------
// Header

static bool read_format(PlyReader *reader)
{
  MeshScan *scan = &reader->scan;
  const MeshWord word = mesh_scan_word(scan);
  const MeshWord version = mesh_scan_word(scan);
  const bool text = mesh_word_is(word, "ascii"), big = mesh_word_is(word, "binary_big_endian");
  if (!text && !big && !mesh_word_is(word, "binary_little_endian"))
    return mesh_scan_expected(scan, "ascii, binary_little_endian or binary_big_endian", word);
  if (!mesh_word_is(version, "1.0")) return mesh_scan_expected(scan, "version 1.0", version);
  if (reader->has_format) return mesh_scan_fail(scan, "a second format");
  reader->has_format = true;
  reader->is_binary = !text;
  scan->big_endian = big;
  return text ? mesh_scan_is_text(scan) : true;
}

static bool read_element(PlyReader *reader)
{
  assert(reader->element_count >= 0 && reader->element_count <= ELEMENTS_MOST &&
         "elements have room");
  MeshScan *scan = &reader->scan;
  const MeshWord name = mesh_scan_word(scan);
  if (name.length == 0) return mesh_scan_expected(scan, "the name of an element", name);
  if (reader->element_count == ELEMENTS_MOST)
    return mesh_scan_fail(scan, "more than %d elements", ELEMENTS_MOST);
  PlyElement *element = &reader->elements[reader->element_count];
  *element = (PlyElement){.first_property = reader->property_count};
  mesh_word_quote(scan, name, element->name);
  if (mesh_word_is(name, "vertex")) element->role = ELEMENT_VERTEX;
  if (mesh_word_is(name, "face")) element->role = ELEMENT_FACE;
  if (mesh_word_is(name, "tristrips"))
    return mesh_scan_fail(scan, "triangle strips are not read; save single triangles");
  for (int i = 0; i < reader->element_count && element->role != ELEMENT_IGNORED; i++)
    if (reader->elements[i].role == element->role)
      return mesh_scan_fail(scan, "a second element %s", element->name);
  if (!mesh_scan_integer(scan, "a number of elements", 0, INT_MAX, &element->count)) return false;
  if (element->role == ELEMENT_VERTEX) reader->vertex_count = element->count;
  reader->element_count++;
  return true;
}

static PropertyRole role_of(const PlyElement *element, MeshWord name)
{
  if (element->role == ELEMENT_FACE)
    return mesh_word_is(name, "vertex_indices") || mesh_word_is(name, "vertex_index")
               ? ROLE_CORNERS
               : ROLE_IGNORED;
  if (element->role == ELEMENT_VERTEX)
    return mesh_word_is(name, "x")   ? ROLE_X
           : mesh_word_is(name, "y") ? ROLE_Y
           : mesh_word_is(name, "z") ? ROLE_Z
                                     : ROLE_IGNORED;
  return ROLE_IGNORED;
}

// "property TYPE NAME" or "property list TYPE TYPE NAME"
static bool read_property(PlyReader *reader)
{
  assert(reader->property_count >= 0 && reader->property_count <= PROPERTIES_MOST &&
         "properties have room");
  MeshScan *scan = &reader->scan;
  if (reader->element_count == 0) return mesh_scan_fail(scan, "a property before any element");
  if (reader->property_count == PROPERTIES_MOST)
    return mesh_scan_fail(scan, "more than %d properties", PROPERTIES_MOST);

  static const char types[] = "a type like uchar, int32, float or double";
  PlyProperty property = {0};
  MeshWord word = mesh_scan_word(scan);
  if (mesh_word_is(word, "list")) {
    word = mesh_scan_word(scan);
    property.count_type = find_type(word);
    if (!property.count_type || property.count_type->is_float)
      return mesh_scan_expected(scan, "a type of whole numbers", word);
    word = mesh_scan_word(scan);
  }
  property.type = find_type(word);
  if (!property.type) return mesh_scan_expected(scan, types, word);
  const MeshWord name = mesh_scan_word(scan);
  if (name.length == 0) return mesh_scan_expected(scan, "the name of a property", name);

  PlyElement *element = &reader->elements[reader->element_count - 1];
  property.role = role_of(element, name);
  char quote[MESH_QUOTE_BYTES];
  mesh_word_quote(scan, name, quote);
  if (property.role != ROLE_IGNORED) {
    if (element->has[property.role]) return mesh_scan_fail(scan, "a second property %s", quote);
    if ((property.role == ROLE_CORNERS) != (property.count_type != NULL))
      return mesh_scan_fail(scan, "property %s %s a list", quote,
                            property.count_type ? "cannot be" : "must be");
    if (property.role == ROLE_CORNERS && property.type->is_float)
      return mesh_scan_fail(scan, "property %s must be of whole numbers", quote);
    element->has[property.role] = true;
  }
  reader->properties[reader->property_count++] = property;
  element->property_count++;
  return true;
}

static bool judge_header(PlyReader *reader)
{
  if (!reader->has_format) return mesh_scan_fail(&reader->scan, "the header names no format");
  bool has_vertices = false;
  for (int i = 0; i < reader->element_count; i++) {
    const PlyElement *element = &reader->elements[i];
    has_vertices = has_vertices || element->role == ELEMENT_VERTEX;
    if (element->role == ELEMENT_VERTEX &&
        !(element->has[ROLE_X] && element->has[ROLE_Y] && element->has[ROLE_Z]))
      return mesh_scan_fail(&reader->scan, "element 'vertex' needs properties x, y and z");
    if (element->role == ELEMENT_FACE && !element->has[ROLE_CORNERS])
      return mesh_scan_fail(&reader->scan,
                            "element 'face' needs a list vertex_indices or vertex_index");
    if (element->count > 0 && element->property_count == 0)
      return mesh_scan_fail(&reader->scan, "element %s has no properties", element->name);
  }
  return has_vertices || mesh_scan_fail(&reader->scan, "no element 'vertex'");
}

// Up to and with the end of the line of end_header.
static bool read_header(PlyReader *reader)
{
  MeshScan *scan = &reader->scan;
  mesh_scan_skip_mark(scan);
  MeshWord word = mesh_scan_word(scan);
  if (!mesh_word_is(word, "ply")) return mesh_scan_expected(scan, "'ply'", word);
  // where lines end with CR alone, a line feed after the header belongs to the data
  const bool lone_return = mesh_scan_left(scan) > 1 && scan->at[0] == '\r' && scan->at[1] != '\n';
  while (mesh_scan_line(scan)) {
    word = mesh_scan_word(scan);
    if (mesh_word_is(word, "end_header")) {
      if (!judge_header(reader)) return false;
      if (lone_return && mesh_scan_left(scan) > 0 && *scan->at == '\r') scan->at++, scan->line++;
      else mesh_scan_skip_line(scan);
      scan->binary = reader->is_binary;
      return true;
    }
    bool sound = true;
    if (mesh_word_is(word, "format")) sound = read_format(reader);
    else if (mesh_word_is(word, "element")) sound = read_element(reader);
    else if (mesh_word_is(word, "property")) sound = read_property(reader);
    else if (!mesh_word_is(word, "comment") && !mesh_word_is(word, "obj_info"))
      sound = mesh_scan_expected(scan, "format, element, property, comment or end_header", word);
    if (!sound) return false;
  }
  return mesh_scan_fail(scan, "the header has no end_header");
}

// -------------------------------------------------------------------------------------------------
// Data

static bool read_whole(PlyReader *reader, const PlyType *type, const char *what, int64_t *value)
{
  assert_debug(type != NULL && !type->is_float && "a whole number has a whole type");
  MeshScan *scan = &reader->scan;
  if (!scan->binary) return mesh_scan_integer(scan, what, 0, INT_MAX, value);
  if (!mesh_scan_has(scan, (size_t)type->bytes, what)) return false;
  *value = type->is_signed ? mesh_scan_signed(scan, type->bytes)
                           : (int64_t)mesh_scan_unsigned(scan, type->bytes);
  return true;
}

static bool read_real(PlyReader *reader, const PlyType *type, const char *what, double *value)
{
  assert_debug(type != NULL && "a value has a type");
  MeshScan *scan = &reader->scan;
  if (!scan->binary) return mesh_scan_number(scan, what, value);
  if (!mesh_scan_has(scan, (size_t)type->bytes, what)) return false;
  if (type->is_float) *value = mesh_scan_float(scan, type->bytes);
  else if (type->is_signed) *value = (double)mesh_scan_signed(scan, type->bytes);
  else *value = (double)mesh_scan_unsigned(scan, type->bytes);
  return true;
}

static bool read_corner(PlyReader *reader, const PlyType *type)
{
  int64_t vertex;
  if (!read_whole(reader, type, "a vertex of a face", &vertex)) return false;
  if (vertex < 0 || vertex >= reader->vertex_count)
    return mesh_scan_fail(&reader->scan, "a face names vertex %lld of %lld, and they count from 0",
                          (long long)vertex, (long long)reader->vertex_count);
  return mesh_draft_corner(reader->draft, &reader->scan, vertex);
}

static bool read_list(PlyReader *reader, const PlyProperty *property)
{
  assert_debug(property->count_type != NULL && "a list has a length");
  MeshScan *scan = &reader->scan;
  int64_t count;
  if (!read_whole(reader, property->count_type, "the length of a list", &count)) return false;
  if (count < 0) return mesh_scan_fail(scan, "a list of %lld values", (long long)count);
  if (scan->binary && !mesh_scan_has(scan, (size_t)count * (size_t)property->type->bytes, "a list"))
    return false;

  if (property->role != ROLE_CORNERS && scan->binary) {
    scan->at += count * property->type->bytes;
    return true;
  }
  if (property->role == ROLE_CORNERS && !mesh_draft_face(reader->draft, scan, 0)) return false;
  for (int64_t i = 0; i < count; i++) {
    double ignored;
    const bool sound = property->role == ROLE_CORNERS
                           ? read_corner(reader, property->type)
                           : mesh_scan_number(scan, "a value of a list", &ignored);
    if (!sound) return false;
  }
  return property->role != ROLE_CORNERS || mesh_draft_close_face(reader->draft, scan);
}

static bool read_row(PlyReader *reader, const PlyElement *element)
{
  assert_debug(element->first_property + element->property_count <= reader->property_count &&
               "properties have room");
  double values[ROLES] = {0};
  for (int p = 0; p < element->property_count; p++) {
    const PlyProperty *property = &reader->properties[element->first_property + p];
    static const char *const names[ROLES] = {"a property", "x of a vertex", "y of a vertex",
                                             "z of a vertex", "a face"};
    const bool sound =
        property->count_type
            ? read_list(reader, property)
            : read_real(reader, property->type, names[property->role], &values[property->role]);
    if (!sound) return false;
  }
  if (element->role != ELEMENT_VERTEX) return true;
  const vec3 point = {values[ROLE_X], values[ROLE_Y], values[ROLE_Z]};
  return mesh_draft_point(reader->draft, &reader->scan, point);
}

// Bytes of a row, its lists taken as empty.
static size_t least_row_bytes(const PlyReader *reader, const PlyElement *element)
{
  assert(element->first_property + element->property_count <= reader->property_count &&
         "properties have room");
  size_t bytes = 0;
  for (int p = 0; p < element->property_count; p++) {
    const PlyProperty *property = &reader->properties[element->first_property + p];
    bytes += (size_t)(property->count_type ? property->count_type : property->type)->bytes;
  }
  return bytes;
}

static bool read_binary_rows(PlyReader *reader, const PlyElement *element)
{
  char what[MESH_QUOTE_BYTES + 32];
  snprintf(what, sizeof what, "element %s of %lld rows", element->name, (long long)element->count);
  if (!mesh_scan_has(&reader->scan, (size_t)element->count * least_row_bytes(reader, element),
                     what))
    return false;
  for (int64_t i = 0; i < element->count; i++)
    if (!read_row(reader, element)) return false;
  return true;
}

// One line per row.
static bool read_text_rows(PlyReader *reader, const PlyElement *element)
{
  MeshScan *scan = &reader->scan;
  for (int64_t i = 0; i < element->count; i++) {
    if (!mesh_scan_line(scan))
      return mesh_scan_fail(scan, "the file ends after %lld of %lld rows of element %s",
                            (long long)i, (long long)element->count, element->name);
    if (!read_row(reader, element)) return false;
    const MeshWord more = mesh_scan_word(scan);
    if (more.length > 0) return mesh_scan_expected(scan, "the end of the row", more);
  }
  return true;
}

static bool read_data(PlyReader *reader)
{
  assert(reader->has_format && "a format is known before the data");
  MeshScan *scan = &reader->scan;
  for (int i = 0; i < reader->element_count; i++) {
    const PlyElement *element = &reader->elements[i];
    const bool sound =
        scan->binary ? read_binary_rows(reader, element) : read_text_rows(reader, element);
    if (!sound) return false;
  }
  if (scan->binary)
    return mesh_scan_left(scan) == 0 ||
           mesh_scan_fail(scan, "%zu bytes after the last element", mesh_scan_left(scan));
  return !mesh_scan_line(scan) ||
         mesh_scan_expected(scan, "the end of the file", mesh_scan_word(scan));
}

bool mesh_ply_read(MeshReading *reading)
{
  assert(reading->file_count >= 1 && reading->files[0].bytes != NULL && "a mesh has a file");
  PlyReader *reader = arena_allocate_zero(reading->arena, 1, sizeof *reader);
  reader->scan = mesh_scan_new(&reading->files[0], reading->error);
  reader->draft = &reading->draft;
  bool sound = read_header(reader) && read_data(reader);
  if (sound) mesh_draft_finish(reading);
  mesh_scan_destroy(&reader->scan);
  return sound;
}
