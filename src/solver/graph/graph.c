// Keeps the graph of contacts: pairs by colour, pairs of each body, plans of refreshes.
#include "graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory.h"
#include "parallel.h"
#include "refreshes.h"

// rows [first, end) of one pair
static int end_of_pair(const Contacts *c, int first, int end)
{
  assert_debug(first >= 0 && first < end && "a pair has a row");
  const IdPair ids = c->bodies[first];
  int i = first + 1;
  while (i < end && id_pair_equal(c->bodies[i], ids)) i++;
  return i;
}

static void add_pair(KnownPairs *list, const GraphSource *source, int first, int end, bool owned)
{
  const Bodies *b = source->bodies;
  const IdPair ids = source->contacts->bodies[first];
  assert_debug(first < end && ids.low < ids.high && "a pair has rows, the lower id first");
  const bool same_low = list->count > 0 && list->pairs[list->count - 1].ids.low == ids.low;
  const int low = same_low ? list->ranges[list->count - 1].low : bodies_find(b, ids.low);
  const int rows[2] = {low, bodies_find(b, ids.high)};
  assert(rows[0] >= 0 && rows[1] >= 0 && "both bodies of a known contact are here");
  if (b->drive[rows[0]] != DRIVE_DYNAMIC && b->drive[rows[1]] != DRIVE_DYNAMIC) return;
  ColourPair pair = {ids, -1, -1, -1};
  for (int e = 0; e < 2; e++) {
    if (b->drive[rows[e]] != DRIVE_DYNAMIC) continue;
    if (rows[e] >= b->table.owned) pair.other_rank = source->ghost_ranks[rows[e] - b->table.owned];
    else if (e == 0) pair.low = rows[e];
    else pair.high = rows[e];
  }
  list->pairs[list->count] = pair;
  list->ranges[list->count] = (SolverPair){first, end, rows[0], rows[1]};
  list->owned[list->count++] = owned;
}

// own rows and ghost rows are each sorted; a pair is wholly in one of the two
static KnownPairs list_pairs(const GraphSource *source, Arena *arena)
{
  const Contacts *c = source->contacts;
  assert(c->table.owned <= c->table.count && "own rows come first");
  const size_t room = (size_t)c->table.count + 1;
  KnownPairs list = {0, arena_allocate(arena, room * sizeof(ColourPair)),
                     arena_allocate(arena, room * sizeof(SolverPair)), arena_allocate(arena, room)};
  const int owned = c->table.owned, count = c->table.count;
  for (int i = 0, j = owned; i < owned || j < count;) {
    const bool own = j == count || (i < owned && id_pair_before(c->bodies[i], c->bodies[j]));
    int *next = own ? &i : &j;
    const int first = *next;
    *next = end_of_pair(c, first, own ? owned : count);
    add_pair(&list, source, first, *next, own);
  }
  return list;
}

static bool has_colours(const GraphCache *cache, const KnownPairs *list)
{
  if (!cache || !cache->pair_ids || cache->pair_count != list->count) return false;
  for (int p = 0; p < list->count; p++)
    if (!id_pair_equal(cache->pair_ids[p], list->pairs[p].ids) ||
        cache->pair_ranks[p] != list->pairs[p].other_rank)
      return false;
  return true;
}

static void keep_colours(GraphCache *cache, const KnownPairs *list, const Colouring *colouring)
{
  const size_t count = (size_t)list->count;
  cache->pair_count = list->count;
  cache->pair_ids = memory_resize(cache->pair_ids, count * sizeof *cache->pair_ids);
  cache->pair_ranks = memory_resize(cache->pair_ranks, count * sizeof *cache->pair_ranks);
  cache->colours = memory_resize(cache->colours, count * sizeof *cache->colours);
  for (int p = 0; p < list->count; p++) {
    cache->pair_ids[p] = list->pairs[p].ids;
    cache->pair_ranks[p] = list->pairs[p].other_rank;
    cache->colours[p] = colouring->colours[p];
  }
  cache->colour_count = colouring->colour_count;
}

// colours are a function of the pairs, so they hold while no rank's pairs change
static Colouring find_colours(GraphCache *cache, const KnownPairs *list, int rows, Arena *arena)
{
  if (par_all(has_colours(cache, list))) return (Colouring){cache->colour_count, cache->colours};
  const Colouring colouring = colour_pairs(list->pairs, list->count, rows, arena);
  if (cache) keep_colours(cache, list, &colouring);
  return colouring;
}

