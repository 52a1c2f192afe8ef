#pragma once
// H and H' of a problem pair by pair, as the bodies of a pair turn all its points alike. Equal to
// problem_velocity and problem_velocities but for rounding. Local.
#include "problem.h"

// Impulse, and its moment about the centre of mass, on a body.
typedef struct {
  vec3 push, turn;   // N s, N m s, world axes
} PointLoad;

typedef struct {
  const Problem *problem;
  PointLoad *loads;   // [pairs] of all its points on the lower body
  mat3 *dyads;        // [pairs] the same as DyadLoad; NULL: no row deforms
  mat3 *apart;        // [pairs] what the higher body has in its dyad beside; NULL: no lines
  const vec3 *r;      // [points] what the loads are of; must outlive them
} PointOperators;

// Memory from the arena; the problem must outlive it.
PointOperators point_operators_new(const Problem *problem, Arena *arena);

// u = H twist, [points] in bases, m/s
void point_operators_velocities(const PointOperators *o, Velocities velocities, vec3 *u);

// Sets the pairs' loads from r, [points] in bases, N s.
void point_operators_set(PointOperators *o, const vec3 *r);

// H' on an own row, summed in order of key.
PointLoad point_operators_load(const PointOperators *o, int body);

// H' on an own row that deforms, summed in order of key.
DyadLoad point_operators_dyad_load(const PointOperators *o, int body);

// Velocities of own rows: base + M^-1 H'.
void point_operators_twists(const PointOperators *o, Velocities base, VelocityColumns to);
