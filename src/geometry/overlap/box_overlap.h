#pragma once
// All overlapping pairs of axis-aligned boxes: grids for boxes of similar size, and for the others
// the hybrid of streaming scans and segment-tree recursion (Zomorodian and Edelsbrunner 2002).
// Complete, free of duplicates, any mix of sizes.
#include <stdint.h>

#include "arena.h"
#include "box.h"

typedef struct {
  int32_t a, b;
} BoxPair;   // indices, a < b

typedef struct {
  int64_t count;
  BoxPair *pairs;   // arena; sorted by (a, b)
} BoxPairs;

// Local. Every pair of boxes that overlap, once. The result is a function of the boxes alone. Boxes
// may be infinite; one with a NaN or with its low end above its high end overlaps nothing.
BoxPairs box_overlap_find(const Box *boxes, int count, Arena *arena);

// Local. The same by testing all pairs: the slow reference of the tests.
BoxPairs box_overlap_brute_force(const Box *boxes, int count, Arena *arena);
