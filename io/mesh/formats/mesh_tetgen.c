// TetGen 1.5: .node with points, .ele with tetrahedra, .face with triangles, .smesh with facets.
#include <assert.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "mesh_draft.h"

#include "check.h"

typedef struct {
  MeshDraft *draft;
  int64_t base;   // number of the first point, 0 or 1
} TetgenReader;

static MeshScan open_file(const MeshReading *reading, int file)
{
  assert(file >= 0 && file < reading->file_count && "a file has a number");
  MeshScan scan = mesh_scan_new(&reading->files[file], reading->error);
  scan.comment = '#';
  return scan;
}

// The next line, which must be there.
static bool demand_line(MeshScan *scan, const char *what)
{
  return mesh_scan_line(scan) || mesh_scan_expected(scan, what, (MeshWord){scan->at, 0});
}

// A count that may be left out.
static bool read_optional(MeshScan *scan, const char *what, int64_t fallback, int64_t *value)
{
  assert(fallback >= 0 && "a count is not below zero");
  *value = fallback;
  const MeshWord word = mesh_scan_word(scan);
  if (word.length == 0) return !scan->failed;
  if (mesh_word_integer(word, value) && *value >= 0 && *value <= INT_MAX) return true;
  return mesh_scan_expected(scan, what, word);
}

static bool demand_end(MeshScan *scan)
{
  return !mesh_scan_line(scan) ||
         mesh_scan_expected(scan, "the end of the file", mesh_scan_word(scan));
}

// One line: number, coordinates, then attributes and a marker that nobody needs.
static bool read_point(TetgenReader *reader, MeshScan *scan, int64_t row)
{
  assert(row >= 0 && "points are counted");
  int64_t number;
  vec3 point;
  if (!demand_line(scan, "a point") ||
      !mesh_scan_integer(scan, "the number of a point", 0, INT_MAX, &number))
    return false;
  if (row == 0) reader->base = number;
  if (reader->base > 1)
    return mesh_scan_fail(scan, "the first point has number %lld, expected 0 or 1",
                          (long long)number);
  if (number != reader->base + row)
    return mesh_scan_fail(scan, "expected point %lld, found %lld", (long long)(reader->base + row),
                          (long long)number);
  return mesh_scan_number(scan, "x of a point", &point.x) &&
         mesh_scan_number(scan, "y of a point", &point.y) &&
         mesh_scan_number(scan, "z of a point", &point.z) &&
         mesh_draft_point(reader->draft, scan, point);
}

// The whole of a .node, or the first part of a .smesh.
static bool read_points(TetgenReader *reader, MeshScan *scan)
{
  int64_t count, dimension;
  if (!demand_line(scan, "a number of points") ||
      !mesh_scan_integer(scan, "a number of points", 0, INT_MAX, &count) ||
      !read_optional(scan, "a dimension", 3, &dimension))
    return false;
  if (dimension != 3)
    return mesh_scan_fail(scan, "points of %lld dimensions, expected 3", (long long)dimension);
  for (int64_t i = 0; i < count; i++)
    if (!read_point(reader, scan, i)) return false;
  return true;
}

// The .node beside the file.
static bool read_node_file(TetgenReader *reader, MeshScan *scan, const MeshReading *reading)
{
  if (reading->file_count < 2 || !reading->files[1].bytes)
    return mesh_scan_fail(scan, "the points are in %s, and there is no such file",
                          reading->file_count < 2 ? "a .node" : reading->files[1].path);
  MeshScan node = open_file(reading, 1);
  const bool sound = mesh_scan_is_text(&node) && read_points(reader, &node) && demand_end(&node);
  mesh_scan_destroy(&node);
  return sound;
}

