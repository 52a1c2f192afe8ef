// Wavefront OBJ: vertices and polygons; objects, or groups where there are no objects, are mesh
// blocks.
#include <assert.h>
#include <limits.h>
#include <string.h>

#include "check.h"
#include "memory.h"
#include "mesh_draft.h"

// What "o" and "g" said before a face: indices of statements. Statement 0 is the start of the file.
typedef struct {
  MeshWord name;
  int64_t object, group;
} ObjStatement;

typedef struct {
  MeshScan scan;
  MeshDraft *draft;
  MeshList statements;   // ObjStatement
  bool has_objects;
  int64_t highest;   // vertex that a face names, from 1: it may come after the face
  int64_t highest_line;
} ObjReader;

static bool read_vertex(ObjReader *reader)
{
  // what follows is a weight of curves, or a colour
  vec3 point;
  return mesh_scan_number(&reader->scan, "x of a vertex", &point.x) &&
         mesh_scan_number(&reader->scan, "y of a vertex", &point.y) &&
         mesh_scan_number(&reader->scan, "z of a vertex", &point.z) &&
         mesh_draft_point(reader->draft, &reader->scan, point);
}

// Splits "v", "v/vt", "v//vn" or "v/vt/vn"; what is after the vertex must be whole numbers.
static bool split_corner(MeshWord word, int64_t *vertex)
{
  assert_debug(word.length > 0 && "a corner has a word");
  const char *end = word.begin + word.length, *begin = word.begin;
  for (int field = 0; field < 3; field++) {
    const char *slash = memchr(begin, '/', (size_t)(end - begin));
    const MeshWord index = {begin, (size_t)((slash ? slash : end) - begin)};
    int64_t ignored;
    const bool left_out = field > 0 && index.length == 0;
    if (!left_out && !mesh_word_integer(index, field == 0 ? vertex : &ignored)) return false;
    if (!slash) return true;
    begin = slash + 1;
  }
  return false;
}

static bool read_corner(ObjReader *reader, MeshWord word)
{
  assert_debug(word.length > 0 && "a corner has a word");
  MeshScan *scan = &reader->scan;
  const int64_t count = reader->draft->points.count;
  int64_t vertex;
  if (!split_corner(word, &vertex))
    return mesh_scan_expected(scan, "a vertex as v, v/vt, v//vn or v/vt/vn", word);
  if (vertex == 0) return mesh_scan_fail(scan, "a face names vertex 0, and they count from 1");
  if (vertex < -count)
    return mesh_scan_fail(scan, "a face names vertex %lld of %lld so far", (long long)vertex,
                          (long long)count);
  if (vertex < 0) vertex += count + 1;
  if (vertex > INT_MAX)
    return mesh_scan_fail(scan, "a face names vertex %lld, and there cannot be so many",
                          (long long)vertex);
  if (vertex > reader->highest) {
    reader->highest = vertex;
    reader->highest_line = scan->line;
  }
  return mesh_draft_corner(reader->draft, scan, vertex - 1);
}

static bool read_face(ObjReader *reader)
{
  assert_debug(reader->statements.count > 0 && "a face follows a statement");
  if (!mesh_draft_face(reader->draft, &reader->scan, reader->statements.count - 1)) return false;
  MeshWord word;
  while ((word = mesh_scan_word(&reader->scan)).length > 0)
    if (!read_corner(reader, word)) return false;
  return mesh_draft_close_face(reader->draft, &reader->scan);
}

static void add_statement(ObjReader *reader, MeshWord name, bool object, bool group)
{
  const int64_t index = reader->statements.count;
  const ObjStatement *last = index > 0 ? (ObjStatement *)reader->statements.rows + index - 1 : NULL;
  const ObjStatement statement = {.name = name,
                                  .object = object || !last ? index : last->object,
                                  .group = group || !last ? index : last->group};
  *(ObjStatement *)mesh_list_add(&reader->statements, sizeof statement) = statement;
  reader->has_objects = reader->has_objects || object;
}

static bool is_one_of(MeshWord word, const char *const *words)
{
  while (*words && !mesh_word_is(word, *words)) words++;
  return *words != NULL;
}

