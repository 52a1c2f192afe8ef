// Splits bodies with many pairs over copies with equal shares.
#include "copies.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "parallel.h"
#include "search.h"

#define FIRST_ID ((uint64_t)1 << 60)   // of copies; bodies have less than 2^53

static uint64_t own_id(int copy)
{
  assert_debug(copy >= 0 && "a copy has a number");
  return FIRST_ID + ((uint64_t)par_rank() << 32) + (uint64_t)copy;
}

// ------------------------------------------------------------------------------------------------
// Choosing

// pairs of each own body
static int *count_pairs(const KnownPairs *list, int own_rows, Arena *arena)
{
  assert(list->count >= 0 && own_rows >= 0 && "pairs and rows are counted");
  int *degree = arena_allocate_zero(arena, (size_t)own_rows + 1, sizeof *degree);
  for (int p = 0; p < list->count; p++) {
    if (list->pairs[p].low >= 0) degree[list->pairs[p].low]++;
    if (list->pairs[p].high >= 0) degree[list->pairs[p].high]++;
  }
  return degree;
}

// Pairs in order of key go to the copies in turn, half of a copy's at a time: pairs of near keys
// are mostly near each other, so that a copy visits few ranks, and copies whose pairs lie at two
// places agree sooner.
static void choose_end(int *row, int own_rows, int most_pairs, const SplitBody *split_of, int *seen,
                       CopyEnd *end)
{
  assert_debug(*row < own_rows && "an own body or none");
  if (*row < 0 || split_of[*row].count == 0) return;
  const SplitBody *s = &split_of[*row];
  const int copy = s->first + seen[*row]++ / (most_pairs / 2) % s->count;
  *end = (CopyEnd){own_id(copy), s->count};
  *row = own_rows + copy;
}

// What the rank of a split body tells that of the other body.
typedef struct {
  IdPair ids;
  CopyEnd end;
} CopyNotice;

typedef struct {
  int rank, pair;
} Outward;

static int compare_outward(const void *a, const void *b)
{
  const Outward *p = a, *q = b;
  if (p->rank != q->rank) return (p->rank > q->rank) - (p->rank < q->rank);
  return (p->pair > q->pair) - (p->pair < q->pair);
}

static int compare_ids(const void *a, const void *b)
{
  const ColourPair *p = a, *q = b;
  return id_pair_compare(p->ids, q->ids);
}

static void take_notice(const KnownPairs *list, const CopyNotice *notice, CopyChoice *choice)
{
  const ColourPair wanted = {.ids = notice->ids};
  const ColourPair *found =
      bsearch(&wanted, list->pairs, (size_t)list->count, sizeof wanted, compare_ids);
  assert(found && "both ranks of a pair know it");
  const ptrdiff_t p = found - list->pairs;
  if (found->low < 0) choice->low[p] = notice->end;
  else choice->high[p] = notice->end;
}

static void exchange_notices(const KnownPairs *list, CopyChoice *choice, Arena *arena)
{
  const size_t room = (size_t)list->count + 1;
  Outward *outward = arena_allocate(arena, room * sizeof *outward);
  int count = 0;
  for (int p = 0; p < list->count; p++)
    if (list->pairs[p].other_rank >= 0 && (choice->low[p].id || choice->high[p].id))
      outward[count++] = (Outward){list->pairs[p].other_rank, p};
  if (count > 1) qsort(outward, (size_t)count, sizeof *outward, compare_outward);
  CopyNotice *notices = arena_allocate_zero(arena, (size_t)count + 1, sizeof *notices);
  Messages sends = {0, arena_allocate(arena, ((size_t)count + 1) * sizeof(Message))};
  for (int i = 0; i < count; i++) {
    const int p = outward[i].pair;
    notices[i].ids = list->pairs[p].ids;
    notices[i].end = choice->low[p].id ? choice->low[p] : choice->high[p];
    par_append(&sends, outward[i].rank, &notices[i], sizeof *notices);
  }
  const Messages incoming = par_exchange(sends.messages, sends.count, arena);
  for (int m = 0; m < incoming.count; m++) {
    const CopyNotice *notice = incoming.messages[m].data;
    for (size_t i = 0; i < incoming.messages[m].bytes / sizeof *notice; i++)
      take_notice(list, &notice[i], choice);
  }
}

