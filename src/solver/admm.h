#pragma once
// Alternating directions for frictional contact: the law at each point against a linear system
// in velocities. Knows a problem by its operators alone.
#include <stdint.h>

#include "arena.h"
#include "convergence.h"
#include "law.h"
#include "vec3.h"

// U = W r + U_free with law(U + offset, r) at every point. Vectors [point_count] are in the frames
// of the points; a rank gives all points it knows, also those that another rank gives too.
typedef struct {
  int point_count;
  const unsigned char *owned;   // [point_count] counts in sums; NULL: all do
  const PointLaw *laws;
  const double *rho;    // 1 / |W_aa|_2, kg; 0: takes no part, its impulse is zero
  const vec3 *offset;   // m/s
  double scale;         // s, N s: residuals are relative to it
  void *context;
  // Collective. Makes ready for Sig = sigma rho; false on all ranks: the system cannot be solved.
  bool (*prepare)(void *context, double sigma);
  // Collective. u = G (I + G' Sig G)^-1 (y_free + G' d) for d in N s, with G G' = W and G y_free =
  // U_free; equally u = (I + W Sig)^-1 (U_free + W d). accuracy: error that may be left, as impulse
  // of a body, N s; direct solvers go to rounding. Returns inner iterations.
  int (*respond)(void *context, const vec3 *d, double accuracy, vec3 *u);
  // Collective. u = W r + U_free.
  void (*velocity)(void *context, const vec3 *r, vec3 *u);
} ConeProblem;

#define ADMM_GRID 13   // sigma = 10^(k/2), 0 <= k < ADMM_GRID

// What the controller of sigma has learned; state of the simulation, since it goes from step to
// step.
typedef struct {
  int32_t k;                // of the present sigma; -1: nothing is known yet
  uint32_t tried;           // bit k: a rate is known
  double rate[ADMM_GRID];   // decades of residual in a window of iterations, smoothed
} AdmmController;

// Collective. Improves the impulses r [point_count], a first guess; leaves the best seen.
// first_k: where sigma starts when nothing is known.
Convergence admm_solve(const ConeProblem *problem, vec3 *r, AdmmController *controller, int first_k,
                       SolverParameters parameters, Arena *arena);
