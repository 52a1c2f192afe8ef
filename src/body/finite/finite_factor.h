#pragma once
// Direct solution in one body: sparse factors of M + c K0, M a mass at each node (Davis 2006, by
// CXSparse: no BLAS and no threads have a part in the bits). Nodes are eliminated whole, in an
// order of small fill (Amestoy, Davis and Duff 1996), so that factors have blocks of 3 by 3. Local.
#include <stdbool.h>
#include <stdint.h>

#include "finite_stiffness.h"

typedef struct FiniteFactor FiniteFactor;

// mass: [nodes] kg, NULL: none; held: [nodes] nodes that do not move, NULL: none. NULL where the
// matrix is not positive definite: nothing has mass, and nothing is held.
FiniteFactor *finite_factor_new(const FiniteStiffness *stiffness, double scale, const double *mass,
                                const bool *held);
void finite_factor_destroy(FiniteFactor *factor);

// values <- (M + c K0)^-1 values, [nodes]; zero at nodes that are held.
void finite_factor_solve(FiniteFactor *factor, vec3 *values);

// Numbers in the factor. As yet for the tests.
int64_t finite_factor_numbers(const FiniteFactor *factor);

// ------------------------------------------------------------------------------------------------
// Factors in single precision, for preconditioners: a third of the memory, and lanes.

typedef struct FiniteSingle FiniteSingle;

// The factor of the same matrix with more on the diagonals of its blocks: added [blocks of the
// stiffness], kg, symmetric, not negative. like: of the matrix without it, from the same stiffness,
// scale and masses, and with the same nodes held; must outlive it. NULL: not definite.
FiniteSingle *finite_single_new(const FiniteFactor *like, const FiniteStiffness *stiffness,
                                double scale, const double *mass, const double *added);
void finite_single_destroy(FiniteSingle *factor);

// values <- the inverse times values, [nodes], to some 1e-6 of the largest times the condition of
// the matrix; zero at nodes that are held.
void finite_single_solve(const FiniteSingle *factor, vec3 *values);
