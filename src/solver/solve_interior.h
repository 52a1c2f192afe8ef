#pragma once
// Impulses of a contact problem by the interior-point method: for those that sweeps and ADMM do not
// bring to an end.
#include "contact_system.h"

// Collective. Whether the method is for this problem: its bodies are rigid and not too many, its
// points are contacts, or are held for good.
bool solve_interior_fits(const Problem *problem);

// Collective. Goes from the impulses that the problem holds to such that are near a solution at
// nearly all points, though perhaps further from it at some: sweeps must follow. Sizes of points
// are set. sweeps of the result counts steps.
Convergence solve_interior(Problem *problem, Velocities free, SolverParameters parameters,
                           SystemCache *cache, Arena *arena);
