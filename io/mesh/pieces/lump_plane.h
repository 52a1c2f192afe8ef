#pragma once
// The plane that cuts a lump best.
#include "lump.h"

// Local. The plane after which the hulls of both sides are smallest together, and nearly of one
// size: the best of planes across 13 directions, moved and turned as long as that helps. False
// where none leaves two sides worth having.
bool lump_plane_find(const Lump *lump, const MeshBlock *solid, Plane *plane);