// The next word as a row of points.
static bool read_index(TetgenReader *reader, MeshScan *scan, const char *what, int64_t *row)
{
  assert_debug(reader->base >= 0 && reader->base <= 1 && "points count from 0 or 1");
  const MeshWord word = mesh_scan_word(scan);
  if (!mesh_word_integer(word, row)) return mesh_scan_expected(scan, what, word);
  const int64_t count = reader->draft->points.count;
  if (*row < reader->base || *row - reader->base >= count)
    return mesh_scan_fail(scan, "%s names point %lld of %lld, and they count from %lld", what,
                          (long long)*row, (long long)count, (long long)reader->base);
  *row -= reader->base;
  return true;
}

// -------------------------------------------------------------------------------------------------
// .ele

// Tetrahedra of one region have one key: the bits of its attribute.
static int64_t region_key(double attribute)
{
  const double region = attribute == 0 ? 0 : attribute;   // no -0
  int64_t key;
  memcpy(&key, &region, sizeof key);
  return key;
}

static const char *region_name(const MeshScan *scan, int64_t key, Arena *arena)
{
  enum { NAME_BYTES = 40 };
  double region;
  memcpy(&region, &key, sizeof region);
  char *name = arena_allocate(arena, NAME_BYTES);
  const locale_t before = uselocale(scan->plain_point);
  snprintf(name, NAME_BYTES, "region %.15g", region);
  uselocale(before);
  return name;
}

static bool read_tetra(TetgenReader *reader, MeshScan *scan, int64_t corners, int64_t attributes)
{
  assert_debug((corners == 4 || corners == 10) && attributes >= 0 &&
               "a tetrahedron has 4 or 10 points");
  int64_t number, points[4], other;
  double attribute = 0;
  if (!demand_line(scan, "a tetrahedron") ||
      !mesh_scan_integer(scan, "the number of a tetrahedron", 0, INT_MAX, &number))
    return false;
  for (int64_t i = 0; i < corners; i++)   // the first four are corners, the others lie on edges
    if (!read_index(reader, scan, "a tetrahedron", i < 4 ? &points[i] : &other)) return false;
  for (int64_t i = 0; i < attributes; i++)
    if (!mesh_scan_number(scan, "an attribute of a tetrahedron", &attribute)) return false;
  return mesh_draft_tetra(reader->draft, scan, points, region_key(attribute));
}

static bool read_ele(TetgenReader *reader, MeshScan *scan, MeshReading *reading)
{
  int64_t count, corners, attributes;
  if (!read_node_file(reader, scan, reading) || !demand_line(scan, "a number of tetrahedra") ||
      !mesh_scan_integer(scan, "a number of tetrahedra", 0, INT_MAX, &count) ||
      !read_optional(scan, "points of a tetrahedron", 4, &corners) ||
      !read_optional(scan, "a number of attributes", 0, &attributes))
    return false;
  if (corners != 4 && corners != 10)
    return mesh_scan_fail(scan, "elements of %lld points, expected tetrahedra of 4 or 10",
                          (long long)corners);
  for (int64_t i = 0; i < count; i++)
    if (!read_tetra(reader, scan, corners, attributes)) return false;
  if (!demand_end(scan)) return false;
  if (count == 0) return mesh_scan_fail(scan, "no tetrahedra in it");
  const int64_t *keys = mesh_draft_finish(reading);
  for (int i = 0; i < reading->soup->mesh_block_count && attributes > 0; i++)
    reading->soup->mesh_block_names[i] = region_name(scan, keys[i], reading->arena);
  return true;
}

// -------------------------------------------------------------------------------------------------
// .face and .smesh

static bool read_face_file(TetgenReader *reader, MeshScan *scan, MeshReading *reading)
{
  int64_t count, number, point;
  if (!read_node_file(reader, scan, reading) || !demand_line(scan, "a number of faces") ||
      !mesh_scan_integer(scan, "a number of faces", 0, INT_MAX, &count))
    return false;
  for (int64_t i = 0; i < count; i++) {
    if (!demand_line(scan, "a face") ||
        !mesh_scan_integer(scan, "the number of a face", 0, INT_MAX, &number) ||
        !mesh_draft_face(reader->draft, scan, 0))
      return false;
    for (int j = 0; j < 3; j++)
      if (!read_index(reader, scan, "a face", &point) ||
          !mesh_draft_corner(reader->draft, scan, point))
        return false;
  }
  if (!demand_end(scan)) return false;
  mesh_draft_finish(reading);
  return true;
}

