#pragma once
// Which stones that are being packed may come near each other, or near the surface of their room.
#include "packed_stones.h"

// Local. Lists the pairs anew where stones have grown or moved so far that one may be missing.
// Known pairs keep their axes.
void stone_pairs_refresh(PackedStones *p);
