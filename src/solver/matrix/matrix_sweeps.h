#pragma once
// Gauss-Seidel on problems given as matrices, contact by contact in the order of the file: plain,
// with Nesterov's momentum or with Anderson's mixing, point by point. Reference and cross-check.
#include "cone_problem.h"
#include "sparse_matrix.h"

typedef struct {
  const ConeProblem *problem;
  const SparseMatrix *delassus;   // W [3 point_count, 3 point_count]
  const mat3 *diagonal;           // [point_count] W_aa
  const double *free;             // [3 point_count] U_free
} MatrixSweeps;

// Collective. Improves the impulses r, a first guess; leaves the best seen. Method:
// one that sweeps.
Convergence matrix_sweeps_solve(const MatrixSweeps *sweeps, vec3 *r, SolverParameters parameters,
                                Arena *arena);
