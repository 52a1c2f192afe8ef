#pragma once
// Equilibrium of bodies in scaled numbers: A x, its transpose, and (A D A')^-1 by sparse factors.
#include <stdbool.h>

#include "limit.h"
#include "vec3.h"

typedef struct LimitMatrix LimitMatrix;

// What numbers count in: forces in mean loads of a body, moments in that times the body's size. A
// point's force is (normal x.x, tangent x.y, tangent x.z) times the unit, and lies in the cone
// where x is in that of Lorentz.
typedef struct {
  double force;               // N
  double *normal, *tangent;   // [points]
} LimitUnits;

// Local. Units of a problem; arena memory.
LimitUnits limit_units(const LimitProblem *problem, Arena *arena);

// Local. Analyses the system once.
LimitMatrix *limit_matrix_new(const LimitProblem *problem, const LimitUnits *units, Arena *arena);
void limit_matrix_destroy(LimitMatrix *matrix);

// Local. y[6 * bodies] += A x.
void limit_matrix_add(const LimitMatrix *matrix, const vec3 *x, double *y);

// Local. x = A' v.
void limit_matrix_transposed(const LimitMatrix *matrix, const double *v, vec3 *x);

// Local. Makes and factors A D A', D symmetric, [points]. False: a number is not finite.
bool limit_matrix_factor(LimitMatrix *matrix, const mat3 *d);

// Local. x <- (A D A')^-1 x, refined; after limit_matrix_factor.
void limit_matrix_solve(LimitMatrix *matrix, double *x);

// Local. Numbers in the factors.
int64_t limit_matrix_numbers(const LimitMatrix *matrix);
