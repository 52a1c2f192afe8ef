#pragma once
// What both ways to an intersection share: the box around it and the measures of what is left.
// Local.
#include <string.h>

#include "check.h"
#include "intersection.h"

// Volumes below this times the smaller extent cubed are rounding.
#define INTERSECTION_VOLUME_ROUNDING 1e-14

// Local. Area vector and centroid of a polygon, summed over the triangles about its first corner;
// normal: of its plane, and of the area. (A sum of crosses would tell the area of a needle's side
// as well, but lean along the needle by rounding, and its volume with it.)
static inline void intersection_measure_face(const vec3 *vertices, const int *loop, int count,
                                             vec3 normal, IntersectionFace *face)
{
  assert_debug(count >= 3 && "a face has three corners");
  const vec3 origin = vertices[loop[0]];
  vec3 u = vec3_sub(vertices[loop[1]], origin), moment = {0, 0, 0};
  double weight = 0;
  for (int i = 2; i < count; i++) {
    const vec3 v = vec3_sub(vertices[loop[i]], origin);
    const double w = vec3_dot(vec3_cross(u, v), normal);
    weight += w;
    moment = vec3_axpy(w, vec3_add(u, v), moment);
    u = v;
  }
  if (weight > 0) {
    moment = vec3_scale(1 / (3 * weight), moment);
  } else {
    // a polygon without area has the mean of its corners
    moment = (vec3){0, 0, 0};
    for (int i = 1; i < count; i++) {
      moment = vec3_axpy(1.0 / count, vec3_sub(vertices[loop[i]], origin), moment);
    }
  }
  face->area = vec3_scale(0.5 * weight, normal);
  face->centroid = vec3_add(origin, moment);
}

// Local. Status, volume, centroid and areas from faces and vertices: pyramids over the faces from
// the first vertex. scale: the smaller extent, m.
void intersection_measure_solid(Intersection *result, double scale);

// Local. A box that holds in its inside the solid common to a and b, whose planes are pushed
// outward by margin. EMPTY when the boxes of the solids are apart, FAILED when rounding has left no
// inner point to one of them.
IntersectionStatus intersection_common_box(const Polyhedron *a, const Polyhedron *b, double margin,
                                           vec3 *low, vec3 *high);
