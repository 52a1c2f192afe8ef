// Sparse factors in 6x6 blocks. The block row of L that is made is a row of work space by block
// columns; a block stands there by columns, as in L.
#include "block_factor.h"

#include <assert.h>

#include "block_kernel.h"
#include "block_pattern.h"
#include "memory.h"

struct BlockFactor {
  BlockPattern pattern;
  double *value;      // [blocks below the diagonal * BLOCK_SIZE] by columns
  double *diagonal;   // [rows * BLOCK_SIZE] of L, by columns
  double *work;       // [rows * BLOCK_SIZE] the block row that is made
};

// numbers take their room when they are made: many who analyse a matrix want to know its size alone
static void take_room(BlockFactor *f)
{
  if (f->value) return;
  const int rows = f->pattern.rows;
  f->value = memory_allocate(block_at(f->pattern.first[rows] + 1) * sizeof *f->value);
  f->diagonal = memory_allocate(block_at(rows + 1) * sizeof *f->diagonal);
  f->work = memory_allocate_zero(block_at(rows + 1), sizeof *f->work);
}

BlockFactor *block_factor_new(int rows, const int *start, const int *row)
{
  assert(rows >= 0 && start != NULL && row != NULL && "a matrix has a pattern");
  BlockFactor *f = memory_allocate_zero(1, sizeof *f);
  f->pattern = block_pattern_new(rows, start, row);
  return f;
}

void block_factor_destroy(BlockFactor *f)
{
  if (!f) return;
  block_pattern_destroy(&f->pattern);
  memory_free(f->value);
  memory_free(f->diagonal);
  memory_free(f->work);
  memory_free(f);
}

// X <- X L^-T, all by columns
static inline void divide(double *x, const double *l)
{
  for (int i = 0; i < BLOCK; i++) {
    double *of = x + BLOCK * i;
    for (int s = 0; s < BLOCK; s++) of[s] /= l[BLOCK * i + i];
    for (int j = i + 1; j < BLOCK; j++)
      for (int s = 0; s < BLOCK; s++) x[BLOCK * j + s] -= l[BLOCK * i + j] * of[s];
  }
}

// block row k of L
static bool make_row(BlockFactor *f, int k, const double *blocks)
{
  BlockPattern *pattern = &f->pattern;
  const int top = block_pattern_reach(pattern, k);
  for (int e = pattern->start[k]; e < pattern->start[k + 1]; e++)
    memcpy(f->work + block_at(pattern->row[e]), blocks + block_at(e), BLOCK_SIZE * sizeof *blocks);
  double *diagonal = f->work + block_at(k);
  for (int e = top; e < pattern->rows; e++) {
    const int i = pattern->reach[e];
    double *x = f->work + block_at(i);
    divide(x, f->diagonal + block_at(i));
    const int64_t first = pattern->first[i], end = block_pattern_append(pattern, k, i);
    for (int64_t p = first; p < end; p++)
      block_take_product(f->work + block_at(pattern->below[p]), f->value + block_at(p), x);
    block_take_product(diagonal, x, x);
    memcpy(f->value + block_at(end), x, BLOCK_SIZE * sizeof *x);
    memset(x, 0, BLOCK_SIZE * sizeof *x);
  }
  // (the upper triangle by rows is the lower one by columns)
  const bool good = block_cholesky(diagonal, 0, f->diagonal + block_at(k));
  memset(diagonal, 0, BLOCK_SIZE * sizeof *diagonal);
  return good;
}

bool block_factor_make(BlockFactor *f, const double *blocks)
{
  assert(blocks != NULL && "the matrix has its numbers");
  take_room(f);
  block_pattern_begin(&f->pattern);
  for (int k = 0; k < f->pattern.rows; k++)
    if (!make_row(f, k, blocks)) return false;
  return true;
}

static void solve_lower(const BlockFactor *f, double *x)
{
  for (int i = 0; i < f->pattern.rows; i++) {
    double *of = x + BLOCK * (size_t)i;
    const double *l = f->diagonal + block_at(i);
    for (int c = 0; c < BLOCK; c++) {
      of[c] /= l[BLOCK * c + c];
      for (int r = c + 1; r < BLOCK; r++) of[r] -= l[BLOCK * c + r] * of[c];
    }
    for (int64_t p = f->pattern.first[i]; p < f->pattern.first[i + 1]; p++)
      block_take_applied(f->value + block_at(p), of, x + BLOCK * (size_t)f->pattern.below[p]);
  }
}

static void solve_upper(const BlockFactor *f, double *x)
{
  for (int i = f->pattern.rows - 1; i >= 0; i--) {
    double *of = x + BLOCK * (size_t)i;
    const double *l = f->diagonal + block_at(i);
    for (int c = BLOCK - 1; c >= 0; c--) {
      double sum = of[c];
      for (int r = c + 1; r < BLOCK; r++) sum -= l[BLOCK * c + r] * of[r];
      for (int64_t p = f->pattern.first[i]; p < f->pattern.first[i + 1]; p++) {
        const double *a = f->value + block_at(p) + BLOCK * c;
        const double *from = x + BLOCK * (size_t)f->pattern.below[p];
        for (int r = 0; r < BLOCK; r++) sum -= a[r] * from[r];
      }
      of[c] = sum / l[BLOCK * c + c];
    }
  }
}

void block_factor_solve(const BlockFactor *f, double *x)
{
  assert(x != NULL && f->value != NULL && "factors are made before they solve");
  solve_lower(f, x);
  solve_upper(f, x);
}

int64_t block_factor_numbers(const BlockFactor *f)
{
  return f->pattern.first[f->pattern.rows] * BLOCK_SIZE +
         (int64_t)f->pattern.rows * BLOCK * (BLOCK + 1) / 2;
}
