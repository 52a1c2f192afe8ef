// Times the search for overlapping boxes for drystone bench overlap.
#include "overlap_bench.h"

#include <assert.h>
#include <string.h>

#include "hash.h"
#include "memory.h"
#include "overlap_scenarios.h"

#define BUDGET_BOXES 1000000

uint64_t overlap_checksum(const BoxPair *pairs, int64_t count)
{
  assert(count >= 0 && (pairs != NULL || count == 0) && "pairs are given");
  uint64_t sum = 0;
  for (int64_t i = 0; i < count; i++) sum += hash_mix((uint64_t)pairs[i].a, (uint64_t)pairs[i].b);
  return sum;
}

// What a scenario is meant to take on one core of a current server, s.
static double budget_of(const char *scenario, int boxes)
{
  if (boxes != BUDGET_BOXES) return 0;
  if (strcmp(scenario, "random") == 0) return 0.8;
  return strcmp(scenario, "ordered wall") == 0 ? 0.1 : 0;
}

static OverlapRow run_scenario(int scenario, int count, int repeats)
{
  assert(scenario >= 0 && scenario < OVERLAP_SCENARIOS && "one of the scenarios");
  OverlapRow row = {.scenario = overlap_scenario_name(scenario), .boxes = count};
  Box *boxes = memory_allocate((size_t)count * sizeof *boxes);
  double *seconds = memory_allocate((size_t)repeats * sizeof *seconds);
  overlap_scenario_fill(scenario, boxes, count);
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
  row.budget = budget_of(row.scenario, count);
  memory_free(seconds);
  memory_free(boxes);
  return row;
}

OverlapRows overlap_bench_run(int boxes, int repeats, Arena *arena)
{
  assert(boxes >= 1 && repeats >= 1 && "there is something to time");
  OverlapRow *rows = arena_allocate(arena, OVERLAP_SCENARIOS * sizeof *rows);
  for (int l = 0; l < OVERLAP_SCENARIOS; l++) rows[l] = run_scenario(l, boxes, repeats);
  return (OverlapRows){OVERLAP_SCENARIOS, rows};
}
