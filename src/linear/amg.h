#pragma once
// Smoothed aggregation (Vanek, Mandel and Brezina 1996) for contact systems: near null space of
// rigid motions, aggregates by hash of keys (independent of ranks), Chebyshev smoothing, small
// levels on every rank.
#include <stdbool.h>

#include "block_matrix.h"

typedef struct Amg Amg;

// Collective. Builds the levels; the matrix and the space must outlive the result. reuse: of an
// earlier call or NULL, for its memory and, where the pattern is the same on all ranks, its
// aggregates and patterns; it is spent. NULL on all ranks where a diagonal block is not positive
// definite.
Amg *amg_new(const BlockSpace *space, const BlockMatrix *a, Amg *reuse, Arena *arena);
void amg_destroy(Amg *amg);

// Collective. z = one V-cycle from zero on r; symmetric positive definite. Own rows.
void amg_apply(Amg *amg, const double *r, double *z);

typedef struct {
  int levels;
  int64_t rows[16];   // of all ranks, by level
  int64_t blocks[16];
} AmgReport;
AmgReport amg_report(const Amg *amg);

// Collective. Conjugate gradients on A x = b from the x given (ghosts up to date), until the
// largest component of residual times weight is at most tolerance, or most iterations. weight
// [own * BLOCK]. Ghosts of x are up to date after it. Returns iterations; exact sums decide.
int amg_conjugate_gradients(Amg *amg, const double *b, const double *weight, double tolerance,
                            int most, double *x, Arena *arena);
