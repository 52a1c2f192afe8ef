#pragma once
// Kinds of bodies: what each does where the step, the contact problem or the output asks a body.
// Nobody outside this folder asks what a body is; a new kind is an entry of KINDS.
#include "check.h"
#include "motion.h"

// A place that a body carries along.
typedef struct {
  const BodyKind *kind;   // of its body
  int row;                // its body
  int part;               // convex part of the body's shape
  vec3 arm;   // its reference place as the body frame turns it: from the centre of mass,
              // world axes, m
} MaterialPoint;

// What acts on one row in a step.
typedef struct {
  const MidState *mid;
  mat3 inertia;   // body axes, kg m2
  vec3 acceleration;
  const LoadSum *load;   // NULL: none
  double step;
} RowForces;

// All operations are local. Rows are dynamic, but for place and velocity.
struct BodyKind {
  const char *name;   // in case files
  bool in_lanes;   // its motion is its body frame's alone: pairs of such bodies may be solved four
                   // at a time by the formulas of rigid.h

  // motion of a row
  void (*move)(Bodies *bodies, int row, Twist u, double time);
  void (*at_middle)(const Bodies *bodies, int row, const mat3 *inertia, MidState *mid);
  Twist (*free_velocity)(const Bodies *bodies, int row, const RowForces *forces);
  void (*take_load)(Bodies *bodies, int row, const RowForces *forces);
  void (*end_velocity)(Bodies *bodies, int row, const RowForces *forces, Twist found,
                       const Twist *free);
  Momenta (*momenta)(const Bodies *bodies, int row);
  MotionMass (*mass)(const Bodies *bodies, int row, const MidState *mid);
  // places of [count] points of the surface, world axes, from their reference places, m
  void (*surface)(const Bodies *bodies, int row, const vec3 *reference, int count, vec3 *places);

  // material points
  vec3 (*arm)(const MaterialPoint *point);   // from the centre of mass to where it is, m
  vec3 (*velocity)(const MaterialPoint *point, Twist u);
  void (*push)(const MaterialPoint *point, const MidState *mid, vec3 impulse, double sign,
               Twist *u);   // u += sign M^-1 H' impulse
  sym3 (*delassus)(const MaterialPoint *point, const MidState *mid, const mat3 *basis);
  void (*take_impulse)(Bodies *bodies, const MaterialPoint *point, vec3 impulse, double sign);
};

// The kind of bodies that do not deform; of all rows where a table has no column of kinds.
extern const BodyKind kind_rigid;

// All kinds by number, NULL behind the last.
extern const BodyKind *const KINDS[];

// Local. The kind of a row.
static inline const BodyKind *kind_of(const Bodies *bodies, int row)
{
  assert_debug((!bodies->kind || bodies->kind[row] >= 0) && "a row is of a kind");
  return bodies->kind ? bodies->kinds[bodies->kind[row]] : &kind_rigid;
}

// Local. Is every row of a kind that the table knows?
bool kind_all_known(const Bodies *bodies);
