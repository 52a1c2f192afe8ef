// Makes shapes of closed surfaces of triangles.
#include "shape_triangles.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct {
  double volume;         // m3
  vec3 first;            // integral of the place, m4
  double second[3][3];   // of its products, m5
} SurfaceMoments;

// Adds the tetrahedron from a place to a triangle, with its sign; places are seen from there.
static void add_moments(const vec3 corner[3], SurfaceMoments *m)
{
  const double volume = vec3_dot(corner[0], vec3_cross(corner[1], corner[2])) / 6;
  const vec3 sum = vec3_add(corner[0], vec3_add(corner[1], corner[2]));
  m->volume += volume;
  m->first = vec3_axpy(0.25 * volume, sum, m->first);
  const double s[3] = {sum.x, sum.y, sum.z};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      double products = s[i] * s[j];
      for (int k = 0; k < 3; k++) products += (&corner[k].x)[i] * (&corner[k].x)[j];
      m->second[i][j] += volume / 20 * products;
    }
  }
}

// All moments of a surface about a place.
static SurfaceMoments find_moments(const PartRecipe *surface, vec3 about)
{
  SurfaceMoments m = {0};
  for (int t = 0; t < surface->triangle_count; t++) {
    vec3 corner[3];
    for (int k = 0; k < 3; k++)
      corner[k] = vec3_sub(surface->points[surface->triangles[t][k]], about);
    add_moments(corner, &m);
  }
  return m;
}

double shape_triangles_polygon_distance(const vec3 *corners, int count, vec3 normal)
{
  assert(count >= 3 && "a polygon has three corners");
  const double offset = vec3_dot(normal, corners[0]);
  const vec3 foot = vec3_scale(offset, normal);
  bool inside = true;
  double nearest = INFINITY;
  for (int k = 0; k < count; k++) {
    const vec3 from = corners[k], side = vec3_sub(corners[(k + 1) % count], from);
    if (vec3_dot(vec3_cross(side, vec3_sub(foot, from)), normal) < 0) inside = false;
    double t = -vec3_dot(from, side) / vec3_dot(side, side);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    const double distance = vec3_norm(vec3_axpy(t, side, from));
    if (distance < nearest) nearest = distance;
  }
  return inside ? fabs(offset) : nearest;
}

// Radius, extent and the distance of the surface from the centre.
static void measure(Shape *shape)
{
  const ShapeSurface *s = shape->surface;
  vec3 low = {INFINITY, INFINITY, INFINITY}, high = vec3_neg(low);
  double farthest = 0, nearest = INFINITY;
  for (int i = 0; i < s->point_count; i++) {
    low = vec3_min(low, s->points[i]);
    high = vec3_max(high, s->points[i]);
    farthest = larger_of(farthest, vec3_dot(s->points[i], s->points[i]));
  }
  for (int t = 0; t < s->triangle_count; t++) {
    vec3 corner[3];
    for (int k = 0; k < 3; k++) corner[k] = s->points[s->triangles[t][k]];
    const vec3 area = vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0]));
    const double twice = vec3_norm(area);
    if (!(twice > 0)) continue;
    nearest = smaller_of(nearest,
                         shape_triangles_polygon_distance(corner, 3, vec3_scale(1 / twice, area)));
  }
  const vec3 size = vec3_sub(high, low);
  shape->radius = sqrt(farthest);
  shape->extent = larger_of(size.x, larger_of(size.y, size.z));
  shape->inradius = larger_of(nearest, SHAPE_MIN_INRADIUS * shape->extent);
}

ShapeResult shape_triangles_build(const PartRecipe *surface, Arena *arena, Shape *shape)
{
  assert(surface->triangle_count > 0 && surface->count > 0 && "a surface has triangles");
  *shape = (Shape){0};
  // about a corner first, then about the centre of mass, where nothing cancels
  const SurfaceMoments rough = find_moments(surface, surface->points[0]);
  if (!(rough.volume > 0)) return (ShapeResult){.status = SHAPE_NO_VOLUME};
  const vec3 arm = vec3_scale(1 / rough.volume, rough.first);
  shape->center = vec3_add(surface->points[0], arm);
  const SurfaceMoments m = find_moments(surface, shape->center);
  shape->volume = m.volume;
  const double xx = m.second[0][0], yy = m.second[1][1], zz = m.second[2][2];
  const double xy = m.second[0][1], xz = m.second[0][2], yz = m.second[1][2];
  shape->inertia = (mat3){{{yy + zz, -xy, -xz}, {-xy, xx + zz, -yz}, {-xz, -yz, xx + yy}}};

  vec3 *points = arena_allocate(arena, (size_t)surface->count * sizeof *points);
  for (int i = 0; i < surface->count; i++) points[i] = vec3_sub(surface->points[i], shape->center);
  int(*triangles)[3] = arena_allocate(arena, (size_t)surface->triangle_count * sizeof *triangles);
  for (int t = 0; t < surface->triangle_count; t++) {
    for (int k = 0; k < 3; k++) triangles[t][k] = surface->triangles[t][k];
  }
  int *numbers = NULL;
  if (surface->triangle_numbers) {
    const size_t bytes = (size_t)surface->triangle_count * sizeof *numbers;
    numbers = arena_allocate(arena, bytes);
    memcpy(numbers, surface->triangle_numbers, bytes);
  }
  ShapeSurface *own = arena_allocate(arena, sizeof *own);
  *own = (ShapeSurface){.point_count = surface->count,
                        .triangle_count = surface->triangle_count,
                        .points = points,
                        .triangles = (const int(*)[3])triangles,
                        .numbers = numbers};
  shape->surface = own;
  shape->output_points = 3 * surface->triangle_count;
  shape->output_cells = surface->triangle_count;
  measure(shape);
  return (ShapeResult){.status = SHAPE_OK};
}
