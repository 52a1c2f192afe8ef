#pragma once
// What a solver is asked for, and what it says it reached.
#include <stdbool.h>

#include "id_pair.h"

typedef enum {
  SOLVER_AUTOMATIC,       // chosen by counts and residuals
  SOLVER_GAUSS_SEIDEL,    // over colours, plain: the reference
  SOLVER_NESTEROV,        // the same with Nesterov's momentum
  SOLVER_ANDERSON,        // pairs solved whole one after another, with Anderson's mixing
  SOLVER_ADMM,            // linear systems by whichever of the two fits the size
  SOLVER_ADMM_CHOLESKY,   // by sparse factors, the whole system on every rank
  SOLVER_ADMM_AMG,        // by conjugate gradients with algebraic multigrid
  SOLVER_INTERIOR,        // interior-point steps by sparse factors, then sweeps
  SOLVER_GRADIENT,        // accelerated projected gradients: where systems of elastic bodies stall
  SOLVER_METHOD_COUNT
} SolverMethod;

// Local. Decimal logarithm of a positive number to six digits, by operations that are the same
// everywhere.
double convergence_decades(double ratio);

// Local. Does a method sweep over points? Such methods know rigid bodies alone.
bool convergence_sweeps(SolverMethod method);

// Local. Name of a method as in case files.
const char *convergence_method_name(SolverMethod method);

// Solutions of one step (giving.h).
typedef enum {
  GIVING_NONE,    // there is one
  GIVING_FIRST,   // groups that it does not solve give
  GIVING_SECOND   // and are solved once more
} GivingStage;

typedef struct {
  SolverMethod method;
  double tolerance;   // of residual_max
  int max_sweeps;     // of Gauss-Seidel or iterations of ADMM
  int patience;       // of Gauss-Seidel: it ends where more sweeps than that are to be expected, 0:
                      // never
  double give;        // share of |W_aa| by which contact points give where they do not converge
                      // (giving.h); 0: none does
  bool all_give;      // else those of heaps and of groups with affine bodies
  GivingStage stage;
} SolverParameters;

#define SOLVER_GIVE 1e-3   // unless told

// Why the automatic choice went on from its trial to a linear system.
typedef struct {
  int64_t bodies;    // of the system; 0: the trial served, or nothing was chosen
  bool faces;        // bodies meet in faces rather than in single points
  int sweeps;        // of the trial
  double residual;   // that it left
} SolverChoice;

typedef struct {
  bool converged;
  SolverMethod method;   // that found the result; SOLVER_AUTOMATIC: the first guess served
  int sweeps;            // of Gauss-Seidel and iterations of ADMM
  int inner;             // iterations of conjugate gradients
  int factorisations;    // set-ups of the linear system
  double residual_max;   // largest e_a / s_a (residual.h)
  double residual_rms;   // root of the mean of their squares
  IdPair worst;          // bodies of the worst point; equal ids: no point has an error
  SolverChoice choice;   // of SOLVER_AUTOMATIC
  double given;          // largest velocity by which points gave (giving.h), m/s; 0: none did
} Convergence;

// Local. What both did; the later one has the result, the first one the reason for it.
Convergence convergence_join(Convergence first, Convergence second);

#define PATIENCE_WINDOW 30   // sweeps between two looks at the rate

// Local. Whether more sweeps than patience are to be expected at the rate of the last window, which
// took the residual from before to now.
bool convergence_is_hopeless(double before, double now, SolverParameters parameters);
