// Row k of L and column k of U at once, up-looking: both have the pattern of the symmetric factor
// (Davis 2006). L has ones on its diagonal; a column of U is kept as its transpose, so that either
// loses products of the same form.
#include "block_lu.h"

#include <assert.h>

#include "block_kernel.h"
#include "block_pattern.h"
#include "memory.h"

struct BlockLu {
  BlockPattern pattern;
  double *lower;         // [blocks below the diagonal * BLOCK_SIZE] of L, by columns
  double *upper;         // likewise of U', by columns
  double *inverse;       // [rows * BLOCK_SIZE] of blocks on the diagonal of U, by columns
  double *row_work;      // [rows * BLOCK_SIZE] the block row of L that is made
  double *column_work;   // likewise of U'
};

BlockLu *block_lu_new(int rows, const int *start, const int *row)
{
  assert(rows >= 0 && start != NULL && row != NULL && "a matrix has a pattern");
  BlockLu *lu = memory_allocate_zero(1, sizeof *lu);
  lu->pattern = block_pattern_new(rows, start, row);
  const size_t numbers = block_at(lu->pattern.first[rows] + 1), square = block_at(rows + 1);
  lu->lower = memory_allocate(numbers * sizeof *lu->lower);
  lu->upper = memory_allocate(numbers * sizeof *lu->upper);
  lu->inverse = memory_allocate(square * sizeof *lu->inverse);
  lu->row_work = memory_allocate_zero(square, sizeof *lu->row_work);
  lu->column_work = memory_allocate_zero(square, sizeof *lu->column_work);
  return lu;
}

void block_lu_destroy(BlockLu *lu)
{
  if (!lu) return;
  block_pattern_destroy(&lu->pattern);
  memory_free(lu->lower);
  memory_free(lu->upper);
  memory_free(lu->inverse);
  memory_free(lu->row_work);
  memory_free(lu->column_work);
  memory_free(lu);
}

// The row with the largest number of a column, from that on.
static int pivot_of(const double *a, int column)
{
  int pivot = column;
  for (int r = column + 1; r < BLOCK; r++)
    if (fabs(a[BLOCK * column + r]) > fabs(a[BLOCK * column + pivot])) pivot = r;
  return pivot;
}

static void swap_rows(double *a, int r, int s)
{
  for (int c = 0; c < BLOCK; c++) {
    const double kept = a[BLOCK * c + r];
    a[BLOCK * c + r] = a[BLOCK * c + s];
    a[BLOCK * c + s] = kept;
  }
}

// B = A^-1, by columns, by Gauss and Jordan with pivots by columns; A is spent.
static bool invert(double *a, double *b)
{
  for (int i = 0; i < BLOCK_SIZE; i++) b[i] = i % (BLOCK + 1) == 0;
  for (int k = 0; k < BLOCK; k++) {
    const int pivot = pivot_of(a, k);
    const double largest = fabs(a[BLOCK * k + pivot]);
    if (!(largest > 0 && largest < INFINITY)) return false;
    if (pivot != k) {
      swap_rows(a, k, pivot);
      swap_rows(b, k, pivot);
    }
    const double factor = 1 / a[BLOCK * k + k];
    for (int c = 0; c < BLOCK; c++) {
      a[BLOCK * c + k] *= factor;
      b[BLOCK * c + k] *= factor;
    }
    for (int r = 0; r < BLOCK; r++) {
      const double times = r == k ? 0 : a[BLOCK * k + r];
      for (int c = 0; c < BLOCK; c++) {
        a[BLOCK * c + r] -= times * a[BLOCK * c + k];
        b[BLOCK * c + r] -= times * b[BLOCK * c + k];
      }
    }
  }
  return true;
}

// Block row k of L and block column k of U.
static bool make_row(BlockLu *lu, int k, const double *above, const double *below)
{
  BlockPattern *pattern = &lu->pattern;
  const int top = block_pattern_reach(pattern, k);
  const size_t bytes = BLOCK_SIZE * sizeof(double);
  for (int e = pattern->start[k]; e < pattern->start[k + 1]; e++) {
    const size_t at = block_at(pattern->row[e]);
    memcpy(lu->row_work + at, below + block_at(e), bytes);
    memcpy(lu->column_work + at, above + block_at(e), bytes);
  }
  double *diagonal = lu->row_work + block_at(k);
  for (int e = top; e < pattern->rows; e++) {
    const int i = pattern->reach[e];
    double *row = lu->row_work + block_at(i), *column = lu->column_work + block_at(i);
    const int64_t first = pattern->first[i], end = block_pattern_append(pattern, k, i);
    double *l = lu->lower + block_at(end), *u = lu->upper + block_at(end);
    block_product(row, lu->inverse + block_at(i), l);
    memcpy(u, column, bytes);
    for (int64_t p = first; p < end; p++) {
      const size_t at = block_at(pattern->below[p]);
      block_take_product(lu->row_work + at, lu->upper + block_at(p), l);
      block_take_product(lu->column_work + at, lu->lower + block_at(p), u);
    }
    block_take_product(diagonal, u, l);
    memset(row, 0, bytes);
    memset(column, 0, bytes);
  }
  const bool good = invert(diagonal, lu->inverse + block_at(k));
  memset(diagonal, 0, bytes);
  memset(lu->column_work + block_at(k), 0, bytes);
  return good;
}

bool block_lu_make(BlockLu *lu, const double *above, const double *below)
{
  assert(above != NULL && below != NULL && "the matrix has its numbers");
  block_pattern_begin(&lu->pattern);
  const size_t square = block_at(lu->pattern.rows) * sizeof(double);
  for (int k = 0; k < lu->pattern.rows; k++)
    if (!make_row(lu, k, above, below)) {
      memset(lu->row_work, 0, square);
      memset(lu->column_work, 0, square);
      return false;
    }
  return true;
}

static void solve_lower(const BlockLu *lu, double *x)
{
  const BlockPattern *pattern = &lu->pattern;
  for (int i = 0; i < pattern->rows; i++) {
    const double *of = x + BLOCK * (size_t)i;
    for (int64_t p = pattern->first[i]; p < pattern->first[i + 1]; p++)
      block_take_applied(lu->lower + block_at(p), of, x + BLOCK * (size_t)pattern->below[p]);
  }
}

static void solve_upper(const BlockLu *lu, double *x)
{
  const BlockPattern *pattern = &lu->pattern;
  for (int i = pattern->rows - 1; i >= 0; i--) {
    double *of = x + BLOCK * (size_t)i;
    double left[BLOCK];
    memcpy(left, of, sizeof left);
    for (int64_t p = pattern->first[i]; p < pattern->first[i + 1]; p++) {
      double taken[BLOCK];
      block_apply_transposed(lu->upper + block_at(p), x + BLOCK * (size_t)pattern->below[p], taken);
      for (int r = 0; r < BLOCK; r++) left[r] -= taken[r];
    }
    block_apply(lu->inverse + block_at(i), left, of);
  }
}

void block_lu_solve(const BlockLu *lu, double *x)
{
  assert(x != NULL && lu->pattern.below != NULL && "factors are made before they solve");
  solve_lower(lu, x);
  solve_upper(lu, x);
}
