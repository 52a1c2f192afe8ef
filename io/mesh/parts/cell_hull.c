// Decides by its hull whether the union of some cells is convex.
#include "cell_hull.h"

#include <assert.h>
#include <math.h>

#include "check.h"
#include "exact_sum.h"
#include "hull_triangles.h"
#include "numbers.h"

// The hull of the points of a boundary.
typedef struct {
  const Cells *cells;
  int count;
  int *points;          // ascending
  HullTriangles hull;   // of places in points
  int *triangle;        // [count] some triangle with that corner, -1: no corner of the hull
} BoundaryHull;

int cell_hull_list_boundary(const Cells *cells, const int *members, int count, const int *part,
                            BoundaryFace *faces)
{
  assert(count >= 0 && (faces != NULL || count == 0) && "faces have room");
  int found = 0;
  for (int i = 0; i < count; i++) {
    const Cell *cell = &cells->cells[members[i]];
    for (int k = 0; k < cell->count; k++) {
      const int other = cells_across(&cells->faces[cell->faces[k]], members[i]);
      if (other >= 0 && part[other] == part[members[i]]) continue;
      faces[found++] = (BoundaryFace){cell->faces[k], members[i]};
    }
  }
  return found;
}

static void take_points(BoundaryHull *b, const BoundaryFace *faces, int count, Arena *scratch)
{
  const Cells *cells = b->cells;
  int room = 0;
  for (int i = 0; i < count; i++) room += cells->faces[faces[i].face].count;
  b->points = arena_allocate(scratch, (size_t)room * sizeof *b->points);
  for (int i = 0; i < count; i++) {
    const CellFace *face = &cells->faces[faces[i].face];
    for (int k = 0; k < face->count; k++) b->points[b->count++] = cells->loops[face->first + k];
  }
  b->count = numbers_sort_different(b->points, b->count);
}

static bool find_hull(BoundaryHull *b, Arena *scratch)
{
  assert(b->count >= 0 && b->hull.count == 0 && "a boundary has one hull");
  const vec3 *at = b->cells->points;
  if (b->count < 4) return false;
  vec3 low = at[b->points[0]], high = low;
  for (int i = 1; i < b->count; i++) {
    low = vec3_min(low, at[b->points[i]]);
    high = vec3_max(high, at[b->points[i]]);
  }
  const vec3 size = vec3_sub(high, low);
  int exponent;
  (void)frexp(fmax(size.x, fmax(size.y, size.z)), &exponent);
  GridPoint *grid = arena_allocate(scratch, (size_t)b->count * sizeof *grid);
  bool *skipped = arena_allocate_zero(scratch, (size_t)b->count, sizeof *skipped);
  for (int i = 0; i < b->count; i++) {
    const vec3 x = vec3_sub(at[b->points[i]], low);
    grid[i] = (GridPoint){(int64_t)ldexp(x.x, GRID_BITS - exponent),
                          (int64_t)ldexp(x.y, GRID_BITS - exponent),
                          (int64_t)ldexp(x.z, GRID_BITS - exponent)};
  }
  if (!hull_triangulate(grid, b->count, skipped, scratch, &b->hull)) return false;
  b->triangle = arena_allocate(scratch, (size_t)b->count * sizeof *b->triangle);
  for (int i = 0; i < b->count; i++) b->triangle[i] = -1;
  for (int t = 0; t < b->hull.count; t++) {
    for (int k = 0; k < 3; k++) b->triangle[b->hull.triangles[t].vertex[k]] = t;
  }
  return true;
}

static double hull_volume(const BoundaryHull *b)
{
  assert(b->hull.count >= 4 && "a hull has four triangles");
  const vec3 *at = b->cells->points;
  ExactSum sum = exact_sum_new();
  for (int t = 0; t < b->hull.count; t++) {
    const int *v = b->hull.triangles[t].vertex;
    const vec3 from = at[b->points[0]], p = vec3_sub(at[b->points[v[0]]], from);
    const vec3 q = vec3_sub(at[b->points[v[1]]], from), r = vec3_sub(at[b->points[v[2]]], from);
    exact_sum_add(&sum, vec3_dot(p, vec3_cross(q, r)));
  }
  return exact_sum_value(&sum) / 6;
}

static double height_of(const BoundaryHull *b, Plane plane, int place)
{
  return vec3_dot(plane.normal, b->cells->points[b->points[place]]) - plane.offset;
}

// The greatest height of the hull above a plane, from a corner upwards: on a convex surface a
// corner without a higher neighbour is the highest.
static double climb(const BoundaryHull *b, Plane plane, int corner)
{
  assert_debug(corner >= 0 && corner < b->count && b->triangle[corner] >= 0 &&
               "the way begins at a corner of the hull");
  double height = height_of(b, plane, corner);
  for (int from = -1; from != corner;) {
    from = corner;
    const int first = b->triangle[from];
    for (int t = first, next;; t = next) {
      const HullTriangle *triangle = &b->hull.triangles[t];
      const int edge = hull_edge_from(triangle, from);
      const int other = triangle->vertex[(edge + 1) % 3];
      const double higher = height_of(b, plane, other);
      if (higher > height) {
        height = higher;
        corner = other;
      }
      next = triangle->neighbor[(edge + 2) % 3];
      if (next == first) break;
    }
  }
  return height;
}

// A corner of the hull to begin at: one of the face, else any.
static int corner_near(const BoundaryHull *b, const CellFace *face)
{
  assert_debug(b->hull.count > 0 && "a hull has corners");
  for (int k = 0; k < face->count; k++) {
    const int place = numbers_find(b->points, b->count, b->cells->loops[face->first + k]);
    if (place >= 0 && b->triangle[place] >= 0) return place;
  }
  return b->hull.triangles[0].vertex[0];
}

bool cell_hull_boundary_is_convex(const Cells *cells, const BoundaryFace *faces, int count,
                                  double volume, Arena *scratch)
{
  assert(count >= 0 && volume > 0 && "a boundary encloses a volume");
  const ArenaMark mark = arena_mark(scratch);
  BoundaryHull hull = {.cells = cells};
  take_points(&hull, faces, count, scratch);
  bool convex = find_hull(&hull, scratch);
  for (int i = 0; i < count && convex; i++) {
    const CellFace *face = &cells->faces[faces[i].face];
    const Plane plane = cells_face_plane(cells, face, faces[i].cell);
    convex = climb(&hull, plane, corner_near(&hull, face)) <= CELL_FLAT * cells->extent;
  }
  // coordinates of a small part are rounded on the scale of the solid
  const double solid = cells->extent * cells->extent * cells->extent;
  convex = convex && fabs(hull_volume(&hull) - volume) <= CELL_VOLUME * volume + 1e-16 * solid;
  arena_release(scratch, mark);
  return convex;
}