// Number of corners and corners, which may go on in the next lines, then a marker.
static bool read_facet(TetgenReader *reader, MeshScan *scan)
{
  assert(!scan->across_lines && "a facet begins on a line of its own");
  int64_t corners, point;
  if (!demand_line(scan, "a facet") ||
      !mesh_scan_integer(scan, "a number of corners", 1, INT_MAX, &corners) ||
      !mesh_draft_face(reader->draft, scan, 0))
    return false;
  for (int64_t i = 0; i < corners; i++) {
    scan->across_lines = true;
    const bool sound = read_index(reader, scan, "a facet", &point) &&
                       mesh_draft_corner(reader->draft, scan, point);
    scan->across_lines = false;
    if (!sound) return false;
  }
  return mesh_draft_close_face(reader->draft, scan);
}

// Holes, which are refused, and regions, which say nothing about the surface. Both may be missing.
static bool read_markers(MeshScan *scan)
{
  int64_t holes, regions;
  if (!mesh_scan_line(scan)) return true;
  if (!mesh_scan_integer(scan, "a number of holes", 0, INT_MAX, &holes)) return false;
  if (holes > 0)
    return mesh_scan_fail(scan, "%lld hole point%s: cavities are not supported", (long long)holes,
                          holes == 1 ? "" : "s");
  if (!mesh_scan_line(scan)) return true;
  if (!mesh_scan_integer(scan, "a number of regions", 0, INT_MAX, &regions)) return false;
  for (int64_t i = 0; i < regions; i++) {
    double ignored;
    if (!demand_line(scan, "a region") ||
        !mesh_scan_number(scan, "the number of a region", &ignored))
      return false;
  }
  return demand_end(scan);
}

static bool read_smesh(TetgenReader *reader, MeshScan *scan, MeshReading *reading)
{
  int64_t facets;
  if (!read_points(reader, scan)) return false;
  if (reader->draft->points.count == 0 && !read_node_file(reader, scan, reading)) return false;
  if (!demand_line(scan, "a number of facets") ||
      !mesh_scan_integer(scan, "a number of facets", 0, INT_MAX, &facets))
    return false;
  for (int64_t i = 0; i < facets; i++)
    if (!read_facet(reader, scan)) return false;
  if (!read_markers(scan)) return false;
  mesh_draft_finish(reading);
  return true;
}

// -------------------------------------------------------------------------------------------------

static bool ends_with(const char *path, const char *small)
{
  const size_t length = strlen(path), tail = strlen(small);
  return length >= tail && mesh_word_is_any_case((MeshWord){path + length - tail, tail}, small);
}

bool mesh_tetgen_read(MeshReading *reading)
{
  assert(reading->file_count >= 1 && reading->files[0].bytes != NULL && "a mesh has a file");
  TetgenReader reader = {.draft = &reading->draft};
  const char *path = reading->files[0].path;
  MeshScan scan = open_file(reading, 0);
  bool sound = mesh_scan_is_text(&scan);
  if (sound) {
    if (ends_with(path, ".ele")) sound = read_ele(&reader, &scan, reading);
    else if (ends_with(path, ".face")) sound = read_face_file(&reader, &scan, reading);
    else if (ends_with(path, ".smesh")) sound = read_smesh(&reader, &scan, reading);
    else
      sound = mesh_scan_fail(&scan, "a .node has points alone; name the .ele, .face or .smesh "
                                    "that goes with it");
  }
  mesh_scan_destroy(&scan);
  return sound;
}
