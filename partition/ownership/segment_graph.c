// Gathers the graph of segments along the curve on rank 0, where METIS splits it.
#include "segment_graph.h"

#include <assert.h>
#include <metis.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"
#include "refine.h"
#include "search.h"
#include "signals.h"

#define UNEVEN 10   // METIS may be out of balance by so many thousandths; vertices need the rest
#define TRIES 8     // of METIS, whose best is taken, ...
#define SMALL_GRAPH 4096   // ... for up to so many segments: a thousand take a millisecond a try
#define BISECTED 65536   // segments up to which METIS also splits by bisection, which takes longer
#define FEW_PER_RANK 4   // below this many segments per rank METIS warns and balances badly
#define HOMES 4          // of a segment that count when labels are matched: those with most work
#define EDGE_WEIGHT 8    // at least, of an edge of the graph, in units of an edge along the curve
#define SUM_BITS 29      // METIS adds weights up in 32 bits, with some room

typedef struct {
  int64_t work;
  int segment;
} SegmentWork;

typedef struct {
  int64_t work;
  int segment, rank;
} SegmentHolder;

// Between two segments. slice: where it goes first.
typedef struct {
  int64_t work;
  int segment, other, slice;
} SegmentEdge;

static int compare_edges(const void *a, const void *b)
{
  const SegmentEdge *p = a, *q = b;
  if (p->slice != q->slice) return (p->slice > q->slice) - (p->slice < q->slice);
  if (p->segment != q->segment) return (p->segment > q->segment) - (p->segment < q->segment);
  return (p->other > q->other) - (p->other < q->other);
}

// sorts, and adds up edges of the same segments; returns how many are left
static int join_edges(SegmentEdge *edges, int count)
{
  assert(count >= 0 && "edges are counted");
  if (count > 1) qsort(edges, (size_t)count, sizeof *edges, compare_edges);
  int kept = 0;
  for (int i = 0; i < count; i++) {
    if (kept > 0 && compare_edges(&edges[kept - 1], &edges[i]) == 0)
      edges[kept - 1].work += edges[i].work;
    else edges[kept++] = edges[i];
  }
  return kept;
}

// Edges between segments, added up first at home, then in the slice: rank 0 gets each once, but
// those of a segment in two slices.
static SegmentEdge *collect_edges(const LocalGraph *local, const CurveSort *sort,
                                  const int *segments, int *count, Arena *arena)
{
  assert(local->owned == local->graph->vertex_count && "own rows are own vertices");
  const OwnershipGraph *graph = local->graph;
  const int64_t all = local->owned ? graph->edge_start[local->owned] : 0;
  SegmentEdge *edges = arena_allocate(arena, ((size_t)all + 1) * sizeof *edges);
  int n = 0;
  for (int v = 0; v < local->owned; v++)
    for (int64_t e = graph->edge_start[v]; e < graph->edge_start[v + 1]; e++)
      if (segments[local->edges[e]] != segments[v])
        edges[n++] = (SegmentEdge){graph->edge_work[e] + graph->ghost_work, segments[v],
                                   segments[local->edges[e]], sort->slices[v]};
  n = join_edges(edges, n);
  const int most = n < par_size() ? n : par_size();
  Messages sends = {0, arena_allocate(arena, ((size_t)most + 1) * sizeof(Message))};
  for (int i = 0; i < n; i++) par_append(&sends, edges[i].slice, &edges[i], sizeof *edges);
  const Messages incoming = par_exchange(sends.messages, sends.count, arena);
  size_t bytes = 0;
  for (int m = 0; m < incoming.count; m++) bytes += incoming.messages[m].bytes;
  SegmentEdge *mine = arena_allocate(arena, bytes);
  *count = 0;
  for (int m = 0; m < incoming.count; m++) {
    memcpy(&mine[*count], incoming.messages[m].data, incoming.messages[m].bytes);
    *count += (int)(incoming.messages[m].bytes / sizeof *mine);
  }
  *count = join_edges(mine, *count);
  for (int i = 0; i < *count; i++) mine[i].slice = 0;
  return mine;
}

