// The pattern of the interpolation, of its products, and of the coarser level's draft.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "amg_level.h"

#include "check.h"
#include "search.h"

// All aggregates that a rank knows of, by key.
typedef struct {
  int count;
  Aggregate *cell;
} Wide;

// Rows of aggregates as they are found.
typedef struct {
  int *start;
  int *wide;
  int room;
} WideRows;

static int compare_cells(const void *a, const void *b)
{
  const Aggregate *p = a, *q = b;
  return (p->key > q->key) - (p->key < q->key);
}

// in place, by insertion: rows are short
static void sort_row(int *values, int count)
{
  assert_debug(count >= 0 && "columns are counted");
  for (int i = 1; i < count; i++) {
    const int value = values[i];
    int k = i;
    for (; k > 0 && values[k - 1] > value; k--) values[k] = values[k - 1];
    values[k] = value;
  }
}

static int wide_find(const Wide *wide, uint64_t key)
{
  const Aggregate wanted = {.key = key};
  const int at =
      (int)search_rows(wide->cell, wide->count, sizeof *wide->cell, &wanted, compare_cells);
  assert(at < wide->count && wide->cell[at].key == key && "an aggregate nobody told of");
  return at;
}

// adds cells (rank -1: none) and gives entries their new numbers
static void wide_extend(Wide *wide, const Aggregate *cells, int count, WideRows *const *rows,
                        const int *entry_counts, int rows_count, Arena *arena)
{
  assert(count >= 0 && wide->count >= 0 && "aggregates are counted");
  Aggregate *all = arena_allocate(arena, ((size_t)wide->count + (size_t)count + 1) * sizeof *all);
  int total = wide->count;
  if (total) memcpy(all, wide->cell, (size_t)total * sizeof *all);
  for (int i = 0; i < count; i++)
    if (cells[i].rank >= 0) all[total++] = cells[i];
  if (total > 1) qsort(all, (size_t)total, sizeof *all, compare_cells);
  const Wide old = *wide;
  *wide = (Wide){0, all};
  for (int i = 0; i < total; i++)
    if (i == 0 || all[i].key != all[wide->count - 1].key) all[wide->count++] = all[i];
  if (wide->count == old.count) return;

  int *now = arena_allocate(arena, ((size_t)old.count + 1) * sizeof *now);
  for (int i = 0; i < old.count; i++) now[i] = wide_find(wide, old.cell[i].key);
  for (int k = 0; k < rows_count; k++)
    for (int e = 0; e < entry_counts[k]; e++) rows[k]->wide[e] = now[rows[k]->wide[e]];
}

static void rows_reserve(WideRows *rows, int count, Arena *arena)
{
  assert_debug(count >= 0 && rows->room >= 0 && "entries are counted");
  rows->wide = arena_grow(arena, rows->wide, count, &rows->room, sizeof *rows->wide);
}

// an interpolated row reaches its own aggregate and those of its neighbours
static void find_interpolation(WideRows *p, const Level *level, const int *of_row, int wide_count,
                               Arena *scratch)
{
  assert(wide_count >= 0 && of_row != NULL && "rows have aggregates");
  int *seen = arena_allocate(scratch, ((size_t)wide_count + 1) * sizeof *seen);
  for (int w = 0; w < wide_count; w++) seen[w] = -1;
  int count = 0;
  for (int i = 0; i < level->own; i++) {
    p->start[i] = count;
    if (level->alone[i]) continue;
    rows_reserve(p, count + 1 + level->full_start[i + 1] - level->full_start[i], scratch);
    seen[of_row[i]] = i;
    p->wide[count++] = of_row[i];
    for (int e = level->full_start[i]; e < level->full_start[i + 1]; e++) {
      const int w = of_row[level->full_column[e]];
      if (seen[w] == i) continue;
      seen[w] = i;
      p->wide[count++] = w;
    }
    sort_row(p->wide + p->start[i], count - p->start[i]);
  }
  p->start[level->own] = count;
}

