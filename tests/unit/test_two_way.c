// Moves between two subdomains beside a recount of everything and the best of all ways to split;
// jogs of a wall that cost as many edges as none; scaled work.
#include "two_way.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "harness.h"
#include "hash.h"

#define MOST_VERTICES 400
#define MOST_EDGES 4000

typedef struct {
  TwoWayGraph graph;
  unsigned char side[MOST_VERTICES];
  int64_t work[MOST_VERTICES], edge_work[MOST_EDGES];
  int start[MOST_VERTICES + 1], edges[MOST_EDGES];
} Sample;

static void finish(Sample *s, int movable, int count, int64_t ghost_work)
{
  s->graph = (TwoWayGraph){movable, count, s->work, s->start, s->edges, s->edge_work, ghost_work};
}

static int side_of(const TwoWayGraph *g, const unsigned char *side, int end)
{
  return end < g->count ? side[end] : end - g->count;
}

// workloads and cut of all that is here, from nothing
static TwoWayCost recount(const TwoWayGraph *g, const unsigned char *side)
{
  TwoWayCost cost = {{0, 0}, 0};
  for (int v = 0; v < g->count; v++) {
    bool touches[3] = {false, false, false};
    if (v < g->movable) cost.workload[side[v]] += g->work[v];
    for (int e = g->edge_start[v]; e < g->edge_start[v + 1]; e++) {
      const int other = side_of(g, side, g->edges[e]);
      touches[other] = true;
      if (other == side[v]) continue;
      cost.cut += g->edge_work[e];
      if (side[v] != SIDE_ELSEWHERE) cost.workload[side[v]] += g->edge_work[e];
    }
    for (int s = 0; s < 2; s++) {
      if (s == side[v] || !touches[s]) continue;
      cost.workload[s] += g->ghost_work;
      cost.cut += g->ghost_work;
    }
  }
  return cost;
}

static int64_t most_of(TwoWayCost cost)
{
  return cost.workload[0] > cost.workload[1] ? cost.workload[0] : cost.workload[1];
}

static bool is_better(TwoWayCost a, TwoWayCost b, int64_t limit)
{
  const int64_t over_a = most_of(a) > limit ? most_of(a) - limit : 0,
                over_b = most_of(b) > limit ? most_of(b) - limit : 0;
  if (over_a != over_b) return over_a < over_b;
  return a.cut != b.cut ? a.cut < b.cut : most_of(a) < most_of(b);
}

// near numbers are neighbours; the last vertices do not move, and the very last ones know others
// that are not here
static void make_random(Sample *s, int movable, int count, uint64_t seed)
{
  int at = 0;
  for (int v = 0; v < count; v++) {
    s->start[v] = at;
    s->work[v] = 5 + (int64_t)(hash_mix(seed, (uint64_t)v) % 10);
    s->side[v] = v < movable ? hash_mix(seed + 1, (uint64_t)v) % 2
                             : (unsigned char)(hash_mix(seed + 1, (uint64_t)v) % 3);
    for (int w = 0; w < count; w++) {
      const uint64_t pair = (uint64_t)(v < w ? v * 64 + w : w * 64 + v);
      const uint64_t dice = hash_mix(seed + 2, pair);
      if (w == v || dice % 10 >= (abs(v % movable - w % movable) <= 3 ? 6 : 1)) continue;
      s->edges[at] = w;
      s->edge_work[at++] = (int64_t)(hash_mix(seed + 3, pair) % 5);
    }
    if (v < movable) continue;
    s->edges[at] = count + (int)(hash_mix(seed + 4, (uint64_t)v) % 3);
    s->edge_work[at++] = 1;
  }
  s->start[count] = at;
  finish(s, movable, count, 3);
}

// the least cost over all ways to split what may move
static TwoWayCost try_all(const Sample *s, int64_t limit)
{
  unsigned char side[MOST_VERTICES];
  memcpy(side, s->side, sizeof side);
  TwoWayCost best = recount(&s->graph, side);
  for (int way = 0; way < 1 << s->graph.movable; way++) {
    for (int v = 0; v < s->graph.movable; v++) side[v] = way >> v & 1;
    const TwoWayCost cost = recount(&s->graph, side);
    if (is_better(cost, best, limit)) best = cost;
  }
  return best;
}

