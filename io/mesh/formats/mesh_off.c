// OFF (Geomview), text and binary: points and polygons; normals, colours and textures are left out.
#include <assert.h>
#include <limits.h>
#include <string.h>

#include "check.h"
#include "mesh_draft.h"

// What a vertex has behind its place, in this order.
enum { NORMAL_NUMBERS = 3, COLOUR_NUMBERS = 4, TEXTURE_NUMBERS = 2 };

typedef struct {
  MeshScan scan;
  MeshDraft *draft;
  int extra_numbers;   // of a vertex, in binary files
  int64_t vertex_count, face_count;
} OffReader;

// Is there this text, with which the word goes on? Takes it off.
static bool take_prefix(MeshWord *word, const char *prefix)
{
  assert_debug((word->length == 0 || word->begin != NULL) && "a word has bytes");
  const size_t length = strlen(prefix);
  if (word->length < length || memcmp(word->begin, prefix, length) != 0) return false;
  word->begin += length;
  word->length -= length;
  return true;
}

// [ST][C][N][4][n]OFF. The counts may follow at once.
static bool read_keyword(OffReader *reader, MeshWord keyword)
{
  MeshWord rest = keyword;
  if (take_prefix(&rest, "ST")) reader->extra_numbers += TEXTURE_NUMBERS;
  if (take_prefix(&rest, "C")) reader->extra_numbers += COLOUR_NUMBERS;
  if (take_prefix(&rest, "N")) reader->extra_numbers += NORMAL_NUMBERS;
  const bool other_space = take_prefix(&rest, "4") | take_prefix(&rest, "n");
  if (!take_prefix(&rest, "OFF"))
    return mesh_scan_expected(&reader->scan, "OFF, COFF, NOFF, STOFF or their like", keyword);
  if (other_space)
    return mesh_scan_fail(&reader->scan, "points of four or more coordinates are not read");
  reader->scan.at -= rest.length;
  return true;
}

// A number of rows of the header.
static bool read_count(OffReader *reader, const char *what, int64_t *count)
{
  MeshScan *scan = &reader->scan;
  if (!scan->binary) return mesh_scan_integer(scan, what, 0, INT_MAX, count);
  if (!mesh_scan_has(scan, 4, what)) return false;
  *count = mesh_scan_signed(scan, 4);
  return *count >= 0 || mesh_scan_fail(scan, "%s of %lld", what, (long long)*count);
}

// Keyword and counts. The number of edges is often left out or wrong, and nothing needs it.
static bool read_header(OffReader *reader)
{
  MeshScan *scan = &reader->scan;
  mesh_scan_skip_mark(scan);
  int64_t number;
  if (!mesh_scan_line(scan)) return mesh_scan_fail(scan, "expected OFF, found the end of the file");
  const char *begin = scan->at;
  const MeshWord keyword = mesh_scan_word(scan);
  if (mesh_word_integer(keyword, &number)) scan->at = begin;   // the keyword may be left out
  else if (!read_keyword(reader, keyword)) return false;
  MeshScan next = *scan;
  if (mesh_word_is(mesh_scan_word(&next), "BINARY")) {
    *scan = next;
    mesh_scan_skip_line(scan);
    scan->binary = scan->big_endian = true;
    int64_t edges;
    return read_count(reader, "a number of vertices", &reader->vertex_count) &&
           read_count(reader, "a number of faces", &reader->face_count) &&
           read_count(reader, "a number of edges", &edges);
  }
  if (!mesh_scan_is_text(&next)) {
    scan->line = next.line;
    return false;
  }
  scan->across_lines = true;
  const bool sound = read_count(reader, "a number of vertices", &reader->vertex_count) &&
                     read_count(reader, "a number of faces", &reader->face_count);
  scan->across_lines = false;
  if (sound) mesh_scan_skip_line(scan);
  return sound;
}

// -------------------------------------------------------------------------------------------------
// Text: a line for each row; what follows in it is a normal or a colour

static bool find_row(OffReader *reader, const char *what, int64_t row, int64_t count)
{
  assert_debug(row < count && "rows are counted");
  return mesh_scan_line(&reader->scan) ||
         mesh_scan_fail(&reader->scan, "the file ends after %lld of %lld %s", (long long)row,
                        (long long)count, what);
}

