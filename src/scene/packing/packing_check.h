#pragma once
// The last word on packed stones: no two have a point in common, and the room holds all.
#include "packed_stones.h"

// Local. NULL, or a phrase for the first thing that does not hold. Pairs are taken from boxes about
// the pieces, and convex parts are intersected.
const char *packing_check_fault(const PackedStones *p);
