// Multigrid by smoothed aggregation for systems of 6x6 blocks: levels, cycle, smoother.
#include "amg.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amg_level.h"
#include "block_kernel.h"
#include "memory.h"

#define COARSEST_ROWS 24     // solved by dense factors
#define COARSE_FLOOR 1e-13   // pivots that rounding in coarse products may have made up

static void *copy_of(const void *bytes, size_t count, Arena *arena)
{
  void *copy = arena_allocate(arena, count);
  if (count) memcpy(copy, bytes, count);
  return copy;
}

static bool same(const void *a, const void *b, size_t bytes)
{
  return bytes == 0 || memcmp(a, b, bytes) == 0;
}

static bool same_pattern(const Amg *amg, const BlockSpace *space, const BlockMatrix *a)
{
  if (amg->space.own != space->own || amg->space.count != space->count) return false;
  const size_t own = (size_t)space->own, count = (size_t)space->count;
  if (!same(amg->pattern_start, a->start, (own + 1) * sizeof(int))) return false;
  return same(amg->pattern_column, a->column, (size_t)a->start[own] * sizeof(int)) &&
         same(amg->pattern_key, space->key, count * sizeof(uint64_t)) &&
         same(amg->pattern_rank, space->rank, (count - own) * sizeof(int));
}

// rows of the matrix and the couplings with higher keys; where their blocks are
static void begin_draft(Amg *amg, const BlockSpace *space, const BlockMatrix *a, Arena *scratch)
{
  assert(space->own >= 0 && space->own <= space->count && "own rows come first");
  assert(a->start[0] == 0 && "the first row begins with the first block");
  Arena *arena = &amg->store;
  const size_t own = (size_t)space->own, count = (size_t)space->count;
  const size_t blocks = (size_t)a->start[own];
  amg->pattern_start = copy_of(a->start, (own + 1) * sizeof(int), arena);
  amg->pattern_column = copy_of(a->column, blocks * sizeof(int), arena);
  amg->pattern_key = copy_of(space->key, count * sizeof(uint64_t), arena);
  amg->pattern_rank = copy_of(space->rank, (count - own) * sizeof(int), arena);
  int *diagonal_at = arena_allocate(arena, (own + 1) * sizeof(int));
  int *entry_at = arena_allocate(arena, (blocks + 1) * sizeof(int));
  int *entry_start = arena_allocate(arena, (own + 1) * sizeof(int));
  LevelDraft *draft = &amg->drafts[0];
  *draft = (LevelDraft){.own = space->own,
                        .key = amg->pattern_key,
                        .diagonal_at = diagonal_at,
                        .entry_at = entry_at,
                        .entry_start = entry_start};
  draft->entry = arena_allocate(scratch, (blocks + 1) * sizeof *draft->entry);
  for (int i = 0; i < space->own; i++) {
    assert((i == 0 || space->key[i - 1] < space->key[i]) && "rows are not in order of key");
    diagonal_at[i] = -1;
    entry_start[i] = draft->count;
    for (int e = a->start[i]; e < a->start[i + 1]; e++) {
      const int j = a->column[e];
      assert((e == a->start[i] || space->key[a->column[e - 1]] < space->key[j]) &&
             "columns are not in order of key");
      if (j == i) diagonal_at[i] = e;
      if (space->key[j] <= space->key[i]) continue;
      const int rank = j < space->own ? par_rank() : space->rank[j - space->own];
      entry_at[draft->count] = e;
      draft->entry[draft->count++] = (DraftEntry){space->key[i], space->key[j], rank};
    }
    assert(diagonal_at[i] >= 0 && "a row without a diagonal block");
  }
  entry_start[space->own] = draft->count;
}

// of the cycle
static void allocate_level(Level *level, int received, Arena *arena)
{
  assert(received >= 0 && level->own <= level->count && "rows of others come after own ones");
  const size_t rows = (size_t)level->count + (size_t)received + 1;
  float **const vectors[] = {&level->x, &level->b, &level->r, &level->d, &level->product};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    *vectors[k] = arena_allocate_zero(arena, rows, SINGLE_ROW * sizeof(float));
  level->coupling = arena_allocate(arena, ((size_t)level->start[level->count] + 1) * BLOCK_SIZE *
                                              sizeof *level->coupling);
}

