#pragma once
// Are the rows of a table of bodies what bodies.h promises?
#include "bodies.h"

// Local. NULL, or a phrase for the first promise that a row breaks, own rows before ghosts: counts,
// order of ids, values that are finite, unit orientations, drives, masses, materials and shapes
// below these counts.
const char *bodies_fault(const Bodies *bodies, int material_count, int shape_count);