static bool add_corner(OffReader *reader, int64_t vertex)
{
  if (vertex < 0 || vertex >= reader->vertex_count)
    return mesh_scan_fail(&reader->scan, "a face names vertex %lld of %lld, and they count from 0",
                          (long long)vertex, (long long)reader->vertex_count);
  return mesh_draft_corner(reader->draft, &reader->scan, vertex);
}

static bool read_text_face(OffReader *reader)
{
  MeshScan *scan = &reader->scan;
  int64_t corners, vertex;
  if (!mesh_scan_integer(scan, "the number of corners of a face", 0, INT_MAX, &corners) ||
      !mesh_draft_face(reader->draft, scan, 0))
    return false;
  for (int64_t i = 0; i < corners; i++)
    if (!mesh_scan_integer(scan, "a vertex of a face", INT64_MIN, INT64_MAX, &vertex) ||
        !add_corner(reader, vertex))
      return false;
  return mesh_draft_close_face(reader->draft, scan);
}

static bool read_text(OffReader *reader)
{
  assert(!reader->scan.binary && "text has lines");
  MeshScan *scan = &reader->scan;
  for (int64_t i = 0; i < reader->vertex_count; i++) {
    vec3 point;
    if (!find_row(reader, "vertices", i, reader->vertex_count) ||
        !mesh_scan_number(scan, "x of a vertex", &point.x) ||
        !mesh_scan_number(scan, "y of a vertex", &point.y) ||
        !mesh_scan_number(scan, "z of a vertex", &point.z) ||
        !mesh_draft_point(reader->draft, scan, point))
      return false;
    mesh_scan_skip_line(scan);
  }
  for (int64_t i = 0; i < reader->face_count; i++) {
    if (!find_row(reader, "faces", i, reader->face_count) || !read_text_face(reader)) return false;
    mesh_scan_skip_line(scan);
  }
  return !mesh_scan_line(scan) ||
         mesh_scan_expected(scan, "the end of the file", mesh_scan_word(scan));
}

// -------------------------------------------------------------------------------------------------
// Binary: 4 bytes each, the highest first

static bool read_binary_face(OffReader *reader)
{
  MeshScan *scan = &reader->scan;
  if (!mesh_scan_has(scan, 4, "a face") || !mesh_draft_face(reader->draft, scan, 0)) return false;
  const int64_t corners = mesh_scan_signed(scan, 4);
  if (corners < 0) return mesh_scan_fail(scan, "a face of %lld corners", (long long)corners);
  if (!mesh_scan_has(scan, 4 * ((size_t)corners + 1), "a face")) return false;
  for (int64_t i = 0; i < corners; i++)
    if (!add_corner(reader, mesh_scan_signed(scan, 4))) return false;
  const int64_t colours = mesh_scan_signed(scan, 4);
  if (colours < 0) return mesh_scan_fail(scan, "a colour of %lld numbers", (long long)colours);
  if (!mesh_scan_has(scan, 4 * (size_t)colours, "a colour")) return false;
  scan->at += 4 * colours;
  return mesh_draft_close_face(reader->draft, scan);
}

static bool read_binary(OffReader *reader)
{
  assert(reader->scan.binary && "the header says so");
  MeshScan *scan = &reader->scan;
  const size_t row = 4 * (3 + (size_t)reader->extra_numbers);
  if (!mesh_scan_has(scan, (size_t)reader->vertex_count * row, "the vertices")) return false;
  for (int64_t i = 0; i < reader->vertex_count; i++) {
    vec3 point;
    point.x = mesh_scan_float(scan, 4);
    point.y = mesh_scan_float(scan, 4);
    point.z = mesh_scan_float(scan, 4);
    scan->at += 4 * reader->extra_numbers;
    if (!mesh_draft_point(reader->draft, scan, point)) return false;
  }
  for (int64_t i = 0; i < reader->face_count; i++)
    if (!read_binary_face(reader)) return false;
  return mesh_scan_left(scan) == 0 ||
         mesh_scan_fail(scan, "%zu bytes after the last face", mesh_scan_left(scan));
}

bool mesh_off_read(MeshReading *reading)
{
  assert(reading->file_count >= 1 && reading->files[0].bytes != NULL && "a mesh has a file");
  OffReader reader = {.scan = mesh_scan_new(&reading->files[0], reading->error),
                      .draft = &reading->draft};
  reader.scan.comment = '#';
  bool sound = read_header(&reader);
  if (sound) sound = reader.scan.binary ? read_binary(&reader) : read_text(&reader);
  if (sound) mesh_draft_finish(reading);
  mesh_scan_destroy(&reader.scan);
  return sound;
}