// pairs and their points in order of colour, within a colour in order of key; order[k]: the place
// of pair k in the list
static void sort_by_colour(ContactGraph *graph, const KnownPairs *list, const int *colours,
                           int *order, Arena *home, Arena *arena)
{
  graph->colour_start = arena_allocate_zero(home, (size_t)graph->colour_count + 2, sizeof(int));
  int *at = arena_allocate(arena, ((size_t)graph->colour_count + 1) * sizeof *at);
  for (int p = 0; p < list->count; p++) graph->colour_start[colours[p] + 1]++;
  for (int c = 0; c < graph->colour_count; c++) {
    graph->colour_start[c + 1] += graph->colour_start[c];
    at[c] = graph->colour_start[c];
  }
  for (int p = 0; p < list->count; p++) order[at[colours[p]]++] = p;
  int made = 0;
  for (int k = 0; k < list->count; k++) {
    const SolverPair range = list->ranges[order[k]];
    const int count = range.end - range.first;
    graph->pairs[k] = (SolverPair){made, made + count, range.low, range.high};
    graph->contacts[k] = range.first;
    memset(graph->owned + made, list->owned[order[k]], (size_t)count);
    if (list->owned[order[k]]) graph->owned_points += count;
    made += count;
  }
}

// pairs of each own body in order of key; places[p]: where pair p of the list went
static void index_bodies(ContactGraph *graph, const KnownPairs *list, const int *places,
                         Arena *home, Arena *arena)
{
  const int own = graph->own_rows;
  graph->body_start = arena_allocate_zero(home, (size_t)own + 2, sizeof(int));
  graph->body_pairs = arena_allocate(home, (2 * (size_t)graph->pair_count + 1) * sizeof(int));
  for (int p = 0; p < list->count; p++) {
    const SolverPair range = list->ranges[p];
    if (range.low < own) graph->body_start[range.low + 1]++;
    if (range.high < own) graph->body_start[range.high + 1]++;
  }
  int *at = arena_allocate(arena, ((size_t)own + 1) * sizeof *at);
  for (int b = 0; b < own; b++) {
    graph->body_start[b + 1] += graph->body_start[b];
    at[b] = graph->body_start[b];
  }
  for (int p = 0; p < list->count; p++) {
    const SolverPair pair = graph->pairs[places[p]];
    const int rows[2] = {pair.low, pair.high};
    for (int e = 0; e < 2; e++) {
      if (rows[e] < own) graph->body_pairs[at[rows[e]]++] = 2 * places[p] + e;
    }
  }
}

// the graph goes to its home, everything else to the arena
static ContactGraph make_graph(GraphCache *cache, const GraphSource *source, Arena *home,
                               Arena *arena)
{
  const Bodies *bodies = source->bodies;
  KnownPairs list = list_pairs(source, arena);
  const size_t room = (size_t)list.count + 1;
  ContactGraph graph = {.row_count = bodies->table.count,
                        .own_rows = bodies->table.owned,
                        .pair_count = list.count,
                        .pairs = arena_allocate(home, room * sizeof(SolverPair)),
                        .contacts = arena_allocate(home, room * sizeof(int))};
  for (int p = 0; p < list.count; p++)
    graph.point_count += list.ranges[p].end - list.ranges[p].first;
  graph.owned = arena_allocate(home, (size_t)graph.point_count + 1);
  const CopyChoice choice = copies_choose(&list, graph.own_rows, source->most_pairs, home, arena);
  const Colouring colouring = find_colours(cache, &list, graph.own_rows + choice.own_count, arena);
  graph.colour_count = colouring.colour_count;
  assert(graph.colour_count / 2 < source->most_pairs &&
         "more colours than the pairs of two bodies");
  int *order = arena_allocate(arena, room * sizeof *order);
  int *places = arena_allocate(arena, room * sizeof *places);
  sort_by_colour(&graph, &list, colouring.colours, order, home, arena);
  for (int k = 0; k < list.count; k++) places[order[k]] = k;
  index_bodies(&graph, &list, places, home, arena);
  const PlacedPairs placed = {&list, &choice, places, colouring.colours};
  graph.copies = copies_place(&placed, graph.own_rows, graph.row_count, home, arena);
  const RefreshSource refreshed = {&placed, graph.colour_count, &graph.copies, bodies};
  const Refreshes plans = refreshes_plan(&refreshed, home, arena);
  graph.before_colour = plans.before_colour;
  graph.all = plans.all;
  graph.swept = plans.swept;
  graph.copies.gather = plans.gather;
  graph.copies.impulses = copies_impulses(&placed, &graph.copies, graph.pairs, home, arena);
  return graph;
}