// of the making
static void allocate_numbers(Level *level, Arena *arena)
{
  assert(level->start != NULL && "a level has its pattern before its numbers");
  const size_t rows = (size_t)level->count + 1, block = BLOCK_SIZE * sizeof(double);
  level->factor = arena_allocate(arena, rows * TRIANGLE_SIZE * sizeof(double));
  level->inverse = arena_allocate(arena, rows * TRIANGLE_SIZE * sizeof(double));
  level->block = arena_allocate(arena, ((size_t)level->start[level->count] + 1) * block);
}

// whether rows of a level are coupled, anywhere
static bool is_coupled(const Level *level) { return level->entries > 0; }

static void coarsen(Amg *amg, int depth, Arena *scratch)
{
  assert(depth >= 0 && depth + 1 < AMG_MOST_LEVELS && "there is room for a coarser level");
  Level *level = &amg->levels[depth];
  Transfer *transfer = &amg->transfers[depth];
  LevelDraft *draft = &amg->drafts[depth + 1];
  const Aggregation aggregation = amg_level_aggregate(level, depth, scratch);
  *draft = amg_transfer_begin(transfer, level, &aggregation, &amg->store, scratch);
  draft->shared = level->shared;

  const size_t entries = (size_t)transfer->start[level->own];
  Aggregate *rows_of_others = arena_allocate(scratch, (entries + 1) * sizeof *rows_of_others);
  const WantedRows wanted = {
      .all = !level->shared && par_sum(draft->own) <= amg->shared_rows,
      .count = amg_transfer_wanted(transfer, rows_of_others),
      .rows = rows_of_others,
  };
  Level *coarse = &amg->levels[depth + 1];
  amg_level_begin(coarse, draft, &wanted, &amg->store, scratch);
  amg_transfer_join(transfer, coarse, &amg->store);
  const int rows = level->count + transfer->received;
  transfer->scaled = arena_allocate(&amg->store, ((size_t)transfer->start[rows] + 1) * BLOCK_SIZE *
                                                     sizeof *transfer->scaled);
}

static Amg *begin(const BlockSpace *space, const BlockMatrix *a, int shared_rows, Arena *scratch)
{
  Amg *amg = memory_allocate_zero(1, sizeof *amg);
  amg->shared_rows = shared_rows;
  amg->store = arena_new();
  amg->scratch = arena_new();
  amg->space = *space;
  const ArenaMark begun = arena_mark(scratch);
  begin_draft(amg, space, a, scratch);
  const WantedRows wanted = {.all = par_sum(space->own) <= shared_rows};
  amg_level_begin(&amg->levels[0], &amg->drafts[0], &wanted, &amg->store, scratch);
  int depth = 0;
  for (;; depth++) {
    Level *level = &amg->levels[depth];
    const ArenaMark mark = arena_mark(scratch);
    const bool small = level->shared && level->own <= COARSEST_ROWS;
    const bool last = small || !is_coupled(level);
    assert((last || depth + 1 < AMG_MOST_LEVELS) && "levels do not halve");
    if (!last) coarsen(amg, depth, scratch);
    allocate_level(level, amg->transfers[depth].received, &amg->store);
    if (depth == 0) allocate_numbers(level, &amg->store);
    arena_release(scratch, mark);
    if (!last) continue;
    const size_t n = (size_t)BLOCK * (size_t)level->own;
    if (is_coupled(level)) amg->dense = arena_allocate(&amg->store, n * n * sizeof *amg->dense);
    amg->dense_rows = arena_allocate(&amg->store, n * sizeof *amg->dense_rows);
    break;
  }
  amg->level_count = depth + 1;
  arena_release(scratch, begun);
  for (int l = 0; l <= depth; l++) amg->drafts[l].entry = NULL;
  return amg;
}

// L L' of the last level, lower triangle by columns; pivots as in block_cholesky
static void fill_dense(double *dense, const Level *level)
{
  assert((level->shared || level->own == level->count) && "the last level is whole on every rank");
  const int n = BLOCK * level->own;
  const size_t height = (size_t)n;
  memset(dense, 0, height * height * sizeof *dense);
  for (int j = 0; j < n; j++) dense[(size_t)j * height + (size_t)j] = 1;
  for (int i = 0; i < level->own; i++)
    for (int e = level->start[i]; e < level->start[i + 1]; e++)
      for (int c = 0; c < BLOCK_SIZE; c++) {
        const int row = BLOCK * level->column[e] + c / BLOCK, column = BLOCK * i + c % BLOCK;
        dense[(size_t)column * height + (size_t)row] = block_of(level->block, e)[c];
      }
  for (int j = 0; j < n; j++) {
    double *pivot = dense + (size_t)j * height;
    const double root = pivot[j] > COARSE_FLOOR ? sqrt(pivot[j]) : 1;
    pivot[j] = root;
    for (int i = j + 1; i < n; i++) pivot[i] /= root;
    for (int k = j + 1; k < n; k++) {
      double *column = dense + (size_t)k * height;
      const double f = pivot[k];
      if (f == 0) continue;
      for (int i = k; i < n; i++) column[i] -= f * pivot[i];
    }
  }
}

