// Convex hulls as polyhedra: coplanar triangles of the exact hull merged into faces.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "box.h"
#include "clipper_small.h"
#include "hull_triangles.h"
#include "polyhedron.h"

#define MANY_POINTS 256   // larger hulls are searched along their edges

// A polyhedron in the making: the triangles of the exact hull and the region (future face) of each.
typedef struct {
  const vec3 *points;
  const GridPoint *grid;
  int point_count;
  double grid_extent;   // extent of the points in steps of the grid
  double flat;          // m, a depth at which solids are flat
  HullTriangles hull;
  int *region;   // [triangles]
  int region_count;
  int *seed;              // [regions], triangle whose plane the region shares
  int *renamed;           // [points], vertex number, -1: dropped
  int *corner_triangle;   // [points], some triangle with that corner, -1: none
} Merger;

typedef struct {
  double area;
  int triangle;
} Seed;

typedef struct {
  double key;
  int index;
} SortedPoint;

typedef struct {
  const int *corners;
  int corner_count;
  Plane plane;
} Loop;

const char *hull_status_text(HullStatus status)
{
  switch (status) {
  case HULL_OK: return "sound";
  case HULL_NOT_FINITE: return "a coordinate is not a finite number";
  case HULL_TOO_FEW_POINTS: return "there are fewer than four different points";
  case HULL_FLAT: return "all points lie in one plane";
  }
  return "unknown";
}

// -- points ---------------------------------------------------------------------------------------

static double largest_side(vec3 low, vec3 high)
{
  const vec3 d = vec3_sub(high, low);
  const double xy = d.x > d.y ? d.x : d.y;
  return xy > d.z ? xy : d.z;
}

// Where the grid of an axis has its zero. Far from the origin differences to low are exact; near it
// the coordinates themselves are.
static double grid_anchor(double low, double extent) { return fabs(low) > 4 * extent ? low : 0; }

static GridPoint *points_to_grid(const vec3 *points, int count, vec3 low, double extent,
                                 Arena *scratch)
{
  assert(extent > 0 && count > 0 && "points have an extent");
  int exponent;
  (void)frexp(extent, &exponent);
  const vec3 zero = {grid_anchor(low.x, extent), grid_anchor(low.y, extent),
                     grid_anchor(low.z, extent)};
  GridPoint *grid = arena_allocate(scratch, (size_t)count * sizeof(GridPoint));
  for (int i = 0; i < count; i++) {
    grid[i] = (GridPoint){(int64_t)ldexp(points[i].x - zero.x, GRID_BITS - exponent),
                          (int64_t)ldexp(points[i].y - zero.y, GRID_BITS - exponent),
                          (int64_t)ldexp(points[i].z - zero.z, GRID_BITS - exponent)};
  }
  return grid;
}

