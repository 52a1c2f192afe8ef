// Moves vertices between two subdomains so that they share less work.
#include "two_way.h"

#include <assert.h>
#include <string.h>

#include "check.h"

#define PASSES 8       // at most; each begins with the best that there was
#define PATIENCE 100   // moves of a pass that may follow the best without reaching it

// A heap of vertices, the best first.
typedef struct {
  int count;
  int *vertices;
} Heap;

typedef struct {
  const TwoWayGraph *graph;
  unsigned char *side;
  int64_t limit;
  TwoWayCost cost;
  int (*touches)[2];   // [count] neighbours on either side
  Heap heaps[2];       // of vertices that may leave a side
  int64_t *gain;       // [movable]
  int *stamp;          // [movable] move that last changed its gain
  int *place;          // [movable] in its heap, or -1
  bool *locked;        // [movable] moved in this pass
  int moves;           // of this pass
  int *moved;          // [movable] in their order
  int *changed;        // [movable] vertices whose gain one move changes
  int changed_count;
  bool *is_changed;   // [movable]
} TwoWay;

// What a move brings.
typedef struct {
  int64_t gain;          // cut that is spared
  int64_t workload[2];   // change
} Effect;

static Effect effect_of(const TwoWay *t, int v)
{
  assert_debug(v >= 0 && v < t->graph->movable && "a vertex that may change sides");
  const TwoWayGraph *g = t->graph;
  const int from = t->side[v], to = 1 - from;
  int64_t edges[3] = {0, 0, 0};
  int64_t ghosts[2];
  ghosts[from] = t->touches[v][from] > 0;
  ghosts[to] = -(t->touches[v][to] > 0);
  for (int e = g->edge_start[v]; e < g->edge_start[v + 1]; e++) {
    const int w = g->edges[e], side = t->side[w];
    edges[side] += g->edge_work[e];
    if (side != from && t->touches[w][from] == 1) ghosts[from]--;
    if (side != to && t->touches[w][to] == 0) ghosts[to]++;
  }
  const int64_t more = edges[from] - edges[to];   // cut, at each end
  Effect effect = {.gain = -(2 * more + g->ghost_work * (ghosts[0] + ghosts[1]))};
  effect.workload[from] = more - edges[SIDE_ELSEWHERE] - g->work[v] + g->ghost_work * ghosts[from];
  effect.workload[to] = more + edges[SIDE_ELSEWHERE] + g->work[v] + g->ghost_work * ghosts[to];
  return effect;
}

// of equal gains the one that the latest move changed, so that moves go on where they are
static bool comes_first(const TwoWay *t, int v, int w)
{
  if (t->gain[v] != t->gain[w]) return t->gain[v] > t->gain[w];
  if (t->stamp[v] != t->stamp[w]) return t->stamp[v] > t->stamp[w];
  return v < w;
}

static void heap_put(TwoWay *t, Heap *heap, int at, int v)
{
  assert_debug(at >= 0 && v >= 0 && v < t->graph->movable && "a vertex has a place in the heap");
  heap->vertices[at] = v;
  t->place[v] = at;
}

// v, somewhere at or below this place, rises or sinks to where it belongs
static void heap_settle(TwoWay *t, Heap *heap, int at, int v)
{
  assert_debug(at < heap->count && "a place is in the heap");
  while (at > 0 && comes_first(t, v, heap->vertices[(at - 1) / 2])) {
    heap_put(t, heap, at, heap->vertices[(at - 1) / 2]);
    at = (at - 1) / 2;
  }
  for (int child; (child = 2 * at + 1) < heap->count; at = child) {
    if (child + 1 < heap->count && comes_first(t, heap->vertices[child + 1], heap->vertices[child]))
      child++;
    if (!comes_first(t, heap->vertices[child], v)) break;
    heap_put(t, heap, at, heap->vertices[child]);
  }
  heap_put(t, heap, at, v);
}

static void heap_remove(TwoWay *t, int v)
{
  Heap *heap = &t->heaps[t->side[v]];
  const int at = t->place[v];
  if (at < 0) return;
  t->place[v] = -1;
  const int last = heap->vertices[--heap->count];
  if (last != v) heap_settle(t, heap, at, last);
}

// a vertex whose gain is another now: into its heap, or to another place there
static void heap_update(TwoWay *t, int v)
{
  Heap *heap = &t->heaps[t->side[v]];
  if (t->touches[v][1 - t->side[v]] == 0) {
    heap_remove(t, v);
    return;
  }
  t->gain[v] = effect_of(t, v).gain;
  t->stamp[v] = t->moves;
  const int at = t->place[v] >= 0 ? t->place[v] : heap->count++;
  heap_settle(t, heap, at, v);
}

static void note_changed(TwoWay *t, int v)
{
  if (v >= t->graph->movable || t->locked[v] || t->is_changed[v]) return;
  t->is_changed[v] = true;
  t->changed[t->changed_count++] = v;
}

// Changes the side of a vertex, and notes whose gain is another now: that of its neighbours, and of
// theirs where a copy comes, goes, or hangs on one vertex from now on or until now.
static void change_side(TwoWay *t, int v)
{
  assert_debug(t->side[v] <= 1 && "a vertex that moves is on one of two sides");
  const TwoWayGraph *g = t->graph;
  const int from = t->side[v], to = 1 - from;
  t->side[v] = (unsigned char)to;
  for (int e = g->edge_start[v]; e < g->edge_start[v + 1]; e++) {
    const int w = g->edges[e];
    note_changed(t, w);
    const int here = t->touches[w][from]--, there = t->touches[w][to]++;
    if (here > 2 && there > 1) continue;
    for (int f = g->edge_start[w]; f < g->edge_start[w + 1]; f++) note_changed(t, g->edges[f]);
  }
}

