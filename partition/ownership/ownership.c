// Finds owners of vertices: segments, METIS, moves at boundaries, labels of the old owners.
#include "ownership.h"

#include <assert.h>
#include <string.h>

#include "curve_sort.h"
#include "local_graph.h"
#include "parallel.h"
#include "refine.h"
#include "segment_graph.h"
#include "subdomain_board.h"

// A partition that moves fewer vertices is kept while it is worse by no more than this.
#define WORSE_WORKLOAD 1.02
#define WORSE_CUT 1.1
#define SMALL_CUT (1.0 / 1024)   // of all workloads: so much more cut does not count either
#define REACH 1.5   // workload and cut, over those of a new partition, that single moves may mend

static double over_mean(int64_t most, int64_t total)
{
  assert(most >= 0 && total >= 0 && "work is not below zero");
  return total > 0 ? (double)most * par_size() / (double)total : 1;
}

static bool nearly_as_good(PartitionCost cost, PartitionCost than)
{
  const double workload = over_mean(cost.most, cost.total), best = over_mean(than.most, than.total);
  return workload <= WORSE_WORKLOAD * (best > WORSE_WORKLOAD ? best : WORSE_WORKLOAD) &&
         (double)cost.cut <= WORSE_CUT * (double)than.cut + SMALL_CUT * (double)cost.total;
}

static bool is_within_reach(PartitionCost cost, PartitionCost than)
{
  return (double)cost.most <= REACH * (double)than.most &&
         (double)cost.cut <= REACH * (double)than.cut;
}

// Collective. METIS on segments along the curve, then moves of single vertices.
static PartitionCost make_partition(const LocalGraph *local, OwnershipGrain grain, int *subdomain,
                                    int64_t *segment_count, Arena *arena)
{
  assert(local->owned == local->graph->vertex_count && "own rows are own vertices");
  const CurveSort sort = curve_sort(local->graph, grain, arena);
  int *answers = arena_allocate(arena, ((size_t)sort.count + 1) * sizeof *answers);
  for (int i = 0; i < sort.count; i++) answers[sort.vertices[i].answer] = sort.vertices[i].segment;
  int *segments = arena_allocate(arena, ((size_t)local->count + 1) * sizeof *segments);
  curve_sort_answer(&sort, answers, segments, arena);
  local_graph_refresh(local, segments, arena);
  *segment_count = segment_graph_split(local, &sort, segments, subdomain, arena);
  return refine_partition(local, subdomain, arena);
}

// Collective. The largest sum of the vertices' work in a subdomain.
static int64_t most_work(const LocalGraph *local, const int *subdomain, Arena *arena)
{
  const OwnershipGraph *graph = local->graph;
  int *subdomains = arena_allocate(arena, ((size_t)local->owned + 1) * sizeof *subdomains);
  int64_t *work = arena_allocate(arena, ((size_t)local->owned + 1) * sizeof *work);
  int count = 0;
  for (int v = 0; v < local->owned; v++) {
    int at = 0;
    while (at < count && subdomains[at] < subdomain[v]) at++;
    if (at == count || subdomains[at] != subdomain[v]) {
      memmove(&subdomains[at + 1], &subdomains[at], (size_t)(count - at) * sizeof *subdomains);
      memmove(&work[at + 1], &work[at], (size_t)(count - at) * sizeof *work);
      subdomains[at] = subdomain[v];
      work[at] = 0;
      count++;
    }
    work[at] += graph->work[v];
  }
  return (int64_t)par_max(
      (double)subdomain_board_sum((NamedSubdomains){count, subdomains}, work, arena));
}

static OwnershipReport report_of(const LocalGraph *local, const int *subdomain,
                                 PartitionCost before, PartitionCost after, Arena *arena)
{
  const OwnershipGraph *graph = local->graph;
  int64_t sums[4] = {0, local->owned ? graph->edge_start[local->owned] : 0, 0, 0};
  for (int v = 0; v < local->owned; v++) {
    sums[0] += graph->work[v] > 0;
    sums[2] += graph->work[v] > 0 && subdomain[v] != par_rank();
    sums[3] += graph->work[v];
  }
  par_sum_many(sums, 4);
  return (OwnershipReport){.vertices = sums[0],
                           .edges = sums[1],
                           .moved = sums[2],
                           .imbalance = over_mean(most_work(local, subdomain, arena), sums[3]),
                           .most_before = before.most,
                           .most_after = after.most,
                           .share_before = over_mean(before.most, before.total),
                           .share_after = over_mean(after.most, after.total),
                           .cut_before = before.cut,
                           .cut_after = after.cut};
}

OwnershipReport ownership_partition(const OwnershipGraph *graph, OwnershipGrain grain, int *owners,
                                    Arena *arena)
{
  assert(graph->ghost_work >= 1 && "a copy is work");
  assert((owners != NULL || graph->vertex_count == 0) && "every vertex gets an owner");
  assert(grain.segments_per_rank > 0 && grain.segments_in_any_case >= 0 && "a rank has segments");
  int64_t work = 0;
  for (int v = 0; v < graph->vertex_count; v++) work += graph->work[v];
  if (par_size() == 1 || par_sum(work) == 0) {
    for (int v = 0; v < graph->vertex_count; v++) owners[v] = par_rank();
    return (OwnershipReport){.imbalance = 1, .share_before = 1, .share_after = 1};
  }
  const LocalGraph local = local_graph_new(graph, arena);
  const size_t bytes = ((size_t)local.count + 1) * sizeof(int);
  int *present = arena_allocate(arena, bytes), *mended = arena_allocate(arena, bytes),
      *made = arena_allocate(arena, bytes);
  for (int v = 0; v < local.owned; v++) present[v] = mended[v] = par_rank();

  // the owners as they are, those with moves of single vertices, or quite new ones (Schloegel,
  // Karypis and Kumar 2002 choose likewise): the first of them that is nearly the best
  const PartitionCost before = refine_cost(&local, present, arena);
  int64_t segment_count;
  PartitionCost cost = make_partition(&local, grain, made, &segment_count, arena);
  const int *subdomain = made;
  if (nearly_as_good(before, cost)) {
    subdomain = present;
    cost = before;
  } else if (is_within_reach(before, cost)) {
    const PartitionCost mended_cost = refine_partition(&local, mended, arena);
    const bool better = refine_rating(mended_cost) < refine_rating(cost);
    if (better && nearly_as_good(before, mended_cost)) {
      subdomain = present;
      cost = before;
    } else if (better || nearly_as_good(mended_cost, cost)) {
      subdomain = mended;
      cost = mended_cost;
    }
  }
  // no edge ties what has no work to its neighbours, so that single moves do not take it along; the
  // subdomains just made have the numbers of the ranks that most of them is with now
  for (int v = 0; v < local.owned; v++)
    owners[v] = graph->work[v] == 0 && subdomain == mended ? made[v] : subdomain[v];
  OwnershipReport report = report_of(&local, owners, before, cost, arena);
  report.segments = segment_count;
  return report;
}
