// Colours pairs, so that no body or copy appears twice in a colour.
#include "colour.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "hash.h"
#include "parallel.h"

// the pairs of each own body, highest priority first
typedef struct {
  int *start, *pairs;   // compressed rows
  int *next;            // position of the first pair of each body without a colour
  uint64_t *used;       // [body * words] colours of the pairs before it
  int words;
} BodyQueues;

typedef struct {
  uint64_t priority;
  IdPair ids;
  int pair;
} Ranked;

static bool ranks_before(const Ranked *p, const Ranked *q)
{
  if (p->priority != q->priority) return p->priority > q->priority;
  return id_pair_before(p->ids, q->ids);
}

// Pairs by decreasing priority. Hashes are spread evenly, so that as many buckets as pairs hold a
// pair or two each, which are then put in order.
static Ranked *rank_pairs(const ColourPair *pairs, int pair_count, Arena *arena)
{
  assert(pair_count >= 0 && "pairs are counted");
  int bits = 1;
  while (bits < 30 && (1 << bits) < pair_count) bits++;
  const int bucket_count = 1 << bits;
  Ranked *unsorted = arena_allocate(arena, ((size_t)pair_count + 1) * sizeof *unsorted);
  Ranked *ranked = arena_allocate(arena, ((size_t)pair_count + 1) * sizeof *ranked);
  int *start = arena_allocate_zero(arena, (size_t)bucket_count + 1, sizeof *start);
  for (int p = 0; p < pair_count; p++) {
    unsorted[p] = (Ranked){hash_mix(pairs[p].ids.low, pairs[p].ids.high), pairs[p].ids, p};
    start[(~unsorted[p].priority >> (64 - bits)) + 1]++;
  }
  for (int b = 0; b < bucket_count; b++) start[b + 1] += start[b];
  for (int p = 0; p < pair_count; p++)
    ranked[start[~unsorted[p].priority >> (64 - bits)]++] = unsorted[p];
  for (int i = 1; i < pair_count; i++) {
    const Ranked one = ranked[i];
    int at = i;
    for (; at > 0 && ranks_before(&one, &ranked[at - 1]); at--) ranked[at] = ranked[at - 1];
    ranked[at] = one;
  }
  return ranked;
}

static BodyQueues make_queues(const ColourPair *pairs, int pair_count, int body_count, Arena *arena)
{
  assert(pair_count >= 0 && body_count >= 0 && "pairs and bodies are counted");
  const Ranked *ranked = rank_pairs(pairs, pair_count, arena);
  BodyQueues queues = {.start = arena_allocate_zero(arena, (size_t)body_count + 2, sizeof(int)),
                       .pairs = arena_allocate(arena, (2 * (size_t)pair_count + 1) * sizeof(int)),
                       .next = arena_allocate(arena, ((size_t)body_count + 1) * sizeof(int))};
  for (int p = 0; p < pair_count; p++) {
    if (pairs[p].low >= 0) queues.start[pairs[p].low + 1]++;
    if (pairs[p].high >= 0) queues.start[pairs[p].high + 1]++;
  }
  int degree = 0;
  for (int b = 0; b < body_count; b++) {
    if (queues.start[b + 1] > degree) degree = queues.start[b + 1];
    queues.start[b + 1] += queues.start[b];
    queues.next[b] = queues.start[b];
  }
  for (int i = 0; i < pair_count; i++) {
    const ColourPair *p = &pairs[ranked[i].pair];
    if (p->low >= 0) queues.pairs[queues.next[p->low]++] = ranked[i].pair;
    if (p->high >= 0) queues.pairs[queues.next[p->high]++] = ranked[i].pair;
  }
  for (int b = 0; b < body_count; b++) queues.next[b] = queues.start[b];

  // a greedy colour is below the sum of the degrees of both bodies
  queues.words = (int)(2 * par_max(degree) / 64) + 1;
  queues.used =
      arena_allocate_zero(arena, ((size_t)body_count + 1) * (size_t)queues.words, sizeof(uint64_t));
  return queues;
}

