// An orthonormal basis about the direction of a patch.
#include "plane_basis.h"

PlaneBasis plane_basis_new(vec3 n)
{
  const vec3 helper = fabs(n.x) < 0.6 ? vec3_new(1, 0, 0) : vec3_new(0, 1, 0);
  const vec3 across = vec3_cross(n, helper);
  const vec3 t0 = vec3_scale(1.0 / vec3_norm(across), across);
  return (PlaneBasis){t0, vec3_cross(n, t0), n};
}
