#pragma once
// Formulas of rigid bodies, in line for those who ask them of many points. arm: from the centre of
// mass to a point, world axes, m.
#include "check.h"
#include "motion.h"

// Local. Velocity of a point, m/s.
static inline vec3 rigid_velocity(Twist u, vec3 arm) { return vec3_add(u.v, vec3_cross(u.w, arm)); }

// Local. u + sign M^-1 H' (impulse): what an impulse at a point, or its opposite, does to the body.
static inline Twist rigid_push(Twist u, const MidState *mid, vec3 impulse, vec3 arm, double sign)
{
  assert_debug(!(mid->inverse_mass < 0) && "no mass is below zero");
  u.v = vec3_axpy(sign * mid->inverse_mass, impulse, u.v);
  u.w = vec3_axpy(sign, mat3_mul(mid->inverse_inertia, vec3_cross(arm, impulse)), u.w);
  return u;
}

// Local. Adds the moment of an impulse, or of its opposite, to an angular momentum.
static inline void rigid_take_impulse(vec3 *angular, vec3 impulse, vec3 arm, double sign)
{
  assert_debug((sign == 1 || sign == -1) && "an impulse or its opposite");
  *angular = vec3_axpy(sign, vec3_cross(arm, impulse), *angular);
}

// Local. Adds what the body's turning gives to W of a point in a basis:
// (arm x f_i).I^-1 (arm x f_j).
static inline void rigid_add_turning(const MidState *mid, const mat3 *basis, vec3 arm, sym3 *w)
{
  vec3 turn[3], spin[3];
  for (int i = 0; i < 3; i++) {
    turn[i] = vec3_cross(arm, basis->row[i]);
    spin[i] = mat3_mul(mid->inverse_inertia, turn[i]);
  }
  w->xx += vec3_dot(turn[0], spin[0]);
  w->xy += vec3_dot(turn[0], spin[1]);
  w->xz += vec3_dot(turn[0], spin[2]);
  w->yy += vec3_dot(turn[1], spin[1]);
  w->yz += vec3_dot(turn[1], spin[2]);
  w->zz += vec3_dot(turn[2], spin[2]);
}

// Local. Share of one body in W of a point, world axes: 1/m - [arm]x I^-1 [arm]x.
static inline mat3 rigid_delassus(const MidState *mid, vec3 arm)
{
  assert_debug(!(mid->inverse_mass < 0) && "no mass is below zero");
  const mat3 skew = mat3_skew(arm);
  const mat3 turn = mat3_mul_mat(skew, mat3_mul_mat(mid->inverse_inertia, skew));
  return mat3_add(mat3_diagonal(mid->inverse_mass, mid->inverse_mass, mid->inverse_mass),
                  mat3_scale(-1, turn));
}
