#pragma once
// Newton's method for a step of bodies with barriers: velocities at its end.
#include "amg.h"
#include "barrier_problem.h"
#include "cholesky.h"
#include "id_pair.h"

// What lasts from step to step and only saves work.
typedef struct {
  Cholesky *factors;
  Amg *amg;
} BarrierCache;

typedef struct {
  bool apart;          // no surfaces touch where the search begins; else nothing is solved
  IdPair touching;     // the lowest pair that does
  bool converged;      // each pass ended by the tolerance, or friction stayed what it was
  bool out_of_range;   // a body wants to move farther than the problem lets it
  int newton;          // linear systems
  int passes;          // of friction
  int inner;           // conjugate gradients
  int searches;        // shares of Newton steps whose energy was tried
  double last;         // m/s: the last Newton step, the largest of all bodies
} BarrierResult;

// Collective. Velocities u [count] that minimise the energy of the step, from those of bodies that
// stay where they are, and the iterate at the end, whose memory the caller releases. Every accepted
// iterate's motion over the step is free of contact. One that does not converge is the last
// iterate.
BarrierResult barrier_newton_solve(const BarrierProblem *problem, BarrierCache *cache,
                                   BarrierIterate *end, BarrierGrips *grips, Arena *arena);

// Local. Releases what a cache holds.
void barrier_newton_forget(BarrierCache *cache);
