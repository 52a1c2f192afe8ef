#pragma once
// The way down the trees of two surfaces.
#include "lmd_pair.h"

typedef struct {
  const LmdPair *pair;
  const SurfaceTree *a, *b;
  double wide_sine, wide_cosine;   // of the turn and rounding
  LmdSet *set;
  int capacity;
  Arena *arena;
} LmdDescent;

// Local. A descent that adds to a set, in the arena.
LmdDescent lmd_descend_new(const LmdPair *pair, LmdSet *set, Arena *arena);

// Local. Adds the points below two nodes.
void lmd_descend_points(LmdDescent *descent, int node_a, int node_b);

// Local. Does an edge below one of two nodes go through a face below the other?
bool lmd_descend_crossing(const LmdDescent *descent, int node_a, int node_b);
