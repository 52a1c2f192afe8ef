// Gathers the graph of blocks along the curve on rank 0, where METIS splits it.
#include "block_graph.h"

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
#define SMALL_GRAPH 4096   // ... for up to so many blocks: a try of a thousand takes a millisecond
#define BISECTED 65536     // blocks up to which METIS also splits by bisection, which takes longer
#define FEW_PER_RANK 4     // below this many blocks per rank METIS warns and balances badly
#define HOMES 4            // of a block that count when labels are matched: those with most work
#define EDGE_WEIGHT 8      // at least, of an edge of the graph, in units of an edge along the curve
#define SUM_BITS 29        // METIS adds weights up in 32 bits, with some room

typedef struct {
  int64_t work;
  int block;
} BlockWork;

typedef struct {
  int64_t work;
  int block, rank;
} BlockHolder;

// Between two blocks. slice: where it goes first.
typedef struct {
  int64_t work;
  int block, other, slice;
} BlockEdge;

static int compare_edges(const void *a, const void *b)
{
  const BlockEdge *p = a, *q = b;
  if (p->slice != q->slice) return (p->slice > q->slice) - (p->slice < q->slice);
  if (p->block != q->block) return (p->block > q->block) - (p->block < q->block);
  return (p->other > q->other) - (p->other < q->other);
}

// sorts, and adds up edges of the same blocks; returns how many are left
static int join_edges(BlockEdge *edges, int count)
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

// Edges between blocks, added up first at home, then in the slice: rank 0 gets each once, but those
// of a block in two slices.
static BlockEdge *collect_edges(const LocalGraph *local, const CurveSort *sort, const int *blocks,
                                int *count, Arena *arena)
{
  assert(local->owned == local->graph->vertex_count && "own rows are own vertices");
  const OwnershipGraph *graph = local->graph;
  const int64_t all = local->owned ? graph->edge_start[local->owned] : 0;
  BlockEdge *edges = arena_allocate(arena, ((size_t)all + 1) * sizeof *edges);
  int n = 0;
  for (int v = 0; v < local->owned; v++)
    for (int64_t e = graph->edge_start[v]; e < graph->edge_start[v + 1]; e++)
      if (blocks[local->edges[e]] != blocks[v])
        edges[n++] = (BlockEdge){graph->edge_work[e] + graph->ghost_work, blocks[v],
                                 blocks[local->edges[e]], sort->slices[v]};
  n = join_edges(edges, n);
  const int most = n < par_size() ? n : par_size();
  Messages sends = {0, arena_allocate(arena, ((size_t)most + 1) * sizeof(Message))};
  for (int i = 0; i < n; i++) par_append(&sends, edges[i].slice, &edges[i], sizeof *edges);
  const Messages incoming = par_exchange(sends.messages, sends.count, arena);
  size_t bytes = 0;
  for (int m = 0; m < incoming.count; m++) bytes += incoming.messages[m].bytes;
  BlockEdge *mine = arena_allocate(arena, bytes);
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
  const BlockHolder *p = a, *q = b;
  if (p->work != q->work) return (p->work < q->work) - (p->work > q->work);
  return (p->rank > q->rank) - (p->rank < q->rank);
}

