#pragma once
// Products with 6x6 blocks stored by columns, four doubles at once; every order of additions is
// written out, so that all builds give the same bits. Local.
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "block_matrix.h"

// Lanes at any address of doubles. Only local variables have these types: how they are passed
// depends on the processor.
typedef double Quad __attribute__((vector_size(32), aligned(8), may_alias));
typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));

// Two columns of a block are three quads: rows 0-3 of the first; rows 4, 5 of the first and 0, 1 of
// the second; rows 2-5 of the second. A sum of columns times numbers is held in the same shape.
typedef struct {
  Quad first, both, second;
} ColumnSum;

static inline void column_sum_zero(ColumnSum *sum)
{
  const Quad zero = {0, 0, 0, 0};
  *sum = (ColumnSum){zero, zero, zero};
}

// sum += A x
static inline void column_sum_add(ColumnSum *sum, const double *block, const double *x)
{
  for (int k = 0; k < BLOCK / 2; k++) {
    const double *a = block + 12 * k, p = x[2 * k], q = x[2 * k + 1];
    const Quad pp = {p, p, p, p}, pq = {p, p, q, q}, qq = {q, q, q, q};
    sum->first += *(const Quad *)a * pp;
    sum->both += *(const Quad *)(a + 4) * pq;
    sum->second += *(const Quad *)(a + 8) * qq;
  }
}

// y += the six numbers of a sum
static inline void column_sum_to(const ColumnSum *sum, double *y)
{
  const Quad f = sum->first, b = sum->both, s = sum->second;
  y[0] += f[0] + b[2];
  y[1] += f[1] + b[3];
  y[2] += f[2] + s[0];
  y[3] += f[3] + s[1];
  y[4] += b[0] + s[2];
  y[5] += b[1] + s[3];
}

// y += A' x
static inline void block_add_transposed(const double *block, const double *x, double *y)
{
  const Quad head = *(const Quad *)x, tail = *(const Quad *)(x + 2);
  const Quad ends = {x[4], x[5], x[0], x[1]};
  for (int k = 0; k < BLOCK / 2; k++) {
    const double *a = block + 12 * k;
    const Quad f = *(const Quad *)a * head;
    const Quad b = *(const Quad *)(a + 4) * ends;
    const Quad s = *(const Quad *)(a + 8) * tail;
    const Pair even = __builtin_shufflevector(f, f, 0, 1) + __builtin_shufflevector(f, f, 2, 3) +
                      __builtin_shufflevector(b, b, 0, 1);
    const Pair odd = __builtin_shufflevector(s, s, 0, 1) + __builtin_shufflevector(s, s, 2, 3) +
                     __builtin_shufflevector(b, b, 2, 3);
    *(Pair *)(y + 2 * k) +=
        __builtin_shufflevector(even, odd, 0, 2) + __builtin_shufflevector(even, odd, 1, 3);
  }
}

// y = A x
static inline void block_apply(const double *block, const double *x, double *y)
{
  ColumnSum sum;
  column_sum_zero(&sum);
  column_sum_add(&sum, block, x);
  for (int r = 0; r < BLOCK; r++) y[r] = 0;
  column_sum_to(&sum, y);
}

// y -= A x, one column after another
static inline void block_take_applied(const double *block, const double *x, double *y)
{
  Quad head = *(Quad *)y;
  Pair tail = *(Pair *)(y + 4);
  for (int c = 0; c < BLOCK; c++) {
    const Quad xxxx = {x[c], x[c], x[c], x[c]};
    const Pair xx = {x[c], x[c]};
    head -= *(const Quad *)(block + BLOCK * c) * xxxx;
    tail -= *(const Pair *)(block + BLOCK * c + 4) * xx;
  }
  *(Quad *)y = head;
  *(Pair *)(y + 4) = tail;
}

// y = A' x; y is not x
static inline void block_apply_transposed(const double *block, const double *x, double *y)
{
  for (int r = 0; r < BLOCK; r++) y[r] = 0;
  block_add_transposed(block, x, y);
}

// C = A B, added to what C has or not
static inline void block_product_on(const double *a, const double *b, double *c, bool add)
{
  for (int j = 0; j < BLOCK; j++) {
    Quad head = {0, 0, 0, 0};
    Pair tail = {0, 0};
    if (add) {
      head = *(const Quad *)(c + BLOCK * j);
      tail = *(const Pair *)(c + BLOCK * j + 4);
    }
    for (int k = 0; k < BLOCK; k++) {
      const double f = b[BLOCK * j + k];
      const Quad ffff = {f, f, f, f};
      const Pair ff = {f, f};
      head += *(const Quad *)(a + BLOCK * k) * ffff;
      tail += *(const Pair *)(a + BLOCK * k + 4) * ff;
    }
    *(Quad *)(c + BLOCK * j) = head;
    *(Pair *)(c + BLOCK * j + 4) = tail;
  }
}

static inline void block_product_add(const double *a, const double *b, double *c)
{
  block_product_on(a, b, c, true);
}

static inline void block_product(const double *a, const double *b, double *c)
{
  block_product_on(a, b, c, false);
}

// X -= Y A', all by columns; each number of X loses its six products one after another
static inline void block_take_product(double *x, const double *a, const double *y)
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

// T = A'; by columns it is the block by rows
static inline void block_transpose(const double *a, double *t)
{
  for (int r = 0; r < BLOCK; r++)
    for (int c = 0; c < BLOCK; c++) t[BLOCK * r + c] = a[BLOCK * c + r];
}

// A lower triangle without the zeros above it, by columns.
#define TRIANGLE_SIZE (BLOCK * (BLOCK + 1) / 2)

static inline void triangle_pack(const double *block, double *triangle)
{
  for (int j = 0; j < BLOCK; j++)
    for (int i = j; i < BLOCK; i++) *triangle++ = block[BLOCK * j + i];
}

// (sizes that are constants become single moves)
static inline const double *triangle_unpack(const double *triangle, double *block)
{
  memset(block, 0, BLOCK_SIZE * sizeof *block);
  memcpy(block, triangle, 6 * sizeof *block);
  memcpy(block + 7, triangle + 6, 5 * sizeof *block);
  memcpy(block + 14, triangle + 11, 4 * sizeof *block);
  memcpy(block + 21, triangle + 15, 3 * sizeof *block);
  memcpy(block + 28, triangle + 18, 2 * sizeof *block);
  block[35] = triangle[20];
  return block;
}

// L with L L' = A from the lower triangle of A, zeros above. A pivot that is not above floor times
// the diagonal is replaced by the diagonal, or by one where that is not positive: a rank lost in
// rounding then bears more stiffly. Returns whether no pivot was.
bool block_cholesky(const double *a, double floor, double *l);

// G = L^-1 of a lower triangle
void block_invert_lower(const double *l, double *g);
