#pragma once
// Time of the kernels of the narrow phase per pair of bodies, by scenario. Local.
#include <stdint.h>

#include "arena.h"
#include "spread.h"

typedef struct {
  const char *scenario, *kernel;
  int pairs;
  Spread nanoseconds;   // per pair
  double budget;        // what it is meant to take, ns per pair; 0: nothing is said
  double sum;           // of what the kernel found: m3, m2, m or pairs, see geometry_bench_run
  int64_t
      failed;   // pairs without an answer; of patch: too deep for one, volumetric points instead
} GeometryRow;

typedef struct {
  int count;
  const GeometryRow *rows;   // [count], arena
} GeometryRows;

// Local. Times every kernel on every scenario of pair_scenarios.h: pairs >= 1, different ones,
// repeats >= 1 times, all kernels one by one on each batch. Processor time of this thread; putting
// the bodies into their places does not count. Kernels, and what is summed:
// - clip: intersection_clip, labelled faces and all; volumes
// - labels: intersection_labels, what the patch search asks for; volumes
// - reference: intersection_reference, the independent slow route to the same solid; volumes
// - patch: patch_find; areas of patches
// - gjk: gjk_distance; distances
// - planes, cached plane (on scenario separated): separation_find, without a hint and with the last
//   face that separated; pairs
GeometryRows geometry_bench_run(int pairs, int repeats, Arena *arena);