// a row of A P reaches what its own and its neighbours' rows of P reach
static void find_product(WideRows *product, const WideRows *p, const Level *level, int wide_count,
                         Arena *scratch)
{
  assert(wide_count >= 0 && p->start != NULL && "rows of P come first");
  int *seen = arena_allocate(scratch, ((size_t)wide_count + 1) * sizeof *seen);
  for (int w = 0; w < wide_count; w++) seen[w] = -1;
  int count = 0;
  for (int i = 0; i < level->own; i++) {
    product->start[i] = count;
    for (int e = level->full_start[i] - 1; e < level->full_start[i + 1]; e++) {
      const int j = e < level->full_start[i] ? i : level->full_column[e];
      rows_reserve(product, count + p->start[j + 1] - p->start[j], scratch);
      for (int f = p->start[j]; f < p->start[j + 1]; f++) {
        const int w = p->wide[f];
        if (seen[w] == i) continue;
        seen[w] = i;
        product->wide[count++] = w;
      }
    }
    sort_row(product->wide + product->start[i], count - product->start[i]);
  }
  product->start[level->own] = count;
}

// lengths of rows received by a plan, then their cells behind those known; first: row they begin at
static HaloPlan receive_rows(WideRows *rows, int own, int first, int received,
                             const HaloPlan *row_plan, const Wide *wide, Aggregate **cells,
                             Arena *arena, Arena *scratch)
{
  assert(own <= first && received >= 0 && "received rows come after own ones");
  int *length = arena_allocate(scratch, ((size_t)first + (size_t)received + 1) * sizeof *length);
  for (int i = 0; i < own; i++) length[i] = rows->start[i + 1] - rows->start[i];
  halo_refresh(row_plan, length, sizeof *length, scratch);
  for (int i = first; i < first + received; i++) rows->start[i + 1] = rows->start[i] + length[i];
  const int before = rows->start[first], total = rows->start[first + received];
  rows_reserve(rows, total, scratch);
  const HaloPlan plan = amg_plan_of_entries(row_plan, rows->start, arena);
  Aggregate *all = arena_allocate(scratch, ((size_t)total + 1) * sizeof *all);
  for (int e = 0; e < before; e++) all[e] = wide->cell[rows->wide[e]];
  halo_refresh(&plan, all, sizeof *all, scratch);
  *cells = all;
  return plan;
}

static void number_received(WideRows *rows, int first, int received, const Aggregate *cells,
                            const Wide *wide)
{
  assert(first >= 0 && received >= 0 && "received rows come after own ones");
  for (int e = rows->start[first]; e < rows->start[first + received]; e++)
    rows->wide[e] = wide_find(wide, cells[e].key);
}

// rows of P and A P go to the owners of the aggregates they reach
static HaloPlan send_rows(Transfer *t, const Level *level, const WideRows *p, const Wide *wide,
                          uint64_t **keys, Arena *arena, Arena *scratch)
{
  if (level->shared) {
    *keys = NULL;
    return amg_plan_empty(arena);
  }
  const int entries = p->start[level->own];
  PlanSend *sends = arena_allocate(scratch, ((size_t)entries + 1) * sizeof *sends);
  int count = 0;
  for (int i = 0; i < level->own; i++) {
    const int first = count;
    for (int e = p->start[i]; e < p->start[i + 1]; e++) {
      const int rank = wide->cell[p->wide[e]].rank;
      int k = first;
      while (k < count && sends[k].rank != rank) k++;
      if (rank != par_rank() && k == count) sends[count++] = (PlanSend){rank, i};
    }
  }
  const PlanItems received = amg_plan_exchange(sends, count, level->key, sizeof *level->key, arena);
  t->received = received.count;
  *keys = received.item;
  for (int k = 0; k < received.count; k++) received.plan.receive_rows[k] = level->own + k;
  return received.plan;
}