static int compare_sorted_points(const void *p, const void *q)
{
  const SortedPoint *a = p, *b = q;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

static bool points_are_near(vec3 a, vec3 b, double tolerance)
{
  return fabs(a.x - b.x) <= tolerance && fabs(a.y - b.y) <= tolerance &&
         fabs(a.z - b.z) <= tolerance;
}

// Marks points that repeat an earlier one within the tolerance; returns how many are left.
static int skip_repeated_points(const vec3 *points, int count, double tolerance, bool *skipped,
                                Arena *scratch)
{
  assert(count > 0 && tolerance >= 0 && "points have a distance");
  SortedPoint *sorted = arena_allocate(scratch, (size_t)count * sizeof(SortedPoint));
  int *place = arena_allocate(scratch, (size_t)count * sizeof(int));
  for (int i = 0; i < count; i++) sorted[i] = (SortedPoint){points[i].x, i};
  qsort(sorted, (size_t)count, sizeof(SortedPoint), compare_sorted_points);
  for (int k = 0; k < count; k++) place[sorted[k].index] = k;

  int left = 0;
  memset(skipped, 0, (size_t)count * sizeof(bool));
  for (int i = 0; i < count; i++) {
    if (skipped[i]) continue;
    left++;
    for (int side = -1; side <= 1; side += 2) {
      for (int k = place[i] + side; k >= 0 && k < count; k += side) {
        const int j = sorted[k].index;
        if (fabs(points[j].x - points[i].x) > tolerance) break;
        if (j > i && points_are_near(points[i], points[j], tolerance)) skipped[j] = true;
      }
    }
  }
  return left;
}

// -- regions of triangles in one plane ------------------------------------------------------------

static int compare_seeds(const void *p, const void *q)
{
  const Seed *a = p, *b = q;
  if (a->area != b->area) return a->area > b->area ? -1 : 1;
  return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static bool triangle_fits(const Merger *m, const HullTriangle *triangle, const HullTriangle *seed,
                          vec3 seed_normal, double reach)
{
  // the seed's plane supports the exact hull, so heights are at most zero
  for (int k = 0; k < 3; k++) {
    const double height =
        exact_height(seed->normal, m->grid[seed->vertex[0]], m->grid[triangle->vertex[k]]);
    if (height < -reach) return false;
  }
  return vec3_dot(exact_round(triangle->normal), seed_normal) > 0;
}

// Large triangles take in the neighbours whose corners lie in their plane within the tolerance (in
// steps of the grid), so that slivers without a good plane of their own never make one.
static void grow_regions(Merger *m, double tolerance, Arena *scratch)
{
  const int count = m->hull.count;
  Seed *seeds = arena_allocate(scratch, (size_t)count * sizeof(Seed));
  int *stack = arena_allocate(scratch, (size_t)count * sizeof(int));
  for (int t = 0; t < count; t++) {
    seeds[t] = (Seed){vec3_norm(exact_round(m->hull.triangles[t].normal)), t};
    m->region[t] = -1;
  }
  qsort(seeds, (size_t)count, sizeof(Seed), compare_seeds);

  m->region_count = 0;
  for (int s = 0; s < count; s++) {
    if (m->region[seeds[s].triangle] >= 0) continue;
    const HullTriangle *seed = &m->hull.triangles[seeds[s].triangle];
    const vec3 normal = exact_round(seed->normal);
    int depth = 0;
    m->seed[m->region_count] = seeds[s].triangle;
    m->region[seeds[s].triangle] = m->region_count;
    stack[depth++] = seeds[s].triangle;
    while (depth > 0) {
      const HullTriangle *t = &m->hull.triangles[stack[--depth]];
      for (int k = 0; k < 3; k++) {
        const int other = t->neighbor[k];
        if (m->region[other] >= 0) continue;
        if (!triangle_fits(m, &m->hull.triangles[other], seed, normal, tolerance * seeds[s].area))
          continue;
        m->region[other] = m->region_count;
        stack[depth++] = other;
      }
    }
    m->region_count++;
  }
}

// Next triangle around a corner, counter-clockwise: across the edge that ends in it.
static int turn_around(const Merger *m, int triangle, int corner)
{
  assert(triangle >= 0 && corner >= 0 && "triangles and corners have numbers");
  const HullTriangle *t = &m->hull.triangles[triangle];
  return t->neighbor[(hull_edge_from(t, corner) + 2) % 3];
}

// How often the region changes on a walk around a corner of the triangulation.
static int count_regions_around(const Merger *m, int corner)
{
  const int first = m->corner_triangle[corner];
  int changes = 0;
  for (int t = first, next;; t = next) {
    next = turn_around(m, t, corner);
    changes += m->region[t] != m->region[next];
    if (next == first) return changes;
  }
}

// Numbers the vertices where three or more regions meet, in the order of the points; the others lie
// inside a face or on an edge between two.
static int number_vertices(Merger *m)
{
  int vertex_count = 0;
  for (int i = 0; i < m->point_count; i++) m->corner_triangle[i] = -1;
  for (int t = 0; t < m->hull.count; t++) {
    for (int k = 0; k < 3; k++) m->corner_triangle[m->hull.triangles[t].vertex[k]] = t;
  }
  for (int i = 0; i < m->point_count; i++) {
    m->renamed[i] = -1;
    if (m->corner_triangle[i] < 0) continue;
    if (count_regions_around(m, i) >= 3) m->renamed[i] = vertex_count++;
  }
  return vertex_count;
}

static bool edge_is_outer(const Merger *m, int triangle, int edge)
{
  assert(triangle >= 0 && edge >= 0 && edge < 3 && "a triangle has three edges");
  return m->region[triangle] != m->region[m->hull.triangles[triangle].neighbor[edge]];
}

// Follows the outline of a region from one of its outer edges. Writes the points of the kept
// corners and returns how many; *walked: outer edges passed.
static int trace_outline(const Merger *m, int triangle, int edge, int *corners, int *walked)
{
  int count = 0, t = triangle, e = edge;
  *walked = 0;
  do {
    const HullTriangle *now = &m->hull.triangles[t];
    if (m->renamed[now->vertex[e]] >= 0) corners[count++] = now->vertex[e];
    (*walked)++;
    const int corner = now->vertex[(e + 1) % 3];
    e = (e + 1) % 3;
    while (!edge_is_outer(m, t, e)) {
      t = m->hull.triangles[t].neighbor[e];
      e = hull_edge_from(&m->hull.triangles[t], corner);
    }
  } while (t != triangle || e != edge);
  return count;
}

// -- faces ----------------------------------------------------------------------------------------

static Plane plane_through(const Merger *m, WideVector normal, const int *corners, int count)
{
  assert(count >= 3 && "a plane goes through three corners");
  const vec3 rounded = exact_round(normal);
  const double length = vec3_norm(rounded);
  // adding zero turns -0 into 0
  const vec3 unit = {rounded.x / length + 0.0, rounded.y / length + 0.0, rounded.z / length + 0.0};
  double offset = vec3_dot(unit, m->points[corners[0]]);
  for (int i = 1; i < count; i++) {
    const double height = vec3_dot(unit, m->points[corners[i]]);
    if (height > offset) offset = height;
  }
  return (Plane){unit, offset};
}

// The corner of the triangulated hull that lies farthest along a direction: from corner to corner
// while one beside it is farther, which ends at the farthest of all since the hull is convex.
static int farthest_corner(const Merger *m, vec3 direction, int start)
{
  int farthest = start, from;
  double most = vec3_dot(direction, m->points[start]);
  do {
    from = farthest;
    int t = m->corner_triangle[from];
    do {
      const HullTriangle *triangle = &m->hull.triangles[t];
      const int beside = triangle->vertex[(hull_edge_from(triangle, from) + 1) % 3];
      const double height = vec3_dot(direction, m->points[beside]);
      if (height > most) {
        most = height;
        farthest = beside;
      }
      t = turn_around(m, t, from);
    } while (t != m->corner_triangle[from]);
  } while (farthest != from);
  return farthest;
}

// The lowest corner of the triangulated hull, by looking at all of them.
static int lowest_of_all(const Merger *m, vec3 normal)
{
  int lowest = -1;
  for (int i = 0; i < m->point_count; i++) {
    if (m->corner_triangle[i] < 0) continue;
    if (lowest < 0 || vec3_dot(normal, m->points[i]) < vec3_dot(normal, m->points[lowest]))
      lowest = i;
  }
  return lowest;
}

// Largest height of the kept vertices above a plane, m; *depth: of the lowest one below it. Large
// hulls are climbed, from a corner of the face and from the lowest one of the last face. A climb
// that begins among many corners in the plane itself may find none lower, but for rounding.
static double height_above(const Merger *m, Plane plane, int corner, int *lowest_corner,
                           double *depth)
{
  if (m->point_count > MANY_POINTS) {
    const int highest = farthest_corner(m, plane.normal, corner);
    *lowest_corner = farthest_corner(m, vec3_neg(plane.normal), *lowest_corner);
    *depth = plane.offset - vec3_dot(plane.normal, m->points[*lowest_corner]);
    if (*depth <= m->flat) {
      *lowest_corner = lowest_of_all(m, plane.normal);
      *depth = plane.offset - vec3_dot(plane.normal, m->points[*lowest_corner]);
    }
    return vec3_dot(plane.normal, m->points[highest]) - plane.offset;
  }
  double highest = -INFINITY, lowest = INFINITY;
  for (int i = 0; i < m->point_count; i++) {
    if (m->renamed[i] < 0) continue;
    const double height = vec3_dot(plane.normal, m->points[i]) - plane.offset;
    if (height > highest) highest = height;
    if (height < lowest) lowest = height;
  }
  *depth = -lowest;
  return highest;
}

// Newell's normal, summed without rounding. A loop of slivers can lose its own plane when corners
// are dropped; the seed's plane is then the face's.
static Plane face_plane(const Merger *m, int region, const int *corners, int count,
                        double tolerance, int *lowest, double *depth)
{
  WideVector sum = {0, 0, 0};
  for (int i = 1; i + 1 < count; i++) {
    const WideVector cross =
        exact_cross(m->grid[corners[0]], m->grid[corners[i]], m->grid[corners[i + 1]]);
    sum = (WideVector){sum.x + cross.x, sum.y + cross.y, sum.z + cross.z};
  }
  if (sum.x != 0 || sum.y != 0 || sum.z != 0) {
    const Plane plane = plane_through(m, sum, corners, count);
    if (height_above(m, plane, corners[0], lowest, depth) <= tolerance) return plane;
  }
  const Plane plane = plane_through(m, m->hull.triangles[m->seed[region]].normal, corners, count);
  (void)height_above(m, plane, corners[0], lowest, depth);
  return plane;
}

static int compare_loops(const void *p, const void *q)
{
  const Loop *a = p, *b = q;
  if (a->corners[0] != b->corners[0]) return a->corners[0] < b->corners[0] ? -1 : 1;
  return (a->corners[1] > b->corners[1]) - (a->corners[1] < b->corners[1]);
}

static int compare_edges(const void *p, const void *q)
{
  const Edge *a = p, *b = q;
  if (a->vertex[0] != b->vertex[0]) return a->vertex[0] < b->vertex[0] ? -1 : 1;
  return (a->vertex[1] > b->vertex[1]) - (a->vertex[1] < b->vertex[1]);
}

// Writes a loop in vertex numbers, the lowest first.
static void write_loop(const Merger *m, const int *corners, int count, int *loop)
{
  assert(count >= 3 && "a loop has three corners");
  int first = 0;
  for (int i = 1; i < count; i++) {
    if (m->renamed[corners[i]] < m->renamed[corners[first]]) first = i;
  }
  for (int i = 0; i < count; i++) loop[i] = m->renamed[corners[(first + i) % count]];
}

// Outlines of all regions as loops of vertex numbers; false when a region is no simple polygon.
// *depth: the least depth of the solid below a face, m.
static bool make_loops(const Merger *m, double extent, Loop *loops, double *depth, Arena *scratch)
{
  assert(extent > 0 && "a hull has an extent");
  int *first_triangle = arena_allocate(scratch, (size_t)m->region_count * sizeof(int));
  int *first_edge = arena_allocate(scratch, (size_t)m->region_count * sizeof(int));
  int *outer_edges = arena_allocate_zero(scratch, (size_t)m->region_count, sizeof(int));
  int *corners = arena_allocate(scratch, 3 * (size_t)m->hull.count * sizeof(int));
  for (int t = 0; t < m->hull.count; t++) {
    for (int k = 0; k < 3; k++) {
      if (!edge_is_outer(m, t, k)) continue;
      outer_edges[m->region[t]]++;
      first_triangle[m->region[t]] = t;
      first_edge[m->region[t]] = k;
    }
  }
  *depth = INFINITY;
  int *opposite = arena_allocate(scratch, (size_t)m->point_count * sizeof(int));
  const int anywhere = m->hull.triangles[0].vertex[0];
  for (int i = 0; i < m->point_count; i++) opposite[i] = anywhere;
  for (int r = 0; r < m->region_count; r++) {
    if (outer_edges[r] == 0) return false;
    int walked;
    const int count = trace_outline(m, first_triangle[r], first_edge[r], corners, &walked);
    if (count < 3 || walked != outer_edges[r]) return false;
    int *loop = arena_allocate(scratch, (size_t)count * sizeof(int));
    double below;
    // faces beside each other have their lowest corners beside each other
    int lowest = opposite[corners[0]];
    for (int i = 1; i < count && lowest == anywhere; i++) lowest = opposite[corners[i]];
    const Plane plane = face_plane(m, r, corners, count, HULL_COPLANAR * extent, &lowest, &below);
    for (int i = 0; i < count; i++) opposite[corners[i]] = lowest;
    if (below < *depth) *depth = below;
    write_loop(m, corners, count, loop);
    loops[r] = (Loop){loop, count, plane};
  }
  qsort(loops, (size_t)m->region_count, sizeof(Loop), compare_loops);
  return true;
}

// Each edge once, from its lower vertex; false when a directed edge has no partner.
static bool make_edges(const Loop *loops, int loop_count, Edge *edges, int edge_count,
                       Arena *scratch)
{
  assert(loop_count >= 4 && edge_count >= 6 && "a solid has four faces and six edges");
  Edge *reversed = arena_allocate(scratch, 2 * (size_t)edge_count * sizeof(Edge));
  int forward_count = 0, backward_count = 0;
  for (int f = 0; f < loop_count; f++) {
    const int n = loops[f].corner_count;
    for (int i = 0; i < n; i++) {
      const int u = loops[f].corners[i], v = loops[f].corners[(i + 1) % n];
      if (u > v) reversed[backward_count++] = (Edge){{v, u}, {f, f}};
      else if (forward_count < edge_count) edges[forward_count++] = (Edge){{u, v}, {f, f}};
    }
  }
  if (forward_count != edge_count || backward_count != edge_count) return false;
  qsort(edges, (size_t)edge_count, sizeof(Edge), compare_edges);
  qsort(reversed, (size_t)edge_count, sizeof(Edge), compare_edges);
  for (int e = 0; e < edge_count; e++) {
    if (compare_edges(&edges[e], &reversed[e]) != 0) return false;
    edges[e].face[1] = reversed[e].face[0];
  }
  return true;
}

// Merges the triangles within the tolerance (m) and writes the polyhedron, memory from the arena;
// false when the faces do not close. *depth: the least depth of the solid below a face, m.
static bool merge_faces(Merger *m, double extent, double tolerance, Arena *arena, Arena *scratch,
                        Polyhedron *hull, double *depth)
{
  assert(extent > 0 && tolerance >= 0 && "faces merge within a distance");
  grow_regions(m, tolerance / extent * m->grid_extent, scratch);
  const int vertex_count = number_vertices(m);
  Loop *loops = arena_allocate(scratch, (size_t)m->region_count * sizeof(Loop));
  if (!make_loops(m, extent, loops, depth, scratch)) return false;

  int corner_count = 0;
  for (int f = 0; f < m->region_count; f++) corner_count += loops[f].corner_count;
  if (corner_count % 2 != 0 || vertex_count - corner_count / 2 + m->region_count != 2) return false;
  Edge *edges = arena_allocate(arena, (size_t)(corner_count / 2) * sizeof(Edge));
  if (!make_edges(loops, m->region_count, edges, corner_count / 2, scratch)) return false;

  vec3 *vertices = arena_allocate(arena, (size_t)vertex_count * sizeof(vec3));
  Plane *planes = arena_allocate(arena, (size_t)m->region_count * sizeof(Plane));
  int *face_start = arena_allocate(arena, (size_t)(m->region_count + 1) * sizeof(int));
  int *face_vertices = arena_allocate(arena, (size_t)corner_count * sizeof(int));
  for (int i = 0; i < m->point_count; i++) {
    if (m->renamed[i] >= 0) vertices[m->renamed[i]] = m->points[i];
  }
  face_start[0] = 0;
  for (int f = 0; f < m->region_count; f++) {
    const size_t bytes = (size_t)loops[f].corner_count * sizeof(int);
    memcpy(face_vertices + face_start[f], loops[f].corners, bytes);
    face_start[f + 1] = face_start[f] + loops[f].corner_count;
    planes[f] = loops[f].plane;
  }
  *hull = (Polyhedron){.vertex_count = vertex_count,
                       .face_count = m->region_count,
                       .edge_count = corner_count / 2,
                       .vertices = vertices,
                       .planes = planes,
                       .face_start = face_start,
                       .face_vertices = face_vertices,
                       .edges = edges,
                       .extent = extent};
  return true;
}

// The polyhedron of the exact hull. Where merging at the full tolerance breaks the topology
// (features of the size of the tolerance), smaller ones follow; at zero nothing can break.
static HullStatus merge_hull(Merger *m, double extent, Arena *arena, Arena *scratch,
                             Polyhedron *hull)
{
  assert(extent > 0 && "a hull has an extent");
  static const double share[] = {1, 1.0 / 16, 1.0 / 256, 0};
  m->region = arena_allocate(scratch, (size_t)m->hull.count * sizeof(int));
  m->seed = arena_allocate(scratch, (size_t)m->hull.count * sizeof(int));
  m->renamed = arena_allocate(scratch, (size_t)m->point_count * sizeof(int));
  m->corner_triangle = arena_allocate(scratch, (size_t)m->point_count * sizeof(int));
  for (int attempt = 0; attempt < 4; attempt++) {
    const ArenaMark mark = arena_mark(arena);
    double depth;
    if (merge_faces(m, extent, share[attempt] * HULL_COPLANAR * extent, arena, scratch, hull,
                    &depth)) {
      if (depth <= HULL_FLATNESS * extent) return HULL_FLAT;
      if (polyhedron_is_valid(hull, 4 * HULL_COPLANAR)) return HULL_OK;
      if (share[attempt] <= 0) return HULL_OK;
    }
    arena_release(arena, mark);
  }
  return HULL_FLAT;
}

HullStatus hull_build(const vec3 *points, int count, Arena *arena, Polyhedron *hull)
{
  assert(count >= 0 && (points != NULL || count == 0) && "points are given");
  assert(arena != NULL && hull != NULL && "the hull has a place");
  *hull = (Polyhedron){0};
  for (int i = 0; i < count; i++) {
    if (!vec3_is_finite(points[i])) return HULL_NOT_FINITE;
  }
  if (count < 4) return HULL_TOO_FEW_POINTS;
  const Box box = box_of_points(points, count);
  const double extent = largest_side(box.low, box.high);
  if (!isfinite(extent)) return HULL_NOT_FINITE;
  if (extent <= 0) return HULL_TOO_FEW_POINTS;

  Arena scratch = arena_new();
  const ArenaMark mark = arena_mark(arena);
  HullStatus status = HULL_OK;
  bool *skipped = arena_allocate(&scratch, (size_t)count * sizeof(bool));
  if (skip_repeated_points(points, count, HULL_COPLANAR * extent, skipped, &scratch) < 4) {
    status = HULL_TOO_FEW_POINTS;
  } else {
    int exponent;
    const double mantissa = frexp(extent, &exponent);
    Merger m = {.points = points,
                .point_count = count,
                .grid_extent = ldexp(mantissa, GRID_BITS),
                .flat = HULL_FLATNESS * extent};
    m.grid = points_to_grid(points, count, box.low, extent, &scratch);
    if (!hull_triangulate(m.grid, count, skipped, &scratch, &m.hull)) status = HULL_FLAT;
    else status = merge_hull(&m, extent, arena, &scratch, hull);
  }
  if (status == HULL_OK) {
    hull->darts = clipper_small_darts_new(hull, arena);
  } else {
    *hull = (Polyhedron){0};
    arena_release(arena, mark);
  }
  arena_destroy(&scratch);
  return status;
}
