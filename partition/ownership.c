#include "ownership.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "whole_graph.h"

#define FEW_PER_RANK \
  4   // below this many vertices per rank METIS is not asked (it warns and balances badly)

// contiguous runs along the curve with equal work
static void split_by_order(const WholeGraph *g, int ranks, idx_t *part)
{
  int64_t total = 0, before = 0;
  for (int v = 0; v < g->count; v++) total += g->work[v];
  for (int i = 0; i < g->count; i++) {
    part[g->curve[i]] = (idx_t)(before * ranks / (total > 0 ? total : 1));
    before += g->work[g->curve[i]];
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
      METIS_PartGraphKway(&vertices, &constraints, g->edge_start, g->edges, g->vertex_weight, NULL,
                          g->edge_weight, &parts, NULL, NULL, options, &cut, part);
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
  for (int v = 0; v < g->count; v++)
    overlaps[v] = (Overlap){g->work[v], (int)part[v], (int)g->homes[v]};
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

static double largest_over_mean(const int64_t *load, int ranks)
{
  int64_t total = 0, most = 0;
  for (int r = 0; r < ranks; r++) {
    total += load[r];
    if (load[r] > most) most = load[r];
  }
  return total > 0 ? (double)most * ranks / (double)total : 1;
}

// work of the busiest rank with what its boundary costs it, and its share of the mean
static int64_t largest_load(const WholeGraph *g, int ranks, const idx_t *part, int64_t *load,
                            double *share)
{
  for (int r = 0; r < ranks; r++) load[r] = 0;
  for (int v = 0; v < g->count; v++) {
    load[part[v]] += g->work[v];
    for (idx_t e = g->edge_start[v]; e < g->edge_start[v + 1]; e++)
      if (part[g->edges[e]] != part[v]) load[part[v]] += g->edge_work[e];
  }
  int64_t most = 0;
  for (int r = 0; r < ranks; r++)
    if (load[r] > most) most = load[r];
  *share = largest_over_mean(load, ranks);
  return most;
}

static OwnershipReport report_of(const WholeGraph *g, int ranks, const idx_t *part, Arena *arena)
{
  OwnershipReport report = {.vertices = g->count, .edges = g->edge_count};
  for (int v = 0; v < g->count; v++) report.moved += part[v] != g->homes[v];
  int64_t *load = arena_allocate_zero(arena, (size_t)ranks, sizeof *load);
  for (int v = 0; v < g->count; v++) load[part[v]] += g->work[v];
  report.imbalance = largest_over_mean(load, ranks);
  report.most_before = largest_load(g, ranks, g->homes, load, &report.share_before);
  report.most_after = largest_load(g, ranks, part, load, &report.share_after);
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
  OwnershipReport report = {.imbalance = 1, .share_before = 1, .share_after = 1};
  if (ranks == 1) {
    for (int v = 0; v < graph->vertex_count; v++) owners[v] = 0;
    return report;
  }
  const Messages parts = whole_graph_gather(graph, arena);
  Messages answer;
  if (par_rank() == 0) {
    const WholeGraph whole = whole_graph_join(parts, arena);
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
