// The common box of two solids, and volume and areas of an intersection.
#include "intersection_measure.h"

#include "check.h"

// The box reaches beyond the solids by this share of its longest side, and of their extents and
// coordinates: more than rounding moves a vertex.
#define BOX_SLACK 1e-3
#define BOX_ROUNDING 1e-11

void intersection_measure_solid(Intersection *result, double scale)
{
  assert_debug(scale > 0 && "solids have an extent");
  assert_debug(result->face_count >= 0 && result->vertex_count >= 0 && "a solid has counts");
  const vec3 apex = result->vertices[0];
  vec3 moment = {0, 0, 0}, mean = {0, 0, 0};
  for (int f = 0; f < result->face_count; f++) {
    const IntersectionFace *face = &result->faces[f];
    const vec3 arm = vec3_sub(face->centroid, apex);
    const double volume = vec3_dot(face->area, arm) / 3;
    result->volume += volume;
    moment = vec3_axpy(volume, arm, moment);
    result->area[face->owner] = vec3_add(result->area[face->owner], face->area);
    result->surface += vec3_norm(face->area);
  }
  if (result->volume > INTERSECTION_VOLUME_ROUNDING * scale * scale * scale) {
    result->status = INTERSECTION_OK;
    result->centroid = vec3_axpy(0.75 / result->volume, moment, apex);
  } else {
    result->status = INTERSECTION_DEGENERATE;
    for (int i = 0; i < result->vertex_count; i++) {
      mean = vec3_add(mean, vec3_sub(result->vertices[i], apex));
    }
    result->centroid = vec3_axpy(1.0 / result->vertex_count, mean, apex);
    result->volume = fmax(result->volume, 0);
  }
}

// (fmin of the library is a call)

// A box around p with its planes pushed outward. About an inner point at the distance r from the
// nearest plane that solid lies in p scaled by 1 + margin / r. False when rounding has left no
// inner point.
static bool dilated_box(const Polyhedron *p, double margin, vec3 *low, vec3 *high)
{
  assert_debug(margin >= 0 && "planes are pushed outward");
  vec3 sum = {0, 0, 0};
  *low = *high = p->vertices[0];
  for (int i = 0; i < p->vertex_count; i++) {
    sum = vec3_add(sum, p->vertices[i]);
    *low = vec3_min(*low, p->vertices[i]);
    *high = vec3_max(*high, p->vertices[i]);
  }
  if (margin <= 0) return true;
  const vec3 inner = vec3_scale(1.0 / p->vertex_count, sum);
  double radius = INFINITY;
  for (int f = 0; f < p->face_count; f++) {
    radius = smaller_of(radius, p->planes[f].offset - vec3_dot(p->planes[f].normal, inner));
  }
  if (!(radius > 0)) return false;
  const double growth = margin / radius;
  *low = vec3_axpy(growth, vec3_sub(*low, inner), *low);
  *high = vec3_axpy(growth, vec3_sub(*high, inner), *high);
  return true;
}

static double largest_part(vec3 v) { return fmax(fmax(fabs(v.x), fabs(v.y)), fabs(v.z)); }

IntersectionStatus intersection_common_box(const Polyhedron *a, const Polyhedron *b, double margin,
                                           vec3 *low, vec3 *high)
{
  assert_debug(margin >= 0 && "planes are pushed outward");
  vec3 low_a, high_a, low_b, high_b;
  if (!dilated_box(a, margin, &low_a, &high_a)) return INTERSECTION_FAILED;
  if (!dilated_box(b, margin, &low_b, &high_b)) return INTERSECTION_FAILED;
  *low = vec3_max(low_a, low_b);
  *high = vec3_min(high_a, high_b);
  if (low->x >= high->x || low->y >= high->y || low->z >= high->z) return INTERSECTION_EMPTY;
  const double side = largest_part(vec3_sub(*high, *low));
  const double far = a->extent + b->extent + largest_part(*low) + largest_part(*high);
  const double reach = BOX_SLACK * side + BOX_ROUNDING * far;
  const vec3 slack = {reach, reach, reach};
  *low = vec3_sub(*low, slack);
  *high = vec3_add(*high, slack);
  return INTERSECTION_OK;
}