static bool read_statement(ObjReader *reader)
{
  static const char *const ignored[] = {"vt",         "vn",        "vp",     "p",        "l",
                                        "s",          "usemtl",    "mtllib", "usemap",   "maplib",
                                        "shadow_obj", "trace_obj", "bevel",  "c_interp", "d_interp",
                                        "lod",        "mg",        NULL};
  static const char *const curved[] = {
      "curv", "curv2", "surf", "cstype", "deg", "bmat", "step", "parm",  "trim",  "hole", "scrv",
      "sp",   "end",   "con",  "bzp",    "bsp", "cdc",  "cdp",  "ctech", "stech", "res",  NULL};
  MeshScan *scan = &reader->scan;
  const MeshWord keyword = mesh_scan_word(scan);
  if (mesh_word_is(keyword, "v")) return read_vertex(reader);
  if (mesh_word_is(keyword, "f") || mesh_word_is(keyword, "fo")) return read_face(reader);
  const bool object = mesh_word_is(keyword, "o"), group = mesh_word_is(keyword, "g");
  char quote[MESH_QUOTE_BYTES];
  if (object || group) add_statement(reader, mesh_scan_rest(scan), object, group);
  else if (is_one_of(keyword, curved))
    return mesh_scan_fail(scan, "%s: curves and curved surfaces are not read; save polygons",
                          mesh_word_quote(scan, keyword, quote));
  else if (mesh_word_is(keyword, "call") || mesh_word_is(keyword, "csh"))
    return mesh_scan_fail(scan, "%s: other files and commands are not read",
                          mesh_word_quote(scan, keyword, quote));
  else if (!is_one_of(keyword, ignored))
    return mesh_scan_expected(scan, "a statement of OBJ like v, f, o or g", keyword);
  return true;
}

// -------------------------------------------------------------------------------------------------
// Mesh blocks

// For each statement the first one with the name of its group: a group may be taken up again.
static int64_t *first_groups(const ObjStatement *statements, int64_t count)
{
  assert(count > 0 && "the start of the file is a statement");
  MeshWord *names = memory_allocate((size_t)count * sizeof *names);
  for (int64_t i = 0; i < count; i++) names[i] = statements[statements[i].group].name;
  int64_t *first = mesh_draft_first_words(names, count);
  memory_free(names);
  return first;
}

static void finish(ObjReader *reader, MeshReading *reading)
{
  assert(reader->highest <= reading->draft.points.count && "faces name vertices that are there");
  const ObjStatement *statements = reader->statements.rows;
  const int64_t count = reader->statements.count;
  int64_t *first = first_groups(statements, count);
  int64_t *key = reading->draft.face_key.rows;
  for (int64_t i = 0; i < reading->draft.face_key.count; i++)
    key[i] = reader->has_objects ? statements[key[i]].object : first[key[i]];
  const int64_t *keys = mesh_draft_finish(reading);
  for (int i = 0; i < reading->soup->mesh_block_count; i++) {
    const ObjStatement *statement = statements + keys[i];
    const int64_t named = reader->has_objects ? statement->object : statement->group;
    reading->soup->mesh_block_names[i] = mesh_word_name(statements[named].name, reading->arena);
  }
  memory_free(first);
}

bool mesh_obj_read(MeshReading *reading)
{
  assert(reading->file_count >= 1 && reading->files[0].bytes != NULL && "a mesh has a file");
  ObjReader reader = {.scan = mesh_scan_new(&reading->files[0], reading->error),
                      .draft = &reading->draft};
  MeshScan *scan = &reader.scan;
  scan->comment = '#';
  scan->joins_lines = true;
  add_statement(&reader, (MeshWord){scan->begin, 0}, false, false);

  bool sound = mesh_scan_is_text(scan);
  while (sound && mesh_scan_line(scan)) sound = read_statement(&reader);
  if (sound && reader.highest > reading->draft.points.count) {
    scan->line = reader.highest_line;
    sound = mesh_scan_fail(scan, "a face names vertex %lld of %lld", (long long)reader.highest,
                           (long long)reading->draft.points.count);
  }
  if (sound) finish(&reader, reading);
  memory_free(reader.statements.rows);
  mesh_scan_destroy(scan);
  return sound;
}
