#pragma once
// H and H' of a problem, in compact copies of what they read: an iteration of alternating
// directions passes over all points twice, and little else of a point matters there. Pair by pair,
// as the bodies of a pair turn all its points alike. Equal to problem_velocity and
// problem_velocities but for rounding. Local.
#include "problem.h"

// The second tangent is normal x tangent.
typedef struct {
  vec3 normal, tangent;
  vec3 low_arm;   // m
} PointLever;

// Impulse, and its moment about the centre of mass, on a body.
typedef struct {
  vec3 push, turn;   // N s, N m s, world axes
} PointLoad;

typedef struct {
  const Problem *problem;
  PointLever *levers;   // [points]
  PointLoad *loads;     // [pairs] of all its points on the lower body

  // pairs of own rows in order of key: 2 * pair, one more where the body is the higher one
  int *body_start, *body_pairs;
} PointOperators;

// Memory from the arena; the problem must outlive it.
PointOperators point_operators_new(const Problem *problem, Arena *arena);

// From the lower body's centre of mass to the same point as seen from the higher one's: its arms
// are the lower body's plus this, m.
static inline vec3 point_operators_between(const Problem *problem, const SolverPair *pair)
{
  return vec3_sub(problem->bodies->position[pair->low], problem->bodies->position[pair->high]);
}

// u = H twist, [points] in frames, m/s
void point_operators_velocities(const PointOperators *o, const Twist *twist, vec3 *u);

// Sets the pairs' loads from r, [points] in frames, N s.
void point_operators_set(PointOperators *o, const vec3 *r);

// H' on an own row, summed in order of key.
PointLoad point_operators_load(const PointOperators *o, int body);

// Velocities of own rows: base + M^-1 H'.
void point_operators_twists(const PointOperators *o, const Twist *base, Twist *twist);
