// Sparse factors in 6x6 blocks. The block row of L that is made is a row of work space by block
// columns; a block stands there by columns, as in L.
#include "block_factor.h"

#include <assert.h>
#include <suitesparse/cs.h>

#include "block_kernel.h"
#include "fail.h"
#include "memory.h"

struct BlockFactor {
  int rows;
  int *start, *row;     // pattern of A
  int *parent;          // elimination tree of block columns
  int64_t *first;       // [rows + 1] of L's blocks below the diagonal, by block column
  int *end;             // [rows] how many of a column there are so far
  int *below;           // [first[rows]] their block rows, ascending
  double *value;        // [first[rows] * BLOCK_SIZE] by columns
  double *diagonal;     // [rows * BLOCK_SIZE] of L, by columns
  double *work;         // [rows * BLOCK_SIZE] the block row that is made
  int *reach, *marks;   // [rows], [rows] of ereach
};

static cs_di pattern_of(const BlockFactor *f)
{
  return (cs_di){f->start[f->rows], f->rows, f->rows, f->start, f->row, NULL, -1};
}

// where the numbers of a block begin
static inline size_t block_at(int64_t block) { return (size_t)block * BLOCK_SIZE; }

// how many blocks each column of L has below the diagonal
static void count_blocks(BlockFactor *f)
{
  const cs_di pattern = pattern_of(f);
  f->parent = f->rows ? cs_di_etree(&pattern, 0) : NULL;
  int *post = f->parent ? cs_di_post(f->parent, f->rows) : NULL;
  int *counts = post ? cs_di_counts(&pattern, f->parent, post, 0) : NULL;
  if (f->rows && !counts) die_memory("no room to analyse a system of %d rows", f->rows);
  f->first[0] = 0;
  for (int i = 0; i < f->rows; i++) f->first[i + 1] = f->first[i] + counts[i] - 1;
  cs_di_free(post);
  cs_di_free(counts);
}

// numbers take their room when they are made: many who analyse a matrix want to know its size alone
static void take_room(BlockFactor *f)
{
  if (f->value) return;
  const int64_t below = f->first[f->rows];
  f->below = memory_allocate(((size_t)below + 1) * sizeof *f->below);
  f->value = memory_allocate(block_at(below + 1) * sizeof *f->value);
  f->diagonal = memory_allocate(block_at(f->rows + 1) * sizeof *f->diagonal);
  f->work = memory_allocate_zero(block_at(f->rows + 1), sizeof *f->work);
}

BlockFactor *block_factor_new(int rows, const int *start, const int *row)
{
  assert(rows >= 0 && start != NULL && row != NULL && "a matrix has a pattern");
  BlockFactor *f = memory_allocate_zero(1, sizeof *f);
  const size_t n = (size_t)rows + 1, entries = (size_t)start[rows];
  f->rows = rows;
  f->start = memory_allocate(n * sizeof *f->start);
  f->row = memory_allocate((entries + 1) * sizeof *f->row);
  memcpy(f->start, start, n * sizeof *start);
  memcpy(f->row, row, entries * sizeof *row);
  f->first = memory_allocate(n * sizeof *f->first);
  count_blocks(f);
  f->end = memory_allocate(n * sizeof *f->end);
  f->reach = memory_allocate(n * sizeof *f->reach);
  f->marks = memory_allocate_zero(n, sizeof *f->marks);
  return f;
}

void block_factor_destroy(BlockFactor *f)
{
  if (!f) return;
  cs_di_free(f->parent);
  memory_free(f->start);
  memory_free(f->row);
  memory_free(f->first);
  memory_free(f->end);
  memory_free(f->below);
  memory_free(f->value);
  memory_free(f->diagonal);
  memory_free(f->work);
  memory_free(f->reach);
  memory_free(f->marks);
  memory_free(f);
}

