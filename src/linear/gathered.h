#pragma once
// The matrix of all ranks on every rank, its rows in the order of elimination: what direct solvers
// work on. Rows are in order of key, whoever owned them; the ordering works on blocks.
#include <stdbool.h>

#include "block_matrix.h"

typedef struct Gathered Gathered;

// Collective. The pattern of a matrix.
Gathered *gathered_new(const BlockSpace *space, const BlockMatrix *a, Arena *arena);
// Collective. Whether a pattern made earlier, or NULL, is that of the matrix on all ranks.
bool gathered_fits(const Gathered *gathered, const BlockSpace *space, const BlockMatrix *a,
                   Arena *arena);
void gathered_destroy(Gathered *gathered);

// The upper triangle by block columns, as block_pattern_new takes it; valid as long as the owner.
typedef struct {
  int rows, blocks;
  const int *start, *row;   // [rows + 1], [blocks]
} GatheredPattern;

// Local.
GatheredPattern gathered_pattern(const Gathered *gathered);

// Where numbers go: above gets the upper triangle by rows, [blocks * BLOCK_SIZE].
typedef struct {
  double *above;
  const double *mirror;   // NULL: A is symmetric, and of diagonal blocks upper triangles are set
                          // alone; else the blocks A(column, row) of A's entries, by rows
  double *below;          // then the lower triangle, by columns; diagonal blocks stand in both
} GatheredNumbers;

// Collective. Everybody's numbers. False: one is not finite.
bool gathered_fill(const Gathered *gathered, const BlockMatrix *a, GatheredNumbers numbers,
                   Arena *arena);

// Collective. Everybody's b[own * BLOCK] in the order of elimination, all[rows * BLOCK].
void gathered_collect(const Gathered *gathered, const double *b, double *all, Arena *arena);

// Collective. Back from there: x[count * BLOCK], ghosts too.
void gathered_return(const Gathered *gathered, const BlockSpace *space, const double *all,
                     double *x, Arena *arena);
