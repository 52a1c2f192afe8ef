// Factors L L' (block_factor.h) of the matrix of all ranks: no BLAS and no threads have a part in
// the bits. Rows are in order of key, whoever owned them; the ordering works on blocks.
#include "cholesky.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cs.h>

#include "amg_plan.h"
#include "block_factor.h"
#include "memory.h"
#include "search.h"

// A block of a row with a column of the same or a higher key.
typedef struct {
  uint64_t row, column;
} KeyPair;

typedef struct {
  uint64_t key;
  int index;
} KeyIndex;

typedef struct {
  KeyPair pair;
  int index;   // among those gathered
} PairIndex;

// Where a block's numbers go in the upper triangle by columns.
typedef struct {
  int place;       // among the blocks
  bool diagonal;   // its upper triangle counts
  bool flipped;    // its rows are the columns
} BlockTarget;

struct Cholesky {
  Arena store;
  int rows, blocks;
  int *row_first;        // [ranks + 1] where a rank's rows begin among those gathered
  int *position;         // [rows] in the order of elimination, of each gathered row
  BlockTarget *target;   // [blocks] of each gathered block
  double *numbers;       // [blocks * BLOCK_SIZE] upper triangle in the order of elimination
  BlockFactor *factor;
  double *solution;           // [rows * BLOCK] in the order of elimination
  int own_rows, own_blocks;   // the pattern this was made for
  uint64_t *own_key;
  KeyPair *own_pair;
  int *own_value;   // blocks of the matrix
};

static int compare_key_indices(const void *a, const void *b)
{
  const KeyIndex *p = a, *q = b;
  return (p->key > q->key) - (p->key < q->key);
}

static int compare_pair_indices(const void *a, const void *b)
{
  const PairIndex *p = a, *q = b;
  if (p->pair.row != q->pair.row) return p->pair.row < q->pair.row ? -1 : 1;
  return (p->pair.column > q->pair.column) - (p->pair.column < q->pair.column);
}

static int find_row(const KeyIndex *rows, int count, uint64_t key)
{
  const KeyIndex wanted = {.key = key};
  return (int)search_rows(rows, count, sizeof *rows, &wanted, compare_key_indices);
}

// this rank's blocks with columns of the same or a higher key, row by row
static int list_blocks(const BlockSpace *space, const BlockMatrix *a, KeyPair *pairs, int *values)
{
  assert(pairs != NULL && values != NULL && "blocks have room");
  int count = 0;
  for (int i = 0; i < space->own; i++)
    for (int e = a->start[i]; e < a->start[i + 1]; e++) {
      const uint64_t row = space->key[i], column = space->key[a->column[e]];
      if (column < row) continue;
      pairs[count] = (KeyPair){row, column};
      values[count++] = e;
    }
  return count;
}

// minimum degree on the graph of blocks; position of each row by key
static int *order_rows(const KeyIndex *rows, int row_count, const PairIndex *blocks,
                       int block_count, Arena *scratch)
{
  assert(row_count >= 0 && block_count >= row_count && "every row has its diagonal block");
  const size_t n = (size_t)row_count;
  int *start = arena_allocate(scratch, (n + 1) * sizeof *start);
  int *column = arena_allocate(scratch, ((size_t)block_count + 1) * sizeof *column);
  int b = 0;
  for (int j = 0; j < row_count; j++) {
    start[j] = b;
    for (; b < block_count && blocks[b].pair.row == rows[j].key; b++)
      column[b] = find_row(rows, row_count, blocks[b].pair.column);
  }
  start[row_count] = b;
  const cs_di graph = {block_count, row_count, row_count, start, column, NULL, -1};
  int *order = row_count ? cs_di_amd(1, &graph) : NULL;
  if (row_count && !order) die_memory("no room for the ordering of %d rows", row_count);
  int *position = arena_allocate(scratch, (n + 1) * sizeof *position);
  for (int p = 0; p < row_count; p++) position[order[p]] = p;
  cs_di_free(order);
  return position;
}