// own and received rows by key
static void order_rows(Transfer *t, const Level *level, const uint64_t *keys, Arena *arena,
                       Arena *scratch)
{
  assert(t->received >= 0 && (keys != NULL || t->received == 0) && "received rows have keys");
  Aggregate *far = arena_allocate(scratch, ((size_t)t->received + 1) * sizeof *far);
  for (int k = 0; k < t->received; k++) far[k] = (Aggregate){keys[k], level->own + k, 0};
  if (t->received > 1) qsort(far, (size_t)t->received, sizeof *far, compare_cells);
  const int rows = level->own + t->received;
  t->restrict_order = arena_allocate(arena, ((size_t)rows + 1) * sizeof(int));
  for (int n = 0, i = 0, k = 0; n < rows; n++) {
    const bool own = k >= t->received || (i < level->own && level->key[i] < far[k].key);
    t->restrict_order[n] = own ? i++ : far[k++].rank;
  }
}

// row of P of an own or received row
static int p_row(const Transfer *t, int row) { return row < t->own ? row : row + t->near; }

// for each own aggregate the rows of A P that go into its row
typedef struct {
  int *start, *row;
} Reach;

static Reach find_reach(const Transfer *t, int aggregates, Arena *scratch)
{
  assert(aggregates >= 0 && "own aggregates are counted");
  const int rows = t->own + t->received;
  Reach reach = {.start = arena_allocate_zero(scratch, (size_t)aggregates + 1, sizeof(int))};
  int *at = arena_allocate(scratch, ((size_t)aggregates + 1) * sizeof *at);
  for (int pass = 0; pass < 2; pass++) {
    for (int row = 0; row < rows; row++) {
      const int p = p_row(t, row);
      for (int e = t->start[p]; e < t->start[p + 1]; e++) {
        const int c = t->coarse_of_wide[t->wide[e]];
        if (c < 0) continue;
        if (pass == 0) reach.start[c + 1]++;
        else reach.row[at[c]++] = row;
      }
    }
    if (pass == 1) break;
    for (int c = 0; c < aggregates; c++) reach.start[c + 1] += reach.start[c];
    memcpy(at, reach.start, ((size_t)aggregates + 1) * sizeof *at);
    reach.row = arena_allocate(scratch, ((size_t)reach.start[aggregates] + 1) * sizeof(int));
  }
  return reach;
}

// couplings of own aggregates with those of higher keys
static void find_coarse(Transfer *t, const Wide *wide, LevelDraft *draft, Arena *arena,
                        Arena *scratch)
{
  const Reach reach = find_reach(t, draft->own, scratch);
  int *seen = arena_allocate(scratch, ((size_t)wide->count + 1) * sizeof *seen);
  for (int w = 0; w < wide->count; w++) seen[w] = -1;
  WideRows coarse = {.start = arena_allocate(arena, ((size_t)draft->own + 1) * sizeof(int))};
  int count = 0, c = 0;
  for (int w = 0; w < wide->count; w++) {
    if (t->coarse_of_wide[w] < 0) continue;
    coarse.start[c] = count;
    for (int k = reach.start[c]; k < reach.start[c + 1]; k++) {
      const int row = reach.row[k];
      rows_reserve(&coarse, count + t->product_start[row + 1] - t->product_start[row], scratch);
      for (int e = t->product_start[row]; e < t->product_start[row + 1]; e++) {
        const int other = t->product_wide[e];
        if (other <= w || seen[other] == c) continue;
        seen[other] = c;
        coarse.wide[count++] = other;
      }
    }
    sort_row(coarse.wide + coarse.start[c], count - coarse.start[c]);
    draft->key[c++] = wide->cell[w].key;
  }
  coarse.start[c] = count;

  t->coarse_start = coarse.start;
  t->coarse_wide = arena_allocate(arena, ((size_t)count + 1) * sizeof(int));
  if (count) memcpy(t->coarse_wide, coarse.wide, (size_t)count * sizeof(int));
  draft->count = count;
  draft->entry = arena_allocate(scratch, ((size_t)count + 1) * sizeof *draft->entry);
  for (c = 0; c < draft->own; c++)
    for (int e = coarse.start[c]; e < coarse.start[c + 1]; e++) {
      const Aggregate other = wide->cell[coarse.wide[e]];
      draft->entry[e] = (DraftEntry){draft->key[c], other.key, other.rank};
    }
}

