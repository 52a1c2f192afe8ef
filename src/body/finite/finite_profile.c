// The order in which nodes of a body are eliminated, and the runs of rows that follow from it.
#include "finite_profile.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "memory.h"

#define END 1e-6   // of the length of a mesh: nodes that are at its end

// An order of the nodes of a mesh by distance, in sides of cells, from its end along an axis.
typedef struct {
  const FiniteStiffness *graph;
  const vec3 *place;
  const bool *held;
  int *list;    // [nodes] in order
  bool *seen;   // [nodes]
  int listed;
} Search;

static int degree(const FiniteStiffness *graph, int node)
{
  assert_debug(node >= 0 && node < graph->nodes && "a node of the mesh");
  return graph->start[node + 1] - graph->start[node];
}

static bool is_open(const Search *search, int node)
{
  assert_debug(node >= 0 && node < search->graph->nodes && "a node of the mesh");
  return !search->seen[node] && !(search->held && search->held[node]);
}

static double along(const Search *search, int node, int axis)
{
  return vec3_component(search->place[node], axis % 3);
}

// Lists what the nodes from a place of the list on reach, of each one those with few neighbours
// first.
static void reach(Search *search, int at)
{
  const FiniteStiffness *graph = search->graph;
  for (; at < search->listed; at++) {
    const int node = search->list[at], begin = search->listed;
    for (int k = graph->start[node]; k < graph->start[node + 1]; k++) {
      const int other = graph->column[k];
      if (!is_open(search, other)) continue;
      search->seen[other] = true;
      int to = search->listed++;
      for (; to > begin && degree(graph, search->list[to - 1]) > degree(graph, other); to--)
        search->list[to] = search->list[to - 1];
      search->list[to] = other;
    }
  }
}

// Lists the nodes at the end of what is not listed yet, by the next axis.
static void list_end(Search *search, int axis)
{
  double low = INFINITY, high = -INFINITY;
  for (int n = 0; n < search->graph->nodes; n++) {
    if (!is_open(search, n)) continue;
    low = fmin(low, along(search, n, axis));
    high = fmax(high, along(search, n, axis));
  }
  const int begin = search->listed;
  for (int n = 0; n < search->graph->nodes; n++) {
    if (!is_open(search, n) || along(search, n, axis) > low + END * (high - low)) continue;
    search->seen[n] = true;
    int to = search->listed++;
    for (; to > begin && along(search, search->list[to - 1], axis + 1) > along(search, n, axis + 1);
         to--)
      search->list[to] = search->list[to - 1];
    search->list[to] = n;
  }
}

// Nodes that eliminating in the order of the list couples each node with, in all.
static int64_t width_of(const Search *search, int *place)
{
  const FiniteStiffness *graph = search->graph;
  for (int k = 0; k < search->listed; k++) place[search->list[k]] = k;
  int64_t all = 0;
  int last = 0;
  for (int at = 0; at < search->listed; at++) {
    const int node = search->list[at];
    for (int k = graph->start[node]; k < graph->start[node + 1]; k++)
      if (place[graph->column[k]] > last) last = place[graph->column[k]];
    all += last - at;
  }
  return all;
}

// Places of nodes in the order of elimination, along that axis which makes the least of it; how
// many there are.
static int order_nodes(const FiniteStiffness *graph, const vec3 *at, const bool *held, int *place)
{
  const size_t nodes = (size_t)graph->nodes;
  Search search = {
      graph, at, held, memory_allocate(nodes * sizeof(int)), memory_allocate(nodes * sizeof(bool)),
      0};
  int *found = memory_allocate(nodes * sizeof *found);
  int64_t least = INT64_MAX;
  for (int axis = 0; axis < 3; axis++) {
    memset(search.seen, 0, nodes * sizeof *search.seen);
    search.listed = 0;
    for (int before = -1; search.listed > before;) {
      before = search.listed;
      list_end(&search, axis);
      reach(&search, before);
    }
    for (int n = 0; n < graph->nodes; n++) found[n] = -1;
    const int64_t width = width_of(&search, found);
    if (width >= least) continue;
    least = width;
    memcpy(place, found, nodes * sizeof *place);
  }
  memory_free(found);
  memory_free(search.list);
  memory_free(search.seen);
  return search.listed;
}

// Runs: the last row of a column is that of it or of a column before, so that there is room for
// what elimination fills.
static void find_runs(FiniteProfile *p)
{
  const FiniteStiffness *k0 = p->stiffness;
  int *last = p->last = memory_allocate(((size_t)p->columns + 1) * sizeof *last);
  for (int n = 0; n < k0->nodes; n++) {
    if (p->place[n] < 0) continue;
    int *end = &last[p->place[n]];
    *end = p->place[n];
    for (int k = k0->start[n]; k < k0->start[n + 1]; k++)
      if (p->place[k0->column[k]] > *end) *end = p->place[k0->column[k]];
  }
  p->first = memory_allocate(((size_t)p->columns + 1) * sizeof(int));
  p->start = memory_allocate_zero((size_t)p->columns + 1, sizeof *p->start);
  for (int c = 0; c < p->columns; c++) {
    if (c > 0 && last[c] < last[c - 1]) last[c] = last[c - 1];
    p->first[c] = 3 * (c + 1) / FINITE_WIDE;
    const int end = last[c] > c ? (3 * last[c] + 2) / FINITE_WIDE + 1 : p->first[c];
    p->start[c + 1] = p->start[c] + end - p->first[c];
  }
}

FiniteProfile finite_profile_new(const FiniteStiffness *stiffness, const vec3 *place,
                                 const bool *held)
{
  assert(stiffness->nodes > 0 && place != NULL && "a stiffness and its mesh");
  FiniteProfile p = {.stiffness = stiffness,
                     .place = memory_allocate((size_t)stiffness->nodes * sizeof(int))};
  p.columns = order_nodes(stiffness, place, held, p.place);
  p.node = memory_allocate(((size_t)p.columns + 1) * sizeof *p.node);
  for (int n = 0; n < stiffness->nodes; n++)
    if (p.place[n] >= 0) p.node[p.place[n]] = n;
  find_runs(&p);
  return p;
}

void finite_profile_destroy(FiniteProfile *p)
{
  assert_debug(p->stiffness != NULL && "a profile that was made");
  memory_free(p->place);
  memory_free(p->node);
  memory_free(p->last);
  memory_free(p->first);
  memory_free(p->start);
  *p = (FiniteProfile){0};
}
