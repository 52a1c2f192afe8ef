#pragma once
// Sparse factors L L' of a matrix of 6x6 blocks, up-looking (Davis 2006), block by block. Each
// number takes part in the same operations, in the same order, as in the scalar algorithm of
// CXSparse: the bits are those of its cs_chol, cs_lsolve and cs_ltsolve.
#include <stdbool.h>
#include <stdint.h>

#include "block_matrix.h"

typedef struct BlockFactor BlockFactor;

// Local. Analyses the upper triangle: start[rows + 1]; row[start[rows]], of each block column the
// rows above the diagonal, in any order, then the diagonal. Rows are in the order of elimination.
BlockFactor *block_factor_new(int rows, const int *start, const int *row);
void block_factor_destroy(BlockFactor *factor);

// Local. The numbers of A: blocks [start[rows] * BLOCK_SIZE] by rows; of those on the diagonal the
// upper triangle counts. False: not positive definite; there are no factors then.
bool block_factor_make(BlockFactor *factor, const double *blocks);

// Local. x <- A^-1 x, [rows * BLOCK]; after block_factor_make.
void block_factor_solve(const BlockFactor *factor, double *x);

// Local. Numbers in L.
int64_t block_factor_numbers(const BlockFactor *factor);