static void check_random(Arena *arena)
{
  int reached = 0;
  const int samples = 200;
  for (int k = 0; k < samples; k++) {
    Sample s;
    make_random(&s, 12, 18, (uint64_t)k * 10);
    const TwoWayCost before = recount(&s.graph, s.side);
    const int64_t limit = (before.workload[0] + before.workload[1]) * (k % 2 ? 52 : 60) / 100;
    const TwoWayCost least = try_all(&s, limit);
    unsigned char first[MOST_VERTICES];
    memcpy(first, s.side, sizeof first);
    TwoWayCost cost = before;
    two_way_improve(&s.graph, s.side, limit, &cost, arena);
    const TwoWayCost now = recount(&s.graph, s.side);
    CHECK(now.workload[0] == cost.workload[0] && now.workload[1] == cost.workload[1] &&
          now.cut == cost.cut);
    CHECK(!is_better(before, now, limit) && !is_better(now, least, limit));
    CHECK(memcmp(&first[12], &s.side[12], 6) == 0);
    reached += !is_better(least, now, limit);
  }
  printf("the least of all ways in %d of %d\n", reached, samples);
  CHECK(reached >= samples * 7 / 10);
}

// Bricks in running bond that touch those above and below: the joint of a course where the side
// changes lies half a brick further from course to course, and as many edges are cut as by the
// straightest boundary.
static void make_wall(Sample *s, int courses, int bricks, int64_t scale)
{
  int at = 0;
  for (int z = 0; z < courses; z++)
    for (int x = 0; x < bricks; x++) {
      const int v = z * bricks + x;
      s->start[v] = at;
      s->work[v] = 30 * scale;
      s->side[v] = x >= bricks / 2 - courses / 4 + z / 2;
      for (int up = -1; up <= 1; up += 2)
        for (int k = 0; k < 2; k++) {
          const int x_there = x + (z % 2 ? k : k - 1);
          if (z + up < 0 || z + up >= courses || x_there < 0 || x_there >= bricks) continue;
          s->edges[at] = (z + up) * bricks + x_there;
          s->edge_work[at++] = 16 * scale;
        }
    }
  s->start[courses * bricks] = at;
  finish(s, courses * bricks, courses * bricks, 8 * scale);
}

static void check_wall(Arena *arena)
{
  enum { COURSES = 10, BRICKS = 40 };
  Sample s, large;
  make_wall(&s, COURSES, BRICKS, 1);
  make_wall(&large, COURSES, BRICKS, 1 << 20);
  TwoWayCost cost = recount(&s.graph, s.side), large_cost = recount(&large.graph, large.side);
  const int64_t edges = 2 * (COURSES - 1) * 16;   // one at each bed joint, both ends
  CHECK(cost.cut == edges + 2 * 8 * (COURSES - 1));
  const int64_t limit = (cost.workload[0] + cost.workload[1]) * 21 / 40;
  two_way_improve(&s.graph, s.side, limit, &cost, arena);
  CHECK(cost.cut == edges + 8 * COURSES);
  two_way_improve(&large.graph, large.side, limit << 20, &large_cost, arena);
  CHECK(large_cost.cut == cost.cut << 20);
  CHECK(memcmp(s.side, large.side, COURSES * BRICKS) == 0);
}

// nothing to move, and a side with too much that must not wait for what costs nothing
static void check_ends(Arena *arena)
{
  Sample s;
  s.start[0] = 0;
  finish(&s, 0, 0, 8);
  TwoWayCost cost = {{5, 7}, 1};
  two_way_improve(&s.graph, s.side, 6, &cost, arena);
  CHECK(cost.workload[0] == 5 && cost.workload[1] == 7 && cost.cut == 1);

  make_wall(&s, 4, 20, 1);
  for (int v = 0; v < 80; v++) s.side[v] = v % 20 >= 18;
  cost = recount(&s.graph, s.side);
  const int64_t limit = (cost.workload[0] + cost.workload[1]) * 51 / 100;
  CHECK(most_of(cost) > limit);
  two_way_improve(&s.graph, s.side, limit, &cost, arena);
  CHECK(most_of(cost) <= limit);
}

int main(void)
{
  Arena arena = arena_new();
  check_random(&arena);
  check_wall(&arena);
  check_ends(&arena);
  arena_destroy(&arena);
  return test_report();
}
