#pragma once
// Coloured Gauss-Seidel with Nesterov's acceleration: the same bits on any number of ranks.
#include <stdbool.h>

#include "arena.h"
#include "problem.h"

typedef struct {
  double tolerance;   // of residual_max
  int max_sweeps;
} SolverParameters;

typedef struct {
  bool converged;
  int sweeps;
  double residual_max;   // max e_a / s with e_a = |r_a - P_K(r_a - rho_a U_hat_a)|, s = max rho_a
                         // |U_free,a|
  double residual_rms;   // sqrt(mean e_a^2) / s
  IdPair worst;          // bodies of the worst point; equal ids: there is no contact
} Convergence;

// Collective. One pass over all pairs, colour by colour; impulses and velocities of own rows are up
// to date after it.
void gauss_seidel_sweep(Problem *problem, Arena *arena);

// Collective. Solves the problem from the impulses it holds; free: velocities without contact,
// [rows]. Leaves the best impulses seen and, on all rows, the velocities that belong to them,
// summed in order of key.
Convergence gauss_seidel_solve(Problem *problem, const Twist *free, SolverParameters parameters,
                               Arena *arena);
