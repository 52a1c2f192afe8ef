#include "volumetric.h"

#include "gjk.h"
#include "intersection.h"

#define NO_NORMAL 1e-6   // of the sum of squared areas: a smaller sum of normals points nowhere
#define THICK 1e-2       // of the smaller part's extent: thickness above it is checked by GJK
#define OUTSIDE 1e-9   // of the smaller part's extent: a point outside by more is not of the solid

static int nearest_face(const Polyhedron *p, vec3 x, double *distance)
{
  int best = 0;
  double nearest = -INFINITY;
  for (int f = 0; f < p->face_count; f++) {
    const double s = vec3_dot(p->planes[f].normal, x) - p->planes[f].offset;
    if (s > nearest) {
      nearest = s;
      best = f;
    }
  }
  *distance = nearest;
  return best;
}

static double thickness(const Intersection *common, vec3 normal)
{
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < common->vertex_count; i++) {
    const double z = vec3_dot(normal, common->vertices[i]);
    if (z < low) low = z;
    if (z > high) high = z;
  }
  return high - low;
}

// Moves both parts away from each other along the normal and measures what separates them then.
static double checked_gap(const Polyhedron *a, const Polyhedron *b, vec3 normal, double thick,
                          Arena *arena)
{
  vec3 *moved_a = arena_allocate(arena, (size_t)a->vertex_count * sizeof *moved_a);
  vec3 *moved_b = arena_allocate(arena, (size_t)b->vertex_count * sizeof *moved_b);
  for (int i = 0; i < a->vertex_count; i++) moved_a[i] = vec3_axpy(thick, normal, a->vertices[i]);
  for (int i = 0; i < b->vertex_count; i++) moved_b[i] = vec3_axpy(-thick, normal, b->vertices[i]);
  const GjkResult apart = gjk_distance(moved_a, a->vertex_count, moved_b, b->vertex_count);
  const double gap = apart.distance - 2 * thick;
  return gap < 0 ? gap : 0;
}

VolumetricPoint volumetric_point(const Polyhedron *a, const Polyhedron *b, vec3 normal, double gap,
                                 Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  VolumetricPoint result = {.normal = normal, .gap = gap};
  const Intersection common = intersection_clip(a, b, 0, arena);
  if (common.status == INTERSECTION_OK) {
    vec3 sum = {0, 0, 0}, place = {0, 0, 0};
    double squares = 0, surface = 0;
    for (int i = 0; i < common.face_count; i++) {
      const IntersectionFace *face = &common.faces[i];
      const double area = vec3_norm(face->area);
      // a's faces look from a into b: the normal is their opposite; b's look into a
      sum = vec3_axpy(face->owner == 0 ? -area : area, face->area, sum);
      place = vec3_axpy(area, face->centroid, place);
      squares += area * area;
      surface += area;
    }
    const double length = vec3_norm(sum);
    result.point = vec3_scale(1.0 / surface, place);
    result.area = 0.5 * surface;
    if (length > NO_NORMAL * squares) {
      const double smaller = a->extent < b->extent ? a->extent : b->extent;
      result.normal = vec3_scale(1.0 / length, sum);
      const double thick = thickness(&common, result.normal);
      result.gap =
          thick > THICK * smaller ? checked_gap(a, b, result.normal, thick, arena) : -thick;
      double outside_a, outside_b;
      nearest_face(a, result.point, &outside_a);
      nearest_face(b, result.point, &outside_b);
      if (outside_a > OUTSIDE * smaller || outside_b > OUTSIDE * smaller)
        result.point = common.centroid;
    }
  } else {
    const GjkResult near = gjk_distance(a->vertices, a->vertex_count, b->vertices, b->vertex_count);
    result.point = vec3_scale(0.5, vec3_add(near.on_a, near.on_b));
  }
  double unused;
  result.face_a = nearest_face(a, result.point, &unused);
  result.face_b = nearest_face(b, result.point, &unused);
  arena_release(arena, mark);
  return result;
}
