// Brings both sides of a boundary to one rank, which improves it.
#include "pairs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "order.h"
#include "pair_colouring.h"
#include "parallel.h"
#include "two_way.h"

#define DEPTH 3   // edges from the boundary to the last vertices that may move

typedef struct {
  const LocalGraph *local;
  int *subdomain;     // [local->count]
  int64_t workload;   // of this rank's subdomain
  int64_t limit;
  PairColouring colouring;
  // edges of the others' rows, to own ones
  const int *back_start;   // [local->count - local->owned + 1]
  const int *back;
  int rim_count;      // own vertices with edges to other subdomains, now or before a colour
  int *rim;           // [rim_count]
  bool *is_in_rim;    // [local->owned]
  int *partner;       // [local->count] other subdomain of the pair in whose band a row is, or -1
  int band_count;     // rows in bands of this colour, the nearest to a boundary first
  int *band;          // [band_count]
  bool *is_in_band;   // [local->count]
  int *listed;        // [local->owned] rank that a vertex was listed for last, or -1
} Pairs;

static void rim_add(Pairs *all, int row)
{
  assert_debug(row >= 0 && row < all->local->count && "a vertex has a row");
  if (row >= all->local->owned || all->is_in_rim[row]) return;
  all->is_in_rim[row] = true;
  all->rim[all->rim_count++] = row;
}

// own vertices with edges to other subdomains, and the pairs of these edges
static void list_pairs(Pairs *all, Arena *arena)
{
  const OwnershipGraph *graph = all->local->graph;
  const int *subdomain = all->subdomain, *edges = all->local->edges;
  size_t room = 1;
  for (int v = 0; v < all->local->owned; v++)
    for (int64_t e = graph->edge_start[v]; e < graph->edge_start[v + 1]; e++) {
      if (subdomain[edges[e]] == subdomain[v]) continue;
      rim_add(all, v);
      room++;
    }
  all->colouring.pairs = arena_allocate(arena, room * sizeof *all->colouring.pairs);
  int count = 0;
  for (int i = 0; i < all->rim_count; i++) {
    const int v = all->rim[i];
    for (int64_t e = graph->edge_start[v]; e < graph->edge_start[v + 1]; e++) {
      const int here = subdomain[v], there = subdomain[edges[e]];
      if (here == there) continue;
      all->colouring.pairs[count++] =
          (SubdomainPair){here < there ? here : there, here < there ? there : here,
                          graph->edge_work[e] + graph->ghost_work, -1};
    }
  }
  all->colouring.count = pair_colouring_join(all->colouring.pairs, count);
}

// Rows at the other ends of a row's edges; of others' rows the own ones.
typedef struct {
  const int *rows;
  int count;
} Ends;

static Ends ends_of(const Pairs *all, int row)
{
  assert_debug(row >= 0 && row < all->local->count && "a vertex has a row");
  const LocalGraph *local = all->local;
  if (row >= local->owned) {
    const int *start = &all->back_start[row - local->owned];
    return (Ends){all->back + start[0], start[1] - start[0]};
  }
  const int64_t *start = &local->graph->edge_start[row];
  return (Ends){local->edges + start[0], (int)(start[1] - start[0])};
}

static void band_add(Pairs *all, int row)
{
  assert_debug(row >= 0 && row < all->local->count && "a vertex has a row");
  if (all->is_in_band[row]) return;
  all->is_in_band[row] = true;
  all->band[all->band_count++] = row;
}

// Collective among neighbours.
static void refresh_band(Pairs *all, Arena *arena)
{
  local_graph_refresh(all->local, all->partner, arena);
  for (int row = all->local->owned; row < all->local->count; row++)
    if (all->partner[row] >= 0) band_add(all, row);
}