CopyChoice copies_choose(KnownPairs *list, int own_rows, int most_pairs, Arena *home, Arena *arena)
{
  assert(own_rows >= 0 && list->count >= 0 && "pairs and rows are counted");
  assert(most_pairs >= 2 && most_pairs % 2 == 0 && "a copy takes its pairs in two halves");
  // own bodies with many pairs
  const int *degree = count_pairs(list, own_rows, arena);
  SplitBody *split_of = arena_allocate_zero(arena, (size_t)own_rows + 1, sizeof *split_of);
  CopyChoice choice = {0};
  for (int b = 0; b < own_rows; b++) {
    if (degree[b] <= most_pairs) continue;
    const int count = 1 + (degree[b] - 1) / most_pairs;
    split_of[b] = (SplitBody){b, choice.own_count, count};
    choice.own_count += count;
    choice.split_count++;
  }
  if (!par_any(choice.split_count > 0)) return choice;
  choice.split = arena_allocate(home, ((size_t)choice.split_count + 1) * sizeof *choice.split);
  int made = 0;
  for (int b = 0; b < own_rows; b++)
    if (split_of[b].count > 0) choice.split[made++] = split_of[b];

  // which pair goes to which copy, and other ranks must know
  const size_t room = (size_t)list->count + 1;
  choice.low = arena_allocate(arena, room * sizeof *choice.low);
  choice.high = arena_allocate(arena, room * sizeof *choice.high);
  int *seen = arena_allocate_zero(arena, (size_t)own_rows + 1, sizeof *seen);
  for (int p = 0; p < list->count; p++) {
    choice.low[p] = choice.high[p] = (CopyEnd){0, 1};
    choose_end(&list->pairs[p].low, own_rows, most_pairs, split_of, seen, &choice.low[p]);
    choose_end(&list->pairs[p].high, own_rows, most_pairs, split_of, seen, &choice.high[p]);
  }
  exchange_notices(list, &choice, arena);
  return choice;
}

// ------------------------------------------------------------------------------------------------
// Placing

static bool is_split(const CopyChoice *choice, int pair)
{
  assert_debug(pair >= 0 && "a pair has a number");
  return choice->low[pair].id || choice->high[pair].id;
}

// by the rank of the body that is whole; by the pair's owner where both are split or whole; pairs
// of two whole bodies by both ranks
static bool is_swept(const KnownPairs *list, const CopyChoice *choice, int p)
{
  assert_debug(p >= 0 && p < list->count && "a pair has a number");
  const ColourPair *pair = &list->pairs[p];
  if (pair->other_rank < 0 || !is_split(choice, p)) return true;
  if (choice->low[p].id && choice->high[p].id) return list->owned[p];
  return choice->low[p].id ? pair->high >= 0 : pair->low >= 0;
}

typedef struct {
  uint64_t id;
  int body;
} Placed;

static int compare_placed(const void *a, const void *b)
{
  const Placed *p = a, *q = b;
  return (p->id > q->id) - (p->id < q->id);
}

// copies that need a row here, by id
static int list_placed(const KnownPairs *list, const CopyChoice *choice, int own_rows,
                       Placed *placed)
{
  int count = 0;
  for (int s = 0; s < choice->split_count; s++)
    for (int i = 0; i < choice->split[s].count; i++)
      placed[count++] = (Placed){own_id(choice->split[s].first + i), choice->split[s].row};
  for (int p = 0; p < list->count; p++) {
    if (!is_swept(list, choice, p)) continue;
    const SolverPair *range = &list->ranges[p];
    if (choice->low[p].id && range->low >= own_rows)
      placed[count++] = (Placed){choice->low[p].id, range->low};
    if (choice->high[p].id && range->high >= own_rows)
      placed[count++] = (Placed){choice->high[p].id, range->high};
  }
  if (count > 1) qsort(placed, (size_t)count, sizeof *placed, compare_placed);
  int distinct = 0;
  for (int i = 0; i < count; i++)
    if (i == 0 || placed[i].id != placed[distinct - 1].id) placed[distinct++] = placed[i];
  return distinct;
}

