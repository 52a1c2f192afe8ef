// The promises of a contact problem, asked point by point.
#include "problem_fault.h"

#define BASIS_ERROR 1e-9   // of products of unit vectors, far above rounding

static const char *basis_fault(const PointLever *lever)
{
  if (!(fabs(vec3_dot(lever->normal, lever->normal) - 1) <= BASIS_ERROR))
    return "a point's normal is no unit vector";
  if (!(fabs(vec3_dot(lever->tangent, lever->tangent) - 1) <= BASIS_ERROR))
    return "a point's tangent is no unit vector";
  if (!(fabs(vec3_dot(lever->normal, lever->tangent)) <= BASIS_ERROR))
    return "a point's tangent does not stand on its normal";
  return vec3_is_finite(lever->low_arm) ? NULL : "a point's arm is not finite";
}

static const char *point_fault(const Problem *p, int i)
{
  const char *fault = basis_fault(&p->levers[i]);
  if (fault) return fault;
  if (!(p->friction[i] >= 0)) return "a point's friction is below zero";
  if (!(p->rho[i] >= 0) || !isfinite(p->rho[i])) return "a point's rho is below zero";
  if (isnan(p->offset[i])) return "a point's offset is no number";
  if (!vec3_is_finite(p->r[i])) return "a point's impulse is not finite";
  if (!p->bonds) return NULL;
  if (!(p->bonds[i].tension >= 0) || !(p->bonds[i].shear >= 0))
    return "a bond's strength is below zero";
  return NULL;
}

const char *problem_fault(const Problem *problem)
{
  for (int i = 0; i < problem->point_count; i++) {
    const char *fault = point_fault(problem, i);
    if (fault) return fault;
  }
  for (int b = 0; b < problem->own_rows; b++) {
    const MidState *mid = &problem->mid[b];
    if (!(mid->inverse_mass >= 0) || !isfinite(mid->inverse_mass))
      return "a body's inverse mass is below zero";
  }
  return NULL;
}