// Collective among neighbours. Own vertices of the pairs of this colour up to DEPTH edges from
// their boundaries, and which of the others' are.
static void mark_band(Pairs *all, int colour, Arena *arena)
{
  assert(colour >= 0 && "colours are counted");
  const int *subdomain = all->subdomain;
  int *partner = all->partner;
  all->band_count = 0;
  for (int i = 0; i < all->rim_count; i++) {
    const int v = all->rim[i];
    const Ends ends = ends_of(all, v);
    for (int k = 0; k < ends.count; k++) {
      const int other = subdomain[ends.rows[k]];
      if (other != subdomain[v] && other != partner[v] &&
          pair_colouring_of(&all->colouring, subdomain[v], other) == colour)
        partner[v] = other;
    }
    if (partner[v] >= 0) band_add(all, v);
  }
  refresh_band(all, arena);
  for (int layer = 0, i = 0; layer < DEPTH; layer++) {
    for (const int end = all->band_count; i < end; i++) {
      const int w = all->band[i];
      const Ends ends = ends_of(all, w);
      for (int k = 0; k < ends.count; k++) {
        const int v = ends.rows[k];
        if (v >= all->local->owned || partner[v] >= 0 || subdomain[v] != subdomain[w]) continue;
        partner[v] = partner[w];
        band_add(all, v);
      }
    }
    refresh_band(all, arena);
  }
}

// No row is in a band any more; where vertices have moved, others may be at a boundary now.
static void clear_band(Pairs *all)
{
  for (int i = 0; i < all->band_count; i++) {
    const int row = all->band[i];
    const bool has_moved = all->subdomain[row] == all->partner[row];
    all->partner[row] = -1;
    all->is_in_band[row] = false;
    if (!has_moved) continue;
    const Ends ends = ends_of(all, row);
    rim_add(all, row);
    for (int k = 0; k < ends.count; k++) rim_add(all, ends.rows[k]);
  }
}

// A vertex for the rank of a pair: one of its band, or one that has a neighbour there.
typedef struct {
  int rank, vertex;
  bool movable;
} BandItem;