// the upper triangle by columns: of each the blocks above the diagonal, then that on it
static void make_matrix(Cholesky *c, const KeyIndex *rows, const PairIndex *blocks, Arena *scratch)
{
  const int *position = order_rows(rows, c->rows, blocks, c->blocks, scratch);
  for (int i = 0; i < c->rows; i++) c->position[rows[i].index] = position[i];
  const size_t entries = (size_t)c->blocks + 1;
  int *start = arena_allocate_zero(scratch, (size_t)c->rows + 1, sizeof *start);
  int *row = arena_allocate(scratch, entries * sizeof *row);
  int *column = arena_allocate(scratch, entries * sizeof *column);
  int *above = arena_allocate(scratch, entries * sizeof *above);
  for (int b = 0; b < c->blocks; b++) {
    const KeyPair pair = blocks[b].pair;
    const int p = position[find_row(rows, c->rows, pair.row)];
    const int q = position[find_row(rows, c->rows, pair.column)];
    above[b] = p < q ? p : q;
    column[b] = p < q ? q : p;
    start[column[b] + 1]++;
    c->target[blocks[b].index] = (BlockTarget){.diagonal = p == q, .flipped = p > q};
  }
  for (int j = 0; j < c->rows; j++) start[j + 1] += start[j];
  int *next = arena_allocate(scratch, ((size_t)c->rows + 1) * sizeof *next);
  memcpy(next, start, (size_t)c->rows * sizeof *next);
  for (int b = 0; b < c->blocks; b++) {
    BlockTarget *target = &c->target[blocks[b].index];
    target->place = target->diagonal ? start[column[b] + 1] - 1 : next[column[b]]++;
    row[target->place] = above[b];
  }
  c->factor = block_factor_new(c->rows, start, row);
}

static Cholesky *begin(const BlockSpace *space, const BlockMatrix *a, Arena *scratch)
{
  Cholesky *c = memory_allocate_zero(1, sizeof *c);
  c->store = arena_new();

  // everybody's pattern
  Arena *store = &c->store;
  const size_t most = (size_t)a->start[space->own] + 1, size = (size_t)par_size();
  c->own_rows = space->own;
  c->own_key = arena_allocate(store, ((size_t)space->own + 1) * sizeof *c->own_key);
  if (space->own) memcpy(c->own_key, space->key, (size_t)space->own * sizeof *c->own_key);
  c->own_pair = arena_allocate(store, most * sizeof *c->own_pair);
  c->own_value = arena_allocate(store, most * sizeof *c->own_value);
  c->own_blocks = list_blocks(space, a, c->own_pair, c->own_value);
  c->row_first = arena_allocate(store, (size + 1) * sizeof *c->row_first);
  int *first_block = arena_allocate(scratch, (size + 1) * sizeof *first_block);
  const uint64_t *keys =
      amg_plan_gather(c->own_key, c->own_rows, sizeof *keys, c->row_first, scratch);
  const KeyPair *pairs =
      amg_plan_gather(c->own_pair, c->own_blocks, sizeof *pairs, first_block, scratch);
  c->rows = c->row_first[size];
  c->blocks = first_block[size];

  KeyIndex *rows = arena_allocate(scratch, ((size_t)c->rows + 1) * sizeof *rows);
  PairIndex *blocks = arena_allocate(scratch, ((size_t)c->blocks + 1) * sizeof *blocks);
  for (int i = 0; i < c->rows; i++) rows[i] = (KeyIndex){keys[i], i};
  for (int b = 0; b < c->blocks; b++) blocks[b] = (PairIndex){pairs[b], b};
  if (c->rows) qsort(rows, (size_t)c->rows, sizeof *rows, compare_key_indices);
  if (c->blocks) qsort(blocks, (size_t)c->blocks, sizeof *blocks, compare_pair_indices);
  const size_t room = (size_t)c->rows + 1;
  c->position = arena_allocate(store, room * sizeof *c->position);
  c->target = arena_allocate(store, ((size_t)c->blocks + 1) * sizeof *c->target);
  c->numbers = arena_allocate_zero(store, ((size_t)c->blocks + 1) * BLOCK_SIZE, sizeof *c->numbers);
  c->solution = arena_allocate(store, room * BLOCK * sizeof *c->solution);
  make_matrix(c, rows, blocks, scratch);
  return c;
}

static bool same_pattern(const Cholesky *c, const BlockSpace *space, const BlockMatrix *a,
                         Arena *scratch)
{
  if (c->own_rows != space->own) return false;
  const size_t room = (size_t)a->start[space->own] + 1;
  KeyPair *pairs = arena_allocate(scratch, room * sizeof *pairs);
  int *values = arena_allocate(scratch, room * sizeof *values);
  const int count = list_blocks(space, a, pairs, values);
  if (count != c->own_blocks) return false;
  for (int i = 0; i < space->own; i++)
    if (c->own_key[i] != space->key[i]) return false;
  for (int b = 0; b < count; b++)
    if (pairs[b].row != c->own_pair[b].row || pairs[b].column != c->own_pair[b].column ||
        values[b] != c->own_value[b])
      return false;
  return true;
}

