#pragma once
// Sparse factors of the whole system of rows that deform (elastic_system.h), for small ones: a row
// of 6x6 blocks for v and w of each body, and one for S of each that deforms.
#include "cholesky.h"
#include "problem.h"

// Which bodies have rows, as the system of rigid motions has them.
typedef struct {
  const BlockSpace *space;   // their plan and their keys
  const int *row_of_body;    // [rows] -1: none
  const int *body_of_row;    // [space->count]
} SystemRows;

typedef struct {
  const Problem *problem;
  SystemRows rows;
  BlockSpace space;      // rows of blocks; ghosts of a solution stay as they are
  int *first;            // [count + 1] of the rows of bodies, ghosts too
  int *start, *column;   // of the matrix
} ElasticPattern;

// Local. Memory from the arena; rows must outlive it.
ElasticPattern elastic_pattern_new(const Problem *problem, const SystemRows *rows, Arena *arena);

// Collective. As cholesky_analyse.
Cholesky *elastic_factors_analyse(const ElasticPattern *pattern, Cholesky *reuse, Arena *arena);

// The numbers of A.
typedef struct {
  const double *diagonal;          // [own * ELASTIC_ROW_UNKNOWNS^2] blocks of own bodies, by rows
  const ElasticMoments *moments;   // [pairs] about the lower body
  const double *weights;           // [points]
} ElasticNumbers;

// Collective. As cholesky_new.
Cholesky *elastic_factors_new(const ElasticPattern *pattern, ElasticNumbers numbers,
                              Cholesky *reuse, Arena *arena);

// Collective. x = A^-1 b for own bodies, [own * ELASTIC_ROW_UNKNOWNS].
void elastic_factors_solve(const ElasticPattern *pattern, const Cholesky *factors, const double *b,
                           double *x, Arena *arena);
