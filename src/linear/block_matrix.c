// Sparse symmetric matrices of 6x6 blocks, multiplied with the same bits on any ranks.
#include "block_matrix.h"

#include <assert.h>

#include "block_kernel.h"
#include "check.h"

void block_matrix_multiply(const BlockSpace *space, const BlockMatrix *a, const double *x,
                           double *y)
{
  assert(x != y && space->own <= space->count && "a product is not in the place of its factor");
  // a block by rows is its transpose by columns
  for (int i = 0; i < space->own; i++) {
    double *yi = y + (size_t)BLOCK * (size_t)i;
    for (int c = 0; c < BLOCK; c++) yi[c] = 0;
    for (int e = a->start[i]; e < a->start[i + 1]; e++)
      block_add_transposed(a->value + (size_t)BLOCK_SIZE * (size_t)e,
                           x + (size_t)BLOCK * (size_t)a->column[e], yi);
  }
}

bool block_cholesky(const double *a, double floor, double *l)
{
  assert_debug(l != a && !(floor < 0) && "a factor has a place of its own");
  bool whole = true;
  memset(l, 0, BLOCK_SIZE * sizeof *l);
  for (int j = 0; j < BLOCK; j++) {
    const double diagonal = a[BLOCK * j + j];
    double pivot = diagonal;
    for (int k = 0; k < j; k++) pivot -= l[BLOCK * k + j] * l[BLOCK * k + j];
    if (!(pivot > floor * diagonal && pivot > 0)) {
      pivot = diagonal > 0 ? diagonal : 1;
      whole = false;
    }
    const double root = sqrt(pivot);
    l[BLOCK * j + j] = root;
    for (int i = j + 1; i < BLOCK; i++) {
      double value = a[BLOCK * j + i];
      for (int k = 0; k < j; k++) value -= l[BLOCK * k + i] * l[BLOCK * k + j];
      l[BLOCK * j + i] = value / root;
    }
  }
  return whole;
}

void block_invert_lower(const double *l, double *g)
{
  memset(g, 0, BLOCK_SIZE * sizeof *g);
  for (int j = 0; j < BLOCK; j++) {
    g[BLOCK * j + j] = 1 / l[BLOCK * j + j];
    for (int i = j + 1; i < BLOCK; i++) {
      double value = 0;
      for (int k = j; k < i; k++) value -= l[BLOCK * k + i] * g[BLOCK * j + k];
      g[BLOCK * j + i] = value / l[BLOCK * i + i];
    }
  }
}
