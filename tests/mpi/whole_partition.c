#include "whole_partition.h"

#include <assert.h>
#include <metis.h>
#include <stdlib.h>
#include <string.h>

#include "parallel.h"

#define EDGE_WEIGHT 8   // at least, of an edge of the graph, in units of an edge along the curve
#define CURVE_BITS 21   // per axis: three of them fill one word
#define SUM_BITS 29     // METIS adds weights up in 32 bits, with some room

typedef struct {
  int count;
  uint64_t *ids;       // [count] ascending
  int *homes;          // [count] rank that holds the vertex now
  int *curve;          // [count] vertices in order along a space-filling curve
  int64_t *work;       // [count]
  idx_t *edge_start;   // [count + 1]
  idx_t *edges;
  int64_t *edge_work;     // 0 along the curve
  idx_t *vertex_weight;   // work, scaled so that METIS's sums fit in its integers
  idx_t *edge_weight;     // likewise
} WholeGraph;

typedef struct {
  uint64_t id;
  vec3 place;
  int64_t work, degree;
} PackedVertex;

typedef struct {
  uint64_t id;
  int64_t work;
} PackedEdge;

static Messages whole_graph_gather(const OwnershipGraph *graph, Arena *arena)
{
  const int64_t edges = graph->vertex_count ? graph->edge_start[graph->vertex_count] : 0;
  const size_t bytes =
      (size_t)graph->vertex_count * sizeof(PackedVertex) + (size_t)edges * sizeof(PackedEdge);
  char *packed = arena_allocate(arena, bytes), *p = packed;
  for (int v = 0; v < graph->vertex_count; v++) {
    const int64_t first = graph->edge_start[v], end = graph->edge_start[v + 1];
    const PackedVertex vertex = {graph->ids[v], graph->places[v], graph->work[v], end - first};
    memcpy(p, &vertex, sizeof vertex);
    p += sizeof vertex;
    for (int64_t e = first; e < end; e++) {
      const PackedEdge edge = {graph->edge_ids[e], graph->edge_work[e] + graph->ghost_work};
      memcpy(p, &edge, sizeof edge);
      p += sizeof edge;
    }
  }
  const Message send = {0, bytes, packed};
  return par_exchange(&send, 1, arena);
}

// Where a vertex's record lies in the messages.
typedef struct {
  PackedVertex vertex;
  const char *edges;
  int home;
} Entry;

typedef struct {
  int count;
  int64_t edge_count;
  Entry *entries;   // [count] by id
} Entries;

static int compare_entries(const void *a, const void *b)
{
  const Entry *p = a, *q = b;
  return (p->vertex.id > q->vertex.id) - (p->vertex.id < q->vertex.id);
}

static Entries find_entries(Messages subdomains, Arena *arena)
{
  Entries all = {0};
  int64_t room = 1;
  for (int m = 0; m < subdomains.count; m++)
    room += (int64_t)(subdomains.messages[m].bytes / sizeof(PackedVertex));
  all.entries = arena_allocate(arena, (size_t)room * sizeof *all.entries);
  for (int m = 0; m < subdomains.count; m++)
    for (size_t at = 0; at < subdomains.messages[m].bytes;) {
      const char *record = (const char *)subdomains.messages[m].data + at;
      Entry *entry = &all.entries[all.count++];
      memcpy(&entry->vertex, record, sizeof entry->vertex);
      entry->edges = record + sizeof entry->vertex;
      entry->home = subdomains.messages[m].rank;
      all.edge_count += entry->vertex.degree;
      at += sizeof entry->vertex + (size_t)entry->vertex.degree * sizeof(PackedEdge);
    }
  if (all.count > 1) qsort(all.entries, (size_t)all.count, sizeof *all.entries, compare_entries);
  return all;
}

// every third bit of the result is a bit of x
static uint64_t spread_bits(uint64_t x)
{
  uint64_t spread = 0;
  for (int bit = 0; bit < CURVE_BITS; bit++) spread |= (x >> bit & 1) << (3 * bit);
  return spread;
}

