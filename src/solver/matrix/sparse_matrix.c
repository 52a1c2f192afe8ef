// Sparse matrices of numbers by rows.
#include "sparse_matrix.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "order.h"
#include "search.h"

// the same entries by columns: a transpose of a matrix by rows whose rows need no order
static SparseMatrix by_columns(int rows, int columns, const int *start, const int *column,
                               const double *value, Arena *arena)
{
  assert(rows >= 0 && columns >= 0 && "rows and columns are counted");
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

SparseMatrix sparse_matrix_new(int rows, int columns, SparseEntries entries, Arena *arena)
{
  const int count = entries.count, *row = entries.row, *column = entries.column;
  assert(rows >= 0 && columns >= 0 && count >= 0 && "rows, columns and entries are counted");
  // entries in the order given are rows of one entry each: sorted by column, then by row
  int *ones = arena_allocate(arena, ((size_t)count + 1) * sizeof *ones);
  for (int k = 0; k <= count; k++) ones[k] = k;
  for (int k = 0; k < count; k++) {
    assert(row[k] >= 0 && row[k] < rows && column[k] >= 0 && column[k] < columns &&
           "entries lie within their matrix");
  }
  const SparseMatrix sorted = by_columns(count, columns, ones, column, entries.value, arena);
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

// the columns of a row of A B, each once; seen [columns of B] holds the last row that had each
static int find_columns(const SparseMatrix *a, const SparseMatrix *b, int row, int *seen,
                        int *columns)
{
  assert_debug(row >= 0 && row < a->rows && "a row has a number");
  int count = 0;
  for (int k = a->start[row]; k < a->start[row + 1]; k++) {
    for (int e = b->start[a->column[k]]; e < b->start[a->column[k] + 1]; e++) {
      if (seen[b->column[e]] == row) continue;
      seen[b->column[e]] = row;
      columns[count++] = b->column[e];
    }
  }
  return count;
}

static int *never_seen(const SparseMatrix *b, Arena *arena)
{
  int *seen = arena_allocate(arena, ((size_t)b->columns + 1) * sizeof *seen);
  for (int c = 0; c < b->columns; c++) seen[c] = -1;
  return seen;
}

bool sparse_matrix_product(const SparseMatrix *a, const SparseMatrix *b, SparseMatrix *product,
                           Arena *arena)
{
  assert(a->columns == b->rows && "matrices that are multiplied fit");
  *product = (SparseMatrix){.rows = a->rows, .columns = b->columns};
  product->start = arena_allocate_zero(arena, (size_t)a->rows + 1, sizeof *product->start);

  // how many entries there are
  const ArenaMark mark = arena_mark(arena);
  int *seen = never_seen(b, arena);
  int *columns = arena_allocate(arena, ((size_t)b->columns + 1) * sizeof *columns);
  for (int r = 0; r < a->rows; r++) {
    const int count = find_columns(a, b, r, seen, columns);
    if (count > INT_MAX - product->start[r]) return false;
    product->start[r + 1] = product->start[r] + count;
  }
  arena_release(arena, mark);

  // which, and their numbers: sums in order of the row of A
  const size_t entries = (size_t)product->start[a->rows] + 1;
  product->column = arena_allocate(arena, entries * sizeof *product->column);
  product->value = arena_allocate(arena, entries * sizeof *product->value);
  const ArenaMark work = arena_mark(arena);
  seen = never_seen(b, arena);
  double *sum = arena_allocate_zero(arena, (size_t)b->columns + 1, sizeof *sum);
  for (int r = 0; r < a->rows; r++) {
    const int first = product->start[r];
    const int count = find_columns(a, b, r, seen, product->column + first);
    qsort(product->column + first, (size_t)count, sizeof *product->column, order_ints);
    for (int k = a->start[r]; k < a->start[r + 1]; k++)
      for (int e = b->start[a->column[k]]; e < b->start[a->column[k] + 1]; e++)
        sum[b->column[e]] += a->value[k] * b->value[e];
    for (int k = first; k < first + count; k++) {
      product->value[k] = sum[product->column[k]];
      sum[product->column[k]] = 0;
    }
  }
  arena_release(arena, work);
  return true;
}

bool sparse_matrix_sum(const SparseMatrix *a, const SparseMatrix *b, SparseMatrix *sum,
                       Arena *arena)
{
  assert(a->rows == b->rows && a->columns == b->columns && "matrices that are added fit");
  const int most = a->start[a->rows];
  if (b->start[b->rows] > INT_MAX - 1 - most) return false;
  const size_t room = (size_t)(most + b->start[b->rows]) + 1;
  *sum = (SparseMatrix){.rows = a->rows,
                        .columns = a->columns,
                        .start = arena_allocate_zero(arena, (size_t)a->rows + 1, sizeof(int)),
                        .column = arena_allocate(arena, room * sizeof(int)),
                        .value = arena_allocate(arena, room * sizeof(double))};
  int end = 0;
  for (int r = 0; r < a->rows; r++) {
    int i = a->start[r], j = b->start[r];
    while (i < a->start[r + 1] || j < b->start[r + 1]) {
      const int from_a = i < a->start[r + 1] ? a->column[i] : INT_MAX,
                from_b = j < b->start[r + 1] ? b->column[j] : INT_MAX;
      sum->column[end] = from_a < from_b ? from_a : from_b;
      sum->value[end] = from_a <= from_b ? a->value[i++] : 0;
      if (from_b <= from_a) sum->value[end] += b->value[j++];
      end++;
    }
    sum->start[r + 1] = end;
  }
  return true;
}

double sparse_matrix_row(const SparseMatrix *a, int row, const double *x)
{
  assert_debug(row >= 0 && row < a->rows && "a row has a number");
  double sum = 0;
  for (int k = a->start[row]; k < a->start[row + 1]; k++) sum += a->value[k] * x[a->column[k]];
  return sum;
}

void sparse_matrix_multiply(const SparseMatrix *a, const double *x, double *y)
{
  assert((x != y || a->rows == 0) && "a product is not in the place of its factor");
  for (int r = 0; r < a->rows; r++) y[r] = sparse_matrix_row(a, r, x);
}

double sparse_matrix_at(const SparseMatrix *a, int row, int column)
{
  assert_debug(row >= 0 && row < a->rows && column >= 0 && column < a->columns &&
               "a place is in the matrix");
  const int end = a->start[row + 1], at = search_int(a->column, a->start[row], end, column);
  return at < end && a->column[at] == column ? a->value[at] : 0;
}

double sparse_matrix_skewness(const SparseMatrix *a)
{
  assert(a->rows == a->columns && "a square matrix");
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
