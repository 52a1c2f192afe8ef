#pragma once
// Random convex stones.
#include <stdint.h>

#include "arena.h"
#include "shape.h"
#include "vec3.h"

#define STONE_MIN_CORNERS 8
#define STONE_MAX_CORNERS 64

// Local. The stone of a stream of random numbers: a convex part with that many corners, which lie
// on an ellipsoid, well apart from each other. The sides of its bounding box are those given (m, to
// rounding, along x, y, z); its centre of mass is the origin.
PartRecipe stone_shape(int corners, vec3 sides, uint64_t stream, Arena *arena);