static int compare_holders(const void *a, const void *b)
{
  const SegmentHolder *p = a, *q = b;
  if (p->work != q->work) return (p->work < q->work) - (p->work > q->work);
  return (p->rank > q->rank) - (p->rank < q->rank);
}

// the holders of a run of vertices that hold most of its work
static int find_holders(const CurveVertex *vertices, int count, SegmentHolder *holders,
                        Arena *arena)
{
  assert(count > 0 && "a run has vertices");
  const ArenaMark mark = arena_mark(arena);
  int *ranks = arena_allocate(arena, (size_t)count * sizeof *ranks);
  for (int i = 0; i < count; i++) ranks[i] = vertices[i].home;
  if (count > 1) qsort(ranks, (size_t)count, sizeof *ranks, order_ints);
  SegmentHolder *all = arena_allocate(arena, (size_t)count * sizeof *all);
  int n = 0;
  for (int i = 0; i < count; i++)
    if (i == 0 || ranks[i] != ranks[n - 1]) {
      all[n] = (SegmentHolder){0, vertices[0].segment, ranks[i]};
      ranks[n++] = ranks[i];
    }
  for (int i = 0; i < count; i++)
    all[search_int(ranks, 0, n, vertices[i].home)].work += vertices[i].work;
  if (n > 1) qsort(all, (size_t)n, sizeof *all, compare_holders);
  if (n > HOMES) n = HOMES;
  memcpy(holders, all, (size_t)n * sizeof *holders);
  arena_release(arena, mark);
  return n;
}

// The segments of this rank's slice; on rank 0 then those of all, in the order of the slices. The
// first and the last of a slice may have a share in the slices beside it.
typedef struct {
  int segment_count, holder_count, edge_count;
  SegmentWork *segments;
  SegmentHolder *holders;
  SegmentEdge *edges;
} CurveSegments;

static CurveSegments segments_of_slice(const LocalGraph *local, const CurveSort *sort,
                                       const int *segments, Arena *arena)
{
  const size_t n = (size_t)sort->count;
  CurveSegments slice = {.segments = arena_allocate(arena, (n + 1) * sizeof *slice.segments),
                         .holders = arena_allocate(arena, (n + HOMES) * sizeof *slice.holders)};
  slice.edges = collect_edges(local, sort, segments, &slice.edge_count, arena);
  for (int i = 0; i < sort->count;) {
    const CurveVertex *v = &sort->vertices[i];
    SegmentWork *segment = &slice.segments[slice.segment_count++];
    *segment = (SegmentWork){0, v->segment};
    const int first = i;
    for (; i < sort->count && sort->vertices[i].segment == v->segment; i++)
      segment->work += sort->vertices[i].work;
    slice.holder_count += find_holders(v, i - first, &slice.holders[slice.holder_count], arena);
  }
  return slice;
}

static void *gather(const void *rows, int count, size_t row_bytes, size_t *bytes, int *all_count,
                    Arena *arena)
{
  assert(count >= 0 && row_bytes > 0 && "rows have bytes");
  void *all = par_gather(rows, (size_t)count * row_bytes, bytes, arena);
  size_t sum = 0;
  if (par_rank() == 0)
    for (int r = 0; r < par_size(); r++) sum += bytes[r];
  *all_count = (int)(sum / row_bytes);
  return all;
}

// The graph that METIS reads.
typedef struct {
  int count;
  int *number;         // [count] of the segment
  int64_t *work;       // [count]
  idx_t *edge_start;   // [count + 1]
  idx_t *edges;
  int64_t *edge_work;     // at both ends
  idx_t *edge_weight;     // scaled so that sums fit
  idx_t *vertex_weight;   // likewise
} MetisGraph;

static int find_segment(const int *number, int count, int segment)
{
  assert(count >= 0 && "there are segments");
  const int at = search_int(number, 0, count, segment);
  assert(at < count && number[at] == segment && "an edge leads to a segment without vertices");
  return at;
}

// the vertices: segments that are not empty, those in two slices once
static void join_segments(MetisGraph *g, const CurveSegments *all)
{
  for (int i = 0; i < all->segment_count; i++) {
    if (g->count == 0 || g->number[g->count - 1] != all->segments[i].segment) {
      g->number[g->count] = all->segments[i].segment;
      g->work[g->count++] = 0;
    }
    g->work[g->count - 1] += all->segments[i].work;
  }
}

