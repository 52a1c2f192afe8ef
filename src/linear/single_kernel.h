#pragma once
// Products with 6x6 blocks in single precision, eight floats at once, for the cycle of the
// multigrid: half the bytes and half the instructions of block_kernel.h. Every order of additions
// is written out, so that all builds give the same bits. Local.
#include <string.h>

#include "block_matrix.h"

#define SINGLE_ROW 8   // floats of a row's six numbers and two zeros

// Lanes at any address of floats. Only local variables have these types: how they are passed
// depends on the processor.
typedef float Eight __attribute__((vector_size(32), aligned(4), may_alias));
typedef float Four __attribute__((vector_size(16), aligned(4), may_alias));

// A block's 36 floats: rows 0-3 of columns 0 and 1, 2 and 3, 4 and 5; then rows 4, 5 of columns 0,
// 2, 1, 3; then of columns 4, 5.
static inline void single_block_set(const double *columns, float *block)
{
  static const unsigned char ends[6] = {0, 2, 1, 3, 4, 5};
  for (int c = 0; c < BLOCK; c++)
    for (int r = 0; r < 4; r++) block[4 * c + r] = (float)columns[BLOCK * c + r];
  for (int k = 0; k < BLOCK; k++)
    for (int r = 0; r < 2; r++) block[24 + 2 * k + r] = (float)columns[BLOCK * ends[k] + 4 + r];
}

// A sum of blocks times rows, in the shape of a block.
typedef struct {
  Eight top, bottom;
  Four tail;
} SingleSum;

static inline void single_sum_zero(SingleSum *sum) { memset(sum, 0, sizeof *sum); }

// sum += A x
static inline void single_sum_add(SingleSum *sum, const float *block, const float *x)
{
  const Eight v = *(const Eight *)x;
  sum->top += *(const Eight *)block * __builtin_shufflevector(v, v, 0, 0, 0, 0, 1, 1, 1, 1);
  sum->bottom +=
      *(const Eight *)(block + 24) * __builtin_shufflevector(v, v, 0, 0, 2, 2, 1, 1, 3, 3);
  sum->tail += *(const Four *)(block + 32) * __builtin_shufflevector(v, v, 4, 4, 5, 5);
  sum->top += *(const Eight *)(block + 8) * __builtin_shufflevector(v, v, 2, 2, 2, 2, 3, 3, 3, 3);
  sum->top += *(const Eight *)(block + 16) * __builtin_shufflevector(v, v, 4, 4, 4, 4, 5, 5, 5, 5);
}

// y += the row of a sum
static inline void single_sum_to(const SingleSum *sum, float *y)
{
  const Eight t = sum->top, b = sum->bottom;
  const Four head =
      __builtin_shufflevector(t, t, 0, 1, 2, 3) + __builtin_shufflevector(t, t, 4, 5, 6, 7);
  const Four halves =
      __builtin_shufflevector(b, b, 0, 1, 2, 3) + __builtin_shufflevector(b, b, 4, 5, 6, 7);
  const Four both = halves + sum->tail, zero = {0, 0, 0, 0};
  const Four end = __builtin_shufflevector(both, zero, 0, 1, 4, 5) +
                   __builtin_shufflevector(both, zero, 2, 3, 4, 5);
  *(Eight *)y += __builtin_shufflevector(head, end, 0, 1, 2, 3, 4, 5, 6, 7);
}

// y += A' x
static inline void single_add_transposed(const float *block, const float *x, float *y)
{
  const Eight v = *(const Eight *)x;
  const Eight h = __builtin_shufflevector(v, v, 0, 1, 2, 3, 0, 1, 2, 3);
  const Eight e = __builtin_shufflevector(v, v, 4, 5, 4, 5, 4, 5, 4, 5);
  const Eight p = *(const Eight *)block * h, q = *(const Eight *)(block + 8) * h;
  const Eight r = *(const Eight *)(block + 16) * h, u = *(const Eight *)(block + 24) * e;
  const Four w = *(const Four *)(block + 32) * __builtin_shufflevector(v, v, 4, 5, 4, 5);
  const Eight front = (__builtin_shufflevector(p, q, 0, 2, 8, 10, 4, 6, 12, 14) +
                       __builtin_shufflevector(p, q, 1, 3, 9, 11, 5, 7, 13, 15)) +
                      u;   // halves of columns 0, 2, 1, 3
  const Four back =
      (__builtin_shufflevector(r, r, 0, 2, 4, 6) + __builtin_shufflevector(r, r, 1, 3, 5, 7)) + w;
  const Four zero = {0, 0, 0, 0};
  const Eight rear = __builtin_shufflevector(back, zero, 0, 1, 2, 3, 4, 5, 6, 7);
  const Eight sums = __builtin_shufflevector(front, rear, 0, 2, 8, 10, 4, 6, 12, 14) +
                     __builtin_shufflevector(front, rear, 1, 3, 9, 11, 5, 7, 13, 15);
  *(Eight *)y += __builtin_shufflevector(sums, sums, 0, 4, 1, 5, 2, 3, 6, 7);
}