// room for the rows of A P that are sent or received
static void store_products(Transfer *t, const Level *level, const WideRows *product, Arena *arena)
{
  const HaloPlan *plan = &t->far_row_plan;
  const int rows = level->own + t->received;
  int *start = arena_allocate_zero(arena, (size_t)rows + 1, sizeof *start);
  for (int k = 0; k < plan->send_start[plan->neighbour_count]; k++)
    start[plan->send_rows[k] + 1] = 1;
  for (int row = 0; row < rows; row++) {
    const bool stored = row >= level->own || start[row + 1];
    start[row + 1] = start[row] + (stored ? product->start[row + 1] - product->start[row] : 0);
  }
  t->stored_start = start;
  t->product_plan = amg_plan_of_entries(plan, start, arena);
}

// rows [own | near | received] of P and [own | received] of A P, with all aggregates numbered
static Wide find_rows(Transfer *t, const Level *level, const Aggregate *aggregates, WideRows *p,
                      WideRows *product, Arena *arena, Arena *scratch)
{
  // own rows
  Wide wide = {0};
  wide_extend(&wide, aggregates, level->count, NULL, NULL, 0, scratch);
  int *of_row = arena_allocate(scratch, ((size_t)level->count + 1) * sizeof *of_row);
  for (int i = 0; i < level->count; i++)
    of_row[i] = aggregates[i].rank < 0 ? -1 : wide_find(&wide, aggregates[i].key);
  p->start = arena_allocate(scratch, ((size_t)level->count + 1) * sizeof(int));
  find_interpolation(p, level, of_row, wide.count, scratch);

  // rows of P of neighbours, then rows of A P
  WideRows *const both[2] = {p, product};
  Aggregate *cells;
  t->near_plan =
      receive_rows(p, level->own, level->own, t->near, &level->plan, &wide, &cells, arena, scratch);
  const int own_entries = p->start[level->own], near_entries = p->start[level->count];
  wide_extend(&wide, cells + own_entries, near_entries - own_entries, both, &own_entries, 1,
              scratch);
  number_received(p, level->own, t->near, cells, &wide);
  product->start = arena_allocate(scratch, ((size_t)level->own + 1) * sizeof(int));
  find_product(product, p, level, wide.count, scratch);

  // both to the owners of the aggregates they reach
  uint64_t *keys;
  t->far_row_plan = send_rows(t, level, p, &wide, &keys, arena, scratch);
  const size_t received = (size_t)t->received;
  int *starts = arena_allocate(arena, ((size_t)level->count + received + 1) * sizeof(int));
  memcpy(starts, p->start, ((size_t)level->count + 1) * sizeof(int));
  p->start = starts;
  starts = arena_allocate(arena, ((size_t)level->own + received + 1) * sizeof(int));
  memcpy(starts, product->start, ((size_t)level->own + 1) * sizeof(int));
  product->start = starts;
  HaloPlan shifted = t->far_row_plan;
  shifted.receive_rows = arena_allocate(arena, (received + 1) * sizeof(int));
  for (int k = 0; k < t->received; k++) shifted.receive_rows[k] = level->count + k;
  Aggregate *product_cells;
  t->far_plan = receive_rows(p, level->own, level->count, t->received, &shifted, &wide, &cells,
                             arena, scratch);
  receive_rows(product, level->own, level->own, t->received, &t->far_row_plan, &wide,
               &product_cells, arena, scratch);
  const int product_own = product->start[level->own];
  const int far = p->start[level->count + t->received] - near_entries;
  const int entry_counts[2] = {near_entries, product_own};
  wide_extend(&wide, cells + near_entries, far, both, entry_counts, 2, scratch);
  wide_extend(&wide, product_cells + product_own,
              product->start[level->own + t->received] - product_own, both, entry_counts, 2,
              scratch);
  number_received(p, level->count, t->received, cells, &wide);
  number_received(product, level->own, t->received, product_cells, &wide);
  order_rows(t, level, keys, arena, scratch);
  store_products(t, level, product, arena);
  return wide;
}

