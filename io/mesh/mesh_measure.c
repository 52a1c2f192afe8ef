// Computes volume, centroid, inertia, planes and convexity of a closed surface.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "exact_sum.h"
#include "hull_triangles.h"
#include "mesh_exact.h"
#include "mesh_measure.h"

// The middle of the box; differences to it are exact far from the origin.
static vec3 middle_of(const vec3 *points, int count)
{
  assert(count > 0 && "points have a middle");
  vec3 low = points[0], high = points[0];
  for (int i = 1; i < count; i++) low = vec3_min(low, points[i]), high = vec3_max(high, points[i]);
  return vec3_axpy(0.5, vec3_sub(high, low), low);
}

// A tetrahedron with corners 0, a, b, c and volume v has the centroid (a + b + c) / 4 and the
// second moments v/20 (a a' + b b' + c c' + s s') about 0, s = a + b + c (geometry/moments.c).
static void add_tetrahedron(ExactSum sums[10], vec3 a, vec3 b, vec3 c)
{
  const double v = vec3_dot(a, vec3_cross(b, c)) / 6;
  const vec3 s = vec3_add(a, vec3_add(b, c));
  exact_sum_add(&sums[0], v);
  exact_sum_add(&sums[1], v / 4 * s.x);
  exact_sum_add(&sums[2], v / 4 * s.y);
  exact_sum_add(&sums[3], v / 4 * s.z);
  const double w = v / 20;
  exact_sum_add(&sums[4], w * (a.x * a.x + b.x * b.x + c.x * c.x + s.x * s.x));
  exact_sum_add(&sums[5], w * (a.y * a.y + b.y * b.y + c.y * c.y + s.y * s.y));
  exact_sum_add(&sums[6], w * (a.z * a.z + b.z * b.z + c.z * c.z + s.z * s.z));
  exact_sum_add(&sums[7], w * (a.x * a.y + b.x * b.y + c.x * c.y + s.x * s.y));
  exact_sum_add(&sums[8], w * (a.y * a.z + b.y * b.z + c.y * c.z + s.y * s.z));
  exact_sum_add(&sums[9], w * (a.z * a.x + b.z * b.x + c.z * c.x + s.z * s.x));
}

