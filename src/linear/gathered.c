// Patterns and numbers of all ranks, in order of key; minimum degree gives the order of
// elimination.
#include "gathered.h"

#include <assert.h>
#include <cs.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amg_plan.h"
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

struct Gathered {
  Arena store;
  int rows, blocks;
  int *row_first;             // [ranks + 1] where a rank's rows begin among those gathered
  int *position;              // [rows] in the order of elimination, of each gathered row
  BlockTarget *target;        // [blocks] of each gathered block
  int *start, *row;           // upper triangle in the order of elimination
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
static void make_matrix(Gathered *c, const KeyIndex *rows, const PairIndex *blocks, Arena *scratch)
{
  const int *position = order_rows(rows, c->rows, blocks, c->blocks, scratch);
  for (int i = 0; i < c->rows; i++) c->position[rows[i].index] = position[i];
  const size_t entries = (size_t)c->blocks + 1;
  int *start = arena_allocate_zero(&c->store, (size_t)c->rows + 1, sizeof *start);
  int *row = arena_allocate(&c->store, entries * sizeof *row);
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
  c->start = start;
  c->row = row;
}

static Gathered *begin(const BlockSpace *space, const BlockMatrix *a, Arena *scratch)
{
  Gathered *c = memory_allocate_zero(1, sizeof *c);
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
  make_matrix(c, rows, blocks, scratch);
  return c;
}

static bool same_pattern(const Gathered *c, const BlockSpace *space, const BlockMatrix *a,
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

bool gathered_fits(const Gathered *g, const BlockSpace *space, const BlockMatrix *a, Arena *arena)
{
  assert(space != NULL && a != NULL && arena != NULL && "a matrix over a space");
  const ArenaMark mark = arena_mark(arena);
  const bool fits = par_all(g && same_pattern(g, space, a, arena));
  arena_release(arena, mark);
  return fits;
}

Gathered *gathered_new(const BlockSpace *space, const BlockMatrix *a, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  Gathered *g = begin(space, a, arena);
  arena_release(arena, mark);
  return g;
}

void gathered_destroy(Gathered *g)
{
  if (!g) return;
  arena_destroy(&g->store);
  memory_free(g);
}

GatheredPattern gathered_pattern(const Gathered *g)
{
  return (GatheredPattern){g->rows, g->blocks, g->start, g->row};
}

// Everybody's blocks of some numbers, in the order of gathering.
static const double *gather_blocks(const Gathered *g, const double *value, Arena *scratch)
{
  const size_t bytes = BLOCK_SIZE * sizeof(double);
  double *own = arena_allocate(scratch, ((size_t)g->own_blocks + 1) * bytes);
  for (int b = 0; b < g->own_blocks; b++)
    memcpy(own + (size_t)BLOCK_SIZE * (size_t)b,
           value + (size_t)BLOCK_SIZE * (size_t)g->own_value[b], bytes);
  int *first = arena_allocate(scratch, ((size_t)par_size() + 1) * sizeof *first);
  return amg_plan_gather(own, g->own_blocks, bytes, first, scratch);
}

// X = A or its transpose, of a diagonal block from the diagonal on where that is all there is.
static bool put_block(double *x, const double *block, bool transposed, bool half)
{
  bool finite = true;
  for (int r = 0; r < BLOCK; r++)
    for (int s = half ? r : 0; s < BLOCK; s++) {
      x[BLOCK * r + s] = transposed ? block[BLOCK * s + r] : block[BLOCK * r + s];
      finite &= isfinite(x[BLOCK * r + s]) != 0;
    }
  return finite;
}

bool gathered_fill(const Gathered *g, const BlockMatrix *a, GatheredNumbers numbers, Arena *arena)
{
  assert(a->value != NULL && numbers.above != NULL && "the matrix has its values and room");
  const ArenaMark mark = arena_mark(arena);
  const double *values = gather_blocks(g, a->value, arena);
  const double *mirrors = numbers.mirror ? gather_blocks(g, numbers.mirror, arena) : values;
  bool finite = true;
  for (int b = 0; b < g->blocks; b++) {
    const BlockTarget t = g->target[b];
    const size_t from = (size_t)BLOCK_SIZE * (size_t)b, to = (size_t)BLOCK_SIZE * (size_t)t.place;
    const double *value = values + from, *image = t.diagonal ? value : mirrors + from;
    if (!numbers.mirror) {
      finite &= put_block(numbers.above + to, value, t.flipped, t.diagonal);
      continue;
    }
    finite &= put_block(numbers.above + to, t.flipped ? image : value, false, false);
    finite &= put_block(numbers.below + to, t.flipped ? value : image, true, false);
  }
  arena_release(arena, mark);
  return finite;
}

void gathered_collect(const Gathered *g, const double *b, double *all, Arena *arena)
{
  assert(b != NULL && all != NULL && "both vectors are given");
  const ArenaMark mark = arena_mark(arena);
  const size_t bytes = BLOCK * sizeof(double);
  int *first = arena_allocate(arena, ((size_t)par_size() + 1) * sizeof *first);
  const double *gathered = amg_plan_gather(b, g->own_rows, bytes, first, arena);
  for (int i = 0; i < g->rows; i++)
    memcpy(all + (size_t)BLOCK * (size_t)g->position[i], gathered + (size_t)BLOCK * (size_t)i,
           bytes);
  arena_release(arena, mark);
}

void gathered_return(const Gathered *g, const BlockSpace *space, const double *all, double *x,
                     Arena *arena)
{
  assert(g->own_rows == space->own && "the pattern is of this space");
  const size_t bytes = BLOCK * sizeof(double);
  const int *position = g->position + g->row_first[par_rank()];
  for (int i = 0; i < g->own_rows; i++)
    memcpy(x + (size_t)BLOCK * (size_t)i, all + (size_t)BLOCK * (size_t)position[i], bytes);
  halo_refresh(&space->plan, x, bytes, arena);
}
