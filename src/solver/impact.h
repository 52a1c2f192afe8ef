#pragma once
// Impacts make no energy: where Newton's restitution would in a group of bodies that touch, the
// group keeps the largest share of its rebound with which contacts do no work.
#include "solver.h"

typedef struct {
  Velocities start, free;   // u(n), u_free
  const SurfaceLaws *surfaces;
  SolverParameters parameters;
} ImpactInput;

// What became of rebounds in a step.
typedef struct {
  int64_t groups;       // that kept a share below one
  double least_share;   // of theirs; 1: there are none
} ImpactResult;

// Local. The largest share in [0, 1] at which a work that is quadratic in it, from `without` at 0
// to `with` at 1 with the curvature >= 0 (half the second derivative), stays within the larger of
// 0 and `without`; all in J.
// For the tests.
double impact_share(double without, double with, double curvature);

// Collective. Bounds the rebound of a problem that is solved: impulses, velocities of all rows, and
// what the solver says of them. Groups that make no energy keep every bit, and where there are none
// that do nothing is solved. The work of a group is sum r.(U(n) + U)/2 over its points; with the
// impulses r0 and velocities of the same impacts without rebound, those of the share are
// r0 + share (r - r0): within the limits of all points, as these are convex, and without approach,
// as U_N >= 0 in both.
ImpactResult impact_bound(Problem *problem, const ImpactInput *in, SolverMemory *memory,
                          Convergence *solved, Arena *arena);
