#pragma once
// Material points: whoever needs where a place of a body is, how fast it goes or what an impulse
// there does asks here. Rigid bodies are answered in line, others by their kind.
#include "check.h"
#include "kind.h"
#include "rigid.h"

// Local. A point of a row by its arm, see MaterialPoint.
static inline MaterialPoint material_point_at(const Bodies *bodies, int row, int part, vec3 arm)
{
  assert_debug(row >= 0 && part >= 0 && "a point is of a part of a body");
  return (MaterialPoint){kind_of(bodies, row), row, part, arm, kind_held(bodies, row)};
}

// Local. A point of a row by its reference place, in the body frame and from its centre of
// mass, m; rotation: of the body, body to world.
static inline MaterialPoint material_point_of(const Bodies *bodies, int row, int part,
                                              const mat3 *rotation, vec3 reference)
{
  return material_point_at(bodies, row, part, mat3_mul(*rotation, reference));
}

// Local. From the body's centre of mass to the point, world axes, m.
static inline vec3 material_point_arm(const Bodies *bodies, const MaterialPoint *point)
{
  return point->kind == &kind_rigid ? point->arm : point->kind->arm(bodies, point);
}

// Local. From there to where it is: what the body has deformed, world axes, m.
static inline vec3 material_point_moved(const Bodies *bodies, const MaterialPoint *point)
{
  assert_debug(point->row >= 0 && "a point is of a body");
  if (point->kind == &kind_rigid) return (vec3){0, 0, 0};
  return vec3_sub(point->kind->arm(bodies, point), point->arm);
}

// Local. Velocity where the body has u, m/s.
static inline vec3 material_point_velocity(const MaterialPoint *point, Twist u)
{
  return point->kind == &kind_rigid ? rigid_velocity(u, point->arm)
                                    : point->kind->velocity(point, u);
}

// Local. u + sign M^-1 H' (impulse): velocity of the body after an impulse at the point, N s.
static inline Twist material_point_push(const MaterialPoint *point, const MidState *mid,
                                        vec3 impulse, double sign, Twist u)
{
  assert_debug(!(mid->inverse_mass < 0) && "no mass is below zero");
  if (point->kind == &kind_rigid) return rigid_push(u, mid, impulse, point->arm, sign);
  point->kind->push(point, mid, impulse, sign, &u);
  return u;
}

// Local. Share of the body in W of the point, in a basis (rows: normal, tangents), 1/kg.
static inline sym3 material_point_delassus(const MaterialPoint *point, const MidState *mid,
                                           const mat3 *basis)
{
  assert_debug(!(mid->inverse_mass < 0) && "no mass is below zero");
  return point->kind->delassus(point, mid, basis);
}

// Local. Gives the momenta of a row what an impulse at one of its points, or its opposite, is.
static inline void material_point_take_impulse(Bodies *bodies, const MaterialPoint *point,
                                               vec3 impulse, double sign)
{
  assert_debug((sign == 1 || sign == -1) && "an impulse or its opposite");
  point->kind->take_impulse(bodies, point, impulse, sign);
}
