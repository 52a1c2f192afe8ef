#pragma once
// Accelerated projected gradients for frictional contact (Nesterov 1983; Mazhar, Heyn, Negrut and
// Tasora 2015; restarts of O'Donoghue and Candes 2015): impulses move against the velocities that
// the law asks to vanish, each point by its own rho, and come back to their sets. It asks for
// velocities of impulses alone: no linear system.
#include "cone_problem.h"

// Collective. Improves the impulses r [point_count], a first guess; leaves the best seen, the first
// guess included. Ends at the tolerance, at max_sweeps products, or where a long run of them does
// not halve the best residual; sweeps counts products. worst of the result is not set.
Convergence gradient_solve(const ConeProblem *problem, vec3 *r, SolverParameters parameters,
                           Arena *arena);
