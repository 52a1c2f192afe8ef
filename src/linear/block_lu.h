#pragma once
// Sparse factors L U of a matrix of 6x6 blocks that has a symmetric pattern but other numbers in
// its two triangles. Rows are not exchanged but within a block on the diagonal, so that the matrix
// should be one whose symmetric part is positive or nearly so.
#include <stdbool.h>

#include "block_matrix.h"

typedef struct BlockLu BlockLu;

// Local. Analyses the upper triangle, as block_factor_new.
BlockLu *block_lu_new(int rows, const int *start, const int *row);
void block_lu_destroy(BlockLu *lu);

// Local. The numbers of A: of each entry of the pattern the block above the diagonal by rows, and
// its mirror image below the diagonal by columns; both are the same memory layout of A's two
// triangles. Of those on the diagonal that of below counts. False: a block on the diagonal has no
// inverse, or a number is not finite; there are no factors then.
bool block_lu_make(BlockLu *lu, const double *above, const double *below);

// Local. x <- A^-1 x, [rows * BLOCK]; after block_lu_make.
void block_lu_solve(const BlockLu *lu, double *x);
