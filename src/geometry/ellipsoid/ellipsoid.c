// Places ellipsoids and measures them.
#include "ellipsoid.h"

#include <assert.h>

Ellipsoid ellipsoid_place(vec3 radii, mat3 rotation)
{
  assert(radii.x > 0 && radii.y > 0 && radii.z > 0 && "an ellipsoid has radii");
  const vec3 square = {radii.x * radii.x, radii.y * radii.y, radii.z * radii.z};
  const vec3 *r = rotation.row;
  const vec3 x = {r[0].x * square.x, r[0].y * square.y, r[0].z * square.z};
  const vec3 y = {r[1].x * square.x, r[1].y * square.y, r[1].z * square.z};
  const vec3 z = {r[2].x * square.x, r[2].y * square.y, r[2].z * square.z};
  return (Ellipsoid){.radii = radii,
                     .rotation = rotation,
                     .square = {.xx = vec3_dot(x, r[0]),
                                .xy = vec3_dot(x, r[1]),
                                .xz = vec3_dot(x, r[2]),
                                .yy = vec3_dot(y, r[1]),
                                .yz = vec3_dot(y, r[2]),
                                .zz = vec3_dot(z, r[2])}};
}

vec3 ellipsoid_half_box(const Ellipsoid *e)
{
  return (vec3){sqrt(e->square.xx), sqrt(e->square.yy), sqrt(e->square.zz)};
}

double ellipsoid_least_curvature_radius(const Ellipsoid *e)
{
  const vec3 r = e->radii;
  const double least = smaller_of(r.x, smaller_of(r.y, r.z)),
               most = larger_of(r.x, larger_of(r.y, r.z));
  return least * least / most;
}
