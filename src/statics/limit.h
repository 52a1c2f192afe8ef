#pragma once
// Limit analysis of rigid bodies: the most of a load, or of a reaction, that forces within the
// cones of friction can balance (static theorem; Livesley 1978, with cones as they are: Portioli et
// al. 2014), and the mechanism that bounds it from the other side. Friction is associated here, so
// that the most is an upper bound of what Coulomb's law carries (Drucker 1954).
#include "arena.h"
#include "vec3.h"

// A force and its moment about the centre of mass, N and N m.
typedef struct {
  vec3 force, moment;
} LimitLoad;

// A contact point: the force r in its basis acts on the low body, its opposite on the high one.
typedef struct {
  int low, high;            // bodies; -1: one that is held
  mat3 basis;               // rows: normal, tangents, world axes
  vec3 low_arm, high_arm;   // from the centres of mass to the point, m
  double friction;
} LimitPoint;

// Asked for is the largest multiplier of the live load or, where there is none, the largest sum of
// wanted . r.
typedef struct {
  int body_count, point_count;   // bodies that may move
  const double *extent;          // [body_count] their size, m
  const LimitLoad *dead;         // [body_count]
  const LimitLoad *live;         // [body_count], or NULL
  const LimitPoint *points;      // [point_count]
  const vec3 *wanted;            // [point_count] in the bases of points, without a live load
} LimitProblem;

typedef enum {
  LIMIT_FOUND,
  LIMIT_UNBOUNDED,   // any multiplier is carried
  LIMIT_NONE,        // no forces balance the dead load, whatever the multiplier is
  LIMIT_STALLED      // neither was shown to the accuracy that is asked for
} LimitStatus;

// A velocity of the centre of mass and a spin, of any scale.
typedef struct {
  vec3 velocity, spin;
} LimitMotion;

typedef struct {
  LimitStatus status;
  double low, high;       // static and kinematic bound of the optimum; found or stalled
  double balance;         // largest part of a body's loads that forces leave, over the mean load
  double opening;         // what the mechanism's points close, which high was charged with
  int steps;              // systems that were factored
  int64_t numbers;        // in their factors
  vec3 *forces;           // [point_count] in the cones, N; found or stalled
  LimitMotion *motions;   // [body_count] the mechanism; NULL where forces are unbounded
} LimitResult;

// Local. Arena memory. A tolerance of the gap between the bounds, relative to the larger of 1 and
// what is found in units of the problem (multiplier, or mean load).
LimitResult limit_solve(const LimitProblem *problem, double tolerance, Arena *arena);