static int compare_items(const void *a, const void *b)
{
  const BandItem *p = a, *q = b;
  if (p->rank != q->rank) return (p->rank > q->rank) - (p->rank < q->rank);
  return (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

static int lower_of(int a, int b) { return a < b ? a : b; }

static BandItem *list_items(const Pairs *all, int *count, Arena *arena)
{
  const int *subdomain = all->subdomain, *partner = all->partner;
  size_t room = 1;
  for (int i = 0; i < all->band_count; i++) room += 1 + (size_t)ends_of(all, all->band[i]).count;
  BandItem *items = arena_allocate(arena, room * sizeof *items);
  int n = 0;
  for (int i = 0; i < all->band_count; i++) {
    const int w = all->band[i], rank = lower_of(subdomain[w], partner[w]);
    if (w < all->local->owned) items[n++] = (BandItem){rank, w, true};
    const Ends ends = ends_of(all, w);
    for (int k = 0; k < ends.count; k++) {
      const int v = ends.rows[k];
      if (v >= all->local->owned || all->listed[v] == rank) continue;
      if (partner[v] >= 0 && lower_of(subdomain[v], partner[v]) == rank) continue;
      items[n++] = (BandItem){rank, v, false};
      all->listed[v] = rank;   // spares most of what would be there twice
    }
  }
  for (int i = 0; i < n; i++) all->listed[items[i].vertex] = -1;
  if (n > 1) qsort(items, (size_t)n, sizeof *items, compare_items);
  int kept = 0;
  for (int i = 0; i < n; i++)
    if (kept == 0 || compare_items(&items[kept - 1], &items[i]) != 0) items[kept++] = items[i];
  *count = kept;
  return items;
}

// What goes to the rank of a pair, in words: a workload, then of each vertex these, then of each of
// its edges the three words below. What comes back: a workload, and a subdomain for each vertex.
enum { WORD_ID, WORD_WORK, WORD_SUBDOMAIN, WORD_MOVABLE, WORD_DEGREE, VERTEX_WORDS };
enum { WORD_OTHER, WORD_EDGE_WORK, WORD_OTHER_SUBDOMAIN, EDGE_WORDS };

static int64_t *pack_vertex(const Pairs *all, BandItem item, int64_t *word)
{
  assert_debug(item.vertex >= 0 && item.vertex < all->local->owned && "own vertices are sent");
  const OwnershipGraph *graph = all->local->graph;
  const int v = item.vertex;
  const int64_t first = graph->edge_start[v], end = graph->edge_start[v + 1];
  word[WORD_ID] = (int64_t)graph->ids[v];
  word[WORD_WORK] = graph->work[v];
  word[WORD_SUBDOMAIN] = all->subdomain[v];
  word[WORD_MOVABLE] = item.movable;
  word[WORD_DEGREE] = end - first;
  word += VERTEX_WORDS;
  for (int64_t e = first; e < end; e++, word += EDGE_WORDS) {
    word[WORD_OTHER] = (int64_t)graph->edge_ids[e];
    word[WORD_EDGE_WORK] = graph->edge_work[e];
    word[WORD_OTHER_SUBDOMAIN] = all->subdomain[all->local->edges[e]];
  }
  return word;
}

// The messages to the ranks of the pairs; workload_rank: gets this rank's workload, or -1.
static Message *pack_items(const Pairs *all, const BandItem *items, int count, int workload_rank,
                           int *send_count, Arena *arena)
{
  assert(count >= 0 && workload_rank >= -1 && workload_rank < par_size() &&
         "the workload goes to a rank or nowhere");
  const OwnershipGraph *graph = all->local->graph;
  size_t words = 1;
  for (int i = 0; i < count; i++) {
    const int v = items[i].vertex;
    words +=
        1 + VERTEX_WORDS + EDGE_WORDS * (size_t)(graph->edge_start[v + 1] - graph->edge_start[v]);
  }
  int64_t *word = arena_allocate(arena, words * sizeof *word);
  Message *sends = arena_allocate(arena, ((size_t)count + 1) * sizeof *sends);
  int n = 0;
  bool told = workload_rank < 0;
  for (int i = 0; i <= count;) {
    // the one that gets the workload alone stands where it belongs
    const bool is_workload = !told && (i == count || items[i].rank >= workload_rank);
    if (i == count && !is_workload) break;
    const int rank = is_workload ? workload_rank : items[i].rank;
    told = told || is_workload;
    sends[n] = (Message){rank, 0, word};
    *word++ = is_workload ? all->workload : 0;
    for (; i < count && items[i].rank == rank; i++) word = pack_vertex(all, items[i], word);
    sends[n].bytes = (size_t)(word - (int64_t *)sends[n].data) * sizeof *word;
    n++;
  }
  *send_count = n;
  return sends;
}

// A vertex as it came.
typedef struct {
  const int64_t *words;
  int64_t *answer;   // where its subdomain goes
} Arrival;

static int compare_arrivals(const void *a, const void *b)
{
  const int64_t *p = ((const Arrival *)a)->words, *q = ((const Arrival *)b)->words;
  if (p[WORD_MOVABLE] != q[WORD_MOVABLE]) return p[WORD_MOVABLE] ? -1 : 1;
  const uint64_t i = (uint64_t)p[WORD_ID], j = (uint64_t)q[WORD_ID];
  return order_u64(i, j);
}

// Arrivals by id, at the next free place: most edges of a band lead to vertices that came, too.
typedef struct {
  int shift;
  size_t mask;
  int *places;   // [mask + 1] arrival, or -1
} Lookup;

// where an arrival with this id is, or would be
static int *place_of(const Lookup *lookup, const Arrival *arrivals, uint64_t id)
{
  assert_debug(lookup->mask != 0 && "a lookup has places");
  size_t at = (size_t)(id * 0x9e3779b97f4a7c15U >> lookup->shift);
  for (;; at = (at + 1) & lookup->mask) {
    const int arrival = lookup->places[at];
    if (arrival < 0 || (uint64_t)arrivals[arrival].words[WORD_ID] == id) break;
  }
  return &lookup->places[at];
}

static Lookup lookup_new(const Arrival *arrivals, int count, Arena *arena)
{
  assert(count >= 0 && "arrivals are counted");
  Lookup lookup = {.shift = 63, .mask = 1};
  for (; lookup.mask < 2 * (size_t)count; lookup.mask = 2 * lookup.mask + 1) lookup.shift--;
  lookup.places = arena_allocate(arena, (lookup.mask + 1) * sizeof *lookup.places);
  memset(lookup.places, -1, (lookup.mask + 1) * sizeof *lookup.places);
  for (int v = 0; v < count; v++)
    *place_of(&lookup, arrivals, (uint64_t)arrivals[v].words[WORD_ID]) = v;
  return lookup;
}

static unsigned char side_of(const SubdomainPair *pair, int64_t subdomain)
{
  assert_debug(pair->low < pair->high && "the lower subdomain stands first");
  return subdomain == pair->low ? 0 : subdomain == pair->high ? 1 : SIDE_ELSEWHERE;
}

static TwoWayGraph make_graph(const SubdomainPair *pair, const Arrival *arrivals, int count,
                              int64_t ghost_work, Arena *arena)
{
  assert(count >= 0 && ghost_work >= 1 && "a copy is work");
  size_t all = 1;
  int movable = 0;
  for (int v = 0; v < count; v++) {
    all += (size_t)arrivals[v].words[WORD_DEGREE];
    movable += arrivals[v].words[WORD_MOVABLE] != 0;
  }
  int64_t *work = arena_allocate(arena, ((size_t)count + 1) * sizeof *work),
          *edge_work = arena_allocate(arena, all * sizeof *edge_work);
  int *start = arena_allocate_zero(arena, (size_t)count + 1, sizeof *start),
      *edges = arena_allocate(arena, all * sizeof *edges);
  const Lookup lookup = lookup_new(arrivals, count, arena);
  int e = 0;
  for (int v = 0; v < count; v++) {
    const int64_t *words = arrivals[v].words, *edge = words + VERTEX_WORDS;
    work[v] = words[WORD_WORK];
    for (int k = 0; k < (int)words[WORD_DEGREE]; k++, e++, edge += EDGE_WORDS) {
      const int other = *place_of(&lookup, arrivals, (uint64_t)edge[WORD_OTHER]);
      assert((other >= 0 || v >= movable) && "what touches a vertex that may move has come too");
      edges[e] = other >= 0 ? other : count + side_of(pair, edge[WORD_OTHER_SUBDOMAIN]);
      edge_work[e] = edge[WORD_EDGE_WORK];
    }
    start[v + 1] = e;
  }
  return (TwoWayGraph){movable, count, work, start, edges, edge_work, ghost_work};
}

// Local, on the pair's rank. Both sides of the boundary, as they came, into answers.
static void improve_pair(Pairs *all, const SubdomainPair *pair, Messages arrived, Message *answers,
                         Arena *arena)
{
  assert(pair->low == par_rank() && "the rank of the lower subdomain makes the pair better");
  size_t words = 0;
  for (int m = 0; m < arrived.count; m++) words += arrived.messages[m].bytes / sizeof(int64_t);
  Arrival *arrivals = arena_allocate(arena, (words + 1) * sizeof *arrivals / VERTEX_WORDS + 64);
  int64_t *answer = arena_allocate(arena, (words + 1) * sizeof *answer);
  int count = 0;
  int64_t *of_high = NULL;
  TwoWayCost cost = {{all->workload, 0}, 0};
  for (int m = 0; m < arrived.count; m++) {
    const Message *message = &arrived.messages[m];
    const int64_t *word = message->data, *end = word + message->bytes / sizeof *word;
    answers[m] = (Message){message->rank, 0, answer};
    if (message->rank == pair->high) {
      cost.workload[1] = *word;
      of_high = answer;
    }
    *answer++ = 0;
    for (word++; word < end; word += VERTEX_WORDS + EDGE_WORDS * word[WORD_DEGREE])
      arrivals[count++] = (Arrival){word, answer++};
    answers[m].bytes = (size_t)(answer - (int64_t *)answers[m].data) * sizeof *answer;
  }
  assert(of_high && "the higher subdomain's rank tells its workload");
  if (count > 1) qsort(arrivals, (size_t)count, sizeof *arrivals, compare_arrivals);
  const TwoWayGraph graph = make_graph(pair, arrivals, count, all->local->graph->ghost_work, arena);
  unsigned char *side = arena_allocate(arena, (size_t)count + 1);
  for (int v = 0; v < count; v++) side[v] = side_of(pair, arrivals[v].words[WORD_SUBDOMAIN]);
  two_way_improve(&graph, side, all->limit, &cost, arena);
  for (int v = 0; v < count; v++)
    *arrivals[v].answer = v >= graph.movable ? -1 : side[v] == 0 ? pair->low : pair->high;
  all->workload = cost.workload[0];
  *of_high = cost.workload[1];
}

// Collective. All pairs of one colour.
static void improve_pairs(Pairs *all, int colour, Arena *arena)
{
  mark_band(all, colour, arena);
  const SubdomainPair *pair = NULL;
  for (int i = 0; i < all->colouring.own_count; i++)
    if (all->colouring.own[i].colour == colour) pair = &all->colouring.own[i];
  const bool is_high = pair && pair->high == par_rank();
  int count, send_count;
  const BandItem *items = list_items(all, &count, arena);
  const Message *sends =
      pack_items(all, items, count, is_high ? pair->low : -1, &send_count, arena);
  const Messages arrived = par_exchange(sends, send_count, arena);
  assert((arrived.count == 0 || (pair && !is_high)) && "vertices go to the rank of their pair");
  Message *answers = arena_allocate(arena, ((size_t)arrived.count + 1) * sizeof *answers);
  if (arrived.count) improve_pair(all, pair, arrived, answers, arena);
  const Messages answered = par_exchange(answers, arrived.count, arena);
  int at = 0;
  for (int m = 0; m < answered.count; m++) {
    const Message *message = &answered.messages[m];
    const int64_t *word = message->data, *end = word + message->bytes / sizeof *word;
    if (is_high && message->rank == pair->low) all->workload = *word;
    for (word++; word < end; word++, at++)
      if (items[at].movable) all->subdomain[items[at].vertex] = (int)*word;
  }
  assert(at == count && "every vertex that went out has its answer");
  local_graph_refresh(all->local, all->subdomain, arena);
  clear_band(all);
}

// own rows at the edges of others' rows
static void list_back(Pairs *all, Arena *arena)
{
  const LocalGraph *local = all->local;
  const int own = local->owned, others = local->count - own;
  const int64_t *first = local->graph->edge_start;
  int *start = arena_allocate_zero(arena, (size_t)others + 2, sizeof *start);
  for (int64_t e = 0; e < (own ? first[own] : 0); e++)
    if (local->edges[e] >= own) start[local->edges[e] - own + 2]++;
  for (int g = 0; g < others; g++) start[g + 2] += start[g + 1];
  int *back = arena_allocate(arena, ((size_t)start[others + 1] + 1) * sizeof *back);
  for (int v = 0; v < own; v++)
    for (int64_t e = first[v]; e < first[v + 1]; e++)
      if (local->edges[e] >= own) back[start[local->edges[e] - own + 1]++] = v;
  all->back_start = start;
  all->back = back;
}

static Pairs pairs_new(const LocalGraph *local, int *subdomain, int64_t workload, int64_t limit,
                       Arena *arena)
{
  assert(workload >= 0 && limit >= 0 && "work is not below zero");
  const size_t own = (size_t)local->owned + 1, rows = (size_t)local->count + 1;
  Pairs all = {.local = local, .subdomain = subdomain, .workload = workload, .limit = limit};
  list_back(&all, arena);
  all.rim = arena_allocate(arena, own * sizeof *all.rim);
  all.is_in_rim = arena_allocate_zero(arena, own, sizeof *all.is_in_rim);
  all.listed = arena_allocate(arena, own * sizeof *all.listed);
  all.partner = arena_allocate(arena, rows * sizeof *all.partner);
  all.band = arena_allocate(arena, rows * sizeof *all.band);
  all.is_in_band = arena_allocate_zero(arena, rows, sizeof *all.is_in_band);
  for (int v = 0; v < local->owned; v++) all.listed[v] = -1;
  for (int row = 0; row < local->count; row++) all.partner[row] = -1;
  list_pairs(&all, arena);
  return all;
}

int64_t pairs_improve(const LocalGraph *local, int *subdomain, int64_t workload, int64_t limit,
                      Arena *arena)
{
  assert((subdomain != NULL || local->count == 0) && "every vertex has a subdomain");
  const ArenaMark mark = arena_mark(arena);
  Pairs all = pairs_new(local, subdomain, workload, limit, arena);
  const int colour_count = pair_colouring_make(&all.colouring, arena);
  for (int colour = 0; colour < colour_count; colour++) {
    const ArenaMark before = arena_mark(arena);
    improve_pairs(&all, colour, arena);
    arena_release(arena, before);
  }
  arena_release(arena, mark);
  return all.workload;
}
