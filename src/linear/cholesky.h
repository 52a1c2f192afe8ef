#pragma once
// Direct solution for small systems: the whole matrix on every rank, sparse factors. Reads the
// blocks with columns of the same or a higher key, of a matrix that has its values.
#include <stdbool.h>

#include "block_matrix.h"

typedef struct Cholesky Cholesky;

// Collective. Gathers and factors; NULL on all ranks where the matrix is not positive definite or
// a number is not finite. reuse: of an earlier call (analysis is kept where the pattern is the
// same on all ranks) or NULL; it is spent.
Cholesky *cholesky_new(const BlockSpace *space, const BlockMatrix *a, Cholesky *reuse,
                       Arena *arena);
// Collective. The same without numbers, for its work; cholesky_new reuses it.
Cholesky *cholesky_analyse(const BlockSpace *space, const BlockMatrix *a, Cholesky *reuse,
                           Arena *arena);
// Local. Products that factors take, about: the square of their numbers over the rows.
double cholesky_work(const Cholesky *factors);
// Local. Numbers in the factor, the same on all ranks: what a solution costs. For the tests.
int64_t cholesky_numbers(const Cholesky *factors);
void cholesky_destroy(Cholesky *factors);

// Collective. x = A^-1 b; b[own * BLOCK], x[count * BLOCK], ghosts too.
void cholesky_solve(const Cholesky *factors, const BlockSpace *space, const double *b, double *x,
                    Arena *arena);
