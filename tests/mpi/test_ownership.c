// Partitions of a chain of vertices: balanced by work, reported as they are, whatever the size of
// the weights.
#include "ownership.h"

#include "harness.h"
#include "parallel.h"

#define VERTICES 600

// work of a vertex: the first third is ten times as heavy
static int64_t work_of(int id) { return id < VERTICES / 3 ? 10 : 1; }

typedef struct {
  int64_t most, total;
} Workload;

// work of the busiest rank and of all, with the edges that leave a rank
static Workload workload_of(const int *owner, int64_t scale, Arena *arena)
{
  int64_t *workload = arena_allocate_zero(arena, (size_t)par_size(), sizeof *workload);
  for (int v = 0; v < VERTICES; v++) {
    workload[owner[v]] += scale * work_of(v);
    if (v > 0 && owner[v - 1] != owner[v]) workload[owner[v]] += scale;
    if (v + 1 < VERTICES && owner[v + 1] != owner[v]) workload[owner[v]] += scale;
  }
  Workload sum = {0, 0};
  for (int r = 0; r < par_size(); r++) {
    sum.total += workload[r];
    if (workload[r] > sum.most) sum.most = workload[r];
  }
  return sum;
}

// the piece of the chain that this rank holds
static OwnershipGraph make_graph(const int *owner, int64_t scale, Arena *arena)
{
  uint64_t *ids = arena_allocate(arena, VERTICES * sizeof *ids);
  uint64_t *edges = arena_allocate(arena, 2 * VERTICES * sizeof *edges);
  int64_t *work = arena_allocate(arena, VERTICES * sizeof *work);
  int64_t *edge_work = arena_allocate(arena, 2 * VERTICES * sizeof *edge_work);
  int64_t *start = arena_allocate_zero(arena, VERTICES + 1, sizeof *start);
  vec3 *places = arena_allocate(arena, VERTICES * sizeof *places);
  int *edge_ranks = arena_allocate(arena, 2 * VERTICES * sizeof *edge_ranks);
  OwnershipGraph graph = {0, ids, places, work, start, edges, edge_ranks, edge_work, scale};
  int64_t e = 0;
  for (int v = 0; v < VERTICES; v++) {
    if (owner[v] != par_rank()) continue;
    for (int n = v - 1; n <= v + 1; n += 2) {
      if (n < 0 || n == VERTICES) continue;
      edges[e] = (uint64_t)n;
      edge_ranks[e] = owner[n];
      edge_work[e++] = 0;
    }
    ids[graph.vertex_count] = (uint64_t)v;
    places[graph.vertex_count] = vec3_new(v, 0, 0);
    work[graph.vertex_count++] = scale * work_of(v);
    start[graph.vertex_count] = e;
  }
  return graph;
}

static void gather_owners(const OwnershipGraph *graph, const int *owners, int *owner, Arena *arena)
{
  int64_t *sum = arena_allocate_zero(arena, VERTICES, sizeof *sum);
  for (int v = 0; v < graph->vertex_count; v++) sum[graph->ids[v]] = owners[v];
  par_sum_many(sum, VERTICES);
  for (int v = 0; v < VERTICES; v++) owner[v] = (int)sum[v];
}

