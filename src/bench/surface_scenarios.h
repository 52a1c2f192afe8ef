#pragma once
// Surfaces near each other for the search of the contact model lmd, in their poses. Local.
#include "arena.h"
#include "surface_complex.h"
#include "vec3.h"

#define SURFACE_SCENARIOS 12

// The names: "stones-320", "stones-1280", "stones-5120", "stones-20480", "stones-100820",
// "slot-40", "slot-160", "slot-1000", "slot-4000", "slot-16000", "slot-38440", "bricks".
const char *surface_scenario_name(int scenario);

// Triangles of each surface that a scenario is named for.
int surface_scenario_triangles(int scenario);

// Where two surfaces are: the first one's centre is the origin.
typedef struct {
  mat3 rotation[2];   // body to world
  vec3 center;        // of the second, m
} SurfacePose;

typedef struct {
  SurfacePieces pieces[2];   // arena
  double extent;             // m, of either
  double limit;              // m: gaps that are looked for
  int pose_count;
  const SurfacePose *poses;   // [pose_count], arena
} SurfaceScenario;

// pose_count >= 1 poses, the same ones in every run; memory from the arena.
// - stones-N: two bumpy stones of radius 1 and N triangles in any orientation, 1e-6 m apart
// - slot-N: a block in the slot of a U, 1e-3 m of play all round, all sides of both in N triangles
// - bricks: a brick on another one, shifted and turned about the vertical by up to a degree
SurfaceScenario surface_scenario_new(int scenario, int pose_count, Arena *arena);
