// Time of the intersections that drystone bench geometry does not show, on its scenarios: with a
// margin, and with the clipper for any number of faces; the usual ones stand beside them.
#include "intersection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair_scenarios.h"
#include "spread.h"

#define BATCH 250   // pairs that are placed, then timed together, as a caller's cache holds them
#define MARGIN 1e-3
#define MOST_REPEATS 64

typedef enum {
  KERNEL_CLIP,
  KERNEL_LABELS,
  KERNEL_CLIP_MARGIN,
  KERNEL_LABELS_MARGIN,
  KERNEL_ANY,
  KERNEL_COUNT
} Kernel;

static double run_pair(Kernel kernel, const SolidPair *pair, Arena *arena)
{
  const Polyhedron *a = &pair->solid_a, *b = &pair->solid_b;
  switch (kernel) {
  case KERNEL_CLIP: return intersection_clip(a, b, 0, arena).volume;
  case KERNEL_LABELS: return intersection_labels(a, b, 0, arena).volume;
  case KERNEL_CLIP_MARGIN: return intersection_clip(a, b, MARGIN, arena).volume;
  case KERNEL_LABELS_MARGIN: return intersection_labels(a, b, MARGIN, arena).volume;
  default: return intersection_clip_any(a, b, 0, arena).volume;
  }
}

// Processor seconds for all pairs, without placing them; the volumes are added to a sum that must
// be looked at.
static double time_scenario(const PairScenario *scenario, Kernel kernel, double *sum, Arena *arena)
{
  double seconds = 0;
  SolidPair pairs[BATCH];
  for (int first = 0; first < scenario->pair_count; first += BATCH) {
    const ArenaMark mark = arena_mark(arena);
    const int left = scenario->pair_count - first, count = left < BATCH ? left : BATCH;
    pair_scenario_place(scenario, first, count, pairs, arena);
    const ArenaMark scratch = arena_mark(arena);
    const double begin = spread_clock();
    for (int i = 0; i < count; i++) {
      *sum += run_pair(kernel, &pairs[i], arena);
      arena_release(arena, scratch);
    }
    seconds += spread_clock() - begin;
    arena_release(arena, mark);
  }
  return seconds;
}

// Prints the median over the repeats and, in brackets, the smallest; ns a pair.
static void print_scenario(int number, int only, int count, int repeats)
{
  Arena arena = arena_new();
  const PairScenario scenario = pair_scenario_new(number, count, &arena);
  printf("%-12s", pair_scenario_name(number));
  for (int kernel = 0; kernel < KERNEL_COUNT; kernel++) {
    double times[MOST_REPEATS], sum = 0;
    if (only >= 0 && kernel != only) continue;
    for (int r = 0; r < repeats; r++)
      times[r] = 1e9 * time_scenario(&scenario, (Kernel)kernel, &sum, &arena) / count;
    const Spread spread = spread_of(times, repeats);
    printf(" %8.1f (%7.1f)%s", spread.median, spread.low, sum >= 0 ? "" : " no volume");
    fflush(stdout);
  }
  printf("\n");
  arena_destroy(&arena);
}

int main(int argc, char **argv)
{
  const int count = argc > 1 ? atoi(argv[1]) : 20000;
  const int repeats = argc > 2 ? atoi(argv[2]) : 7;
  const int only = argc > 4 ? atoi(argv[4]) : -1;
  if (count < 1 || repeats < 1 || repeats > MOST_REPEATS) {
    fprintf(stderr, "usage: bench_intersection [PAIRS [REPEATS up to %d [SCENARIO [COLUMN]]]]\n",
            MOST_REPEATS);
    return 2;
  }
  printf("%d pairs, ns a pair: median of %d repeats (smallest)\n", count, repeats);
  printf("%-12s %18s %18s %18s %18s %18s\n", "", "clip", "labels", "clip, margin", "labels, margin",
         "any number");
  for (int scenario = 0; scenario < PAIR_SCENARIOS; scenario++) {
    if (argc <= 3 || strcmp(argv[3], pair_scenario_name(scenario)) == 0)
      print_scenario(scenario, only, count, repeats);
  }
  return 0;
}
