// Plans which velocities go to which rank before and after each colour.
#include "refreshes.h"

#include <stdlib.h>
#include <string.h>

#include "parallel.h"

// A pair of an own whole body; rank: the other one that sweeps the pair too, -1: none does.
typedef struct {
  int row, colour, rank;
} Touch;

static int compare_touches(const void *a, const void *b)
{
  const Touch *p = a, *q = b;
  if (p->row != q->row) return (p->row > q->row) - (p->row < q->row);
  return (p->colour > q->colour) - (p->colour < q->colour);
}

static bool is_split(const RefreshSource *s, int p)
{
  return s->placed->choice->low && (s->placed->choice->low[p].id || s->placed->choice->high[p].id);
}

// row of the own body that the other rank of a pair sees, -1: there is no other
static int shared_row(const RefreshSource *s, int p)
{
  const ColourPair *pair = &s->placed->list->pairs[p];
  if (pair->other_rank < 0) return -1;
  return pair->low >= 0 ? s->placed->list->ranges[p].low : s->placed->list->ranges[p].high;
}

// rank that sweeps a pair of an own whole body too
static int sweeping_rank(const RefreshSource *s, int p)
{
  return is_split(s, p) ? -1 : s->placed->list->pairs[p].other_rank;
}

// of own bodies that another rank hears of: all others would only be sorted
static int list_touches(const RefreshSource *s, Touch *touches, Arena *arena)
{
  // rows of copies come after those of own bodies
  const int own = s->bodies->table.owned;
  unsigned char *heard = arena_allocate_zero(arena, (size_t)own + 1, 1);
  for (int p = 0; p < s->placed->list->count; p++) {
    const ColourPair *pair = &s->placed->list->pairs[p];
    if (sweeping_rank(s, p) < 0) continue;
    if (pair->low >= 0 && pair->low < own) heard[pair->low] = 1;
    if (pair->high >= 0 && pair->high < own) heard[pair->high] = 1;
  }
  int count = 0;
  for (int p = 0; p < s->placed->list->count; p++) {
    const int ends[2] = {s->placed->list->pairs[p].low, s->placed->list->pairs[p].high};
    for (int e = 0; e < 2; e++)
      if (ends[e] >= 0 && ends[e] < own && heard[ends[e]])
        touches[count++] = (Touch){ends[e], s->placed->colours[p], sweeping_rank(s, p)};
  }
  if (count > 1) qsort(touches, (size_t)count, sizeof *touches, compare_touches);
  return count;
}

// Another rank that solves a pair with our body needs the body's velocity before that colour if a
// pair it does not solve has changed it since the last pair it does solve.
static int body_requests(const Touch *touches, int count, uint64_t id, HaloRequest *requests)
{
  int made = 0;
  for (int i = 0; i < count; i++) {
    if (touches[i].rank < 0) continue;
    bool changed = false;
    for (int j = i - 1; j >= 0 && touches[j].rank != touches[i].rank; j--) changed = true;
    if (changed)
      requests[made++] = (HaloRequest){touches[i].rank, touches[i].colour, touches[i].row, id};
  }
  return made;
}

static int compare_requests(const void *a, const void *b)
{
  const HaloRequest *p = a, *q = b;
  if (p->slot != q->slot) return (p->slot > q->slot) - (p->slot < q->slot);
  if (p->rank != q->rank) return (p->rank > q->rank) - (p->rank < q->rank);
  return (p->row > q->row) - (p->row < q->row);
}

// of own bodies to the other ranks of their pairs, each once
static int shared_requests(const RefreshSource *s, int all, int swept, HaloRequest *requests)
{
  int count = 0;
  for (int p = 0; p < s->placed->list->count; p++) {
    const int row = shared_row(s, p);
    if (row < 0) continue;
    const HaloRequest request = {s->placed->list->pairs[p].other_rank, all, row,
                                 s->bodies->id[row]};
    requests[count++] = request;
    if (is_split(s, p) && s->copies->pairs[s->placed->places[p]].swept) continue;
    requests[count] = request;
    requests[count++].slot = swept;
  }
  if (count > 1) qsort(requests, (size_t)count, sizeof *requests, compare_requests);
  int distinct = 0;
  for (int i = 0; i < count; i++)
    if (i == 0 || compare_requests(&requests[i], &requests[distinct - 1]) != 0)
      requests[distinct++] = requests[i];
  return distinct;
}

// of rows of velocities: bodies, then copies
static uint64_t *list_ids(const RefreshSource *s, Arena *arena)
{
  const size_t rows = (size_t)s->bodies->table.count, copies = (size_t)s->copies->count;
  uint64_t *ids = arena_allocate(arena, (rows + copies + 1) * sizeof *ids);
  if (rows > 0) memcpy(ids, s->bodies->id, rows * sizeof *ids);
  if (copies > 0) memcpy(ids + rows, s->copies->ids, copies * sizeof *ids);
  return ids;
}

Refreshes refreshes_plan(const RefreshSource *s, Arena *home, Arena *arena)
{
  enum { ALL, SWEPT, GATHER, MORE_SLOTS };   // after those of colours
  const int colours = s->colour_count, slots = colours + MORE_SLOTS;
  Refreshes plans = {.before_colour = arena_allocate_zero(home, (size_t)slots, sizeof(HaloPlan))};
  if (par_size() == 1) return plans;

  const size_t pairs = (size_t)s->placed->list->count;
  Touch *touches = arena_allocate(arena, (2 * pairs + 1) * sizeof *touches);
  const int count = list_touches(s, touches, arena);
  HaloRequest *requests = arena_allocate(arena, (6 * pairs + 1) * sizeof *requests);
  int made = shared_requests(s, colours + ALL, colours + SWEPT, requests);
  for (int i = 0; i < count;) {
    int end = i;
    while (end < count && touches[end].row == touches[i].row) end++;
    made += body_requests(touches + i, end - i, s->bodies->id[touches[i].row], requests + made);
    i = end;
  }
  made += copies_routes(s->placed, s->copies, colours + GATHER, requests + made, arena);
  const Table *bodies = &s->bodies->table;
  const HaloIds ids = {bodies->owned, bodies->count + s->copies->count, list_ids(s, arena)};
  halo_plans_of_requests((HaloRequests){slots, made, requests}, ids, plans.before_colour, home);
  plans.all = plans.before_colour[colours + ALL];
  plans.swept = plans.before_colour[colours + SWEPT];
  plans.gather = plans.before_colour[colours + GATHER];
  return plans;
}
