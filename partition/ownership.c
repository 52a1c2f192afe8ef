#include "ownership.h"

#include <assert.h>
#include <metis.h>
#include <stdlib.h>
#include <string.h>

#include "parallel.h"

#define FEW_PER_RANK \
  4   // below this many vertices per rank METIS is not asked (it warns and balances badly)

typedef struct {
  uint64_t id;
  int32_t work, degree;
} PackedVertex;
typedef struct {
  uint64_t id;
  int64_t work;
} PackedEdge;

// The whole graph on rank 0, vertices sorted by id.
typedef struct {
  int count;
  uint64_t *ids;
  int *homes;   // rank that holds the vertex now
  idx_t *work, *edge_start, *edges, *edge_work;
} WholeGraph;

static Messages gather_graph(const OwnershipGraph *graph, Arena *arena)
{
  const int64_t edges = graph->vertex_count ? graph->edge_start[graph->vertex_count] : 0;
  const size_t bytes =
      (size_t)graph->vertex_count * sizeof(PackedVertex) + (size_t)edges * sizeof(PackedEdge);
  char *packed = arena_allocate(arena, bytes), *p = packed;
  for (int v = 0; v < graph->vertex_count; v++) {
    const int64_t first = graph->edge_start[v], end = graph->edge_start[v + 1];
    const PackedVertex vertex = {graph->ids[v], graph->work[v], (int32_t)(end - first)};
    memcpy(p, &vertex, sizeof vertex);
    p += sizeof vertex;
    for (int64_t e = first; e < end; e++) {
      const PackedEdge edge = {graph->edge_ids[e], graph->edge_work[e]};
      memcpy(p, &edge, sizeof edge);
      p += sizeof edge;
    }
  }
  const Message send = {0, bytes, packed};
  return par_exchange(&send, 1, arena);
}

typedef struct {
  uint64_t id;
  const char *record;
  int home;
} Entry;

