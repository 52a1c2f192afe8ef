#pragma once
// The common solid of two bodies as far as their inner spheres tell: a sum of lenses.
#include "common_solid.h"
#include "inner_spheres.h"

typedef struct {
  CommonSolid solid;   // relative to the centre of a; all zero: no two spheres overlap
  int lenses;
  int64_t compared;   // pairs of nodes and of spheres
} CommonInner;

// Local. The lenses that spheres of two posed bodies share, in the order of the spheres of a, then
// of b: volume, centroid and second moments are those of all lenses. The area vector of a is the
// sum of the disks of lenses, each along its axis, which is the gradient of the volume; that of b
// is its opposite. The middles of surfaces lie where lenses that stretch like these along the area
// vector have theirs. Scratch from the arena, released on return.
CommonInner common_inner_find(const ModelPair *pair, Arena *arena);

// Local. The same by all pairs of spheres: the slow reference of the tests.
CommonInner common_inner_brute_force(const ModelPair *pair);