// bits to shift so that a sum of weights fits; a weight stays at least one
static int shift_of(int64_t sum)
{
  assert(sum >= 0 && "work is not below zero");
  int shift = 0;
  while (sum >> shift >= (int64_t)1 << SUM_BITS) shift++;
  return shift;
}

static idx_t scaled(int64_t work, int shift)
{
  assert(work >= 0 && shift >= 0 && "work is not below zero");
  return work >> shift > 0 ? (idx_t)(work >> shift) : 1;
}

// edges without work go from each segment to the next along the curve
static MetisGraph make_metis_graph(const CurveSegments *all, Arena *arena)
{
  const size_t n = (size_t)all->segment_count + 1;
  MetisGraph g = {.number = arena_allocate(arena, n * sizeof(int)),
                  .work = arena_allocate(arena, n * sizeof(int64_t)),
                  .edge_start = arena_allocate_zero(arena, n, sizeof(idx_t)),
                  .vertex_weight = arena_allocate(arena, n * sizeof(idx_t))};
  join_segments(&g, all);
  int count = all->edge_count;
  SegmentEdge *edges = arena_allocate(arena, ((size_t)count + 2 * n) * sizeof *edges);
  if (count) memcpy(edges, all->edges, (size_t)count * sizeof *edges);
  for (int i = 0; i + 1 < g.count; i++) {
    edges[count++] = (SegmentEdge){0, g.number[i], g.number[i + 1], 0};
    edges[count++] = (SegmentEdge){0, g.number[i + 1], g.number[i], 0};
  }
  count = join_edges(edges, count);

  int64_t work = 0, edge_work = 0;
  for (int i = 0; i < g.count; i++) work += g.work[i];
  for (int e = 0; e < count; e++) edge_work += edges[e].work;
  const int shift = shift_of(work), edge_shift = shift_of(edge_work);
  for (int i = 0; i < g.count; i++) g.vertex_weight[i] = scaled(g.work[i], shift);
  g.edges = arena_allocate(arena, ((size_t)count + 1) * sizeof *g.edges);
  g.edge_weight = arena_allocate(arena, ((size_t)count + 1) * sizeof *g.edge_weight);
  g.edge_work = arena_allocate(arena, ((size_t)count + 1) * sizeof *g.edge_work);
  int segment = 0;
  for (int e = 0; e < count; e++) {
    while (g.number[segment] < edges[e].segment) g.edge_start[++segment] = e;
    g.edge_work[e] = edges[e].work;
    g.edges[e] = find_segment(g.number, g.count, edges[e].other);
    g.edge_weight[e] = edges[e].work > 0 ? EDGE_WEIGHT + scaled(edges[e].work, edge_shift) : 1;
  }
  while (segment < g.count) g.edge_start[++segment] = count;
  return g;
}

// contiguous runs along the curve with equal work; a segment goes where its middle lies
static void split_by_order(const MetisGraph *g, int ranks, idx_t *subdomain)
{
  assert(ranks > 0 && "segments go to ranks");
  int64_t total = 0, before = 0;
  for (int v = 0; v < g->count; v++) total += g->work[v];
  const double share = (double)ranks / (double)(total > 0 ? total : 1);
  for (int v = 0; v < g->count; v++) {
    const int p = (int)(((double)before + 0.5 * (double)g->work[v]) * share);
    subdomain[v] = p < ranks ? p : ranks - 1;
    before += g->work[v];
  }
}

