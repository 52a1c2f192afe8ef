#pragma once
// Coordinates in the plane of a patch.
#include "vec3.h"

// The plane of a patch: unit vectors t0, t1, n, right-handed.
typedef struct {
  vec3 t0, t1, n;
} PlaneBasis;

static inline vec3 plane_basis_apply(const PlaneBasis *f, vec3 x)
{
  return (vec3){vec3_dot(f->t0, x), vec3_dot(f->t1, x), vec3_dot(f->n, x)};
}

static inline vec3 plane_basis_point(const PlaneBasis *f, double u, double v, double z)
{
  return vec3_axpy(z, f->n, vec3_axpy(v, f->t1, vec3_scale(u, f->t0)));
}

// Local. Basis of a direction: exact axes for exact axes.
PlaneBasis plane_basis_new(vec3 n);