Measures mesh_measure_solid(const Surface *surface, SurfacePoints vertices)
{
  const vec3 *points = vertices.points;
  const int point_count = vertices.count;
  assert(surface->count >= 0 && point_count > 0 && "a surface has points");
  const vec3 origin = middle_of(points, point_count);
  ExactSum sums[10];
  double value[10], area = 0;
  for (int i = 0; i < 10; i++) sums[i] = exact_sum_new();
  for (int t = 0; t < surface->count; t++) {
    const int *v = surface->triangles[t];
    const vec3 a = vec3_sub(points[v[0]], origin), b = vec3_sub(points[v[1]], origin);
    const vec3 c = vec3_sub(points[v[2]], origin);
    add_tetrahedron(sums, a, b, c);
    area += 0.5 * vec3_norm(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
  }
  for (int i = 0; i < 10; i++) value[i] = exact_sum_value(&sums[i]);
  const double volume = value[0];
  vec3 center = {0, 0, 0};
  if (volume != 0) center = vec3_scale(1 / volume, (vec3){value[1], value[2], value[3]});
  const double xx = value[4] - volume * center.x * center.x;
  const double yy = value[5] - volume * center.y * center.y;
  const double zz = value[6] - volume * center.z * center.z;
  const double xy = value[7] - volume * center.x * center.y;
  const double yz = value[8] - volume * center.y * center.z;
  const double zx = value[9] - volume * center.z * center.x;
  return (Measures){
      .volume = volume,
      .area = area,
      .centroid = vec3_add(origin, center),
      .inertia = {
          {{yy + zz, 0 - xy, 0 - zx}, {0 - xy, zz + xx, 0 - yz}, {0 - zx, 0 - yz, xx + yy}}}};
}

// -- planes ---------------------------------------------------------------------------------------

typedef struct {
  double area;
  int triangle;
} SortedTriangle;

static int compare_areas(const void *p, const void *q)
{
  const SortedTriangle *a = p, *b = q;
  if (a->area != b->area) return a->area > b->area ? -1 : 1;
  return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

// Gives the seed's number to all triangles around it that lie in its plane.
static void grow_polygon(const Surface *s, const vec3 *points, double tolerance, int seed,
                         int number, int *polygon, int *queue)
{
  assert(polygon[seed] < 0 && number >= 0 && "a polygon grows from a free triangle");
  const vec3 cross = mesh_surface_triangle_cross(s, points, seed),
             origin = points[s->triangles[seed][0]];
  const vec3 normal = vec3_scale(1 / vec3_norm(cross), cross);
  int count = 0;
  polygon[seed] = number;
  queue[count++] = seed;
  for (int i = 0; i < count; i++) {
    for (int e = 3 * queue[i]; e < 3 * queue[i] + 3; e++) {
      const int mate = s->mates[e];
      if (mate < 0 || polygon[mate / 3] >= 0) continue;
      const vec3 corner = points[edge_opposite(s, mate)];
      if (fabs(vec3_dot(normal, vec3_sub(corner, origin))) > tolerance) continue;
      if (vec3_dot(normal, mesh_surface_triangle_cross(s, points, mate / 3)) <= 0) continue;
      polygon[mate / 3] = number;
      queue[count++] = mate / 3;
    }
  }
}

int mesh_measure_polygons(const Surface *surface, const vec3 *points, double tolerance,
                          int *polygon, Arena *scratch)
{
  assert(tolerance >= 0 && "corners lie in a plane within a distance");
  assert((surface->mates != NULL || surface->count == 0) && "edges are joined");
  const ArenaMark mark = arena_mark(scratch);
  const size_t count = (size_t)surface->count;
  SortedTriangle *seeds = arena_allocate(scratch, count * sizeof(SortedTriangle));
  int *queue = arena_allocate(scratch, count * sizeof(int));
  for (int t = 0; t < surface->count; t++) {
    seeds[t] = (SortedTriangle){vec3_norm(mesh_surface_triangle_cross(surface, points, t)), t};
    polygon[t] = -1;
  }
  qsort(seeds, count, sizeof(SortedTriangle), compare_areas);
  int numbers = 0;
  for (int i = 0; i < surface->count; i++) {
    if (polygon[seeds[i].triangle] >= 0) continue;
    grow_polygon(surface, points, tolerance, seeds[i].triangle, numbers++, polygon, queue);
  }
  assert(numbers <= surface->count && "every polygon has a triangle");
  arena_release(scratch, mark);
  return numbers;
}

// -- convexity ------------------------------------------------------------------------------------

// Height of each triangle's far corner above the plane of the larger one of two neighbours.
static bool edges_are_convex(const Surface *s, const vec3 *points, double tolerance)
{
  for (int e = 0; e < 3 * s->count; e++) {
    const int mate = s->mates[e];
    if (mate < 0) return false;
    const vec3 mine = mesh_surface_triangle_cross(s, points, e / 3);
    const vec3 other = mesh_surface_triangle_cross(s, points, mate / 3);
    if (vec3_norm(mine) < vec3_norm(other)) continue;   // seen from the other triangle
    const vec3 far = vec3_sub(points[edge_opposite(s, mate)], points[edge_start(s, e)]);
    if (vec3_dot(mine, far) > tolerance * vec3_norm(mine)) return false;
  }
  return true;
}

bool mesh_measure_convex(const Surface *surface, SurfacePoints vertices, Measures measures,
                         double tolerance, Arena *scratch)
{
  const vec3 *points = vertices.points;
  const int point_count = vertices.count;
  assert(point_count > 0 && tolerance >= 0 && "points rise above a plane by a distance");
  if (!edges_are_convex(surface, points, tolerance)) return false;
  const ArenaMark mark = arena_mark(scratch);
  const GridPoint *grid = mesh_exact_grid(points, point_count, scratch);
  const bool *skipped = arena_allocate_zero(scratch, (size_t)point_count, sizeof(bool));
  HullTriangles hull;
  bool convex = hull_triangulate(grid, point_count, skipped, scratch, &hull);
  if (convex) {
    const vec3 origin = middle_of(points, point_count);
    ExactSum sum = exact_sum_new();
    for (int t = 0; t < hull.count; t++) {
      const int *v = hull.triangles[t].vertex;
      const vec3 a = vec3_sub(points[v[0]], origin), b = vec3_sub(points[v[1]], origin);
      const vec3 c = vec3_sub(points[v[2]], origin);
      exact_sum_add(&sum, vec3_dot(a, vec3_cross(b, c)) / 6);
    }
    const double rest = exact_sum_value(&sum) - measures.volume;
    convex = fabs(rest) <= tolerance * measures.area;
  }
  arena_release(scratch, mark);
  return convex;
}
