#include "sparse_matrix.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// the same entries by columns: a transpose of a matrix by rows whose rows need no order
static SparseMatrix by_columns(int rows, int columns, const int *start, const int *column,
                               const double *value, Arena *arena)
{
  const size_t count = (size_t)start[rows];
  SparseMatrix t = {.rows = columns,
                    .columns = rows,
                    .start = arena_allocate_zero(arena, (size_t)columns + 2, sizeof *t.start),
                    .column = arena_allocate(arena, (count + 1) * sizeof *t.column),
                    .value = arena_allocate(arena, (count + 1) * sizeof *t.value)};
  // start[c + 1] runs from the first entry of column c to the one after its last
  for (size_t k = 0; k < count; k++) t.start[column[k] + 2]++;
  for (int c = 0; c < columns; c++) t.start[c + 2] += t.start[c + 1];
  for (int r = 0; r < rows; r++) {
    for (int k = start[r]; k < start[r + 1]; k++) {
      const int to = t.start[column[k] + 1]++;
      t.column[to] = r;
      t.value[to] = value[k];
    }
  }
  return t;
}

// entries of a row at one place, which stand beside each other, become one
static void add_up(SparseMatrix *a)
{
  int end = 0, from = 0;
  for (int r = 0; r < a->rows; r++) {
    const int first = end, to = a->start[r + 1];
    for (int k = from; k < to; k++) {
      if (end > first && a->column[end - 1] == a->column[k]) {
        a->value[end - 1] += a->value[k];
      } else {
        a->column[end] = a->column[k];
        a->value[end++] = a->value[k];
      }
    }
    from = to;
    a->start[r + 1] = end;
  }
}

SparseMatrix sparse_matrix_new(int rows, int columns, int count, const int *row, const int *column,
                               const double *value, Arena *arena)
{
  // entries in the order given are rows of one entry each: sorted by column, then by row
  int *ones = arena_allocate(arena, ((size_t)count + 1) * sizeof *ones);
  for (int k = 0; k <= count; k++) ones[k] = k;
  for (int k = 0; k < count; k++) {
    assert(row[k] >= 0 && row[k] < rows && column[k] >= 0 && column[k] < columns &&
           "entries lie within their matrix");
  }
  const SparseMatrix sorted = by_columns(count, columns, ones, column, value, arena);
  int *rows_of = arena_allocate(arena, ((size_t)count + 1) * sizeof *rows_of);
  for (int k = 0; k < count; k++) rows_of[k] = row[sorted.column[k]];
  SparseMatrix a = by_columns(columns, rows, sorted.start, rows_of, sorted.value, arena);
  add_up(&a);
  return a;
}

SparseMatrix sparse_matrix_transpose(const SparseMatrix *a, Arena *arena)
{
  return by_columns(a->rows, a->columns, a->start, a->column, a->value, arena);
}

double sparse_matrix_row(const SparseMatrix *a, int row, const double *x)
{
  double sum = 0;
  for (int k = a->start[row]; k < a->start[row + 1]; k++) sum += a->value[k] * x[a->column[k]];
  return sum;
}

void sparse_matrix_multiply(const SparseMatrix *a, const double *x, double *y)
{
  for (int r = 0; r < a->rows; r++) y[r] = sparse_matrix_row(a, r, x);
}

double sparse_matrix_at(const SparseMatrix *a, int row, int column)
{
  int low = a->start[row], high = a->start[row + 1];
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (a->column[middle] < column) low = middle + 1;
    else high = middle;
  }
  return low < a->start[row + 1] && a->column[low] == column ? a->value[low] : 0;
}

double sparse_matrix_skewness(const SparseMatrix *a)
{
  double largest = 0;
  for (int r = 0; r < a->rows; r++) {
    for (int k = a->start[r]; k < a->start[r + 1]; k++)
      largest = fmax(largest, fabs(a->value[k] - sparse_matrix_at(a, a->column[k], r)));
  }
  return largest;
}

double sparse_matrix_largest(const SparseMatrix *a)
{
  double largest = 0;
  for (int k = 0; k < a->start[a->rows]; k++) largest = fmax(largest, fabs(a->value[k]));
  return largest;
}
