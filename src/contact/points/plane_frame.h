#pragma once
// Coordinates in the plane of a patch.
#include "vec3.h"

// The plane of a patch: unit vectors t0, t1, n, right-handed.
typedef struct {
  vec3 t0, t1, n;
} PlaneFrame;

static inline vec3 plane_frame_apply(const PlaneFrame *f, vec3 x)
{
  return (vec3){vec3_dot(f->t0, x), vec3_dot(f->t1, x), vec3_dot(f->n, x)};
}

static inline vec3 plane_frame_point(const PlaneFrame *f, double u, double v, double z)
{
  return vec3_axpy(z, f->n, vec3_axpy(v, f->t1, vec3_scale(u, f->t0)));
}

// Local. Frame of a direction: exact axes for exact axes.
PlaneFrame plane_frame_new(vec3 n);