// A vertex without work beside every second one of the chain and at its ends, all on the last rank,
// goes to the rank of a vertex near it, but where single moves took that elsewhere.
static void check_followers(OwnershipGrain grain, Arena *arena)
{
  int owner[VERTICES], after[VERTICES];
  for (int v = 0; v < VERTICES; v++) owner[v] = v * par_size() / VERTICES;
  OwnershipGraph graph = make_graph(owner, 1, arena);
  int *owners = arena_allocate(arena, (2 * (size_t)VERTICES + 1) * sizeof *owners);
  const int first = graph.vertex_count, followers = par_rank() == par_size() - 1 ? VERTICES / 2 : 0;
  const size_t room = (size_t)(first + followers) + 1;
  uint64_t *ids = arena_allocate(arena, room * sizeof *ids);
  int64_t *work = arena_allocate_zero(arena, room, sizeof *work),
          *start = arena_allocate(arena, (room + 1) * sizeof *start);
  vec3 *places = arena_allocate(arena, room * sizeof *places);
  start[0] = 0;
  for (int v = 0; v < first + followers; v++) {
    const int k = v - first;   // follower
    ids[v] = k < 0 ? graph.ids[v] : (uint64_t)(VERTICES + k);
    work[v] = k < 0 ? graph.work[v] : 0;
    start[v + 1] = k < 0 ? graph.edge_start[v + 1] : start[v];
    places[v] = k < 0 ? graph.places[v] : vec3_new(k == 0 ? -9 : 2 * k + 1.4, 0.3, -0.5);
  }
  graph.vertex_count = first + followers;
  graph.ids = ids;
  graph.work = work;
  graph.edge_start = start;
  graph.places = places;
  const OwnershipReport report = ownership_partition(&graph, grain, owners, arena);
  CHECK(par_size() == 1 || (report.vertices == VERTICES && report.share_after < 1.1));
  graph.vertex_count = first;
  gather_owners(&graph, owners, after, arena);
  int astray = 0;
  for (int k = 0; k < followers; k++) {
    const int near = k == 0 ? 0 : 2 * k + 1;
    bool found = false;
    for (int v = near - 2; v <= near + 2; v++)
      found = found || (v >= 0 && v < VERTICES && owners[first + k] == after[v]);
    astray += !found;
  }
  CHECK(astray <= VERTICES / 100);
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  Arena arena = arena_new();
  check_followers(OWNERSHIP_GRAIN, &arena);
  check_followers((OwnershipGrain){4, 16, 16}, &arena);
  // the largest weights add up beyond 2^31
  const int64_t scales[] = {1, 1000, (int64_t)1 << 40};
  int same[VERTICES];
  for (int s = 0; s < 3; s++) {
    int owner[VERTICES], after[VERTICES];
    for (int v = 0; v < VERTICES; v++) owner[v] = v * par_size() / VERTICES;
    const OwnershipGraph graph = make_graph(owner, scales[s], &arena);
    int *owners = arena_allocate(&arena, ((size_t)graph.vertex_count + 1) * sizeof *owners);
    const OwnershipReport report = ownership_partition(&graph, OWNERSHIP_GRAIN, owners, &arena);
    gather_owners(&graph, owners, after, &arena);
    const Workload before = workload_of(owner, scales[s], &arena),
                   now = workload_of(after, scales[s], &arena);
    int64_t moved = 0;
    for (int v = 0; v < VERTICES; v++) moved += owner[v] != after[v];
    if (par_size() == 1) {
      CHECK(report.moved == 0 && report.imbalance == 1 && report.share_after == 1);
      continue;
    }
    CHECK(report.vertices == VERTICES && report.edges == 2 * (VERTICES - 1));
    CHECK(report.moved == moved && moved > 0);
    CHECK(report.most_before == before.most && report.most_after == now.most);
    const double ranks = par_size();
    CHECK_NEAR(report.share_before, (double)before.most * ranks / (double)before.total, 1e-12);
    CHECK_NEAR(report.share_after, (double)now.most * ranks / (double)now.total, 1e-12);
    CHECK(report.share_before > 1.3 && report.share_after < 1.1 && report.imbalance < 1.1);
    // few edges are cut, and a common factor changes little
    int cut = 0;
    for (int v = 1; v < VERTICES; v++) cut += after[v] != after[v - 1];
    CHECK(cut < 4 * par_size());
    if (s == 0)
      for (int v = 0; v < VERTICES; v++) same[v] = after[v];
    int different = 0;
    for (int v = 0; v < VERTICES; v++) different += s == 2 && same[v] != after[v];
    CHECK(different < VERTICES / 4);
  }
  arena_destroy(&arena);
  const int code = test_report_parallel();
  par_end();
  return code;
}
