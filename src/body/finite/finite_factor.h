#pragma once
// Direct solution in one body: sparse factors of M + c K0, M a mass at each node (Davis 2006, by
// CXSparse: no BLAS and no threads have a part in the bits). Nodes are eliminated whole, in an
// order of small fill (Amestoy, Davis and Duff 1996). Local.
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
