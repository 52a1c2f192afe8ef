#pragma once
// The hull of a lump with few corners.
#include "lump.h"
#include "shape.h"

// Local. Corners of the hull of a lump, as a part: so many that none of the others stands out over
// a face by more than the tolerance (m), or in a cutting plane over the outline there by half of
// it. They are points of the lump: the part lies in its hull. Arena.
PartRecipe lump_hull_take(const Lump *lump, double tolerance, Arena *arena);
