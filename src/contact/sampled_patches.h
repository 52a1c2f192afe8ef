#pragma once
// Patches of bodies of finite elements: points where both meshes can bend, in the place of the few
// that hold what is rigid (points/patch_sampling.h).
#include "finite_shape.h"
#include "generator.h"

// Two bodies, and the meshes of those that have one; NULL: the other.
typedef struct {
  const PosedBody *a, *b;
  const FiniteShape *mesh_a, *mesh_b;
} SampledPair;

// Local. Gives the patches with an area their sampled points: gaps and heights are those of the
// plane through their own points, areas add up to that of the patch. A key is a face of each mesh
// and a number among the points of both. Patches without an area, which are points and lines, stay
// as they are.
void sampled_patches_take(const SampledPair *pair, PatchSet *set, Arena *arena);