// the holders of a run of vertices that hold most of its work
static int find_holders(const CurveVertex *vertices, int count, BlockHolder *holders, Arena *arena)
{
  assert(count > 0 && "a run has vertices");
  const ArenaMark mark = arena_mark(arena);
  int *ranks = arena_allocate(arena, (size_t)count * sizeof *ranks);
  for (int i = 0; i < count; i++) ranks[i] = vertices[i].home;
  if (count > 1) qsort(ranks, (size_t)count, sizeof *ranks, order_ints);
  BlockHolder *all = arena_allocate(arena, (size_t)count * sizeof *all);
  int n = 0;
  for (int i = 0; i < count; i++)
    if (i == 0 || ranks[i] != ranks[n - 1]) {
      all[n] = (BlockHolder){0, vertices[0].block, ranks[i]};
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

// The blocks of this rank's slice; on rank 0 then those of all, in the order of the slices. The
// first and the last of a slice may have a share in the slices beside it.
typedef struct {
  int block_count, holder_count, edge_count;
  BlockWork *blocks;
  BlockHolder *holders;
  BlockEdge *edges;
} CurveBlocks;

static CurveBlocks blocks_of_slice(const LocalGraph *local, const CurveSort *sort,
                                   const int *blocks, Arena *arena)
{
  const size_t n = (size_t)sort->count;
  CurveBlocks slice = {.blocks = arena_allocate(arena, (n + 1) * sizeof *slice.blocks),
                       .holders = arena_allocate(arena, (n + HOMES) * sizeof *slice.holders)};
  slice.edges = collect_edges(local, sort, blocks, &slice.edge_count, arena);
  for (int i = 0; i < sort->count;) {
    const CurveVertex *v = &sort->vertices[i];
    BlockWork *block = &slice.blocks[slice.block_count++];
    *block = (BlockWork){0, v->block};
    const int first = i;
    for (; i < sort->count && sort->vertices[i].block == v->block; i++)
      block->work += sort->vertices[i].work;
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
  int *number;         // [count] of the block
  int64_t *work;       // [count]
  idx_t *edge_start;   // [count + 1]
  idx_t *edges;
  int64_t *edge_work;     // at both ends
  idx_t *edge_weight;     // scaled so that sums fit
  idx_t *vertex_weight;   // likewise
} MetisGraph;

static int find_block(const int *number, int count, int block)
{
  assert(count >= 0 && "there are blocks");
  const int at = search_int(number, 0, count, block);
  assert(at < count && number[at] == block && "an edge leads to a block without vertices");
  return at;
}

// the vertices: blocks that are not empty, those in two slices once
static void join_blocks(MetisGraph *g, const CurveBlocks *all)
{
  for (int i = 0; i < all->block_count; i++) {
    if (g->count == 0 || g->number[g->count - 1] != all->blocks[i].block) {
      g->number[g->count] = all->blocks[i].block;
      g->work[g->count++] = 0;
    }
    g->work[g->count - 1] += all->blocks[i].work;
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

// edges without work go from each block to the next along the curve
static MetisGraph make_metis_graph(const CurveBlocks *all, Arena *arena)
{
  const size_t n = (size_t)all->block_count + 1;
  MetisGraph g = {.number = arena_allocate(arena, n * sizeof(int)),
                  .work = arena_allocate(arena, n * sizeof(int64_t)),
                  .edge_start = arena_allocate_zero(arena, n, sizeof(idx_t)),
                  .vertex_weight = arena_allocate(arena, n * sizeof(idx_t))};
  join_blocks(&g, all);
  int count = all->edge_count;
  BlockEdge *edges = arena_allocate(arena, ((size_t)count + 2 * n) * sizeof *edges);
  if (count) memcpy(edges, all->edges, (size_t)count * sizeof *edges);
  for (int i = 0; i + 1 < g.count; i++) {
    edges[count++] = (BlockEdge){0, g.number[i], g.number[i + 1], 0};
    edges[count++] = (BlockEdge){0, g.number[i + 1], g.number[i], 0};
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
  int block = 0;
  for (int e = 0; e < count; e++) {
    while (g.number[block] < edges[e].block) g.edge_start[++block] = e;
    g.edge_work[e] = edges[e].work;
    g.edges[e] = find_block(g.number, g.count, edges[e].other);
    g.edge_weight[e] = edges[e].work > 0 ? EDGE_WEIGHT + scaled(edges[e].work, edge_shift) : 1;
  }
  while (block < g.count) g.edge_start[++block] = count;
  return g;
}

// contiguous runs along the curve with equal work; a block goes where its middle lies
static void split_by_order(const MetisGraph *g, int ranks, idx_t *part)
{
  assert(ranks > 0 && "blocks go to ranks");
  int64_t total = 0, before = 0;
  for (int v = 0; v < g->count; v++) total += g->work[v];
  const double share = (double)ranks / (double)(total > 0 ? total : 1);
  for (int v = 0; v < g->count; v++) {
    const int p = (int)(((double)before + 0.5 * (double)g->work[v]) * share);
    part[v] = p < ranks ? p : ranks - 1;
    before += g->work[v];
  }
}

// What a split costs: as refine_rating of its parts, so that one that is bad for a single rank, of
// which the sum over all edges tells nothing, is seen.
static double rate_split(const MetisGraph *g, int ranks, const idx_t *part, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  int64_t *load = arena_allocate_zero(arena, (size_t)ranks, sizeof *load);
  PartitionCost cost = {0, 0, 0};
  for (int v = 0; v < g->count; v++) {
    load[part[v]] += g->work[v];
    cost.total += g->work[v];
    for (idx_t e = g->edge_start[v]; e < g->edge_start[v + 1]; e++) {
      if (part[g->edges[e]] == part[v]) continue;
      load[part[v]] += g->edge_work[e];
      cost.cut += g->edge_work[e];
    }
  }
  cost.total += cost.cut;
  for (int p = 0; p < ranks; p++)
    if (load[p] > cost.most) cost.most = load[p];
  arena_release(arena, mark);
  return refine_rating(cost);
}

typedef int MetisSplit(idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *,
                       real_t *, real_t *, idx_t *, idx_t *, idx_t *);

static bool split_by_metis(MetisSplit *split, const MetisGraph *g, int ranks, int tries,
                           idx_t *part)
{
  assert(g->count >= 0 && ranks > 0 && tries > 0 && "blocks go to ranks");
  idx_t options[METIS_NOPTIONS], vertices = g->count, constraints = 1, parts = ranks, cut = 0;
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_UFACTOR] = UNEVEN;
  options[METIS_OPTION_NCUTS] = tries;
  // METIS catches TERM and ABRT, and what it puts back after that is not what was there
  const SignalsHeld held = signals_hold();
  const int code = split(&vertices, &constraints, g->edge_start, g->edges, g->vertex_weight, NULL,
                         g->edge_weight, &parts, NULL, NULL, options, &cut, part);
  signals_release(&held);
  return code == METIS_OK;
}

// The best of runs along the curve, METIS on all parts at once, and METIS by bisection: with some
// tens of blocks to a part the second leaves a part now and then that lies all along another.
static void split_graph(const MetisGraph *g, int ranks, idx_t *part, Arena *arena)
{
  split_by_order(g, ranks, part);
  if (g->count < FEW_PER_RANK * ranks) return;
  double least = rate_split(g, ranks, part, arena);
  idx_t *other = arena_allocate(arena, ((size_t)g->count + 1) * sizeof *other);
  const int tries = g->count <= SMALL_GRAPH ? TRIES : 2;
  MetisSplit *const ways[] = {METIS_PartGraphKway, METIS_PartGraphRecursive};
  const int way_count = ranks > 2 && g->count <= BISECTED ? 2 : 1;
  for (int w = 0; w < way_count; w++) {
    if (!split_by_metis(ways[w], g, ranks, tries, other)) continue;
    const double rating = rate_split(g, ranks, other, arena);
    if (!(rating < least)) continue;
    least = rating;
    memcpy(part, other, (size_t)g->count * sizeof *part);
  }
}

static int compare_block_rank(const void *a, const void *b)
{
  const BlockHolder *p = a, *q = b;
  if (p->block != q->block) return (p->block > q->block) - (p->block < q->block);
  return (p->rank > q->rank) - (p->rank < q->rank);
}

static int compare_overlaps(const void *a, const void *b)
{
  const BlockHolder *p = a, *q = b;
  if (p->work != q->work) return (p->work < q->work) - (p->work > q->work);
  return compare_block_rank(a, b);
}

// Renames parts: the largest overlaps of a part with a rank's present vertices are granted first.
static void match_labels(const MetisGraph *g, const CurveBlocks *all, int ranks, idx_t *part,
                         Arena *arena)
{
  assert(par_rank() == 0 && "rank 0 knows all blocks");
  BlockHolder *overlaps = arena_allocate(arena, ((size_t)all->holder_count + 1) * sizeof *overlaps);
  for (int h = 0; h < all->holder_count; h++) {
    overlaps[h] = all->holders[h];
    overlaps[h].block = (int)part[find_block(g->number, g->count, all->holders[h].block)];
  }
  if (all->holder_count > 1)
    qsort(overlaps, (size_t)all->holder_count, sizeof *overlaps, compare_block_rank);
  int count = 0;
  for (int h = 0; h < all->holder_count; h++) {
    if (count > 0 && compare_block_rank(&overlaps[count - 1], &overlaps[h]) == 0)
      overlaps[count - 1].work += overlaps[h].work;
    else overlaps[count++] = overlaps[h];
  }
  if (count > 1) qsort(overlaps, (size_t)count, sizeof *overlaps, compare_overlaps);

  int *label = arena_allocate(arena, (size_t)ranks * sizeof *label);
  unsigned char *taken = arena_allocate_zero(arena, (size_t)ranks, 1);
  for (int p = 0; p < ranks; p++) label[p] = -1;
  for (int i = 0; i < count; i++) {
    if (label[overlaps[i].block] >= 0 || taken[overlaps[i].rank]) continue;
    label[overlaps[i].block] = overlaps[i].rank;
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

// each slice learns the parts of its blocks, in the order in which it sent them
static Messages send_parts(const MetisGraph *g, const CurveBlocks *all, const size_t *bytes,
                           const idx_t *part, Arena *arena)
{
  assert(par_rank() == 0 && "rank 0 knows all parts");
  const int ranks = par_size();
  int *parts = arena_allocate(arena, ((size_t)all->block_count + 1) * sizeof *parts);
  Message *sends = arena_allocate(arena, (size_t)ranks * sizeof *sends);
  int send_count = 0, at = 0;
  for (int r = 0; r < ranks; r++) {
    const int count = (int)(bytes[r] / sizeof *all->blocks);
    if (count) sends[send_count++] = (Message){r, (size_t)count * sizeof *parts, &parts[at]};
    for (int i = 0; i < count; i++, at++)
      parts[at] = (int)part[find_block(g->number, g->count, all->blocks[at].block)];
  }
  return par_exchange(sends, send_count, arena);
}

int64_t block_graph_split(const LocalGraph *local, const CurveSort *sort, const int *blocks,
                          int *part, Arena *arena)
{
  assert(part != NULL && blocks != NULL && "vertices have a block and a place for a part");
  const int ranks = par_size();
  const CurveBlocks slice = blocks_of_slice(local, sort, blocks, arena);
  size_t *bytes = arena_allocate(arena, (size_t)ranks * sizeof *bytes);
  CurveBlocks all = {0};
  all.edges =
      gather(slice.edges, slice.edge_count, sizeof *slice.edges, bytes, &all.edge_count, arena);
  all.holders = gather(slice.holders, slice.holder_count, sizeof *slice.holders, bytes,
                       &all.holder_count, arena);
  all.blocks =
      gather(slice.blocks, slice.block_count, sizeof *slice.blocks, bytes, &all.block_count, arena);
  Messages answer;
  int64_t block_count = 0;
  if (par_rank() == 0) {
    const MetisGraph g = make_metis_graph(&all, arena);
    idx_t *block_part = arena_allocate(arena, ((size_t)g.count + 1) * sizeof *block_part);
    split_graph(&g, ranks, block_part, arena);
    match_labels(&g, &all, ranks, block_part, arena);
    block_count = g.count;
    answer = send_parts(&g, &all, bytes, block_part, arena);
  } else {
    answer = par_exchange(NULL, 0, arena);
  }
  block_count = par_sum(block_count);

  // from the slice to the holders
  int *answers = arena_allocate(arena, ((size_t)sort->count + 1) * sizeof *answers);
  for (int i = 0, b = -1; i < sort->count; i++) {
    b += i == 0 || sort->vertices[i].block != sort->vertices[i - 1].block;
    answers[sort->vertices[i].answer] = ((const int *)answer.messages[0].data)[b];
  }
  curve_sort_answer(sort, answers, part, arena);
  return block_count;
}
