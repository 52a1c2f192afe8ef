#pragma once
// Smoothed aggregation (Vanek, Mandel and Brezina 1996) for contact systems: near null space of
// rigid motions, aggregates by hash of keys (independent of ranks), Chebyshev smoothing, small
// levels on every rank.
#include <stdbool.h>

#include "block_matrix.h"

typedef struct Amg Amg;

// Collective. Builds the levels from the blocks with columns of the same or a higher key; the plan
// of the space must outlive the result, the matrix need not; its rows may be made as they are read.
// Beyond its diagonal blocks the matrix must be a sum of positive semidefinite terms of two rows
// each (then no eigenvalue of D^-1 A is above 2). reuse: of an earlier call or NULL; it is spent.
// Where the pattern is the same on all ranks its aggregates, patterns and plans are kept, and the
// result is the same to the bit as without it. NULL on all ranks where a diagonal block is not
// positive definite. arena: scratch.
Amg *amg_new(const BlockSpace *space, const BlockMatrix *a, Amg *reuse, Arena *arena);
void amg_destroy(Amg *amg);

// A level with no more rows than these is on every rank: no messages from there. Where ranks are
// few, work that all of them repeat costs more than messages.
#define AMG_SHARED_PER_RANK 16
#define AMG_SHARED_ROWS 256   // at most

// Collective. As amg_new with another number of such rows; no bit of a result depends on it.
// For the tests.
Amg *amg_new_shared(const BlockSpace *space, const BlockMatrix *a, int shared_rows, Amg *reuse,
                    Arena *arena);

// Collective. z = one V-cycle from zero on r; symmetric positive definite. Own rows.
// For the tests.
void amg_apply(Amg *amg, const double *r, double *z);

#define AMG_MOST_LEVELS 32

typedef struct {
  int levels;
  int64_t rows[AMG_MOST_LEVELS];     // of all ranks, by level
  int64_t blocks[AMG_MOST_LEVELS];   // off the diagonal, one for each pair
} AmgReport;
// For the tests.
AmgReport amg_report(const Amg *amg);

// When conjugate gradients end: the largest component of residual times weight is at most the
// tolerance, or after most iterations.
typedef struct {
  const double *weight;   // [own * BLOCK]
  double tolerance;       // >= 0
  int most;
} GradientsEnd;

// Collective. Conjugate gradients on A x = b from the x given, until their end, or no progress that
// the numbers can hold. b [own * BLOCK], x [count * BLOCK]; ghosts of x are up to date after it.
// The residual is that of the recurrence. Returns iterations; exact sums decide.
int conjugate_gradients_solve(Amg *amg, const double *b, GradientsEnd end, double *x, Arena *arena);