// everybody's blocks; false: a number is not finite
static bool fill(Cholesky *c, const BlockMatrix *a, Arena *scratch)
{
  assert(a->value != NULL && "the matrix has its values");
  const size_t bytes = BLOCK_SIZE * sizeof(double);
  double *own = arena_allocate(scratch, ((size_t)c->own_blocks + 1) * bytes);
  for (int b = 0; b < c->own_blocks; b++)
    memcpy(own + (size_t)BLOCK_SIZE * (size_t)b,
           a->value + (size_t)BLOCK_SIZE * (size_t)c->own_value[b], bytes);
  int *first = arena_allocate(scratch, ((size_t)par_size() + 1) * sizeof *first);
  const double *all = amg_plan_gather(own, c->own_blocks, bytes, first, scratch);

  bool finite = true;
  for (int b = 0; b < c->blocks; b++) {
    const double *block = all + (size_t)BLOCK_SIZE * (size_t)b;
    const BlockTarget t = c->target[b];
    double *x = c->numbers + (size_t)BLOCK_SIZE * (size_t)t.place;
    for (int r = 0; r < BLOCK; r++)
      for (int s = t.diagonal ? r : 0; s < BLOCK; s++) {
        x[BLOCK * r + s] = t.flipped ? block[BLOCK * s + r] : block[BLOCK * r + s];
        finite &= isfinite(x[BLOCK * r + s]) != 0;
      }
  }
  return finite;
}

Cholesky *cholesky_analyse(const BlockSpace *space, const BlockMatrix *a, Cholesky *reuse,
                           Arena *arena)
{
  assert(space != NULL && a != NULL && arena != NULL && "a matrix over a space");
  const ArenaMark mark = arena_mark(arena);
  Cholesky *c = reuse;
  if (par_any(!reuse || !same_pattern(reuse, space, a, arena))) {
    cholesky_destroy(reuse);
    c = begin(space, a, arena);
  }
  arena_release(arena, mark);
  return c;
}

Cholesky *cholesky_new(const BlockSpace *space, const BlockMatrix *a, Cholesky *reuse, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  Cholesky *c = cholesky_analyse(space, a, reuse, arena);

  // all ranks do the same with the same numbers
  if (!par_all(fill(c, a, arena) && block_factor_make(c->factor, c->numbers))) {
    cholesky_destroy(c);
    c = NULL;
  }
  arena_release(arena, mark);
  return c;
}

void cholesky_destroy(Cholesky *c)
{
  if (!c) return;
  block_factor_destroy(c->factor);
  arena_destroy(&c->store);
  memory_free(c);
}

double cholesky_work(const Cholesky *c)
{
  const double numbers = (double)block_factor_numbers(c->factor);
  return c->rows > 0 ? numbers * numbers / (BLOCK * (double)c->rows) : 0;
}

int64_t cholesky_numbers(const Cholesky *c) { return block_factor_numbers(c->factor); }

void cholesky_solve(const Cholesky *c, const BlockSpace *space, const double *b, double *x,
                    Arena *arena)
{
  assert(c->own_rows == space->own && "the factors are of this space");
  assert(b != NULL && x != NULL && "both vectors are given");
  const ArenaMark mark = arena_mark(arena);
  const size_t bytes = BLOCK * sizeof(double);
  int *first = arena_allocate(arena, ((size_t)par_size() + 1) * sizeof *first);
  const double *all = amg_plan_gather(b, c->own_rows, bytes, first, arena);
  for (int i = 0; i < c->rows; i++)
    memcpy(c->solution + (size_t)BLOCK * (size_t)c->position[i], all + (size_t)BLOCK * (size_t)i,
           bytes);
  block_factor_solve(c->factor, c->solution);
  const int *position = c->position + c->row_first[par_rank()];
  for (int i = 0; i < c->own_rows; i++)
    memcpy(x + (size_t)BLOCK * (size_t)i, c->solution + (size_t)BLOCK * (size_t)position[i], bytes);
  halo_refresh(&space->plan, x, bytes, arena);
  arena_release(arena, mark);
}
