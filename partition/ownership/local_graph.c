// Numbers this rank's vertices and the neighbours of their edges as rows.
#include "local_graph.h"

#include <assert.h>
#include <stdlib.h>

#include "parallel.h"
#include "search.h"

typedef struct {
  int rank;
  uint64_t id;
} Remote;

static int compare_remotes(const void *a, const void *b)
{
  const Remote *p = a, *q = b;
  if (p->rank != q->rank) return (p->rank > q->rank) - (p->rank < q->rank);
  return (p->id > q->id) - (p->id < q->id);
}

static int sort_once(Remote *remotes, int count)
{
  assert(count >= 0 && "vertices of others are counted");
  if (count > 1) qsort(remotes, (size_t)count, sizeof *remotes, compare_remotes);
  int kept = 0;
  for (int i = 0; i < count; i++)
    if (kept == 0 || compare_remotes(&remotes[kept - 1], &remotes[i]) != 0)
      remotes[kept++] = remotes[i];
  return kept;
}

static int find_own(const OwnershipGraph *graph, uint64_t id)
{
  const int vertex = search_u64(graph->ids, 0, graph->vertex_count, id);
  assert(vertex < graph->vertex_count && graph->ids[vertex] == id &&
         "an edge leads to a vertex of this rank that is not here");
  return vertex;
}

// starts of the runs of equal rank; a rank stands in both lists, since edges stand at both ends
static void list_neighbours(HaloPlan *plan, const Remote *sent, int sent_count,
                            const Remote *received, int received_count)
{
  int s = 0, r = 0, n = 0;
  while (r < received_count) {
    const int rank = received[r].rank;
    assert(s < sent_count && sent[s].rank == rank && "an edge stands at both its ends");
    plan->ranks[n++] = rank;
    while (s < sent_count && sent[s].rank == rank) s++;
    while (r < received_count && received[r].rank == rank) r++;
    plan->send_start[n] = s;
    plan->receive_start[n] = r;
  }
  plan->neighbour_count = n;
}

LocalGraph local_graph_new(const OwnershipGraph *graph, Arena *arena)
{
  assert(graph->vertex_count >= 0 && (graph->vertex_count == 0 || graph->edge_start[0] == 0) &&
         "the first edge is the first vertex's");
  const int own = graph->vertex_count, me = par_rank();
  const int64_t edges = own ? graph->edge_start[own] : 0;
  int64_t leaving = 0;
  for (int64_t e = 0; e < edges; e++) leaving += graph->edge_ranks[e] != me;
  const size_t room = (size_t)leaving + 1;
  Remote *sent = arena_allocate(arena, room * sizeof *sent);
  Remote *received = arena_allocate(arena, room * sizeof *received);
  int count = 0;
  for (int v = 0; v < own; v++)
    for (int64_t e = graph->edge_start[v]; e < graph->edge_start[v + 1]; e++) {
      if (graph->edge_ranks[e] == me) continue;
      sent[count] = (Remote){graph->edge_ranks[e], graph->ids[v]};
      received[count++] = (Remote){graph->edge_ranks[e], graph->edge_ids[e]};
    }
  const int sent_count = sort_once(sent, count), received_count = sort_once(received, count);

  LocalGraph local = {.graph = graph,
                      .owned = own,
                      .count = own + received_count,
                      .edges = arena_allocate(arena, ((size_t)edges + 1) * sizeof *local.edges),
                      .plan = {.ranks = arena_allocate(arena, room * sizeof(int)),
                               .send_start = arena_allocate_zero(arena, room, sizeof(int)),
                               .send_rows = arena_allocate(arena, room * sizeof(int)),
                               .receive_start = arena_allocate_zero(arena, room, sizeof(int)),
                               .receive_rows = arena_allocate(arena, room * sizeof(int))}};
  list_neighbours(&local.plan, sent, sent_count, received, received_count);
  for (int i = 0; i < sent_count; i++) local.plan.send_rows[i] = find_own(graph, sent[i].id);
  for (int i = 0; i < received_count; i++) local.plan.receive_rows[i] = own + i;
  for (int64_t e = 0; e < edges; e++) {
    if (graph->edge_ranks[e] == me) {
      local.edges[e] = find_own(graph, graph->edge_ids[e]);
      continue;
    }
    const Remote remote = {graph->edge_ranks[e], graph->edge_ids[e]};
    const Remote *found =
        bsearch(&remote, received, (size_t)received_count, sizeof *received, compare_remotes);
    local.edges[e] = own + (int)(found - received);
  }
  return local;
}

void local_graph_refresh(const LocalGraph *local, int *values, Arena *arena)
{
  assert(local->owned <= local->count && "own rows come first");
  halo_refresh(&local->plan, values, sizeof *values, arena);
}
