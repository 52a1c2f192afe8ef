#pragma once
// Sparse matrices of numbers by rows, as files of other programs hold them. Local.
#include <stdbool.h>

#include "arena.h"

// Compressed rows; columns of a row ascend, none twice.
typedef struct {
  int rows, columns;
  int *start;      // [rows + 1]
  int *column;     // [start[rows]]
  double *value;   // [start[rows]]
} SparseMatrix;

// Entries of a matrix in any order.
typedef struct {
  int count;
  const int *row, *column;   // [count]
  const double *value;       // [count]
} SparseEntries;

// A matrix from entries within it; those at the same place are added up in the order given. From
// the arena.
SparseMatrix sparse_matrix_new(int rows, int columns, SparseEntries entries, Arena *arena);

// Transpose, from the arena.
SparseMatrix sparse_matrix_transpose(const SparseMatrix *a, Arena *arena);

// y = A x; x[columns], y[rows].
void sparse_matrix_multiply(const SparseMatrix *a, const double *x, double *y);

// A B and A + B, from the arena; places that either pattern has stay, whatever their numbers are.
// Columns of A need no order. False: more entries than an int counts.
bool sparse_matrix_product(const SparseMatrix *a, const SparseMatrix *b, SparseMatrix *product,
                           Arena *arena);
bool sparse_matrix_sum(const SparseMatrix *a, const SparseMatrix *b, SparseMatrix *sum,
                       Arena *arena);

// Sum of value * x over one row.
double sparse_matrix_row(const SparseMatrix *a, int row, const double *x);

// The value at a place, 0 where there is no entry.
double sparse_matrix_at(const SparseMatrix *a, int row, int column);

// max |A_ij - A_ji| of a square matrix.
double sparse_matrix_skewness(const SparseMatrix *a);

// max |A_ij|.
double sparse_matrix_largest(const SparseMatrix *a);