static bool is_next(const BodyQueues *queues, int body, int pair)
{
  assert_debug(body >= 0 && pair >= 0 && "a body waits for a pair");
  return queues->next[body] < queues->start[body + 1] && queues->pairs[queues->next[body]] == pair;
}

static int lowest_free(const uint64_t *a, const uint64_t *b, int words)
{
  assert_debug(words > 0 && "colours have room");
  for (int w = 0; w < words; w++) {
    const uint64_t taken = (a ? a[w] : 0) | (b ? b[w] : 0);
    if (taken != UINT64_MAX) return 64 * w + __builtin_ctzll(~taken);
  }
  assert(0 && "more colours than pairs at two bodies");
  return 0;
}

typedef struct {
  int rank;
  IdPair ids;
  int pair;
} Boundary;

static int compare_boundary(const void *a, const void *b)
{
  const Boundary *p = a, *q = b;
  if (p->rank != q->rank) return (p->rank > q->rank) - (p->rank < q->rank);
  return id_pair_compare(p->ids, q->ids);
}

typedef struct {
  const ColourPair *pairs;
  BodyQueues queues;
  int *colours;        // -1: none yet
  uint64_t **remote;   // colours used at the other rank's body, once it has said so
  uint64_t **mine;     // colours used at our body when the pair became its next; NULL before
  Boundary *outbox;    // pairs whose other rank must hear that
  int outbox_count;
  Arena *arena;
  int *stack, stack_count;   // bodies whose next pair may have become ready
  int left;                  // pairs without a colour
} ColourState;

static void give_colour(ColourState *s, int pair, int colour)
{
  assert_debug(s->colours[pair] < 0 && colour >= 0 && "a pair gets one colour");
  const ColourPair *p = &s->pairs[pair];
  s->colours[pair] = colour;
  s->left--;
  const int ends[2] = {p->low, p->high};
  for (int e = 0; e < 2; e++) {
    if (ends[e] < 0) continue;
    s->queues.used[(size_t)ends[e] * (size_t)s->queues.words + (size_t)(colour / 64)] |=
        (uint64_t)1 << (colour % 64);
    s->queues.next[ends[e]]++;
    s->stack[s->stack_count++] = ends[e];
  }
}

// a boundary pair that is next at our body: its other rank will hear which colours are taken here
static void announce(ColourState *s, int pair, int body)
{
  const size_t words = (size_t)s->queues.words;
  s->mine[pair] = arena_allocate(s->arena, words * sizeof(uint64_t));
  memcpy(s->mine[pair], &s->queues.used[(size_t)body * words], words * sizeof(uint64_t));
  s->outbox[s->outbox_count++] = (Boundary){s->pairs[pair].other_rank, s->pairs[pair].ids, pair};
}

// the pair gets its colour when everything of higher priority around it has one
static void try_pair(ColourState *s, int pair)
{
  const ColourPair *p = &s->pairs[pair];
  if (s->colours[pair] >= 0) return;
  if (p->low >= 0 && !is_next(&s->queues, p->low, pair)) return;
  if (p->high >= 0 && !is_next(&s->queues, p->high, pair)) return;
  if (p->other_rank >= 0) {
    if (!s->mine[pair]) announce(s, pair, p->low >= 0 ? p->low : p->high);
    if (!s->remote[pair]) return;
  }
  const size_t words = (size_t)s->queues.words;
  const uint64_t *low = p->low >= 0 ? &s->queues.used[(size_t)p->low * words] : s->remote[pair];
  const uint64_t *high = p->high >= 0 ? &s->queues.used[(size_t)p->high * words] : s->remote[pair];
  give_colour(s, pair, lowest_free(low, high, s->queues.words));
}

static void drain(ColourState *s)
{
  while (s->stack_count > 0) {
    const int body = s->stack[--s->stack_count];
    if (s->queues.next[body] < s->queues.start[body + 1])
      try_pair(s, s->queues.pairs[s->queues.next[body]]);
  }
}

