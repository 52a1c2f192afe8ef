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
static int end_of_pair(const IdPair *bodies, int first, int end)
{
  assert_debug(first >= 0 && first < end && "a pair has a row");
  int i = first + 1;
  while (i < end && id_pair_equal(bodies[i], bodies[first])) i++;
  return i;
}

// The rows of a table that are left to list: own rows and ghost rows are each sorted by pair, and a
// pair is wholly in one of the two.
typedef struct {
  const IdPair *bodies;   // of the rows
  int next[2], end[2];    // own, ghost
} Remaining;

static Remaining remaining_of(const Table *table, const IdPair *bodies)
{
  assert(table->owned <= table->count && "own rows come first");
  return (Remaining){bodies, {0, table->owned}, {table->owned, table->count}};
}

// The half with the lowest pair that is left, or -1.
static int lowest_half(const Remaining *rows)
{
  const bool own = rows->next[0] < rows->end[0], ghost = rows->next[1] < rows->end[1];
  if (!own || !ghost) return own ? 0 : ghost ? 1 : -1;
  return id_pair_before(rows->bodies[rows->next[0]], rows->bodies[rows->next[1]]) ? 0 : 1;
}

// Rows of one pair of bodies, empty or of one half.
typedef struct {
  int first, end, half;
} RowsOfPair;

// Takes the rows of that pair, if they come next in a half.
static RowsOfPair take_rows(Remaining *rows, int half, IdPair ids)
{
  if (half < 0) return (RowsOfPair){0, 0, -1};
  const int first = rows->next[half];
  if (!id_pair_equal(rows->bodies[first], ids)) return (RowsOfPair){0, 0, -1};
  rows->next[half] = end_of_pair(rows->bodies, first, rows->end[half]);
  return (RowsOfPair){first, rows->next[half], half};
}

// What is between two bodies.
typedef struct {
  IdPair ids;
  RowsOfPair contacts, joints;
} PairRows;

static void add_pair(KnownPairs *list, const GraphSource *source, const PairRows *rows)
{
  const Bodies *b = source->bodies;
  const IdPair ids = rows->ids;
  assert_debug(ids.low < ids.high && "the lower id comes first");
  const bool same_low = list->count > 0 && list->pairs[list->count - 1].ids.low == ids.low;
  const int low = same_low ? list->ranges[list->count - 1].low : bodies_find(b, ids.low);
  const int found[2] = {low, bodies_find(b, ids.high)};
  assert(found[0] >= 0 && found[1] >= 0 && "both bodies of a known pair are here");
  if (b->drive[found[0]] != DRIVE_DYNAMIC && b->drive[found[1]] != DRIVE_DYNAMIC) return;
  ColourPair pair = {ids, -1, -1, -1};
  for (int e = 0; e < 2; e++) {
    if (b->drive[found[e]] != DRIVE_DYNAMIC) continue;
    if (found[e] >= b->table.owned)
      pair.other_rank = source->ghost_ranks[found[e] - b->table.owned];
    else if (e == 0) pair.low = found[e];
    else pair.high = found[e];
  }
  const int contacts = rows->contacts.end - rows->contacts.first,
            joints = rows->joints.end - rows->joints.first;
  const int first = rows->contacts.first;
  list->pairs[list->count] = pair;
  list->ranges[list->count] = (SolverPair){first, first + contacts + joints, found[0], found[1]};
  if (list->joints) list->joints[list->count] = (JointSpan){contacts, rows->joints.first};
  list->owned[list->count++] = (contacts > 0 ? rows->contacts : rows->joints).half == 0;
}

// pairs in order of key
static KnownPairs list_pairs(const GraphSource *source, Arena *arena)
{
  const Contacts *c = source->contacts;
  const int joint_count = source->joints ? source->joints->table.count : 0;
  const size_t room = (size_t)c->table.count + (size_t)joint_count + 1;
  KnownPairs list = {.pairs = arena_allocate(arena, room * sizeof(ColourPair)),
                     .ranges = arena_allocate(arena, room * sizeof(SolverPair)),
                     .owned = arena_allocate(arena, room)};
  if (joint_count > 0) list.joints = arena_allocate(arena, room * sizeof *list.joints);
  Remaining contacts = remaining_of(&c->table, c->bodies), joints = {0};
  if (joint_count > 0) joints = remaining_of(&source->joints->table, source->joints->bodies);
  while (true) {
    const int touching = lowest_half(&contacts), joined = lowest_half(&joints);
    if (touching < 0 && joined < 0) return list;
    PairRows rows = {0};
    if (touching >= 0) rows.ids = contacts.bodies[contacts.next[touching]];
    if (joined >= 0) {
      const IdPair other = joints.bodies[joints.next[joined]];
      if (touching < 0 || id_pair_before(other, rows.ids)) rows.ids = other;
    }
    rows.contacts = take_rows(&contacts, touching, rows.ids);
    rows.joints = take_rows(&joints, joined, rows.ids);
    add_pair(&list, source, &rows);
  }
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
    if (list->joints) {
      const JointSpan span = list->joints[order[k]];
      graph->joints[k] = (JointSpan){made + span.point, span.row};
    }
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
  if (list.joints) graph.joints = arena_allocate(home, room * sizeof *graph.joints);
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

static bool same_joints(const GraphCache *cache, const Joints *joints)
{
  if (!joints) return cache->joint_count == 0;
  return cache->joint_count == joints->table.count && cache->own_joints == joints->table.owned &&
         same_bytes(cache->joint_ids, joints->bodies, cache->joint_count, sizeof(IdPair));
}

// Are bodies, owners and keys those that the kept graph was made of?
static bool is_current(const GraphCache *cache, const GraphSource *source)
{
  const Bodies *bodies = source->bodies;
  const Table *b = &bodies->table, *c = &source->contacts->table;
  return cache->made > 0 && cache->row_count == b->count && cache->own_rows == b->owned &&
         cache->contact_count == c->count && cache->own_contacts == c->owned &&
         same_runs(cache, source->contacts) && same_joints(cache, source->joints) &&
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
  for (int row = 0; row < count; runs++)
    row = end_of_pair(c->bodies, row, row < owned ? owned : count);
  cache->run_count = runs;
  cache->run_ids = memory_resize(cache->run_ids, (size_t)runs * sizeof *cache->run_ids);
  cache->run_ends = memory_resize(cache->run_ends, (size_t)runs * sizeof *cache->run_ends);
  for (int k = 0, row = 0; k < runs; k++) {
    cache->run_ids[k] = c->bodies[row];
    row = cache->run_ends[k] = end_of_pair(c->bodies, row, row < owned ? owned : count);
  }
}

static void keep_joints(GraphCache *cache, const Joints *joints)
{
  cache->joint_count = joints ? joints->table.count : 0;
  cache->own_joints = joints ? joints->table.owned : 0;
  if (joints)
    cache->joint_ids =
        keep_bytes(cache->joint_ids, joints->bodies, cache->joint_count, sizeof(IdPair));
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
  keep_joints(cache, source->joints);
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
  memory_free(cache->joint_ids);
  memory_free(cache->pair_ids);
  memory_free(cache->pair_ranks);
  memory_free(cache->colours);
  *cache = (GraphCache){0};
}