static int compare_entries(const void *a, const void *b)
{
  const Entry *p = a, *q = b;
  return (p->id > q->id) - (p->id < q->id);
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

static WholeGraph join_graph(Messages parts, Arena *arena)
{
  // where each vertex's record lies
  int count = 0;
  int64_t edge_count = 0;
  for (int m = 0; m < parts.count; m++)
    for (size_t at = 0; at < parts.messages[m].bytes;) {
      PackedVertex vertex;
      memcpy(&vertex, (char *)parts.messages[m].data + at, sizeof vertex);
      at += sizeof vertex + (size_t)vertex.degree * sizeof(PackedEdge);
      count++;
      edge_count += vertex.degree;
    }
  Entry *entries = arena_allocate(arena, ((size_t)count + 1) * sizeof *entries);
  int k = 0;
  for (int m = 0; m < parts.count; m++)
    for (size_t at = 0; at < parts.messages[m].bytes;) {
      PackedVertex vertex;
      const char *record = (char *)parts.messages[m].data + at;
      memcpy(&vertex, record, sizeof vertex);
      entries[k++] = (Entry){vertex.id, record, parts.messages[m].rank};
      at += sizeof vertex + (size_t)vertex.degree * sizeof(PackedEdge);
    }
  if (count > 1) qsort(entries, (size_t)count, sizeof *entries, compare_entries);

  // compressed rows in order of id
  WholeGraph whole = {.count = count,
                      .ids = arena_allocate(arena, ((size_t)count + 1) * sizeof(uint64_t)),
                      .homes = arena_allocate(arena, ((size_t)count + 1) * sizeof(int)),
                      .work = arena_allocate(arena, ((size_t)count + 1) * sizeof(idx_t)),
                      .edge_start = arena_allocate_zero(arena, (size_t)count + 1, sizeof(idx_t)),
                      .edges = arena_allocate(arena, ((size_t)edge_count + 1) * sizeof(idx_t)),
                      .edge_work = arena_allocate(arena, ((size_t)edge_count + 1) * sizeof(idx_t))};
  for (int v = 0; v < count; v++) {
    whole.ids[v] = entries[v].id;
    whole.homes[v] = entries[v].home;
  }
  idx_t e = 0;
  for (int v = 0; v < count; v++) {
    PackedVertex vertex;
    memcpy(&vertex, entries[v].record, sizeof vertex);
    whole.work[v] = vertex.work;
    // in order of id, so that the split is a function of the graph and a second one at once moves
    // nothing
    PackedEdge *edges = arena_allocate(arena, ((size_t)vertex.degree + 1) * sizeof *edges);
    memcpy(edges, entries[v].record + sizeof vertex, (size_t)vertex.degree * sizeof *edges);
    if (vertex.degree > 1) qsort(edges, (size_t)vertex.degree, sizeof *edges, compare_edges);
    for (int32_t d = 0; d < vertex.degree; d++) {
      whole.edges[e] = find_id(whole.ids, count, edges[d].id);
      whole.edge_work[e++] = (idx_t)edges[d].work;
    }
    whole.edge_start[v + 1] = e;
  }
  return whole;
}

// contiguous runs of ids with equal work
static void split_by_order(const WholeGraph *g, int ranks, idx_t *part)
{
  int64_t total = 0, before = 0;
  for (int v = 0; v < g->count; v++) total += g->work[v];
  for (int v = 0; v < g->count; v++) {
    part[v] = (idx_t)(before * ranks / (total > 0 ? total : 1));
    before += g->work[v];
  }
}

static void split_graph(const WholeGraph *g, int ranks, idx_t *part)
{
  if (ranks == 1 || g->count < FEW_PER_RANK * ranks) {
    split_by_order(g, ranks, part);
    return;
  }
  idx_t options[METIS_NOPTIONS], vertices = g->count, constraints = 1, parts = ranks, cut = 0;
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  const int status =
      METIS_PartGraphKway(&vertices, &constraints, g->edge_start, g->edges, g->work, NULL,
                          g->edge_work, &parts, NULL, NULL, options, &cut, part);
  if (status != METIS_OK) split_by_order(g, ranks, part);
}

typedef struct {
  int64_t work;
  int part, rank;
} Overlap;

static int compare_overlaps(const void *a, const void *b)
{
  const Overlap *p = a, *q = b;
  if (p->work != q->work) return (p->work < q->work) - (p->work > q->work);
  if (p->part != q->part) return (p->part > q->part) - (p->part < q->part);
  return (p->rank > q->rank) - (p->rank < q->rank);
}

static int compare_part_rank(const void *a, const void *b)
{
  const Overlap *p = a, *q = b;
  if (p->part != q->part) return (p->part > q->part) - (p->part < q->part);
  return (p->rank > q->rank) - (p->rank < q->rank);
}

// Renames parts: the largest overlaps of a part with a rank's present vertices are granted first.
static void match_labels(const WholeGraph *g, int ranks, idx_t *part, Arena *arena)
{
  Overlap *overlaps = arena_allocate(arena, ((size_t)g->count + 1) * sizeof *overlaps);
  for (int v = 0; v < g->count; v++) overlaps[v] = (Overlap){g->work[v], part[v], g->homes[v]};
  if (g->count > 1) qsort(overlaps, (size_t)g->count, sizeof *overlaps, compare_part_rank);
  int count = 0;
  for (int v = 0; v < g->count; v++) {
    if (count > 0 && overlaps[count - 1].part == overlaps[v].part &&
        overlaps[count - 1].rank == overlaps[v].rank)
      overlaps[count - 1].work += overlaps[v].work;
    else overlaps[count++] = overlaps[v];
  }
  if (count > 1) qsort(overlaps, (size_t)count, sizeof *overlaps, compare_overlaps);

  int *label = arena_allocate(arena, (size_t)ranks * sizeof *label);
  unsigned char *taken = arena_allocate_zero(arena, (size_t)ranks, 1);
  for (int p = 0; p < ranks; p++) label[p] = -1;
  for (int i = 0; i < count; i++) {
    if (label[overlaps[i].part] >= 0 || taken[overlaps[i].rank]) continue;
    label[overlaps[i].part] = overlaps[i].rank;
    taken[overlaps[i].rank] = 1;
  }
  for (int p = 0, free_rank = 0; p < ranks; p++) {
    if (label[p] >= 0) continue;
    while (taken[free_rank]) free_rank++;
    label[p] = free_rank;
    taken[free_rank] = 1;
  }
  for (int v = 0; v < g->count; v++) part[v] = label[part[v]];
}

static OwnershipReport report_of(const WholeGraph *g, int ranks, const idx_t *part, Arena *arena)
{
  OwnershipReport report = {0, 1};
  int64_t *load = arena_allocate_zero(arena, (size_t)ranks, sizeof *load), total = 0, most = 0;
  for (int v = 0; v < g->count; v++) {
    report.moved += part[v] != g->homes[v];
    load[part[v]] += g->work[v];
    total += g->work[v];
  }
  for (int r = 0; r < ranks; r++)
    if (load[r] > most) most = load[r];
  if (total > 0) report.imbalance = (double)most * ranks / (double)total;
  return report;
}

// each home learns the owners of its vertices, which it knows in order of id
static Messages send_owners(const WholeGraph *g, int ranks, const idx_t *part, Arena *arena)
{
  int *counts = arena_allocate_zero(arena, (size_t)ranks + 1, sizeof *counts);
  for (int v = 0; v < g->count; v++) counts[g->homes[v]]++;
  int **owners = arena_allocate(arena, (size_t)ranks * sizeof *owners);
  Message *sends = arena_allocate(arena, (size_t)ranks * sizeof *sends);
  int send_count = 0;
  for (int r = 0; r < ranks; r++) {
    owners[r] = arena_allocate(arena, ((size_t)counts[r] + 1) * sizeof **owners);
    if (counts[r])
      sends[send_count++] = (Message){r, (size_t)counts[r] * sizeof **owners, owners[r]};
    counts[r] = 0;
  }
  for (int v = 0; v < g->count; v++) owners[g->homes[v]][counts[g->homes[v]]++] = (int)part[v];
  return par_exchange(sends, send_count, arena);
}

OwnershipReport ownership_partition(const OwnershipGraph *graph, int *owners, Arena *arena)
{
  const int ranks = par_size();
  OwnershipReport report = {0, 1};
  if (ranks == 1) {
    for (int v = 0; v < graph->vertex_count; v++) owners[v] = 0;
    return report;
  }
  const Messages parts = gather_graph(graph, arena);
  Messages answer;
  if (par_rank() == 0) {
    const WholeGraph whole = join_graph(parts, arena);
    idx_t *part = arena_allocate(arena, ((size_t)whole.count + 1) * sizeof *part);
    split_graph(&whole, ranks, part);
    match_labels(&whole, ranks, part, arena);
    report = report_of(&whole, ranks, part, arena);
    answer = send_owners(&whole, ranks, part, arena);
  } else {
    answer = par_exchange(NULL, 0, arena);
  }
  if (graph->vertex_count) {
    assert(answer.count == 1 &&
           answer.messages[0].bytes == (size_t)graph->vertex_count * sizeof *owners &&
           "owners of all vertices come back");
    memcpy(owners, answer.messages[0].data, answer.messages[0].bytes);
  }
  par_broadcast(&report, sizeof report, 0);
  return report;
}
