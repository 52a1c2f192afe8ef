#pragma once
// Time of finding all overlapping boxes, by scenario. Local.
#include <stdint.h>

#include "arena.h"
#include "box_overlap.h"
#include "spread.h"

typedef struct {
  const char *scenario;
  int boxes;
  int64_t pairs;
  Spread seconds;      // everything: from the boxes to the list of pairs
  double budget;       // what it is meant to take, s; 0: nothing is said
  uint64_t checksum;   // of the set of pairs
} OverlapRow;

typedef struct {
  int count;
  const OverlapRow *rows;   // [count], arena
} OverlapRows;

// Local. Times box_overlap_find on every scenario of overlap_scenarios.h: boxes >= 1, repeats >= 1
// times. Processor time of this thread.
OverlapRows overlap_bench_run(int boxes, int repeats, Arena *arena);

// Local. A number that depends on which pairs there are and not on their order. For the tests.
uint64_t overlap_checksum(const BoxPair *pairs, int64_t count);
