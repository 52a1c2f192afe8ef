#pragma once
// Scenes for the solvers, and the steps whose problems are solved. Local.
#include <stdbool.h>

#define SOLVER_SCENES 17

typedef struct {
  const char *name;
  int first;          // step whose problem is solved, counted from zero
  int count;          // problems, at least one
  int every;          // steps between two of them
  bool on_demand;     // only when asked for by name: it takes minutes
  bool warm_alone;    // from nothing its problems are of no interest
  const char *text;   // case file
} SolverScene;

// The scenes, [SOLVER_SCENES]. Steps of heaps before and between the problems are solved by plain
// sweeps, so that their problems are the same whatever becomes of the other methods.
// - wall-210, wall-100, wall-million: dry walls, at rest
// - stack-1000: 100 stacks of 10 cubes
// - rubble: 300 stones that fall into a box
// - wall-affine, wall-poisson: the wall of 210 blocks, which deform
// - wall-elastic: the same of finite elements
// - wall-joints: towers with dowels
// - wall-tilted: the wall of 210 blocks under gravity with a slope of 0.45, which it cannot bear
// - arch-falling: an arch thinner than one that stands, while it falls
// - heap-falling, heap-settling, heap-resting: 1029 stones that fall into a box, pile up in it, lie
// - heap-sheared: the same, in a box whose upper half moves over the lower one
// - heap-10000: 10,143 stones while they pile up
// - fill-over-arch: 1323 stones between walls over an arch of 21 voussoirs, while they pile up
const SolverScene *solver_scenes(void);
