#pragma once
// How far impulses are from a solution of Signorini-Coulomb, by the natural map of De Saxce's form
// (De Saxce and Feng 1998): one scale per step, so that points without free velocity count too.
#include "problem.h"

typedef struct {
  double largest,
      rms;   // relative to the scale; infinite when an impulse or velocity is not finite
} Residual;

// Collective. s = max over points of rho_a |U_free,a|, N s.
double residual_scale(const Problem *problem, const Twist *free);

// Collective. Errors on the frozen state; velocities of ghost rows must be up to date.
Residual residual_measure(const Problem *problem, double scale);

// Collective. Lowest pair of bodies that holds the largest error.
IdPair residual_worst(const Problem *problem, const Bodies *bodies);