static bool same_bytes(const void *a, const void *b, int count, size_t size)
{
  return count == 0 || memcmp(a, b, (size_t)count * size) == 0;
}

static bool same_runs(const GraphCache *cache, const Contacts *contacts)
{
  int row = 0;
  for (int k = 0; k < cache->run_count; k++)
    for (; row < cache->run_ends[k]; row++)
      if (!id_pair_equal(contacts->bodies[row], cache->run_ids[k])) return false;
  return true;
}

// Are bodies, owners and keys those that the kept graph was made of?
static bool is_current(const GraphCache *cache, const GraphSource *source)
{
  const Bodies *bodies = source->bodies;
  const Table *b = &bodies->table, *c = &source->contacts->table;
  return cache->made > 0 && cache->row_count == b->count && cache->own_rows == b->owned &&
         cache->contact_count == c->count && cache->own_contacts == c->owned &&
         same_runs(cache, source->contacts) &&
         same_bytes(cache->ids, bodies->id, b->count, sizeof *cache->ids) &&
         same_bytes(cache->drives, bodies->drive, b->count, sizeof *cache->drives) &&
         same_bytes(cache->ghost_ranks, source->ghost_ranks, b->count - b->owned,
                    sizeof *cache->ghost_ranks);
}

static void *keep_bytes(void *to, const void *from, int count, size_t size)
{
  to = memory_resize(to, (size_t)count * size);
  if (count > 0) memcpy(to, from, (size_t)count * size);
  return to;
}

static void keep_runs(GraphCache *cache, const Contacts *c)
{
  const int owned = c->table.owned, count = c->table.count;
  int runs = 0;
  for (int row = 0; row < count; runs++) row = end_of_pair(c, row, row < owned ? owned : count);
  cache->run_count = runs;
  cache->run_ids = memory_resize(cache->run_ids, (size_t)runs * sizeof *cache->run_ids);
  cache->run_ends = memory_resize(cache->run_ends, (size_t)runs * sizeof *cache->run_ends);
  for (int k = 0, row = 0; k < runs; k++) {
    cache->run_ids[k] = c->bodies[row];
    row = cache->run_ends[k] = end_of_pair(c, row, row < owned ? owned : count);
  }
}

static void keep_source(GraphCache *cache, const GraphSource *source)
{
  const Bodies *bodies = source->bodies;
  const Table *b = &bodies->table, *c = &source->contacts->table;
  cache->row_count = b->count;
  cache->own_rows = b->owned;
  cache->contact_count = c->count;
  cache->own_contacts = c->owned;
  keep_runs(cache, source->contacts);
  cache->ids = keep_bytes(cache->ids, bodies->id, b->count, sizeof *cache->ids);
  cache->drives = keep_bytes(cache->drives, bodies->drive, b->count, sizeof *cache->drives);
  cache->ghost_ranks = keep_bytes(cache->ghost_ranks, source->ghost_ranks, b->count - b->owned,
                                  sizeof *cache->ghost_ranks);
}

const ContactGraph *graph_find(GraphCache *cache, GraphSource source, Arena *arena)
{
  if (!cache) {
    ContactGraph *graph = arena_allocate(arena, sizeof *graph);
    *graph = make_graph(NULL, &source, arena, arena);
    return graph;
  }
  if (par_all(is_current(cache, &source))) return &cache->graph;
  arena_reset(&cache->arena);
  cache->graph = make_graph(cache, &source, &cache->arena, arena);
  keep_source(cache, &source);
  cache->made++;
  return &cache->graph;
}

void graph_cache_destroy(GraphCache *cache)
{
  arena_destroy(&cache->arena);
  memory_free(cache->ids);
  memory_free(cache->drives);
  memory_free(cache->ghost_ranks);
  memory_free(cache->run_ids);
  memory_free(cache->run_ends);
  memory_free(cache->pair_ids);
  memory_free(cache->pair_ranks);
  memory_free(cache->colours);
  *cache = (GraphCache){0};
}
