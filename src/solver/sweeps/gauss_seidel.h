#pragma once
// Coloured Gauss-Seidel, plain, with Nesterov's momentum or by pairs with Anderson's mixing: the
// same bits on any number of ranks.
#include "arena.h"
#include "convergence.h"
#include "group_task.h"
#include "problem.h"

// Collective. One pass over all pairs, colour by colour, point by point: the reference of
// batches_sweep, which does four pairs at once. Impulses and velocities of own rows are up to date
// after it. For the tests.
void gauss_seidel_sweep(Problem *problem, int more_passes, Arena *arena);

// Collective. Solves the problem from the impulses it holds; free: velocities without contact,
// [rows]; method: one that sweeps. Leaves the best impulses seen
// and, on all rows, the velocities that belong to them, summed in order of key.
Convergence gauss_seidel_solve(Problem *problem, Velocities free, SolverParameters parameters,
                               Arena *arena);

// Groups, what is asked of each and what they come to; method: as above.
typedef struct {
  const GroupPlaces *places;
  GroupTask *tasks;   // [places]
  SolverParameters parameters;
} GroupSweeps;

// Collective. The same group by group, as tasks ask: their residuals are those of the
// impulses and velocities that the problem holds, and are again in the end. Sizes of points are
// set.
void gauss_seidel_improve(Problem *problem, Velocities free, GroupSweeps sweeps, Arena *arena);

// Collective. The residuals of all groups, on the frozen state.
void gauss_seidel_residuals(const Problem *problem, const GroupPlaces *places, GroupTask *tasks,
                            Arena *arena);
