// Finds the contacts of a matrix problem that lie between the same two bodies.
#include "matrix_pairs.h"

#include <assert.h>
#include <stdlib.h>

#include "check.h"
#include "forest.h"
#include "hash.h"
#include "order.h"

static int compare_hashes(const void *a, const void *b)
{
  const Hash128 *p = a, *q = b;
  if (p->high != q->high) return p->high < q->high ? -1 : 1;
  return (p->low > q->low) - (p->low < q->low);
}

// Which columns count as one: the three of a contact in W, and the unknowns that M couples in H,
// since one body has them.
static int *columns_together(const MatrixProblem *problem, int columns, Arena *arena)
{
  assert(columns >= 0 && "columns are counted");
  int *together = arena_allocate(arena, ((size_t)columns + 1) * sizeof *together);
  const bool local = problem->form == MATRIX_LOCAL;
  for (int i = 0; i < columns; i++) together[i] = local ? i / 3 : i;
  if (local) return together;
  const SparseMatrix *m = &problem->m;
  for (int i = 0; i < columns; i++)
    for (int k = m->start[i]; k < m->start[i + 1]; k++) {
      if (m->value[k] == 0) continue;
      const int a = forest_root(together, i), b = forest_root(together, m->column[k]);
      together[a > b ? a : b] = a > b ? b : a;
    }
  for (int i = 0; i < columns; i++) together[i] = forest_root(together, i);
  return together;
}

// what the three rows of a contact have numbers for, columns that count as one once, in order
static int find_set(const SparseMatrix *rows, int contact, const int *together, int *set)
{
  assert_debug(contact >= 0 && 3 * contact + 3 <= rows->rows && "a contact has three rows");
  int count = 0, end = 0;
  for (int k = rows->start[3 * contact]; k < rows->start[3 * contact + 3]; k++)
    if (rows->value[k] != 0) set[count++] = together[rows->column[k]];
  qsort(set, (size_t)count, sizeof *set, order_ints);
  for (int k = 0; k < count; k++)
    if (end == 0 || set[end - 1] != set[k]) set[end++] = set[k];
  return end;
}

int matrix_pairs_count(const MatrixProblem *problem, Arena *arena)
{
  assert(problem->count >= 0 && problem->form <= MATRIX_GLOBAL && "contacts are counted");
  const ArenaMark mark = arena_mark(arena);
  const bool local = problem->form == MATRIX_LOCAL;
  const SparseMatrix rows = local ? problem->w : sparse_matrix_transpose(&problem->h, arena);
  const int *together = columns_together(problem, rows.columns, arena);
  int longest = 0;
  for (int c = 0; c < problem->count; c++) {
    const int length = rows.start[3 * c + 3] - rows.start[3 * c];
    if (length > longest) longest = length;
  }
  const size_t count = (size_t)problem->count;
  int *set = arena_allocate(arena, ((size_t)longest + 1) * sizeof *set);
  Hash128 *hashes = arena_allocate(arena, (count + 1) * sizeof *hashes);
  for (int c = 0; c < problem->count; c++) {
    const int size = find_set(&rows, c, together, set);
    hashes[c] = hash_bytes(set, (size_t)size * sizeof *set, 0);
  }
  qsort(hashes, count, sizeof *hashes, compare_hashes);
  int pairs = 0;
  for (size_t c = 0; c < count; c++)
    pairs += c == 0 || compare_hashes(&hashes[c - 1], &hashes[c]) != 0;
  arena_release(arena, mark);
  return pairs;
}
