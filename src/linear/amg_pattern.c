// The pattern of a level from its draft.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "amg_level.h"

#include "check.h"
#include "search.h"

// A coupling with its rows here and where its block comes from.
typedef struct {
  uint64_t low, high;
  int source;
} Coupling;

static int compare_couplings(const void *a, const void *b)
{
  const Coupling *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  return (p->high > q->high) - (p->high < q->high);
}

static int compare_keys(const void *a, const void *b)
{
  const Aggregate *p = a, *q = b;
  return (p->key > q->key) - (p->key < q->key);
}

int amg_level_find(const Level *level, uint64_t key)
{
  assert_debug(level->own <= level->count && "own rows come first");
  for (int half = 0; half < 2; half++) {
    const int end = half ? level->count : level->own;
    const int row = search_u64(level->key, half ? level->own : 0, end, key);
    if (row < end && level->key[row] == key) return row;
  }
  return -1;
}

// every rank has all rows: keys and couplings of all, sorted
static Coupling *gather_pattern(Level *level, const LevelDraft *draft, Arena *arena, Arena *scratch)
{
  assert(draft->own >= 0 && draft->count >= 0 && "rows and couplings are counted");
  const size_t size = (size_t)par_size();
  LevelGather *g = arena_allocate_zero(arena, 1, sizeof *g);
  g->draft_own = draft->own;
  g->row_first = arena_allocate(arena, (size + 1) * sizeof(int));
  g->entry_first = arena_allocate(arena, (size + 1) * sizeof(int));
  const uint64_t *keys =
      amg_plan_gather(draft->key, draft->own, sizeof *keys, g->row_first, scratch);
  const DraftEntry *entries =
      amg_plan_gather(draft->entry, draft->count, sizeof *entries, g->entry_first, scratch);

  // rows by key; rank holds the place among the gathered for the while
  const int n = g->row_first[size];
  Aggregate *sorted = arena_allocate(scratch, ((size_t)n + 1) * sizeof *sorted);
  for (int i = 0; i < n; i++) sorted[i] = (Aggregate){keys[i], i, 0};
  if (n > 1) qsort(sorted, (size_t)n, sizeof *sorted, compare_keys);
  level->own = level->count = n;
  level->key = arena_allocate(arena, ((size_t)n + 1) * sizeof *level->key);
  level->rank = arena_allocate(arena, sizeof(int));
  g->row_to = arena_allocate(arena, ((size_t)n + 1) * sizeof(int));
  for (int i = 0; i < n; i++) {
    level->key[i] = sorted[i].key;
    g->row_to[sorted[i].rank] = i;
  }
  for (size_t r = 0; r < size; r++)
    if (g->row_first[r + 1] - g->row_first[r] > g->most)
      g->most = g->row_first[r + 1] - g->row_first[r];
  const size_t room = (size_t)g->most + 1;
  g->sent = arena_allocate_zero(arena, room, BLOCK * sizeof(double));
  g->gathered = arena_allocate(arena, size * room * BLOCK * sizeof(double));

  const int count = g->entry_first[size];
  Coupling *couplings = arena_allocate(scratch, ((size_t)count + 1) * sizeof *couplings);
  for (int e = 0; e < count; e++) couplings[e] = (Coupling){entries[e].low, entries[e].high, e};
  level->start = NULL;
  level->gather = g;
  level->shared = true;
  level->plan = level->entry_plan = amg_plan_empty(arena);
  return couplings;
}

// rows of others: those coupled with own rows, and those wanted besides
static void find_others(Level *level, const LevelDraft *draft, const PlanItems *received,
                        const WantedRows *wanted, Arena *arena, Arena *scratch)
{
  assert(received->count >= 0 && wanted->count >= 0 && "rows wanted are counted");
  const DraftEntry *entries = received->item;
  Aggregate *others = arena_allocate(
      scratch, ((size_t)draft->count + (size_t)received->count + (size_t)wanted->count + 1) *
                   sizeof *others);
  int count = 0;
  for (int e = 0; e < draft->count; e++)
    if (draft->entry[e].high_rank != par_rank())
      others[count++] = (Aggregate){draft->entry[e].high, draft->entry[e].high_rank, 0};
  for (int k = 0; k < received->count; k++)
    others[count++] = (Aggregate){entries[k].low, received->rank[k], 0};
  for (int i = 0; i < wanted->count; i++)
    if (wanted->rows[i].rank != par_rank()) others[count++] = wanted->rows[i];
  if (count > 1) qsort(others, (size_t)count, sizeof *others, compare_keys);
  int distinct = 0;
  for (int i = 0; i < count; i++)
    if (i == 0 || others[i].key != others[i - 1].key) others[distinct++] = others[i];

  level->own = draft->own;
  level->count = draft->own + distinct;
  level->key = arena_allocate(arena, ((size_t)level->count + 1) * sizeof *level->key);
  level->rank = arena_allocate(arena, ((size_t)distinct + 1) * sizeof(int));
  if (draft->own) memcpy(level->key, draft->key, (size_t)draft->own * sizeof *level->key);
  for (int i = 0; i < distinct; i++) {
    level->key[draft->own + i] = others[i].key;
    level->rank[i] = others[i].rank;
  }
}