// What a split costs: as refine_rating of its subdomains, so that one that is bad for a single
// rank, of which the sum over all edges tells nothing, is seen.
static double rate_split(const MetisGraph *g, int ranks, const idx_t *subdomain, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  int64_t *workload = arena_allocate_zero(arena, (size_t)ranks, sizeof *workload);
  PartitionCost cost = {0, 0, 0};
  for (int v = 0; v < g->count; v++) {
    workload[subdomain[v]] += g->work[v];
    cost.total += g->work[v];
    for (idx_t e = g->edge_start[v]; e < g->edge_start[v + 1]; e++) {
      if (subdomain[g->edges[e]] == subdomain[v]) continue;
      workload[subdomain[v]] += g->edge_work[e];
      cost.cut += g->edge_work[e];
    }
  }
  cost.total += cost.cut;
  for (int p = 0; p < ranks; p++)
    if (workload[p] > cost.most) cost.most = workload[p];
  arena_release(arena, mark);
  return refine_rating(cost);
}

typedef int MetisSplit(idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *,
                       real_t *, real_t *, idx_t *, idx_t *, idx_t *);

static bool split_by_metis(MetisSplit *split, const MetisGraph *g, int ranks, int tries,
                           idx_t *subdomain)
{
  assert(g->count >= 0 && ranks > 0 && tries > 0 && "segments go to ranks");
  idx_t options[METIS_NOPTIONS], vertices = g->count, constraints = 1, subdomains = ranks, cut = 0;
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_UFACTOR] = UNEVEN;
  options[METIS_OPTION_NCUTS] = tries;
  // METIS catches TERM and ABRT, and what it puts back after that is not what was there
  const SignalsHeld held = signals_hold();
  const int code = split(&vertices, &constraints, g->edge_start, g->edges, g->vertex_weight, NULL,
                         g->edge_weight, &subdomains, NULL, NULL, options, &cut, subdomain);
  signals_release(&held);
  return code == METIS_OK;
}

// The best of runs along the curve, METIS on all subdomains at once, and METIS by bisection: with
// some tens of segments to a subdomain the second leaves a subdomain now and then that lies all
// along another.
static void split_graph(const MetisGraph *g, int ranks, idx_t *subdomain, Arena *arena)
{
  split_by_order(g, ranks, subdomain);
  if (g->count < FEW_PER_RANK * ranks) return;
  double least = rate_split(g, ranks, subdomain, arena);
  idx_t *other = arena_allocate(arena, ((size_t)g->count + 1) * sizeof *other);
  const int tries = g->count <= SMALL_GRAPH ? TRIES : 2;
  MetisSplit *const ways[] = {METIS_PartGraphKway, METIS_PartGraphRecursive};
  const int way_count = ranks > 2 && g->count <= BISECTED ? 2 : 1;
  for (int w = 0; w < way_count; w++) {
    if (!split_by_metis(ways[w], g, ranks, tries, other)) continue;
    const double rating = rate_split(g, ranks, other, arena);
    if (!(rating < least)) continue;
    least = rating;
    memcpy(subdomain, other, (size_t)g->count * sizeof *subdomain);
  }
}

static int compare_segment_rank(const void *a, const void *b)
{
  const SegmentHolder *p = a, *q = b;
  if (p->segment != q->segment) return (p->segment > q->segment) - (p->segment < q->segment);
  return (p->rank > q->rank) - (p->rank < q->rank);
}

static int compare_overlaps(const void *a, const void *b)
{
  const SegmentHolder *p = a, *q = b;
  if (p->work != q->work) return (p->work < q->work) - (p->work > q->work);
  return compare_segment_rank(a, b);
}

