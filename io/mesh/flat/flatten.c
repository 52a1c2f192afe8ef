// Moves points into the planes of faces that are flat but for the digits of the file.
#include "flatten.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "edge_sides.h"
#include "polyhedron.h"

#define FLAT_ROUNDING 1e-14   // of the extent: a point this near its place stays where it is
#define FLAT_ANGLE \
  1e-2   // planes that meet at a smaller one (sine, volume of normals) fix no place

typedef struct {
  double area;
  int triangle;
} Seed;

// Groups of triangles in one plane.
typedef struct {
  const FlatSurface *surface;
  double reach;   // m
  int *mates;     // [3 triangles] side that meets the one from that corner on, -1: not just one
  int *region;    // [triangles]
  int count;
  Plane *planes;   // [count]
} Regions;

static int compare_seeds(const void *p, const void *q)
{
  const Seed *a = p, *b = q;
  if (a->area != b->area) return a->area > b->area ? -1 : 1;
  return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static vec3 triangle_area(const FlatSurface *s, int triangle)
{
  assert_debug(triangle >= 0 && triangle < s->triangle_count && "a triangle has a number");
  const int *v = s->triangles[triangle];
  const vec3 a = vec3_sub(s->points[v[1]], s->points[v[0]]);
  return vec3_scale(0.5, vec3_cross(a, vec3_sub(s->points[v[2]], s->points[v[0]])));
}

static void find_mates(Regions *r, Arena *scratch)
{
  const FlatSurface *s = r->surface;
  const int count = 3 * s->triangle_count;
  r->mates = arena_allocate(scratch, (size_t)count * sizeof *r->mates);
  EdgeSide *sides = arena_allocate(scratch, (size_t)count * sizeof *sides);
  for (int i = 0; i < count; i++) {
    const int *v = s->triangles[i / 3];
    sides[i] = edge_side(v[i % 3], v[(i + 1) % 3], i);
  }
  edge_sides_mate(sides, count, r->mates);
}

static bool triangle_fits(const Regions *r, int triangle, Plane plane)
{
  const FlatSurface *s = r->surface;
  for (int k = 0; k < 3; k++) {
    const vec3 corner = s->points[s->triangles[triangle][k]];
    if (fabs(vec3_dot(plane.normal, corner) - plane.offset) > r->reach) return false;
  }
  return vec3_dot(triangle_area(s, triangle), plane.normal) >= 0;
}

// Large triangles first, so that slivers never make a plane of their own.
static void find_regions(Regions *r, Arena *scratch)
{
  const FlatSurface *s = r->surface;
  const size_t count = (size_t)s->triangle_count;
  Seed *seeds = arena_allocate(scratch, count * sizeof *seeds);
  int *stack = arena_allocate(scratch, count * sizeof *stack);
  r->region = arena_allocate(scratch, count * sizeof *r->region);
  r->planes = arena_allocate(scratch, count * sizeof *r->planes);
  for (int t = 0; t < s->triangle_count; t++) {
    seeds[t] = (Seed){vec3_norm(triangle_area(s, t)), t};
    r->region[t] = -1;
  }
  qsort(seeds, count, sizeof *seeds, compare_seeds);
  for (size_t i = 0; i < count; i++) {
    const int seed = seeds[i].triangle;
    if (r->region[seed] >= 0 || !(seeds[i].area > 0)) continue;
    const vec3 normal = vec3_scale(1 / seeds[i].area, triangle_area(s, seed));
    const Plane plane = {normal, vec3_dot(normal, s->points[s->triangles[seed][0]])};
    int depth = 0;
    stack[depth++] = seed;
    r->region[seed] = r->count;
    while (depth > 0) {
      const int t = stack[--depth];
      for (int k = 0; k < 3; k++) {
        const int mate = r->mates[3 * t + k], other = mate / 3;
        if (mate < 0 || r->region[other] >= 0 || !triangle_fits(r, other, plane)) continue;
        r->region[other] = r->count;
        stack[depth++] = other;
      }
    }
    r->planes[r->count++] = plane;
  }
}

// The plane of a region is the mean of its triangles: sum of their areas through the mean of their
// centroids.
static void fit_planes(Regions *r, Arena *scratch)
{
  assert(r->count >= 0 && r->count <= r->surface->triangle_count && "every plane has a triangle");
  const FlatSurface *s = r->surface;
  vec3 *area = arena_allocate_zero(scratch, (size_t)r->count, sizeof *area);
  vec3 *center = arena_allocate_zero(scratch, (size_t)r->count, sizeof *center);
  double *weight = arena_allocate_zero(scratch, (size_t)r->count, sizeof *weight);
  for (int t = 0; t < s->triangle_count; t++) {
    const int g = r->region[t], *v = s->triangles[t];
    if (g < 0) continue;
    const vec3 own = triangle_area(s, t);
    const vec3 sum = vec3_add(s->points[v[0]], vec3_add(s->points[v[1]], s->points[v[2]]));
    area[g] = vec3_add(area[g], own);
    center[g] = vec3_axpy(vec3_norm(own) / 3, sum, center[g]);
    weight[g] += vec3_norm(own);
  }
  for (int g = 0; g < r->count; g++) {
    const vec3 normal = vec3_scale(1 / vec3_norm(area[g]), area[g]);
    r->planes[g] = (Plane){normal, vec3_dot(normal, center[g]) / weight[g]};
  }
}

bool flatten_place(const Plane *planes, int count, vec3 x, vec3 *place)
{
  assert_debug(count > 0 && "a place lies in some plane");
  double off[3] = {0, 0, 0};
  if (count > 3) return false;
  for (int k = 0; k < count; k++) off[k] = planes[k].offset - vec3_dot(planes[k].normal, x);
  if (count == 1) {
    *place = vec3_axpy(off[0], planes[0].normal, x);
    return true;
  }
  const vec3 a = planes[0].normal, b = planes[1].normal, line = vec3_cross(a, b);
  const vec3 c = count == 3 ? planes[2].normal : line;
  const double volume = vec3_dot(line, c);
  const double least = count == 3 ? FLAT_ANGLE : FLAT_ANGLE * FLAT_ANGLE;
  if (!(fabs(volume) > least)) return false;
  const vec3 sum =
      vec3_add(vec3_scale(off[0], vec3_cross(b, c)),
               vec3_add(vec3_scale(off[1], vec3_cross(c, a)), vec3_scale(off[2], line)));
  *place = vec3_axpy(1 / volume, sum, x);
  return true;
}

static void collect_planes(const FlatSurface *s, const FlatRegions *r, int (*regions)[4],
                           int *counts)
{
  for (int t = 0; t < s->triangle_count; t++) {
    if (r->region[t] < 0) continue;
    for (int k = 0; k < 3; k++) {
      const int p = s->triangles[t][k];
      bool known = counts[p] > 3;
      for (int i = 0; i < counts[p] && !known; i++) known = regions[p][i] == r->region[t];
      if (!known) regions[p][counts[p]++] = r->region[t];
    }
  }
}

FlatRegions flatten_regions(const FlatSurface *surface, double reach, Arena *arena)
{
  assert(surface->triangle_count > 0 && reach >= 0 && "a surface has triangles");
  Regions regions = {.surface = surface, .reach = reach};
  find_mates(&regions, arena);
  find_regions(&regions, arena);
  fit_planes(&regions, arena);
  return (FlatRegions){regions.count, regions.region, regions.planes};
}

FlatReport flatten_mesh(const FlatSurface *surface, double tolerance, Arena *scratch)
{
  assert(surface->point_count >= 0 && surface->triangle_count >= 0 && "counts are not below zero");
  assert(tolerance >= 0 && "points move within a distance");
  FlatReport report = {0};
  if (surface->point_count == 0 || surface->triangle_count == 0) return report;
  const ArenaMark mark = arena_mark(scratch);
  vec3 low = surface->points[0], high = low;
  for (int i = 1; i < surface->point_count; i++) {
    low = vec3_min(low, surface->points[i]);
    high = vec3_max(high, surface->points[i]);
  }
  const vec3 size = vec3_sub(high, low), center = vec3_scale(0.5, vec3_add(low, high));
  const double extent = fmax(size.x, fmax(size.y, size.z));
  // planes are best known near the origin; points that stay keep their bits
  FlatSurface local = *surface;
  local.points = arena_allocate(scratch, (size_t)surface->point_count * sizeof *local.points);
  for (int i = 0; i < surface->point_count; i++) {
    local.points[i] = vec3_sub(surface->points[i], center);
  }
  const double reach = tolerance * extent;
  const FlatRegions regions = flatten_regions(&local, reach, scratch);
  int(*planes_of)[4] = arena_allocate(scratch, (size_t)surface->point_count * sizeof *planes_of);
  int *counts = arena_allocate_zero(scratch, (size_t)surface->point_count, sizeof *counts);
  collect_planes(&local, &regions, planes_of, counts);
  for (int i = 0; i < surface->point_count; i++) {
    Plane planes[4] = {0};
    vec3 place;
    for (int k = 0; k < counts[i]; k++) planes[k] = regions.planes[planes_of[i][k]];
    if (counts[i] == 0 || !flatten_place(planes, counts[i], local.points[i], &place)) continue;
    const double way = vec3_norm(vec3_sub(place, local.points[i]));
    if (!(way > FLAT_ROUNDING * extent) || way > 2 * reach) continue;
    report.moved_points++;
    report.farthest = fmax(report.farthest, way);
    surface->points[i] = vec3_add(place, center);
  }
  report.regions = regions.count;
  arena_release(scratch, mark);
  return report;
}