// couplings whose high row is another's go there too; rows of others are asked for
static Coupling *spread_pattern(Level *level, const LevelDraft *draft, const WantedRows *wanted,
                                int *coupling_count, Arena *arena, Arena *scratch)
{
  PlanSend *sends = arena_allocate(scratch, ((size_t)draft->count + 1) * sizeof *sends);
  int send_count = 0;
  for (int e = 0; e < draft->count; e++)
    if (draft->entry[e].high_rank != par_rank())
      sends[send_count++] = (PlanSend){draft->entry[e].high_rank, e};
  const PlanItems received =
      amg_plan_exchange(sends, send_count, draft->entry, sizeof *draft->entry, arena);
  level->entry_plan = received.plan;
  for (int k = 0; k < received.count; k++) level->entry_plan.receive_rows[k] = draft->count + k;
  find_others(level, draft, &received, wanted, arena, scratch);

  const int others = level->count - level->own;
  PlanSend *asked = arena_allocate(scratch, ((size_t)others + 1) * sizeof *asked);
  for (int i = 0; i < others; i++) asked[i] = (PlanSend){level->rank[i], level->own + i};
  const PlanItems asking = amg_plan_exchange(asked, others, level->key, sizeof *level->key, arena);
  const HaloPlan plan = asking.plan;
  for (int k = 0; k < asking.count; k++) {
    plan.receive_rows[k] = amg_level_find(level, ((const uint64_t *)asking.item)[k]);
    assert(plan.receive_rows[k] >= 0 && plan.receive_rows[k] < level->own &&
           "a row is asked of a rank that does not own it");
  }
  level->plan = amg_plan_reversed(plan);

  const DraftEntry *entries = received.item;
  *coupling_count = draft->count + received.count;
  Coupling *couplings = arena_allocate(scratch, ((size_t)*coupling_count + 1) * sizeof *couplings);
  for (int e = 0; e < draft->count; e++)
    couplings[e] = (Coupling){draft->entry[e].low, draft->entry[e].high, e};
  for (int k = 0; k < received.count; k++)
    couplings[draft->count + k] = (Coupling){entries[k].low, entries[k].high, draft->count + k};
  return couplings;
}

// all rows are on every rank already
static Coupling *copy_pattern(Level *level, const LevelDraft *draft, Arena *arena, Arena *scratch)
{
  level->own = level->count = draft->own;
  level->key = draft->key;
  level->rank = arena_allocate(arena, sizeof(int));
  level->plan = level->entry_plan = amg_plan_empty(arena);
  level->shared = true;
  Coupling *couplings = arena_allocate(scratch, ((size_t)draft->count + 1) * sizeof *couplings);
  for (int e = 0; e < draft->count; e++)
    couplings[e] = (Coupling){draft->entry[e].low, draft->entry[e].high, e};
  return couplings;
}

