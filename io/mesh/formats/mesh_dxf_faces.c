// DXF: faces, polyface meshes and polygon meshes as polygons of the draft.
#include <assert.h>
#include <string.h>

#include "check.h"
#include "mesh_dxf.h"

// Bits of code 70.
enum {
  POLYLINE_CLOSED = 1,         // in the direction of its rows
  POLYLINE_SMOOTH = 4,         // its corners are those of a curved surface
  POLYLINE_MESH = 16,          // rows and columns
  POLYLINE_CLOSED_ROWS = 32,   // in the other direction
  POLYLINE_FACES = 64,
  VERTEX_PLACE = 64,   // of a polyface mesh or a polygon mesh
  VERTEX_FACES = 128   // of a polyface mesh: with VERTEX_PLACE a point, without it a face
};

#define POINT_GIVEN 3u   // x and y; z is left out where it is zero

static bool is_same(vec3 a, vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static bool add_point(DxfReader *reader, vec3 point)
{
  const DxfPlacement *p = &reader->placement;
  if (p->depth > 0) point = vec3_add(mat3_mul(p->turn, point), p->shift);
  return mesh_draft_point(reader->draft, &reader->scan, point);
}

// A polygon of points of the draft, counted from the first one.
static bool add_face(DxfReader *reader, int64_t key, const int64_t *points, int count)
{
  assert(count >= 3 && count <= 4 && "a face has three or four corners");
  if (!mesh_draft_face(reader->draft, &reader->scan, key)) return false;
  for (int i = 0; i < count; i++)
    if (!mesh_draft_corner(reader->draft, &reader->scan, points[i])) return false;
  return mesh_draft_close_face(reader->draft, &reader->scan);
}

bool mesh_dxf_face(DxfReader *reader)
{
  const int64_t line = reader->scan.line;
  vec3 corner[4] = {{0, 0, 0}};
  unsigned given[4] = {0};
  MeshWord layer = {reader->scan.at, 0};
  int64_t paper = 0;
  while (mesh_dxf_next(reader) && reader->pair.code != 0) {
    bool sound = true;
    for (int i = 0; i < 4 && sound; i++) sound = mesh_dxf_point(reader, i, &corner[i], &given[i]);
    if (reader->pair.code == 8) layer = reader->pair.value;
    if (reader->pair.code == 67) sound = mesh_dxf_integer(reader, "0 or 1", &paper);
    if (!sound) return false;
  }
  if (reader->scan.failed) return false;
  if (paper != 0) return true;   // drawn on a sheet
  const bool triangle = given[3] == 0 || is_same(corner[2], corner[3]);
  const int count = triangle ? 3 : 4;
  const int64_t first = reader->draft->points.count;
  const int64_t points[4] = {first, first + 1, first + 2, first + 3};
  for (int i = 0; i < count; i++) {
    if ((given[i] & POINT_GIVEN) != POINT_GIVEN) {
      reader->scan.line = line;
      return mesh_scan_fail(&reader->scan, "a 3DFACE lacks its corner %d", i + 1);
    }
    if (!add_point(reader, corner[i])) return false;
  }
  return add_face(reader, mesh_dxf_key(reader, layer), points, count);
}

// -------------------------------------------------------------------------------------------------
// Polylines

typedef struct {
  int64_t flags, rows, columns, smooth, paper;
  int64_t key, first;   // its points in the draft
} Polyline;

// A corner of a face of a polyface mesh: negative where the edge after it is not drawn.
static bool read_index(DxfReader *reader, int64_t *index)
{
  if (!mesh_dxf_integer(reader, "a vertex of a face", index)) return false;
  if (*index < 0 && *index > INT64_MIN) *index = -*index;
  return true;
}

// The face that a vertex of a polyface mesh is. Lines of one or two corners are none.
static bool take_face(DxfReader *reader, const Polyline *line, const int64_t index[4])
{
  const int64_t count = reader->draft->points.count - line->first;
  int64_t points[4];
  int corners = 0;
  for (int i = 0; i < 4; i++) {
    if (index[i] == 0) continue;
    if (index[i] < 0 || index[i] > count)
      return mesh_scan_fail(&reader->scan, "a face names vertex %lld of %lld so far",
                            (long long)index[i], (long long)count);
    points[corners++] = line->first + index[i] - 1;
  }
  return corners < 3 || add_face(reader, line->key, points, corners);
}

// The pair is VERTEX; then at the next entity.
static bool read_vertex(DxfReader *reader, const Polyline *line)
{
  const int64_t place = reader->scan.line;
  vec3 point = {0, 0, 0};
  unsigned given = 0;
  int64_t flags = 0, index[4] = {0};
  while (mesh_dxf_next(reader) && reader->pair.code != 0) {
    const int code = reader->pair.code;
    bool sound = mesh_dxf_point(reader, 0, &point, &given);
    if (code == 70) sound = mesh_dxf_integer(reader, "flags of a vertex", &flags);
    if (code >= 71 && code <= 74) sound = read_index(reader, &index[code - 71]);
    if (!sound) return false;
  }
  if (reader->scan.failed) return false;
  const DxfPair next = reader->pair;
  reader->scan.line = place;   // messages name its line
  bool sound;
  if ((flags & VERTEX_FACES) && !(flags & VERTEX_PLACE)) sound = take_face(reader, line, index);
  else if ((given & POINT_GIVEN) != POINT_GIVEN)
    sound = mesh_scan_fail(&reader->scan, "a VERTEX lacks its place");
  else sound = add_point(reader, point);
  reader->scan.line = sound ? next.line : place;
  return sound;
}

// Quadrangles between the points of rows and columns.
static bool add_grid(DxfReader *reader, const Polyline *line)
{
  const int64_t count = reader->draft->points.count - line->first;
  const int64_t m = line->rows, n = line->columns;
  if (m < 2 || n < 2 || m > INT16_MAX || n > INT16_MAX || m * n != count)
    return mesh_scan_fail(&reader->scan, "a polygon mesh of %lld x %lld has %lld vertices",
                          (long long)m, (long long)n, (long long)count);
  const int64_t last_row = line->flags & POLYLINE_CLOSED ? m : m - 1;
  const int64_t last_column = line->flags & POLYLINE_CLOSED_ROWS ? n : n - 1;
  for (int64_t i = 0; i < last_row; i++) {
    for (int64_t j = 0; j < last_column; j++) {
      const int64_t row = line->first + i * n, next = line->first + (i + 1) % m * n;
      const int64_t points[4] = {row + j, next + j, next + (j + 1) % n, row + (j + 1) % n};
      if (!add_face(reader, line->key, points, 4)) return false;
    }
  }
  return true;
}

static bool read_head(DxfReader *reader, Polyline *line)
{
  MeshWord layer = {reader->scan.at, 0};
  while (mesh_dxf_next(reader) && reader->pair.code != 0) {
    bool sound = true;
    switch (reader->pair.code) {
    case 8: layer = reader->pair.value; break;
    case 67: sound = mesh_dxf_integer(reader, "0 or 1", &line->paper); break;
    case 70: sound = mesh_dxf_integer(reader, "flags of a polyline", &line->flags); break;
    case 71: sound = mesh_dxf_integer(reader, "a number of rows", &line->rows); break;
    case 72: sound = mesh_dxf_integer(reader, "a number of columns", &line->columns); break;
    case 75: sound = mesh_dxf_integer(reader, "a kind of surface", &line->smooth); break;
    default: break;
    }
    if (!sound) return false;
  }
  if (reader->scan.failed) return false;
  if (line->flags & (POLYLINE_MESH | POLYLINE_FACES)) line->key = mesh_dxf_key(reader, layer);
  return true;
}

bool mesh_dxf_polyline(DxfReader *reader)
{
  Polyline line = {.first = reader->draft->points.count};
  const int64_t place = reader->scan.line;
  if (!read_head(reader, &line)) return false;
  const bool grid = line.flags & POLYLINE_MESH, faces = line.flags & POLYLINE_FACES;
  const bool taken = (grid || faces) && line.paper == 0;
  if (taken && grid && ((line.flags & POLYLINE_SMOOTH) || line.smooth != 0)) {
    reader->scan.line = place;
    return mesh_scan_fail(&reader->scan, "a smoothed polygon mesh is not read; explode it");
  }
  while (reader->pair.code == 0 && mesh_word_is(reader->pair.value, "VERTEX"))
    if (!(taken ? read_vertex(reader, &line) : mesh_dxf_skip(reader))) return false;
  if (!mesh_word_is(reader->pair.value, "SEQEND"))
    return mesh_scan_expected(&reader->scan, "VERTEX or SEQEND", reader->pair.value);
  if (taken && grid && !add_grid(reader, &line)) return false;
  return mesh_dxf_skip(reader);
}
