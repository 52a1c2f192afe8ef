#pragma once
// Time of the search of the contact model lmd and of what it needs, by scenario. Local.
#include <stdint.h>

#include "arena.h"
#include "spread.h"

typedef struct {
  const char *scenario, *search;
  int triangles, simplices;   // of both surfaces: as given, and in their trees
  double build, tree;         // s, both surfaces: from triangles to trees, and the trees alone
  Spread microseconds;        // of one pair in one pose
  double requests, nodes;     // pairs of simplices and of nodes looked at, mean of the poses
  double budget;              // what it is meant to take, us; 0: nothing is said
  int64_t points;             // found in all poses
} LmdRow;

typedef struct {
  int count;
  const LmdRow *rows;   // [count], arena
} LmdRows;

typedef struct {
  int poses, repeats;   // >= 1 of each scenario
  int triangles;        // scenarios that are named for more are left out
} LmdLoad;

// Local. Times the searches on the scenarios of surface_scenarios.h, one by one on each repeat.
// Processor time of this thread. Searches:
// - trees: lmd_search_trees as the model uses it
// - no kinds: pairs of nodes do not part by the kinds of their simplices
// - turned cuts: trees whose levels are cut by place and by normal in turn
// - all pairs: lmd_search_pairs, where there are few simplices
// - model: lmd_model_find, from two poses to patches
LmdRows lmd_bench_run(LmdLoad load, Arena *arena);
