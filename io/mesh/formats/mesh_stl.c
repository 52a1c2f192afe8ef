// STL, text and binary: triangles, each with points of its own; solids are mesh blocks.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "mesh_draft.h"

#include "check.h"

enum { HEADER_BYTES = 80, COUNT_BYTES = 4, TRIANGLE_BYTES = 50 };

// Binary files often begin with "solid" too: the size decides, and bytes that no text has.
static bool is_binary(const MeshScan *scan)
{
  const size_t size = mesh_scan_left(scan);
  if (size >= HEADER_BYTES + COUNT_BYTES) {
    MeshScan peek = *scan;
    peek.at += HEADER_BYTES;
    const uint64_t count = mesh_scan_unsigned(&peek, COUNT_BYTES);
    if (size == HEADER_BYTES + COUNT_BYTES + TRIANGLE_BYTES * count) return true;
  }
  MeshScan text = *scan;
  mesh_scan_skip_mark(&text);
  text.across_lines = true;
  if (!mesh_word_is_any_case(mesh_scan_word(&text), "solid")) return true;
  const size_t head = HEADER_BYTES + COUNT_BYTES;
  return memchr(scan->begin, 0, size < head ? size : head) != NULL;
}

static bool add_triangle(MeshDraft *draft, MeshScan *scan, const vec3 points[3], int64_t key)
{
  assert_debug(key >= 0 && "a solid has a key");
  if (!mesh_draft_face(draft, scan, key)) return false;
  for (int i = 0; i < 3; i++)
    if (!mesh_draft_point(draft, scan, points[i]) ||
        !mesh_draft_corner(draft, scan, draft->points.count - 1))
      return false;
  return true;
}

static bool read_binary(MeshScan *scan, MeshReading *reading)
{
  scan->binary = true;
  if (mesh_scan_left(scan) < HEADER_BYTES + COUNT_BYTES)
    return mesh_scan_fail(scan,
                          "expected 'solid' of a text STL, or 84 bytes of a binary one, "
                          "found %zu bytes",
                          mesh_scan_left(scan));
  scan->at += HEADER_BYTES;
  const uint64_t count = mesh_scan_unsigned(scan, COUNT_BYTES);
  if (mesh_scan_left(scan) != count * TRIANGLE_BYTES)
    return mesh_scan_fail(scan,
                          "neither a text STL, which begins with 'solid', nor a binary one: %llu "
                          "triangles are %llu bytes, found %zu",
                          (unsigned long long)count, (unsigned long long)(count * TRIANGLE_BYTES),
                          mesh_scan_left(scan));
  for (uint64_t t = 0; t < count; t++) {
    scan->at += 3 * sizeof(float);   // the normal, which the corners tell better
    vec3 points[3];
    for (int i = 0; i < 3; i++) {
      points[i].x = mesh_scan_float(scan, 4);
      points[i].y = mesh_scan_float(scan, 4);
      points[i].z = mesh_scan_float(scan, 4);
    }
    scan->at += 2;   // attributes
    if (!add_triangle(&reading->draft, scan, points, 0)) return false;
  }
  mesh_draft_finish(reading);
  return true;
}

static bool demand(MeshScan *scan, const char *keyword)
{
  assert(strlen(keyword) < 30 && "a keyword fits in its quotes");
  const MeshWord word = mesh_scan_word(scan);
  if (mesh_word_is_any_case(word, keyword)) return true;
  char expected[32];
  snprintf(expected, sizeof expected, "'%s'", keyword);
  return mesh_scan_expected(scan, expected, word);
}

// After "facet". The normal is not looked at: some programs write none that is a number.
static bool read_facet(MeshScan *scan, MeshDraft *draft, int64_t key)
{
  if (!demand(scan, "normal")) return false;
  for (int i = 0; i < 3; i++) mesh_scan_word(scan);
  vec3 points[3];
  bool sound = demand(scan, "outer") && demand(scan, "loop");
  for (int i = 0; i < 3 && sound; i++)
    sound = demand(scan, "vertex") && mesh_scan_number(scan, "x of a vertex", &points[i].x) &&
            mesh_scan_number(scan, "y of a vertex", &points[i].y) &&
            mesh_scan_number(scan, "z of a vertex", &points[i].z);
  return sound && demand(scan, "endloop") && demand(scan, "endfacet") &&
         add_triangle(draft, scan, points, key);
}

// After "solid". The key of its faces is the place of its name in the file.
static bool read_solid(MeshScan *scan, MeshDraft *draft)
{
  const int64_t key = scan->at - scan->begin;
  mesh_scan_rest(scan);
  while (true) {
    const MeshWord word = mesh_scan_word(scan);
    if (mesh_word_is_any_case(word, "endsolid")) break;
    if (!mesh_word_is_any_case(word, "facet"))
      return mesh_scan_expected(scan, "'facet' or 'endsolid'", word);
    if (!read_facet(scan, draft, key)) return false;
  }
  mesh_scan_rest(scan);   // its name again
  return true;
}

static bool read_text(MeshScan *scan, MeshReading *reading)
{
  if (!mesh_scan_is_text(scan)) return false;
  scan->across_lines = true;
  MeshWord word;
  while ((word = mesh_scan_word(scan)).length > 0) {
    if (!mesh_word_is_any_case(word, "solid")) return mesh_scan_expected(scan, "'solid'", word);
    if (!read_solid(scan, &reading->draft)) return false;
  }
  const int64_t *keys = mesh_draft_finish(reading);
  for (int i = 0; i < reading->soup->mesh_block_count; i++) {
    scan->at = scan->begin + keys[i];
    reading->soup->mesh_block_names[i] = mesh_word_name(mesh_scan_rest(scan), reading->arena);
  }
  return true;
}

bool mesh_stl_read(MeshReading *reading)
{
  assert(reading->file_count >= 1 && reading->files[0].bytes != NULL && "a mesh has a file");
  MeshScan scan = mesh_scan_new(&reading->files[0], reading->error);
  const bool sound = is_binary(&scan) ? read_binary(&scan, reading) : read_text(&scan, reading);
  mesh_scan_destroy(&scan);
  return sound;
}
