#pragma once
// What opens two surfaces that cross or lie in each other, where there are no parts to measure.
#include "generator.h"
#include "lmd_search.h"

// Local. One point in the middle of where base surfaces cross, along the mean of the normals there,
// as deep as both dilations; of a surface inside the other one along the way between the centres.
PatchSet lmd_deep_find(const LmdQuery *query, Arena *arena);
