#pragma once
// Solves each group of touching bodies by what serves it, as if there were no other: a few sweeps
// over all that need them, then linear systems of those that sweeps leave, then sweeps again.
#include "solver.h"

// Collective. See solver_solve; any method but the two of sweeps.
Convergence solve_groups(Problem *problem, Velocities free, SolverParameters parameters,
                         SolverMemory *memory, Arena *arena);