// Row of a copy that is here.
static int row_of_copy(const Copies *copies, uint64_t id)
{
  const int copy = search_u64(copies->ids, 0, copies->count, id);
  assert(copy < copies->count && copies->ids[copy] == id && "a copy is missing on this rank");
  return copies->first + copy;
}

Copies copies_place(const PlacedPairs *all, int own_rows, int row_count, Arena *home, Arena *arena)
{
  const KnownPairs *list = all->list;
  const CopyChoice *choice = all->choice;
  assert(own_rows >= 0 && own_rows <= row_count && "own rows come first");
  Copies copies = {.first = row_count};
  if (!choice->low) return copies;
  Placed *placed = arena_allocate(arena, ((size_t)choice->own_count + 2 * (size_t)list->count + 1) *
                                             sizeof *placed);
  copies.count = list_placed(list, choice, own_rows, placed);
  copies.ids = arena_allocate(home, ((size_t)copies.count + 1) * sizeof *copies.ids);
  copies.bodies = arena_allocate(home, ((size_t)copies.count + 1) * sizeof *copies.bodies);
  for (int i = 0; i < copies.count; i++) {
    copies.ids[i] = placed[i].id;
    copies.bodies[i] = placed[i].body;
  }
  copies.split_count = choice->split_count;
  copies.split = choice->split;
  copies.own_first = choice->own_count > 0 ? row_of_copy(&copies, own_id(0)) : row_count;

  // pairs between rows of velocities
  copies.pairs = arena_allocate(home, ((size_t)list->count + 1) * sizeof *copies.pairs);
  for (int p = 0; p < list->count; p++) {
    const CopyEnd low = choice->low[p], high = choice->high[p];
    const bool swept = is_swept(list, choice, p);
    SweepPair pair = {.low = list->ranges[p].low,
                      .high = list->ranges[p].high,
                      .low_copies = low.count,
                      .high_copies = high.count,
                      .swept = swept,
                      .counted = is_split(choice, p) ? swept : list->owned[p]};
    if (swept && low.id) pair.low = row_of_copy(&copies, low.id);
    if (swept && high.id) pair.high = row_of_copy(&copies, high.id);
    copies.pairs[all->places[p]] = pair;
  }
  return copies;
}

// ------------------------------------------------------------------------------------------------
// Ways between ranks

// A copy of an own body in one colour.
typedef struct {
  uint64_t id;
  int colour, rank;
} CopyVisit;

static int compare_stops(const void *a, const void *b)
{
  const CopyVisit *p = a, *q = b;
  if (p->id != q->id) return p->id < q->id ? -1 : 1;
  return (p->colour > q->colour) - (p->colour < q->colour);
}

// What a rank must do with a copy: send it to another one for a slot.
typedef struct {
  uint64_t id;
  int from, to, slot;
} Hop;

static int compare_hops(const void *a, const void *b)
{
  const Hop *p = a, *q = b;
  if (p->from != q->from) return (p->from > q->from) - (p->from < q->from);
  if (p->id != q->id) return p->id < q->id ? -1 : 1;
  return (p->slot > q->slot) - (p->slot < q->slot);
}

// from rank to rank in order of colour, then home
static int list_hops(const PlacedPairs *placed, const Copies *copies, int gather, Hop *hops,
                     Arena *arena)
{
  const KnownPairs *list = placed->list;
  const CopyChoice *choice = placed->choice;
  const int *colours = placed->colours;
  CopyVisit *stops = arena_allocate(arena, (2 * (size_t)list->count + 1) * sizeof *stops);
  int count = 0, made = 0;
  for (int p = 0; p < list->count; p++) {
    const int rank =
        copies->pairs[placed->places[p]].swept ? par_rank() : list->pairs[p].other_rank;
    if (choice->low[p].id && list->pairs[p].low >= 0)
      stops[count++] = (CopyVisit){choice->low[p].id, colours[p], rank};
    if (choice->high[p].id && list->pairs[p].high >= 0)
      stops[count++] = (CopyVisit){choice->high[p].id, colours[p], rank};
  }
  if (count > 1) qsort(stops, (size_t)count, sizeof *stops, compare_stops);
  for (int i = 0; i < count; i++) {
    const bool last = i + 1 == count || stops[i + 1].id != stops[i].id;
    const int to = last ? par_rank() : stops[i + 1].rank;
    const int slot = last ? gather : stops[i + 1].colour;
    if (to != stops[i].rank) hops[made++] = (Hop){stops[i].id, stops[i].rank, to, slot};
  }
  return made;
}

