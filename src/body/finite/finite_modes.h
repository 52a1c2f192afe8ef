#pragma once
// Natural frequencies of one body, by subspace iteration (Bathe 1971). Local.
#include "finite_factor.h"

enum { FINITE_MODES = 8 };   // most that are asked for

// The lowest angular frequencies, rad/s, ascending, [count] of those that are not rigid motions: of
// a free body where held is NULL, else with the nodes held. False where the body has fewer, or its
// matrix is not definite, or they are not found to 1e-10 of their squares in 500 steps.
bool finite_modes(const FiniteStiffness *stiffness, const double *mass, const bool *held, int count,
                  double *frequency);
