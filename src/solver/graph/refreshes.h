#pragma once
// Who must hear of which velocity before which colour of a sweep, and after it.
#include "bodies.h"
#include "copies.h"
#include "halo.h"
#include "pair_list.h"

typedef struct {
  HaloPlan *before_colour;   // [colours]
  HaloPlan all;              // of all bodies that pairs of two ranks touch
  HaloPlan swept;            // of those alone whose pairs the other rank sweeps
  HaloPlan gather;           // of copies, to the ranks of their bodies
} Refreshes;

typedef struct {
  const PlacedPairs *placed;
  int colour_count;
  const Copies *copies;
  const Bodies *bodies;
} RefreshSource;

// Collective. Plans in home, all else in the arena.
Refreshes refreshes_plan(const RefreshSource *source, Arena *home, Arena *arena);
