#pragma once
// Contact problems given as matrices, as other programs write them, and their solution by every
// method there is.
#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "convergence.h"
#include "error_text.h"
#include "sparse_matrix.h"

typedef enum { MATRIX_LOCAL, MATRIX_GLOBAL } MatrixForm;

// count contacts with three rows each: normal, two tangents.
//   local form:   u = W r + q
//   global form:  M v = H r + f,  u = H' v + w
// with K*_mu containing u + mu |u_T| n, orthogonal to r in K_mu (Acary, Bremond and Huber 2018). W
// may be singular and a little unsymmetric; M is symmetric and positive definite.
typedef struct {
  MatrixForm form;
  int count, freedom;   // contacts; rows of M, 0 in the local form
  SparseMatrix w;       // local form: W [3 count, 3 count]
  SparseMatrix m, h;    // global form: M [freedom, freedom], H [freedom, 3 count]
  double *friction;     // [count] mu >= 0
  double *free;         // [3 count] q or w
  double *force;        // [freedom] f; NULL in the local form
} MatrixProblem;

// A solution, and what it is worth.
typedef struct {
  double *r, *u;   // [3 count] impulses, velocities; arena
  Convergence convergence;
  int pairs;         // of bodies, as far as the matrices tell
  bool faces;        // contacts per pair say that bodies meet in faces
  double sigma;      // of ADMM at its end; 0: it did not run
  double unscaled;   // max |r - P_K(r - u_hat)|, in the units of the file
  double merit;      // sqrt(sum |r - P_K(r - u_hat)|^2) / (1 + sqrt(|u_free|)): FCLIB's MERIT_1
  int immovable;     // contacts that no impulse moves: W_aa = 0
  int unsolvable;    // those of them that approach; the problem has no solution then
} MatrixSolution;

// Collective, and every rank does the same with the same problem. Solves from zero impulses.
// SOLVER_AUTOMATIC chooses as solver_solve does from zero impulses, and goes
// on with plain sweeps where nothing else served. ADMM is by sparse factors, whatever kind is asked
// for. False: the matrices allow no solution; why.
bool matrix_problem_solve(const MatrixProblem *problem, SolverParameters parameters,
                          MatrixSolution *solution, ErrorText why, Arena *arena);
