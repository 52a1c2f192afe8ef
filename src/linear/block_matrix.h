#pragma once
// Sparse symmetric matrices of 6x6 blocks, a block row for each body; rows live with the owner of
// the body. Results have the same bits on any number of ranks: sums run in order of key.
#include <stdint.h>

#include "arena.h"
#include "halo.h"
#include "vec3.h"

#define BLOCK 6
#define BLOCK_SIZE (BLOCK * BLOCK)

// The unknowns: own rows first, then rows of other ranks that own rows are coupled with. Either
// half is in ascending order of key.
typedef struct {
  int own, count;        // own rows; all
  const uint64_t *key;   // [count] global
  const int *rank;       // [count - own] owners of the rows of others
  const vec3 *place;     // [count] where a row turns about, m
  HaloPlan plan;         // own rows to where they are copies
} BlockSpace;

// Own rows, columns of a row in ascending order of key over own rows and those of others alike, the
// diagonal among them. Solvers read a coupling from its row of the lower key alone, so that
// rounding in the other cannot make ranks differ; columns of lower keys may be left out.
typedef struct {
  const int *start;      // [own + 1]
  const int *column;     // [start[own]] rows of the space
  const double *value;   // [start[own] * BLOCK_SIZE] blocks by rows; or NULL: made row by row,
                         // where a solver takes that
  void (*make_row)(const void *context, int row, double *blocks);   // [row's columns * BLOCK_SIZE]
  const void *context;
} BlockMatrix;

// Local. The blocks of a row, where they lie or in the buffer.
static inline const double *block_matrix_row(const BlockMatrix *a, int row, double *buffer)
{
  if (a->value) return a->value + (size_t)BLOCK_SIZE * (size_t)a->start[row];
  a->make_row(a->context, row, buffer);
  return buffer;
}

// Local. y = A x on own rows of a matrix that has both triangles; x[count * BLOCK] with ghosts up
// to date, y[own * BLOCK]. For the tests.
void block_matrix_multiply(const BlockSpace *space, const BlockMatrix *a, const double *x,
                           double *y);
