#pragma once
// Alternating directions for frictional contact: the law at each point against a linear system
// in velocities. Knows a problem by its operators alone.
#include "admm_controller.h"
#include "cone_problem.h"

// Collective. Improves the impulses r [point_count], a first guess; leaves the best seen, the first
// guess included. Ends at the tolerance, at max_sweeps iterations, or where a long run of
// iterations does not halve the best residual; sweeps counts iterations and products of gradients,
// of which the last ones may go beyond max_sweeps, factorisations the calls of prepare. worst of
// the result is not set.
Convergence admm_solve(const ConeProblem *problem, vec3 *r, AdmmController *controller,
                       SolverParameters parameters, Arena *arena);
