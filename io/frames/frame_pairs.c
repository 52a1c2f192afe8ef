// Finds the pairs of bodies in contact, and asks other ranks for bodies in their ranges of ids.
#include "frame_pairs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bodies.h"
#include "contacts.h"
#include "id_range.h"
#include "order.h"
#include "parallel.h"
#include "volumes.h"

// The rows of both tables are sorted by ids: a walk through both. Pairs go to `pairs`; NULL: they
// are counted.
static int walk_pairs(const Contacts *c, const Volumes *v, FramePair *pairs)
{
  const int contacts = c ? c->table.count : 0, volumes = v ? v->table.count : 0;
  int count = 0;
  for (int i = 0, k = 0; i < contacts || k < volumes; count++) {
    const bool contact =
        k >= volumes || (i < contacts && id_pair_compare(c->bodies[i], v->bodies[k]) <= 0);
    FramePair pair = {
        .bodies = contact ? c->bodies[i] : v->bodies[k], .first = i, .first_volume = k};
    while (i < contacts && id_pair_compare(c->bodies[i], pair.bodies) == 0) i++;
    while (k < volumes && id_pair_compare(v->bodies[k], pair.bodies) == 0) k++;
    pair.end = i;
    pair.end_volume = k;
    if (pairs) pairs[count] = pair;
  }
  return count;
}

static FramePairs list_pairs(const Contacts *c, const Volumes *v, Arena *arena)
{
  FramePairs pairs = {.count = walk_pairs(c, v, NULL)};
  pairs.of = arena_allocate(arena, ((size_t)pairs.count + 1) * sizeof *pairs.of);
  walk_pairs(c, v, pairs.of);
  return pairs;
}

// A body of this rank's range.
static FrameBody own_body(const RowSpans *spans, uint64_t id)
{
  const Bodies *b = bodies_of(&spans->copies);
  FrameBody body = {.id = id};
  if (b->table.count == 0 || id < b->id[0]) return body;
  // ids mostly have no gaps
  const size_t rows = (size_t)b->table.count;
  const uint64_t place = id - b->id[0];
  const uint64_t *found = place < rows && b->id[place] == id
                              ? b->id + place
                              : bsearch(&id, b->id, rows, sizeof id, order_u64s);
  if (!found) return body;
  const int row = (int)(found - b->id);
  return (FrameBody){.id = id,
                     .row = spans->of[0].first_row + (uint64_t)row,
                     .position = b->position[row],
                     .orientation = b->orientation[row],
                     .drive = b->drive[row],
                     .shape = b->shape[row],
                     .there = true};
}

// Collective. Bodies with those ids, ascending, wherever they are.
static FrameBody *ask(const RowSpans *spans, uint64_t id_count, uint64_t *ids, int count,
                      Arena *arena)
{
  FrameBody *found = arena_allocate(arena, ((size_t)count + 1) * sizeof *found);
  Messages questions = {0, arena_allocate(arena, (size_t)par_size() * sizeof(Message))};
  IdRangeCursor cursor = {.body_count = id_count, .size = par_size()};
  for (int i = 0; i < count; i++)
    par_append(&questions, id_range_find(&cursor, ids[i]), &ids[i], sizeof *ids);
  const Messages asked = par_exchange(questions.messages, questions.count, arena);

  Messages answers = {0, arena_allocate(arena, ((size_t)asked.count + 1) * sizeof(Message))};
  for (int m = 0; m < asked.count; m++) {
    const uint64_t *wanted = asked.messages[m].data;
    const size_t wishes = asked.messages[m].bytes / sizeof *wanted;
    FrameBody *bodies = arena_allocate_zero(arena, wishes + 1, sizeof *bodies);
    for (size_t i = 0; i < wishes; i++) bodies[i] = own_body(spans, wanted[i]);
    answers.messages[answers.count++] =
        (Message){asked.messages[m].rank, wishes * sizeof *bodies, bodies};
  }
  const Messages told = par_exchange(answers.messages, answers.count, arena);
  char *at = (char *)found;
  for (int m = 0; m < told.count; m++) {   // by rank, as the ids are
    memcpy(at, told.messages[m].data, told.messages[m].bytes);
    at += told.messages[m].bytes;
  }
  assert(at == (char *)(found + count) && "each question has its answer");
  return found;
}

// The higher body of a pair, and the number of the pair.
typedef struct {
  uint64_t id;
  int64_t pair;
} HighBody;

static int order_high_bodies(const void *p, const void *q)
{
  const HighBody *a = p, *b = q;
  return a->id != b->id ? order_u64(a->id, b->id) : (a->pair > b->pair) - (a->pair < b->pair);
}

// The higher bodies of all pairs, ascending; they stay those of the arena.
static HighBody *list_high_bodies(FramePairs *pairs, Arena *arena)
{
  const size_t count = (size_t)pairs->count;
  HighBody *highs = arena_allocate(arena, (count + 1) * sizeof *highs);
  for (int i = 0; i < pairs->count; i++) highs[i] = (HighBody){pairs->of[i].bodies.high, i};
  qsort(highs, count, sizeof *highs, order_high_bodies);
  for (int i = 0; i < pairs->count; i++) {
    pairs->high_count += i == 0 || highs[i].id != highs[i - 1].id;
    pairs->of[highs[i].pair].high_number = pairs->high_count - 1;
  }
  return highs;
}

// The lower bodies are all of this rank's range; pairs are sorted by them.
static void find_low_bodies(FramePairs *pairs, const RowSpans *spans)
{
  for (int i = 0; i < pairs->count; i++) {
    FramePair *pair = &pairs->of[i];
    const bool same = i > 0 && pair->bodies.low == pair[-1].bodies.low;
    pair->low = same ? pair[-1].low : own_body(spans, pair->bodies.low);
  }
}

FramePairs frame_pairs_find(const RowSpans *spans, uint64_t id_count, Arena *arena)
{
  const RowSpan *contacts = row_spans_find(spans, &CONTACTS_SCHEMA),
                *volumes = row_spans_find(spans, &VOLUMES_SCHEMA);
  assert(id_count > 0 && "a case has bodies");
  FramePairs pairs = list_pairs(contacts ? (const Contacts *)contacts->table : NULL,
                                volumes ? (const Volumes *)volumes->table : NULL, arena);
  find_low_bodies(&pairs, spans);
  int *by_high = arena_allocate(arena, ((size_t)pairs.count + 1) * sizeof *by_high);
  Arena search = arena_new();
  const HighBody *highs = list_high_bodies(&pairs, &search);
  uint64_t *ids = arena_allocate(&search, ((size_t)pairs.high_count + 1) * sizeof *ids);
  for (int i = 0; i < pairs.count; i++) {
    by_high[i] = (int)highs[i].pair;
    ids[pairs.of[by_high[i]].high_number] = highs[i].id;
  }
  const FrameBody *found = ask(spans, id_count, ids, pairs.high_count, &search);
  for (int i = 0; i < pairs.count; i++) pairs.of[i].high = found[pairs.of[i].high_number];
  arena_destroy(&search);
  pairs.by_high = by_high;
  return pairs;
}
