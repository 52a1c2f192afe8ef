// Gives pairs of neighbouring subdomains their colours, so that no subdomain has two pairs at once.
#include "pair_colouring.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "parallel.h"

#define PAIR_COLOURS 16   // at most 64; a pair that would need a later one is left as it is

static int compare_pairs(const void *a, const void *b)
{
  const SubdomainPair *p = a, *q = b;
  if (p->low != q->low) return (p->low > q->low) - (p->low < q->low);
  return (p->high > q->high) - (p->high < q->high);
}

static int compare_by_work(const void *a, const void *b)
{
  const SubdomainPair *p = a, *q = b;
  if (p->work != q->work) return (p->work < q->work) - (p->work > q->work);
  return compare_pairs(a, b);
}

int pair_colouring_join(SubdomainPair *pairs, int count)
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

// Local, on rank 0. No two pairs of one colour share a subdomain.
static void choose_colours(SubdomainPair *pairs, int count, Arena *arena)
{
  assert(par_rank() == 0 && "rank 0 chooses");
  uint64_t *taken = arena_allocate_zero(arena, (size_t)par_size(), sizeof *taken);
  if (count > 1) qsort(pairs, (size_t)count, sizeof *pairs, compare_by_work);
  for (int i = 0; i < count; i++) {
    SubdomainPair *pair = &pairs[i];
    const uint64_t busy = taken[pair->low] | taken[pair->high];
    int colour = 0;
    while (colour < PAIR_COLOURS && busy >> colour & 1) colour++;
    pair->colour = colour < PAIR_COLOURS ? colour : -1;
    if (pair->colour < 0) continue;
    taken[pair->low] |= (uint64_t)1 << colour;
    taken[pair->high] |= (uint64_t)1 << colour;
  }
}

// a pair, and a rank that is to know its colour
typedef struct {
  int rank;
  SubdomainPair pair;
} PairNote;

static int compare_notes(const void *a, const void *b)
{
  const PairNote *p = a, *q = b;
  if (p->rank != q->rank) return (p->rank > q->rank) - (p->rank < q->rank);
  return compare_pairs(&p->pair, &q->pair);
}

// Collective. Rank 0 has all pairs and tells both their ranks.
static void send_colours(PairColouring *colouring, const SubdomainPair *pairs, int count,
                         Arena *arena)
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
  assert(told.count <= 1 && "rank 0 alone knows colours");
  colouring->own_count = told.count ? (int)(told.messages[0].bytes / sizeof *notes) : 0;
  colouring->own =
      arena_allocate(arena, ((size_t)colouring->own_count + 1) * sizeof *colouring->own);
  for (int i = 0; i < colouring->own_count; i++)
    colouring->own[i] = ((const PairNote *)told.messages[0].data)[i].pair;
}

int pair_colouring_make(PairColouring *colouring, Arena *arena)
{
  // the ranks of the pairs learn of them, rank 0 from these
  Messages sends = {0, arena_allocate(arena, ((size_t)colouring->count + 1) * sizeof(Message))};
  for (int i = 0; i < colouring->count; i++)
    par_append(&sends, colouring->pairs[i].low, &colouring->pairs[i], sizeof *colouring->pairs);
  const Messages asked = par_exchange(sends.messages, sends.count, arena);
  size_t bytes = 0;
  for (int m = 0; m < asked.count; m++) bytes += asked.messages[m].bytes;
  SubdomainPair *found = arena_allocate(arena, bytes + sizeof *found);
  int count = 0;
  for (int m = 0; m < asked.count; m++) {
    memcpy(&found[count], asked.messages[m].data, asked.messages[m].bytes);
    count += (int)(asked.messages[m].bytes / sizeof *found);
  }
  count = pair_colouring_join(found, count);
  size_t *counts = arena_allocate(arena, (size_t)par_size() * sizeof *counts);
  SubdomainPair *gathered = par_gather(found, (size_t)count * sizeof *found, counts, arena);
  int all_count = 0;
  if (par_rank() == 0) {
    for (int r = 0; r < par_size(); r++) all_count += (int)(counts[r] / sizeof *gathered);
    choose_colours(gathered, all_count, arena);
  }
  send_colours(colouring, gathered, all_count, arena);

  // the answers come in the order of the pairs
  for (int m = 0; m < asked.count; m++) {
    SubdomainPair *pairs = asked.messages[m].data;
    for (int i = 0; i < (int)(asked.messages[m].bytes / sizeof *pairs); i++) {
      const SubdomainPair *own = bsearch(&pairs[i], colouring->own, (size_t)colouring->own_count,
                                         sizeof *colouring->own, compare_pairs);
      assert(own && "every pair has had its colour chosen");
      pairs[i].colour = own->colour;
    }
  }
  const Messages answers = par_exchange(asked.messages, asked.count, arena);
  int at = 0;
  for (int m = 0; m < answers.count; m++) {
    memcpy(&colouring->pairs[at], answers.messages[m].data, answers.messages[m].bytes);
    at += (int)(answers.messages[m].bytes / sizeof *colouring->pairs);
  }
  assert(at == colouring->count && "every pair's rank answers");
  int colour_count = 0;
  for (int i = 0; i < colouring->own_count; i++)
    if (colouring->own[i].colour >= colour_count) colour_count = colouring->own[i].colour + 1;
  return (int)par_max(colour_count);
}

int pair_colouring_of(const PairColouring *colouring, int a, int b)
{
  assert_debug(a != b && "a pair has two subdomains");
  const SubdomainPair key = {a < b ? a : b, a < b ? b : a, 0, 0};
  const SubdomainPair *found = bsearch(&key, colouring->pairs, (size_t)colouring->count,
                                       sizeof *colouring->pairs, compare_pairs);
  return found ? found->colour : -1;
}