static int64_t larger_of(int64_t a, int64_t b) { return a > b ? a : b; }

static bool is_better(TwoWayCost a, TwoWayCost b, int64_t limit)
{
  const int64_t most_a = larger_of(a.workload[0], a.workload[1]),
                most_b = larger_of(b.workload[0], b.workload[1]);
  const int64_t over_a = larger_of(most_a - limit, 0), over_b = larger_of(most_b - limit, 0);
  if (over_a != over_b) return over_a < over_b;
  return a.cut != b.cut ? a.cut < b.cut : most_a < most_b;
}

static bool is_allowed(const TwoWay *t, int to, Effect effect)
{
  const int64_t there = t->cost.workload[to] + effect.workload[to],
                here = t->cost.workload[1 - to] + effect.workload[1 - to];
  return there <= t->limit ||
         larger_of(there, here) < larger_of(t->cost.workload[0], t->cost.workload[1]);
}

// the best vertex that may move now, or -1; those without room are set aside until they change
static int pick(TwoWay *t)
{
  int best = -1;
  for (int s = 0; s < 2; s++) {
    Heap *heap = &t->heaps[s];
    while (heap->count > 0 && !is_allowed(t, 1 - s, effect_of(t, heap->vertices[0])))
      heap_remove(t, heap->vertices[0]);
    if (heap->count == 0) continue;
    const int v = heap->vertices[0];
    const bool heavier = t->cost.workload[s] > t->cost.workload[1 - s];
    if (best < 0 || t->gain[v] > t->gain[best] || (t->gain[v] == t->gain[best] && heavier))
      best = v;
  }
  return best;
}

static void make_move(TwoWay *t, int v)
{
  assert_debug(!t->locked[v] && "no vertex moves twice");
  const Effect effect = effect_of(t, v);
  heap_remove(t, v);
  t->locked[v] = true;
  t->moved[t->moves++] = v;
  for (int s = 0; s < 2; s++) t->cost.workload[s] += effect.workload[s];
  t->cost.cut -= effect.gain;
  t->changed_count = 0;
  change_side(t, v);
  for (int i = 0; i < t->changed_count; i++) {
    t->is_changed[t->changed[i]] = false;
    heap_update(t, t->changed[i]);
  }
}

// Moves, and back to the best that there was; whether that is better than the beginning.
static bool make_pass(TwoWay *t)
{
  const int n = t->graph->movable;
  const TwoWayCost first = t->cost;
  TwoWayCost best = first;
  int best_moves = 0;
  t->moves = 0;
  t->heaps[0].count = t->heaps[1].count = 0;
  for (int v = 0; v < n; v++) {
    t->place[v] = -1;
    t->locked[v] = false;
  }
  for (int v = 0; v < n; v++) heap_update(t, v);
  for (int v; t->moves < best_moves + PATIENCE && (v = pick(t)) >= 0;) {
    make_move(t, v);
    if (!is_better(t->cost, best, t->limit)) continue;
    best = t->cost;
    best_moves = t->moves;
  }
  t->changed_count = 0;
  while (t->moves > best_moves) change_side(t, t->moved[--t->moves]);
  for (int i = 0; i < t->changed_count; i++) t->is_changed[t->changed[i]] = false;
  t->cost = best;
  return is_better(best, first, t->limit);
}

static void count_touches(TwoWay *t)
{
  const TwoWayGraph *g = t->graph;
  for (int v = 0; v < g->count; v++)
    for (int e = g->edge_start[v]; e < g->edge_start[v + 1]; e++) {
      const int w = g->edges[e], side = w < g->count ? t->side[w] : w - g->count;
      if (side != SIDE_ELSEWHERE) t->touches[v][side]++;
    }
}

void two_way_improve(const TwoWayGraph *graph, unsigned char *side, int64_t limit, TwoWayCost *cost,
                     Arena *arena)
{
  assert(graph->movable >= 0 && graph->movable <= graph->count &&
         "vertices that may move come first");
  assert(graph->ghost_work >= 0 && (side != NULL || graph->movable == 0) &&
         "every vertex has a side");
  const ArenaMark mark = arena_mark(arena);
  const size_t n = (size_t)graph->movable + 1, all = (size_t)graph->count + 1;
  TwoWay t = {.graph = graph, .side = side, .limit = limit, .cost = *cost};
  t.touches = arena_allocate_zero(arena, all, sizeof *t.touches);
  for (int s = 0; s < 2; s++) t.heaps[s].vertices = arena_allocate(arena, n * sizeof(int));
  t.gain = arena_allocate(arena, n * sizeof *t.gain);
  t.stamp = arena_allocate(arena, n * sizeof *t.stamp);
  t.place = arena_allocate(arena, n * sizeof *t.place);
  t.locked = arena_allocate(arena, n * sizeof *t.locked);
  t.moved = arena_allocate(arena, n * sizeof *t.moved);
  t.changed = arena_allocate(arena, n * sizeof *t.changed);
  t.is_changed = arena_allocate_zero(arena, n, sizeof *t.is_changed);
  count_touches(&t);
  for (int pass = 0; pass < PASSES && make_pass(&t); pass++) continue;
  *cost = t.cost;
  arena_release(arena, mark);
}
