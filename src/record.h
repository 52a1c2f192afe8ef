#pragma once
// Fills the record of a step: counts, energies, momenta. Sums are exact, so every rank count gives
// the same numbers.
#include "detect.h"
#include "loads.h"
#include "solver.h"
#include "world.h"

// What acts on bodies from outside in a step.
typedef struct {
  vec3 gravity;           // m/s2
  const LoadSum *loads;   // [rows], or NULL
} StepForces;

// Collective. Counts and works of the step, before bodies move to the end of it; the problem holds
// impulses and the velocities at the end of the step, start those at its beginning. bonds: points
// that were made and those that broke.
void record_step(World *world, const DetectReport *detected, const Problem *problem,
                 const BondCount *bonds, const Twist *start, const Convergence *solved,
                 StepForces forces, int ghosts);

// Collective. What the correction of positions does to energy and angular momentum.
void record_correction(World *world, const Twist *shift, int sweeps, StepForces forces);

// Collective. Energy and momenta at the end of the step; counted work of this rank and all sweeps
// of the step, for the record and for balance. EXIT_DONE, or after one message EXIT_BUG (a number
// that is not finite) or EXIT_USER (a large motion where the case stops on it).
int record_finish(World *world, int64_t work, int sweeps);
