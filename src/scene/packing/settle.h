#pragma once
// One sweep over stones that are being packed: what overlaps is moved apart, one after the other.
#include "packed_stones.h"

// Local. Moves every stone away from the walls and every pair apart. Returns how many walls and
// pairs had too small a gap; zero: nothing was moved, and stones and walls are apart.
int settle_sweep(PackedStones *p);
