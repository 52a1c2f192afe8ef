#pragma once
// H and H' of a problem, in compact copies of what they read: an iteration of alternating
// directions passes over all points three times, and little else of a point matters there. The bits
// are those of problem_velocity and problem_velocities. Local.
#include "problem.h"

typedef struct {
  mat3 frame;
  vec3 low_arm, high_arm;   // m
  int low, high;            // rows of the bodies
} PointLever;

// A point as one of its bodies meets it.
typedef struct {
  vec3 arm;
  int point;
  int is_high;   // the body is the higher one
} PointEnd;

typedef struct {
  const Problem *problem;
  PointLever *levers;   // [points]
  PointEnd *ends;       // of own rows, as the problem's body_points
  vec3 *impulse;        // [points] on the lower body, world axes, N s
} PointOperators;

// Force and torque, or their impulses, of all points on a body.
typedef struct {
  vec3 push, turn;
} PointLoad;

// Memory from the arena; the problem must outlive it.
PointOperators point_operators_new(const Problem *problem, Arena *arena);

// u = H twist, [points] in frames, m/s
void point_operators_velocities(const PointOperators *o, const Twist *twist, vec3 *u);

// Sets impulses from r, [points] in frames, N s.
void point_operators_set(PointOperators *o, const vec3 *r);

// Sets impulses from d - sigma rho U, [points] in frames; zero where rho is zero.
void point_operators_set_weighted(PointOperators *o, const vec3 *d, double sigma, const double *rho,
                                  const vec3 *u);

// H' (impulses) on an own row about its centre of mass, summed in order of key.
PointLoad point_operators_load(const PointOperators *o, int body);

// Velocities of own rows: base + M^-1 H' (impulses), each impulse added in order of key.
void point_operators_twists(const PointOperators *o, const Twist *base, Twist *twist);
