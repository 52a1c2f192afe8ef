// Gives pairs of neighbouring parts their turns, so that no part has two pairs at once.
#include "pair_turns.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "parallel.h"

#define MOST_TURNS 16   // at most 64; a pair that would need a later one is left as it is

static int compare_pairs(const void *a, const void *b)
{
  const NeighbourParts *p = a, *q = b;
  if (p->low != q->low) return (p->low > q->low) - (p->low < q->low);
  return (p->high > q->high) - (p->high < q->high);
}

static int compare_by_work(const void *a, const void *b)
{
  const NeighbourParts *p = a, *q = b;
  if (p->work != q->work) return (p->work < q->work) - (p->work > q->work);
  return compare_pairs(a, b);
}

int pair_turns_join(NeighbourParts *pairs, int count)
{
  assert(count >= 0 && (pairs != NULL || count == 0) && "pairs are given");
  if (count > 1) qsort(pairs, (size_t)count, sizeof *pairs, compare_pairs);
  int kept = 0;
  for (int i = 0; i < count; i++) {
    if (kept > 0 && compare_pairs(&pairs[kept - 1], &pairs[i]) == 0)
      pairs[kept - 1].work += pairs[i].work;
    else pairs[kept++] = pairs[i];
  }
  return kept;
}

// Local, on rank 0. No two pairs of one turn share a part.
static void choose_turns(NeighbourParts *pairs, int count, Arena *arena)
{
  assert(par_rank() == 0 && "rank 0 chooses");
  uint64_t *taken = arena_allocate_zero(arena, (size_t)par_size(), sizeof *taken);
  if (count > 1) qsort(pairs, (size_t)count, sizeof *pairs, compare_by_work);
  for (int i = 0; i < count; i++) {
    NeighbourParts *pair = &pairs[i];
    const uint64_t busy = taken[pair->low] | taken[pair->high];
    int turn = 0;
    while (turn < MOST_TURNS && busy >> turn & 1) turn++;
    pair->turn = turn < MOST_TURNS ? turn : -1;
    if (pair->turn < 0) continue;
    taken[pair->low] |= (uint64_t)1 << turn;
    taken[pair->high] |= (uint64_t)1 << turn;
  }
}

// a pair, and a rank that is to know its turn
typedef struct {
  int rank;
  NeighbourParts pair;
} PairNote;

static int compare_notes(const void *a, const void *b)
{
  const PairNote *p = a, *q = b;
  if (p->rank != q->rank) return (p->rank > q->rank) - (p->rank < q->rank);
  return compare_pairs(&p->pair, &q->pair);
}

// Collective. Rank 0 has all pairs and tells both their ranks.
static void send_turns(PairTurns *turns, const NeighbourParts *pairs, int count, Arena *arena)
{
  PairNote *notes = arena_allocate(arena, (2 * (size_t)count + 1) * sizeof *notes);
  int note_count = 0;
  for (int i = 0; i < count; i++) {
    notes[note_count++] = (PairNote){pairs[i].low, pairs[i]};
    notes[note_count++] = (PairNote){pairs[i].high, pairs[i]};
  }
  if (note_count > 1) qsort(notes, (size_t)note_count, sizeof *notes, compare_notes);
  Messages sends = {0, arena_allocate(arena, ((size_t)note_count + 1) * sizeof(Message))};
  for (int i = 0; i < note_count; i++) par_append(&sends, notes[i].rank, &notes[i], sizeof *notes);
  const Messages told = par_exchange(sends.messages, sends.count, arena);
  assert(told.count <= 1 && "rank 0 alone knows turns");
  turns->own_count = told.count ? (int)(told.messages[0].bytes / sizeof *notes) : 0;
  turns->own = arena_allocate(arena, ((size_t)turns->own_count + 1) * sizeof *turns->own);
  for (int i = 0; i < turns->own_count; i++)
    turns->own[i] = ((const PairNote *)told.messages[0].data)[i].pair;
}

int pair_turns_take(PairTurns *turns, Arena *arena)
{
  // the ranks of the pairs learn of them, rank 0 from these
  Messages sends = {0, arena_allocate(arena, ((size_t)turns->count + 1) * sizeof(Message))};
  for (int i = 0; i < turns->count; i++)
    par_append(&sends, turns->pairs[i].low, &turns->pairs[i], sizeof *turns->pairs);
  const Messages asked = par_exchange(sends.messages, sends.count, arena);
  size_t bytes = 0;
  for (int m = 0; m < asked.count; m++) bytes += asked.messages[m].bytes;
  NeighbourParts *found = arena_allocate(arena, bytes + sizeof *found);
  int count = 0;
  for (int m = 0; m < asked.count; m++) {
    memcpy(&found[count], asked.messages[m].data, asked.messages[m].bytes);
    count += (int)(asked.messages[m].bytes / sizeof *found);
  }
  count = pair_turns_join(found, count);
  size_t *counts = arena_allocate(arena, (size_t)par_size() * sizeof *counts);
  NeighbourParts *gathered = par_gather(found, (size_t)count * sizeof *found, counts, arena);
  int all_count = 0;
  if (par_rank() == 0) {
    for (int r = 0; r < par_size(); r++) all_count += (int)(counts[r] / sizeof *gathered);
    choose_turns(gathered, all_count, arena);
  }
  send_turns(turns, gathered, all_count, arena);

  // the answers come in the order of the pairs
  for (int m = 0; m < asked.count; m++) {
    NeighbourParts *pairs = asked.messages[m].data;
    for (int i = 0; i < (int)(asked.messages[m].bytes / sizeof *pairs); i++) {
      const NeighbourParts *own = bsearch(&pairs[i], turns->own, (size_t)turns->own_count,
                                          sizeof *turns->own, compare_pairs);
      assert(own && "every pair has had its turn chosen");
      pairs[i].turn = own->turn;
    }
  }
  const Messages answers = par_exchange(asked.messages, asked.count, arena);
  int at = 0;
  for (int m = 0; m < answers.count; m++) {
    memcpy(&turns->pairs[at], answers.messages[m].data, answers.messages[m].bytes);
    at += (int)(answers.messages[m].bytes / sizeof *turns->pairs);
  }
  assert(at == turns->count && "every pair's rank answers");
  int turn_count = 0;
  for (int i = 0; i < turns->own_count; i++)
    if (turns->own[i].turn >= turn_count) turn_count = turns->own[i].turn + 1;
  return (int)par_max(turn_count);
}

int pair_turns_of(const PairTurns *turns, int a, int b)
{
  assert_debug(a != b && "a pair has two parts");
  const NeighbourParts key = {a < b ? a : b, a < b ? b : a, 0, 0};
  const NeighbourParts *found =
      bsearch(&key, turns->pairs, (size_t)turns->count, sizeof *turns->pairs, compare_pairs);
  return found ? found->turn : -1;
}