// rows in order of key, the couplings of each, and the couplings both ways
static void index_couplings(Level *level, const Coupling *couplings, int count, Arena *arena,
                            Arena *scratch)
{
  assert(count >= 0 && level->own <= level->count && "own rows come first");
  level->order = arena_allocate(arena, ((size_t)level->count + 1) * sizeof(int));
  for (int p = 0, i = 0, g = level->own; p < level->count; p++) {
    const bool own = g >= level->count || (i < level->own && level->key[i] < level->key[g]);
    level->order[p] = own ? i++ : g++;
  }
  level->start = arena_allocate(arena, ((size_t)level->count + 1) * sizeof(int));
  level->column = arena_allocate(arena, ((size_t)count + 1) * sizeof(int));
  level->source =
      arena_allocate(level->gather ? arena : scratch, ((size_t)count + 1) * sizeof(int));
  level->full_start = arena_allocate_zero(arena, (size_t)level->own + 1, sizeof(int));
  int *low = arena_allocate(scratch, ((size_t)count + 1) * sizeof *low);
  int e = 0;
  for (int p = 0; p < level->count; p++) {
    const int row = level->order[p];
    level->start[p] = e;
    for (; e < count && couplings[e].low == level->key[row]; e++) {
      const int high = amg_level_find(level, couplings[e].high);
      assert(high >= 0 && "a coupling with a row that is not known here");
      level->column[e] = high;
      level->source[e] = couplings[e].source;
      low[e] = row;
      if (row < level->own) level->full_start[row + 1]++;
      if (high < level->own) level->full_start[high + 1]++;
    }
  }
  level->start[level->count] = e;
  assert(e == count && "a coupling of a row that is not known here");

  // in order of the lower key, so that a row meets its lower neighbours first
  for (int i = 0; i < level->own; i++) level->full_start[i + 1] += level->full_start[i];
  const size_t full = (size_t)level->full_start[level->own] + 1;
  level->full_column = arena_allocate(arena, full * sizeof(int));
  level->full_block = arena_allocate(arena, full * sizeof(int));
  int *at = arena_allocate(scratch, ((size_t)level->own + 1) * sizeof *at);
  memcpy(at, level->full_start, ((size_t)level->own + 1) * sizeof *at);
  for (e = 0; e < count; e++) {
    const int ends[2] = {low[e], level->column[e]};
    for (int side = 0; side < 2; side++) {
      if (ends[side] >= level->own) continue;
      level->full_column[at[ends[side]]] = ends[1 - side];
      level->full_block[at[ends[side]]++] = 2 * e + side;
    }
  }
  level->alone = arena_allocate(arena, (size_t)level->own + 1);
  for (int i = 0; i < level->own; i++)
    level->alone[i] = level->full_start[i] == level->full_start[i + 1];
}

// where the draft's blocks go; the plan tells of couplings, not of places in the draft
static void set_targets(Level *level, int count, Arena *arena, Arena *scratch)
{
  assert(count >= 0 && (level->gather || level->draft_count <= count) &&
         "each of the draft's blocks has a coupling");
  if (level->gather) return;
  int *at = arena_allocate(scratch, ((size_t)count + 1) * sizeof *at);
  for (int e = 0; e < count; e++) at[level->source[e]] = e;
  level->target = arena_allocate(arena, ((size_t)level->draft_count + 1) * sizeof(int));
  if (level->draft_count)
    memcpy(level->target, at, (size_t)level->draft_count * sizeof *level->target);
  HaloPlan *plan = &level->entry_plan;
  const int sent = plan->neighbour_count ? plan->send_start[plan->neighbour_count] : 0;
  const int received = plan->neighbour_count ? plan->receive_start[plan->neighbour_count] : 0;
  for (int k = 0; k < sent; k++) plan->send_rows[k] = at[plan->send_rows[k]];
  for (int k = 0; k < received; k++) plan->receive_rows[k] = at[plan->receive_rows[k]];
  level->source = NULL;
}

void amg_level_begin(Level *level, const LevelDraft *draft, const WantedRows *wanted, Arena *arena,
                     Arena *scratch)
{
  assert(draft->own >= 0 && draft->count >= 0 && wanted->count >= 0 &&
         "rows and couplings are counted");
  memset(level, 0, sizeof *level);
  level->draft_count = draft->count;
  int count = draft->count;
  Coupling *couplings;
  if (draft->shared) {
    couplings = copy_pattern(level, draft, arena, scratch);
  } else if (wanted->all) {
    couplings = gather_pattern(level, draft, arena, scratch);
    count = level->gather->entry_first[par_size()];
  } else {
    couplings = spread_pattern(level, draft, wanted, &count, arena, scratch);
  }
  bool sorted = true;
  for (int e = 1; e < count && sorted; e++)
    sorted = compare_couplings(&couplings[e - 1], &couplings[e]) < 0;
  if (!sorted) qsort(couplings, (size_t)count, sizeof *couplings, compare_couplings);
  index_couplings(level, couplings, count, arena, scratch);
  set_targets(level, count, arena, scratch);

  int64_t totals[2] = {draft->own, draft->count};
  if (!draft->shared) par_sum_many(totals, 2);
  level->rows = totals[0];
  level->entries = totals[1];
}
