#pragma once
// Pairs of convex bodies for the kernels of the narrow phase, in their poses. Local.
#include "arena.h"
#include "patch.h"
#include "polyhedron.h"
#include "shape.h"

#define PAIR_SCENARIOS 7

// The names: "box-box", "box-resting", "box-turned", "tet-tet", "hull-20", "hull-50", "separated".
const char *pair_scenario_name(int scenario);

// Two bodies of one part each; a is at the origin.
typedef struct {
  PosedBody a, b;
  Polyhedron solid_a, solid_b;   // the same two in one coordinate frame, for kernels of bare solids
} SolidPair;

// The shapes that a scenario is made of, and where the pairs are.
typedef struct {
  int scenario, shape_count;
  const Shape *shapes;   // [shape_count], arena
  int pair_count;
  const struct PairPose *poses;   // [pair_count], arena
} PairScenario;

// pair_count >= 1 different pairs (up to 49152 of them), the same ones in every run and on every
// machine; memory from the arena.
// - box-box: boxes with sides from 0.7 to 1.3 m in any orientation; b's centre is in any direction,
//   nearer by up to a tenth than where the two would touch
// - box-resting: a box on another one with the same base, 1e-6 m inside it: all sides coplanar
// - box-turned: a box on another one, 1e-6 m inside it, shifted and turned about the vertical
// - tet-tet, hull-20, hull-50: tetrahedra with corners anywhere in a cube, hulls of so many points
//   on a unit sphere; as box-box
// - separated: boxes as in box-box, but farther than where they would touch, by 2 to 20 %; a face's
//   plane separates them
PairScenario pair_scenario_new(int scenario, int pair_count, Arena *arena);

// Puts pairs first <= i < first + count in their places, pairs[count]; memory from the arena.
void pair_scenario_place(const PairScenario *scenario, int first, int count, SolidPair *pairs,
                         Arena *arena);