typedef struct {
  uint64_t key;
  int vertex;
} CurvePlace;

static int compare_places(const void *a, const void *b)
{
  const CurvePlace *p = a, *q = b;
  if (p->key != q->key) return p->key < q->key ? -1 : 1;
  return (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

// vertices along Morton's curve over the box of all places
static int *order_along_curve(const Entries *all, Arena *arena)
{
  vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
  for (int v = 0; v < all->count; v++) {
    low = vec3_min(low, all->entries[v].vertex.place);
    high = vec3_max(high, all->entries[v].vertex.place);
  }
  const vec3 side = vec3_sub(high, low);
  const double longest = fmax(side.x, fmax(side.y, side.z));
  const double scale = longest > 0 ? (double)((1 << CURVE_BITS) - 1) / longest : 0;
  CurvePlace *places = arena_allocate(arena, ((size_t)all->count + 1) * sizeof *places);
  for (int v = 0; v < all->count; v++) {
    const vec3 x = vec3_scale(scale, vec3_sub(all->entries[v].vertex.place, low));
    places[v].key = spread_bits((uint64_t)x.x) | spread_bits((uint64_t)x.y) << 1 |
                    spread_bits((uint64_t)x.z) << 2;
    places[v].vertex = v;
  }
  if (all->count > 1) qsort(places, (size_t)all->count, sizeof *places, compare_places);
  int *curve = arena_allocate(arena, ((size_t)all->count + 1) * sizeof *curve);
  for (int i = 0; i < all->count; i++) curve[i] = places[i].vertex;
  return curve;
}

static int compare_edges(const void *a, const void *b)
{
  const PackedEdge *p = a, *q = b;
  return (p->id > q->id) - (p->id < q->id);
}

static int find_id(const uint64_t *ids, int count, uint64_t id)
{
  int first = 0, end = count;
  while (first < end) {
    const int middle = first + (end - first) / 2;
    if (ids[middle] < id) first = middle + 1;
    else end = middle;
  }
  assert(first < count && ids[first] == id && "an edge leads to a vertex that nobody holds");
  return first;
}

// the edges of one vertex in order of id, so that the split is a function of the graph, and light
// ones to its neighbours along the curve
static idx_t join_edges(WholeGraph *whole, const Entry *entry, const int neighbours[2], idx_t e,
                        Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  const int degree = (int)entry->vertex.degree;
  PackedEdge *edges = arena_allocate(arena, ((size_t)degree + 1) * sizeof *edges);
  memcpy(edges, entry->edges, (size_t)degree * sizeof *edges);
  if (degree > 1) qsort(edges, (size_t)degree, sizeof *edges, compare_edges);
  const idx_t first = e;
  for (int d = 0; d < degree; d++) {
    whole->edges[e] = find_id(whole->ids, whole->count, edges[d].id);
    whole->edge_work[e++] = edges[d].work;
  }
  for (int n = 0; n < 2; n++) {
    bool there = neighbours[n] < 0;
    for (idx_t k = first; k < e && !there; k++) there = whole->edges[k] == neighbours[n];
    if (there) continue;
    whole->edges[e] = neighbours[n];
    whole->edge_work[e++] = 0;
  }
  arena_release(arena, mark);
  return e;
}

// bits to shift so that the sum of so many weights fits; a weight stays at least one
static int shift_of(const int64_t *work, int64_t count)
{
  int64_t sum = 0;
  for (int64_t i = 0; i < count; i++) sum += work[i];
  int shift = 0;
  while (sum >> shift >= (int64_t)1 << SUM_BITS) shift++;
  return shift;
}

static idx_t scaled(int64_t work, int shift)
{
  return work >> shift > 0 ? (idx_t)(work >> shift) : 1;
}

static void make_weights(WholeGraph *whole)
{
  const int64_t edges = whole->edge_start[whole->count];
  const int shift = shift_of(whole->work, whole->count),
            edge_shift = shift_of(whole->edge_work, edges);
  for (int v = 0; v < whole->count; v++) whole->vertex_weight[v] = scaled(whole->work[v], shift);
  for (int64_t e = 0; e < edges; e++) {
    const int64_t work = whole->edge_work[e];
    whole->edge_weight[e] = work > 0 ? EDGE_WEIGHT + scaled(work, edge_shift) : 1;
  }
}

static WholeGraph whole_graph_join(Messages subdomains, Arena *arena)
{
  const Entries all = find_entries(subdomains, arena);
  const size_t n = (size_t)all.count + 1, edge_room = (size_t)all.edge_count + 2 * n;
  WholeGraph whole = {.count = all.count,
                      .ids = arena_allocate(arena, n * sizeof(uint64_t)),
                      .homes = arena_allocate(arena, n * sizeof(int)),
                      .curve = order_along_curve(&all, arena),
                      .work = arena_allocate(arena, n * sizeof(int64_t)),
                      .edge_start = arena_allocate_zero(arena, n, sizeof(idx_t)),
                      .edges = arena_allocate(arena, edge_room * sizeof(idx_t)),
                      .edge_work = arena_allocate(arena, edge_room * sizeof(int64_t)),
                      .vertex_weight = arena_allocate(arena, n * sizeof(idx_t)),
                      .edge_weight = arena_allocate(arena, edge_room * sizeof(idx_t))};
  int *place = arena_allocate(arena, n * sizeof *place);
  for (int v = 0; v < all.count; v++) {
    whole.ids[v] = all.entries[v].vertex.id;
    whole.homes[v] = all.entries[v].home;
    whole.work[v] = all.entries[v].vertex.work;
    place[whole.curve[v]] = v;
  }
  for (int v = 0; v < all.count; v++) {
    const int at = place[v];
    const int neighbours[2] = {at > 0 ? whole.curve[at - 1] : -1,
                               at + 1 < all.count ? whole.curve[at + 1] : -1};
    whole.edge_start[v + 1] =
        join_edges(&whole, &all.entries[v], neighbours, whole.edge_start[v], arena);
  }
  make_weights(&whole);
  return whole;
}

// each home learns the subdomains of its vertices, which it knows in order of id
static Messages send_subdomains(const WholeGraph *g, const idx_t *subdomain, Arena *arena)
{
  const int ranks = par_size();
  int *start = arena_allocate_zero(arena, (size_t)ranks + 1, sizeof *start);
  for (int v = 0; v < g->count; v++) start[g->homes[v] + 1]++;
  for (int r = 0; r < ranks; r++) start[r + 1] += start[r];
  int *subdomains = arena_allocate(arena, ((size_t)g->count + 1) * sizeof *subdomains);
  Message *sends = arena_allocate(arena, (size_t)ranks * sizeof *sends);
  int send_count = 0;
  for (int r = 0; r < ranks; r++)
    if (start[r + 1] > start[r])
      sends[send_count++] = (Message){r, (size_t)(start[r + 1] - start[r]) * sizeof *subdomains,
                                      &subdomains[start[r]]};
  for (int v = 0; v < g->count; v++) subdomains[start[g->homes[v]]++] = (int)subdomain[v];
  return par_exchange(sends, send_count, arena);
}

void whole_partition(const OwnershipGraph *graph, int *subdomain, Arena *arena)
{
  const Messages packed = whole_graph_gather(graph, arena);
  Messages answer;
  if (par_rank() == 0) {
    const WholeGraph g = whole_graph_join(packed, arena);
    idx_t *all = arena_allocate_zero(arena, (size_t)g.count + 1, sizeof *all);
    idx_t options[METIS_NOPTIONS], vertices = g.count, constraints = 1, subdomains = par_size(),
                                   cut;
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    if (par_size() > 1)
      METIS_PartGraphKway(&vertices, &constraints, g.edge_start, g.edges, g.vertex_weight, NULL,
                          g.edge_weight, &subdomains, NULL, NULL, options, &cut, all);
    answer = send_subdomains(&g, all, arena);
  } else {
    answer = par_exchange(NULL, 0, arena);
  }
  if (graph->vertex_count) memcpy(subdomain, answer.messages[0].data, answer.messages[0].bytes);
}
