#pragma once
// Erleben's scenes (Methodology for assessing mesh-based contact point methods, 2018): ten
// fundamental cases, Pillar, Wall and Arch, with the contacts that are right in them. y is up; the
// sizes are those of his simulator. Local.
#include <stdbool.h>

#include "arena.h"
#include "quality_solid.h"
#include "vec3.h"

#define SCENE_MAX_NORMALS 4
#define SCENE_MAX_CORNERS 6
#define SCENE_FUNDAMENTAL 10   // the first scenes; structures follow
#define SCENE_TIPS 3           // the first of them: tips and ridges straight on each other
enum { SCENE_PILLAR = SCENE_FUNDAMENTAL, SCENE_WALL, SCENE_ARCH, SCENE_COUNT };

typedef struct {
  int solid;
  vec3 at;   // of the solid's origin, m
  bool fixed;
  vec3 velocity;   // at the start, m/s
} QualityBody;

// Two bodies that touch.
typedef struct {
  int low, high;   // bodies
  int normal_count;
  vec3 normals[SCENE_MAX_NORMALS];      // feasible ones, unit, from low into high
  int least_points;                     // that say all
  int corner_count[2];                  // of the plane faces that meet; 0: the contact has no area
  vec3 corners[2][SCENE_MAX_CORNERS];   // in order, m
} QualityInterface;

typedef struct {
  const char *name;
  int body_count;
  QualityBody *bodies;
  int interface_count;
  QualityInterface *interfaces;   // sorted by low, then high
} QualityScene;

typedef struct {
  int solid_count;
  QualitySolid *solids;
  QualityScene scenes[SCENE_COUNT];
} QualityScenes;

// Everything, from the arena.
QualityScenes quality_scenes_new(Arena *arena);

// Points that a perfect method finds.
int quality_scene_least_points(const QualityScene *scene);