// Renames subdomains: the largest overlaps of a subdomain with a rank's present vertices are
// granted first.
static void match_labels(const MetisGraph *g, const CurveSegments *all, int ranks, idx_t *subdomain,
                         Arena *arena)
{
  assert(par_rank() == 0 && "rank 0 knows all segments");
  SegmentHolder *overlaps =
      arena_allocate(arena, ((size_t)all->holder_count + 1) * sizeof *overlaps);
  for (int h = 0; h < all->holder_count; h++) {
    overlaps[h] = all->holders[h];
    overlaps[h].segment =
        (int)subdomain[find_segment(g->number, g->count, all->holders[h].segment)];
  }
  if (all->holder_count > 1)
    qsort(overlaps, (size_t)all->holder_count, sizeof *overlaps, compare_segment_rank);
  int count = 0;
  for (int h = 0; h < all->holder_count; h++) {
    if (count > 0 && compare_segment_rank(&overlaps[count - 1], &overlaps[h]) == 0)
      overlaps[count - 1].work += overlaps[h].work;
    else overlaps[count++] = overlaps[h];
  }
  if (count > 1) qsort(overlaps, (size_t)count, sizeof *overlaps, compare_overlaps);

  int *label = arena_allocate(arena, (size_t)ranks * sizeof *label);
  unsigned char *taken = arena_allocate_zero(arena, (size_t)ranks, 1);
  for (int p = 0; p < ranks; p++) label[p] = -1;
  for (int i = 0; i < count; i++) {
    if (label[overlaps[i].segment] >= 0 || taken[overlaps[i].rank]) continue;
    label[overlaps[i].segment] = overlaps[i].rank;
    taken[overlaps[i].rank] = 1;
  }
  for (int p = 0, free_rank = 0; p < ranks; p++) {
    if (label[p] >= 0) continue;
    while (taken[free_rank]) free_rank++;
    label[p] = free_rank;
    taken[free_rank] = 1;
  }
  for (int v = 0; v < g->count; v++) subdomain[v] = label[subdomain[v]];
}

// each slice learns the subdomains of its segments, in the order in which it sent them
static Messages send_subdomains(const MetisGraph *g, const CurveSegments *all, const size_t *bytes,
                                const idx_t *subdomain, Arena *arena)
{
  assert(par_rank() == 0 && "rank 0 knows all subdomains");
  const int ranks = par_size();
  int *subdomains = arena_allocate(arena, ((size_t)all->segment_count + 1) * sizeof *subdomains);
  Message *sends = arena_allocate(arena, (size_t)ranks * sizeof *sends);
  int send_count = 0, at = 0;
  for (int r = 0; r < ranks; r++) {
    const int count = (int)(bytes[r] / sizeof *all->segments);
    if (count)
      sends[send_count++] = (Message){r, (size_t)count * sizeof *subdomains, &subdomains[at]};
    for (int i = 0; i < count; i++, at++)
      subdomains[at] = (int)subdomain[find_segment(g->number, g->count, all->segments[at].segment)];
  }
  return par_exchange(sends, send_count, arena);
}

int64_t segment_graph_split(const LocalGraph *local, const CurveSort *sort, const int *segments,
                            int *subdomain, Arena *arena)
{
  assert(subdomain != NULL && segments != NULL &&
         "vertices have a segment and a place for a subdomain");
  const int ranks = par_size();
  const CurveSegments slice = segments_of_slice(local, sort, segments, arena);
  size_t *bytes = arena_allocate(arena, (size_t)ranks * sizeof *bytes);
  CurveSegments all = {0};
  all.edges =
      gather(slice.edges, slice.edge_count, sizeof *slice.edges, bytes, &all.edge_count, arena);
  all.holders = gather(slice.holders, slice.holder_count, sizeof *slice.holders, bytes,
                       &all.holder_count, arena);
  all.segments = gather(slice.segments, slice.segment_count, sizeof *slice.segments, bytes,
                        &all.segment_count, arena);
  Messages answer;
  int64_t segment_count = 0;
  if (par_rank() == 0) {
    const MetisGraph g = make_metis_graph(&all, arena);
    idx_t *segment_subdomain =
        arena_allocate(arena, ((size_t)g.count + 1) * sizeof *segment_subdomain);
    split_graph(&g, ranks, segment_subdomain, arena);
    match_labels(&g, &all, ranks, segment_subdomain, arena);
    segment_count = g.count;
    answer = send_subdomains(&g, &all, bytes, segment_subdomain, arena);
  } else {
    answer = par_exchange(NULL, 0, arena);
  }
  segment_count = par_sum(segment_count);

  // from the slice to the holders
  int *answers = arena_allocate(arena, ((size_t)sort->count + 1) * sizeof *answers);
  for (int i = 0, b = -1; i < sort->count; i++) {
    b += i == 0 || sort->vertices[i].segment != sort->vertices[i - 1].segment;
    answers[sort->vertices[i].answer] = ((const int *)answer.messages[0].data)[b];
  }
  curve_sort_answer(sort, answers, subdomain, arena);
  return segment_count;
}
