#pragma once
// The way down the trees of two surfaces.
#include "lmd_pair.h"

// Local. Adds all points of a pair to a set, and whether an edge of one surface goes through a face
// of the other. any_kind: pairs of nodes do not part by their kinds.
void lmd_descend(const LmdPair *pair, bool any_kind, LmdSet *set, Arena *arena);