static HaloRequest request_of(const Copies *copies, const Hop *hop)
{
  return (HaloRequest){hop->to, hop->slot, row_of_copy(copies, hop->id), hop->id};
}

int copies_routes(const PlacedPairs *placed, const Copies *copies, int gather,
                  HaloRequest *requests, Arena *arena)
{
  assert(gather >= 0 && requests != NULL && "copies go home after all colours");
  if (!placed->choice->low) return 0;
  Hop *hops = arena_allocate_zero(arena, 2 * (size_t)placed->list->count + 1, sizeof *hops);
  const int count = list_hops(placed, copies, gather, hops, arena);
  if (count > 1) qsort(hops, (size_t)count, sizeof *hops, compare_hops);

  // the rank of a body knows the ways of its copies; the others hear what is theirs to do
  int made = 0;
  Messages sends = {0, arena_allocate(arena, ((size_t)count + 1) * sizeof(Message))};
  for (int i = 0; i < count; i++) {
    if (hops[i].from == par_rank()) {
      requests[made++] = request_of(copies, &hops[i]);
      continue;
    }
    par_append(&sends, hops[i].from, &hops[i], sizeof *hops);
  }
  const Messages incoming = par_exchange(sends.messages, sends.count, arena);
  for (int m = 0; m < incoming.count; m++) {
    const Hop *hop = incoming.messages[m].data;
    for (size_t i = 0; i < incoming.messages[m].bytes / sizeof *hop; i++)
      requests[made++] = request_of(copies, &hop[i]);
  }
  return made;
}

HaloPlan copies_impulses(const PlacedPairs *placed, const Copies *copies, const SolverPair *points,
                         Arena *home, Arena *arena)
{
  const KnownPairs *list = placed->list;
  HaloPlan plan = {0};
  if (!copies->pairs) return plan;
  Outward *shared = arena_allocate(arena, ((size_t)list->count + 1) * sizeof *shared);
  int count = 0;
  size_t point_count = 0;
  for (int p = 0; p < list->count; p++) {
    const SweepPair *pair = &copies->pairs[placed->places[p]];
    if (list->pairs[p].other_rank < 0 || (pair->low_copies == 1 && pair->high_copies == 1))
      continue;
    shared[count++] = (Outward){list->pairs[p].other_rank, p};
    point_count += (size_t)(list->ranges[p].end - list->ranges[p].first);
  }
  if (count == 0) return plan;
  qsort(shared, (size_t)count, sizeof *shared, compare_outward);

  // both ranks list the same pairs in order of key
  const size_t room = (size_t)count + 1;
  plan = (HaloPlan){.ranks = arena_allocate(home, room * sizeof(int)),
                    .send_start = arena_allocate_zero(home, room, sizeof(int)),
                    .send_rows = arena_allocate(home, (point_count + 1) * sizeof(int)),
                    .receive_start = arena_allocate_zero(home, room, sizeof(int)),
                    .receive_rows = arena_allocate(home, (point_count + 1) * sizeof(int))};
  int sent = 0, received = 0;
  for (int i = 0; i < count; i++) {
    const int place = placed->places[shared[i].pair];
    if (i == 0 || shared[i].rank != shared[i - 1].rank)
      plan.ranks[plan.neighbour_count++] = shared[i].rank;
    for (int k = points[place].first; k < points[place].end; k++)
      if (copies->pairs[place].swept) plan.send_rows[sent++] = k;
      else plan.receive_rows[received++] = k;
    plan.send_start[plan.neighbour_count] = sent;
    plan.receive_start[plan.neighbour_count] = received;
  }
  return plan;
}