static bool fill(Amg *amg, const BlockSpace *space, const BlockMatrix *a, Arena *scratch)
{
  assert(amg->level_count > 0 && amg->level_count <= AMG_MOST_LEVELS && "levels are in their room");
  amg->drafts[0].matrix = a;
  amg->drafts[0].place = copy_of(space->place, (size_t)space->own * sizeof(vec3), scratch);
  const int last = amg->level_count - 1;
  for (int l = 0; l <= last; l++) {
    Level *level = &amg->levels[l];
    if (l > 0) allocate_numbers(level, scratch);
    level->place = arena_allocate(scratch, ((size_t)level->count + 1) * sizeof *level->place);
    const bool whole = amg_level_fill(level, &amg->drafts[l], l == 0 ? 0 : COARSE_FLOOR, scratch);
    amg->drafts[l].matrix = NULL;
    if (l == 0 && !whole) return false;
    if (l > 0) amg_transfer_scale(&amg->transfers[l - 1], level);
    if (l == last) break;
    amg_level_bound(level, l, scratch);
    amg_transfer_fill(&amg->transfers[l], level, &amg->drafts[l + 1], scratch);
  }
  if (amg->dense) fill_dense(amg->dense, &amg->levels[last]);
  return true;
}

Amg *amg_new(const BlockSpace *space, const BlockMatrix *a, Amg *reuse, Arena *arena)
{
  const int rows = par_size() < AMG_SHARED_ROWS / AMG_SHARED_PER_RANK
                       ? AMG_SHARED_PER_RANK * par_size()
                       : AMG_SHARED_ROWS;
  return amg_new_shared(space, a, rows, reuse, arena);
}

Amg *amg_new_shared(const BlockSpace *space, const BlockMatrix *a, int shared_rows, Amg *reuse,
                    Arena *arena)
{
  assert(space != NULL && a != NULL && arena != NULL && "a matrix over a space");
  assert((a->value != NULL || a->make_row != NULL) && "a matrix has its rows or makes them");
  if (shared_rows < COARSEST_ROWS) shared_rows = COARSEST_ROWS;
  const ArenaMark mark = arena_mark(arena);
  Amg *amg = reuse;
  if (par_any(!reuse || reuse->shared_rows != shared_rows || !same_pattern(reuse, space, a))) {
    amg_destroy(reuse);
    amg = begin(space, a, shared_rows, arena);
  }
  amg->space = *space;
  if (!fill(amg, space, a, arena)) {
    amg_destroy(amg);
    amg = NULL;
  }
  arena_release(arena, mark);
  return amg;
}

void amg_destroy(Amg *amg)
{
  if (!amg) return;
  arena_destroy(&amg->store);
  arena_destroy(&amg->scratch);
  memory_free(amg);
}

void amg_apply(Amg *amg, const double *r, double *z)
{
  assert(r != NULL && z != NULL && "both vectors are given");
  Level *top = &amg->levels[0];
  const ArenaMark mark = arena_mark(&amg->scratch);
  const size_t row_bytes = BLOCK * sizeof(double);
  double *scaled = arena_allocate(&amg->scratch, ((size_t)top->own + 1) * row_bytes);
  amg_level_take(top, r, row_bytes, scaled);
  amg_level_scale(top, scaled, scaled);
  double largest = 0;
  for (int i = 0; i < BLOCK * top->own; i++) par_raise(&largest, fabs(scaled[i]));
  amg_cycle(amg, scaled, amg_level_max(top, largest), scaled);
  amg_level_unscale(top, scaled, scaled);
  amg_level_unload(top, scaled, row_bytes, z);
  arena_release(&amg->scratch, mark);
}

AmgReport amg_report(const Amg *amg)
{
  assert(amg->level_count > 0 && "there is a first level");
  AmgReport report = {.levels = amg->level_count};
  for (int l = 0; l < amg->level_count; l++) {
    report.rows[l] = amg->levels[l].rows;
    report.blocks[l] = amg->levels[l].entries;
  }
  return report;
}
