#pragma once
// Patches of bodies of finite elements: points where a mesh can bend, in the place of the few that
// hold what is rigid (patch_sampling.h).
#include "finite_shape.h"
#include "generator.h"

// A body and its mesh, NULL: it has none; a piece of a larger body, which nothing parts,
// has seams.
typedef struct {
  const PosedBody *body;
  const FiniteShape *mesh;
  bool piece;
} SampledBody;

typedef struct {
  SampledBody a, b;
} SampledPair;

// Local. Leaves out patches on cuts through pieces, and gives those with an area their points: gaps
// and heights are those of the plane through their own points, areas add up to that of the patch. A
// key is a face of the mesh that cuts, and a number among the points of that face. Patches without
// an area, which are points and lines, stay as they are.
void sampled_patches_take(const SampledPair *pair, PatchSet *set, Arena *arena);

// Local. Is a point with these features one of these?
bool sampled_patches_have(uint32_t feature_a, uint32_t feature_b);