static int *kept(const int *values, int count, Arena *arena)
{
  int *copy = arena_allocate(arena, ((size_t)count + 1) * sizeof *copy);
  if (count) memcpy(copy, values, (size_t)count * sizeof *copy);
  return copy;
}

LevelDraft amg_transfer_begin(Transfer *t, const Level *level, const Aggregation *aggregation,
                              Arena *arena, Arena *scratch)
{
  const Aggregate *aggregates = aggregation->of_row;
  assert(level->own <= level->count && aggregates != NULL && "rows have aggregates");
  memset(t, 0, sizeof *t);
  t->own = level->own;
  t->near = level->count - level->own;
  WideRows p = {0}, product = {0};
  const Wide wide = find_rows(t, level, aggregates, &p, &product, arena, scratch);
  const int rows = level->count + t->received;
  t->start = p.start;
  t->wide = kept(p.wide, p.start[rows], arena);
  t->product_start = product.start;
  t->product_wide = kept(product.wide, product.start[level->own + t->received], arena);
  t->wide_count = wide.count;
  t->wide_cell = arena_allocate(arena, ((size_t)wide.count + 1) * sizeof *t->wide_cell);
  if (wide.count) memcpy(t->wide_cell, wide.cell, (size_t)wide.count * sizeof *t->wide_cell);

  // own rows of the coarser level
  LevelDraft coarse = {0};
  t->coarse_of_wide = arena_allocate(arena, ((size_t)wide.count + 1) * sizeof(int));
  for (int w = 0; w < wide.count; w++)
    t->coarse_of_wide[w] = wide.cell[w].rank == par_rank() ? coarse.own++ : -1;
  coarse.key = arena_allocate(arena, ((size_t)coarse.own + 1) * sizeof *coarse.key);
  t->root_row = arena_allocate(arena, ((size_t)coarse.own + 1) * sizeof(int));
  int roots = 0;
  t->root = kept(aggregation->via, level->own, arena);
  t->joined = arena_allocate(arena, (size_t)level->own + 1);
  for (int i = 0; i < level->own; i++) {
    t->joined[i] = aggregates[i].joined != 0;
    if (aggregates[i].rank >= 0 && aggregates[i].key == level->key[i]) t->root_row[roots++] = i;
  }
  assert(roots == coarse.own && "an aggregate whose root is not where its owner is");
  t->aggregate_wide = arena_allocate(arena, ((size_t)level->count + 1) * sizeof(int));
  for (int i = 0; i < level->count; i++)
    t->aggregate_wide[i] = aggregates[i].rank < 0 ? -1 : wide_find(&wide, aggregates[i].key);
  find_coarse(t, &wide, &coarse, arena, scratch);
  return coarse;
}

int amg_transfer_wanted(const Transfer *t, Aggregate *wanted)
{
  assert(wanted != NULL && t->start != NULL && "P is known");
  int count = 0;
  for (int e = 0; e < t->start[t->own]; e++) {
    const Aggregate cell = t->wide_cell[t->wide[e]];
    if (cell.rank != par_rank()) wanted[count++] = cell;
  }
  return count;
}

void amg_transfer_join(Transfer *t, const Level *coarse, Arena *arena)
{
  assert(coarse->own <= coarse->count && "own rows come first");
  int *row = arena_allocate(arena, ((size_t)t->wide_count + 1) * sizeof *row);
  for (int w = 0; w < t->wide_count; w++) {
    const int found = amg_level_find(coarse, t->wide_cell[w].key);
    row[w] = found < 0 ? coarse->count : found;
  }
  const int entries = t->start[t->own + t->near + t->received];
  t->column = arena_allocate(arena, ((size_t)entries + 1) * sizeof *t->column);
  for (int e = 0; e < entries; e++) t->column[e] = row[t->wide[e]];
}
