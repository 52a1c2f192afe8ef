#pragma once
// How far impulses are from a solution of Signorini-Coulomb, by the natural map of De Saxce's form
// (De Saxce and Feng 1998): one scale per step, so that points without free velocity count too.
#include "exact_sum.h"
#include "parallel.h"
#include "problem.h"

typedef struct {
  double largest,
      rms;        // relative to the scale; infinite when an impulse or velocity is not finite
  IdPair worst;   // lowest pair of bodies that holds the largest error; 0, 0: no point has any
} Residual;

// Collective. s = max over points of rho_a |U_free,a|, N s. Gives the points the speeds of their
// bodies, whose rounding does not count as an error.
double residual_scale(Problem *problem, Velocities free);

// Collective. Errors on the frozen state; velocities of ghost rows must be up to date.
Residual residual_measure(const Problem *problem, double scale);

// Collective. The same of the problem's impulses, whose velocities are summed first, in order of
// key; ghost rows included.
Residual residual_of_impulses(Problem *problem, Velocities free, double scale, Arena *arena);

// The same by those who have points of their own form: per point the squares of e_a and |r_a|,
// whose largest count, and the sum of e_a^2 over the points of each pair that this rank owns, in
// order.
typedef struct {
  double error, impulse;   // largest squares
  ExactSum squares;        // of owned pairs
} ResidualSums;

ResidualSums residual_sums_new(void);

void residual_sums_raise(ResidualSums *sums, double error, double impulse);

// Local. Raises largest squares and the worst pair by the points of pair k; returns the sum of its
// e_a^2.
double residual_add_pair(ResidualSums *sums, ParFirst *worst, const Problem *problem, int k);

// Collective. Leaves out which pair is the worst.
Residual residual_of_sums(ResidualSums *sums, int owned_points, double scale);
