// Times the search for overlapping boxes for drystone bench overlap.
#include "overlap_bench.h"

#include <assert.h>
#include <string.h>

#include "hash.h"
#include "memory.h"
#include "overlap_loads.h"

#define BUDGET_BOXES 1000000

uint64_t overlap_checksum(const BoxPair *pairs, int64_t count)
{
  assert(count >= 0 && (pairs != NULL || count == 0) && "pairs are given");
  uint64_t sum = 0;
  for (int64_t i = 0; i < count; i++) sum += hash_mix((uint64_t)pairs[i].a, (uint64_t)pairs[i].b);
  return sum;
}

// What a load is meant to take on one core of a current server, s.
static double budget_of(const char *load, int boxes)
{
  if (boxes != BUDGET_BOXES) return 0;
  if (strcmp(load, "random") == 0) return 0.8;
  return strcmp(load, "ordered wall") == 0 ? 0.1 : 0;
}

static OverlapRow run_load(int load, int count, int repeats)
{
  assert(load >= 0 && load < OVERLAP_LOADS && "one of the loads");
  OverlapRow row = {.load = overlap_load_name(load), .boxes = count};
  Box *boxes = memory_allocate((size_t)count * sizeof *boxes);
  double *seconds = memory_allocate((size_t)repeats * sizeof *seconds);
  overlap_load_fill(load, boxes, count);
  for (int r = 0; r < repeats; r++) {
    Arena arena = arena_new();
    const double begin = spread_clock();
    const BoxPairs found = box_overlap_find(boxes, count, &arena);
    seconds[r] = spread_clock() - begin;
    row.pairs = found.count;
    row.checksum = overlap_checksum(found.pairs, found.count);
    arena_destroy(&arena);
  }
  row.seconds = spread_of(seconds, repeats);
  row.budget = budget_of(row.load, count);
  memory_free(seconds);
  memory_free(boxes);
  return row;
}

OverlapRows overlap_bench_run(int boxes, int repeats, Arena *arena)
{
  assert(boxes >= 1 && repeats >= 1 && "there is something to time");
  OverlapRow *rows = arena_allocate(arena, OVERLAP_LOADS * sizeof *rows);
  for (int l = 0; l < OVERLAP_LOADS; l++) rows[l] = run_load(l, boxes, repeats);
  return (OverlapRows){OVERLAP_LOADS, rows};
}
