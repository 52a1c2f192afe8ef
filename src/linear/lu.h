#pragma once
// Direct solution for small systems that are not symmetric: the whole matrix on every rank, sparse
// factors L U.
#include <stdbool.h>

#include "block_matrix.h"

typedef struct Lu Lu;

// Collective. Gathers and factors. a: the blocks with columns of the same or a higher key; mirror:
// of each of them the block A(column, row), by rows (that on the diagonal does not count). NULL on
// all ranks where a block on the diagonal has no inverse or a number is not finite. reuse: of an
// earlier call (analysis is kept where the pattern is the same on all ranks) or NULL; it is spent.
Lu *lu_new(const BlockSpace *space, const BlockMatrix *a, const double *mirror, Lu *reuse,
           Arena *arena);
void lu_destroy(Lu *lu);

// Collective. x = A^-1 b; b[own * BLOCK], x[count * BLOCK], ghosts too.
void lu_solve(const Lu *lu, const BlockSpace *space, const double *b, double *x, Arena *arena);