// one message per rank with all that it must hear
static Messages exchange_outbox(ColourState *s)
{
  const size_t words = (size_t)s->queues.words, bytes = sizeof(IdPair) + words * sizeof(uint64_t);
  const int count = s->outbox_count;
  char *p = arena_allocate(s->arena, (size_t)count * bytes + 1);
  Messages sends = {0, arena_allocate(s->arena, ((size_t)count + 1) * sizeof(Message))};
  if (count > 1) qsort(s->outbox, (size_t)count, sizeof *s->outbox, compare_boundary);
  for (int i = 0; i < count; i++) {
    const Boundary *b = &s->outbox[i];
    par_append(&sends, b->rank, p, bytes);
    memcpy(p, &b->ids, sizeof b->ids);
    memcpy(p + sizeof b->ids, s->mine[b->pair], words * sizeof(uint64_t));
    p += bytes;
  }
  s->outbox_count = 0;
  return par_exchange(sends.messages, sends.count, s->arena);
}

static int find_boundary(const Boundary *sorted, int count, int rank, IdPair ids)
{
  const Boundary wanted = {rank, ids, -1};
  const Boundary *found = bsearch(&wanted, sorted, (size_t)count, sizeof *sorted, compare_boundary);
  assert(found && "both ranks of a boundary pair know it");
  return found->pair;
}

// what other ranks say about their bodies may decide pairs here
static void take_word(ColourState *s, Messages incoming, const Boundary *sorted, int boundary_count)
{
  const size_t mask_bytes = (size_t)s->queues.words * sizeof(uint64_t);
  const size_t record = sizeof(IdPair) + mask_bytes;
  for (int m = 0; m < incoming.count; m++)
    for (size_t at = 0; at < incoming.messages[m].bytes; at += record) {
      const char *bytes = (const char *)incoming.messages[m].data + at;
      IdPair ids;
      memcpy(&ids, bytes, sizeof ids);
      const int pair = find_boundary(sorted, boundary_count, incoming.messages[m].rank, ids);
      s->remote[pair] = arena_allocate(s->arena, mask_bytes);
      memcpy(s->remote[pair], bytes + sizeof ids, mask_bytes);
      try_pair(s, pair);
    }
}

Colouring colour_pairs(const ColourPair *pairs, int pair_count, int body_count, Arena *arena)
{
  assert((pair_count >= 0 && (pairs != NULL || pair_count == 0)) && "pairs are given");
  const size_t room = (size_t)pair_count + 1;
  ColourState s = {.pairs = pairs,
                   .queues = make_queues(pairs, pair_count, body_count, arena),
                   .colours = arena_allocate(arena, room * sizeof(int)),
                   .remote = arena_allocate_zero(arena, room, sizeof(uint64_t *)),
                   .mine = arena_allocate_zero(arena, room, sizeof(uint64_t *)),
                   .outbox = arena_allocate(arena, room * sizeof(Boundary)),
                   .arena = arena,
                   .stack = arena_allocate(arena, (2 * room + (size_t)body_count) * sizeof(int)),
                   .left = pair_count};
  Boundary *sorted = arena_allocate(arena, room * sizeof *sorted);
  int boundary_count = 0;
  for (int p = 0; p < pair_count; p++) {
    s.colours[p] = -1;
    if (pairs[p].other_rank >= 0)
      sorted[boundary_count++] = (Boundary){pairs[p].other_rank, pairs[p].ids, p};
  }
  if (boundary_count > 1) qsort(sorted, (size_t)boundary_count, sizeof *sorted, compare_boundary);

  // rounds: everything that can be decided here, then word to and from the neighbours
  for (int b = 0; b < body_count; b++) s.stack[s.stack_count++] = b;
  drain(&s);
  while (!par_all(s.left == 0)) {
    take_word(&s, exchange_outbox(&s), sorted, boundary_count);
    drain(&s);
  }
  int highest = 0;
  for (int p = 0; p < pair_count; p++)
    if (s.colours[p] + 1 > highest) highest = s.colours[p] + 1;
  return (Colouring){(int)par_max(highest), s.colours};
}