// X -= Y A', all by columns; each number of X loses its six products one after another
static inline void take_product(double *x, const double *a, const double *y)
{
  for (int k = 0; k < BLOCK / 2; k++) {
    double *to = x + 2 * BLOCK * k;
    Quad first = *(Quad *)to, both = *(Quad *)(to + 4), second = *(Quad *)(to + 8);
    for (int i = 0; i < BLOCK; i++) {
      const double p = a[BLOCK * i + 2 * k], q = a[BLOCK * i + 2 * k + 1];
      const Quad pp = {p, p, p, p}, pq = {p, p, q, q}, qq = {q, q, q, q};
      const Quad head = *(const Quad *)(y + BLOCK * i), tail = *(const Quad *)(y + BLOCK * i + 2);
      const Quad ends = __builtin_shufflevector(tail, head, 2, 3, 4, 5);
      first -= pp * head;
      both -= pq * ends;
      second -= qq * tail;
    }
    *(Quad *)to = first;
    *(Quad *)(to + 4) = both;
    *(Quad *)(to + 8) = second;
  }
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
static bool make_row(BlockFactor *f, const cs_di *pattern, int k, const double *blocks)
{
  const int top = cs_di_ereach(pattern, k, f->parent, f->reach, f->marks);
  for (int e = f->start[k]; e < f->start[k + 1]; e++)
    memcpy(f->work + block_at(f->row[e]), blocks + block_at(e), BLOCK_SIZE * sizeof *blocks);
  double *diagonal = f->work + block_at(k);
  for (int e = top; e < f->rows; e++) {
    const int i = f->reach[e];
    double *x = f->work + block_at(i);
    divide(x, f->diagonal + block_at(i));
    const int64_t first = f->first[i], end = first + f->end[i];
    assert(end < f->first[i + 1] && "the analysis has counted the blocks of a column");
    for (int64_t p = first; p < end; p++)
      take_product(f->work + block_at(f->below[p]), f->value + block_at(p), x);
    take_product(diagonal, x, x);
    f->below[end] = k;
    memcpy(f->value + block_at(end), x, BLOCK_SIZE * sizeof *x);
    memset(x, 0, BLOCK_SIZE * sizeof *x);
    f->end[i]++;
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
  const cs_di pattern = pattern_of(f);
  memset(f->end, 0, (size_t)f->rows * sizeof *f->end);
  for (int k = 0; k < f->rows; k++)
    if (!make_row(f, &pattern, k, blocks)) return false;
  return true;
}

static void solve_lower(const BlockFactor *f, double *x)
{
  for (int i = 0; i < f->rows; i++) {
    double *of = x + BLOCK * (size_t)i;
    const double *l = f->diagonal + block_at(i);
    for (int c = 0; c < BLOCK; c++) {
      of[c] /= l[BLOCK * c + c];
      for (int r = c + 1; r < BLOCK; r++) of[r] -= l[BLOCK * c + r] * of[c];
    }
    for (int64_t p = f->first[i]; p < f->first[i + 1]; p++) {
      const double *a = f->value + block_at(p);
      double *to = x + BLOCK * (size_t)f->below[p];
      Quad head = *(Quad *)to;
      Pair tail = *(Pair *)(to + 4);
      for (int c = 0; c < BLOCK; c++) {
        const Quad xxxx = {of[c], of[c], of[c], of[c]};
        const Pair xx = {of[c], of[c]};
        head -= *(const Quad *)(a + BLOCK * c) * xxxx;
        tail -= *(const Pair *)(a + BLOCK * c + 4) * xx;
      }
      *(Quad *)to = head;
      *(Pair *)(to + 4) = tail;
    }
  }
}

static void solve_upper(const BlockFactor *f, double *x)
{
  for (int i = f->rows - 1; i >= 0; i--) {
    double *of = x + BLOCK * (size_t)i;
    const double *l = f->diagonal + block_at(i);
    for (int c = BLOCK - 1; c >= 0; c--) {
      double sum = of[c];
      for (int r = c + 1; r < BLOCK; r++) sum -= l[BLOCK * c + r] * of[r];
      for (int64_t p = f->first[i]; p < f->first[i + 1]; p++) {
        const double *a = f->value + block_at(p) + BLOCK * c;
        const double *from = x + BLOCK * (size_t)f->below[p];
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
  return f->first[f->rows] * BLOCK_SIZE + (int64_t)f->rows * BLOCK * (BLOCK + 1) / 2;
}
