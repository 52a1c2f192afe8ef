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
  if (!p->limits) return NULL;
  const PointLimits *l = &p->limits[i];
  if (!(l->tension >= 0) || !(l->shear >= 0) || !(l->push >= 0))
    return "a point's strength is below zero";
  if (!(l->give[0] >= 0 && l->give[0] < INFINITY) || !(l->give[1] >= 0 && l->give[1] < INFINITY))
    return "a point's compliance is below zero";
  if (!isfinite(l->along[0]) || !isfinite(l->along[1])) return "a point's offset is no number";
  const bool is_cone = l->push == INFINITY && l->tension < INFINITY && l->shear < INFINITY;
  if (p->friction[i] > 0 && !is_cone) return "a point with friction has the limits of a cylinder";
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
