#pragma once
// Factors of M + c K0 + added in single precision, for preconditioners: a solution is a few
// products of whole vectors of eight numbers. Local.
#include "finite_profile.h"

// What factors of all bodies of one mesh have in common: their profile, and memory for work.
typedef struct FiniteScratch FiniteScratch;

// place: [nodes] m; held: [nodes] nodes that do not move, NULL: none. The stiffness must outlive
// it.
FiniteScratch *finite_scratch_new(const FiniteStiffness *stiffness, const vec3 *place,
                                  const bool *held);
void finite_scratch_destroy(FiniteScratch *scratch);

typedef struct FiniteSingle FiniteSingle;

// The matrix is M + scale K0 and more on the diagonals of its blocks.
typedef struct {
  double scale;
  const double *mass;    // [nodes] kg
  const double *added;   // [blocks of the stiffness] kg, symmetric, not negative
} FiniteSum;

// The scratch must outlive it. NULL: not definite.
FiniteSingle *finite_single_new(FiniteScratch *scratch, const FiniteSum *sum);
void finite_single_destroy(FiniteSingle *factor);

// values <- the inverse times values, [count][nodes], to some 1e-6 of the largest times the
// condition of the matrix; zero at nodes that are held. Factors of one mesh, of which each has its
// own answer; together they take less time.
enum { FINITE_TOGETHER = 4 };
void finite_single_solve(const FiniteSingle *const *factors, int count, vec3 *const *values);

// Are two of one mesh?
bool finite_single_alike(const FiniteSingle *a, const FiniteSingle *b);

// result += what was added to the matrix times values, [nodes].
void finite_single_add_added(const FiniteSingle *factor, const vec3 *values, vec3 *result);
