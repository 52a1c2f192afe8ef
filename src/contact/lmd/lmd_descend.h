#pragma once
// The way down the trees of two surfaces.
#include "lmd_pair.h"

// Local. Adds all points of a pair to a set, and whether an edge of one surface goes through a face
// of the other. The query says what else is asked for.
void lmd_descend(const LmdPair *pair, const LmdQuery *query, LmdSet *set, Arena *arena);
