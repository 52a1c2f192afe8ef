#pragma once
// A scene as it is shown to a contact generator: bodies whole or cut, grown, tilted, pushed, moved
// on in time, all of it turned and far away. Local.
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "patch.h"
#include "quality_scene.h"

#define SETUP_GRAVITY 9.82   // downwards, m/s2

typedef enum {
  CUT_NONE,   // convex parts
  CUT_RAW,    // tetrahedra that fill the surface, as few as it takes
  CUT_MESH,   // tetrahedra of quality 2.0 in the same surface
  CUT_FINE,   // of quality 1.015 or 1.1 and small volume; the surface is split as well
  CUT_COUNT
} QualityCut;

// Tetrahedra of positive volume that fill a solid.
typedef struct {
  int point_count;
  const vec3 *points;   // m
  int tetra_count;
  const int (*tetra)[4];
} QualityFilling;

// What is 0 or false changes nothing. Fixed bodies are cut, turned and moved with the scene, and
// nothing else.
typedef struct {
  QualityCut cut;
  double growth;   // bodies are scaled by 1 + growth about their centres of mass
  double tilt;     // each is turned that much about a random axis through its centre, rad
  double shove;    // each is moved by up to that along its random axes, m
  bool shove_x, shove_z;
  double fall;       // free flight from the start before contacts are looked for, s
  double step;       // of the step in which they are looked for, s
  bool turned;       // the whole scene, at random
  double distance;   // and how far it is moved in a random direction, m
  bool mirrored;     // the second body of a pair is given first
  uint64_t seed;
} QualitySetup;

// The bodies of a scene. fillings: [scenes->solid_count] of the cut, not used where there is none.
// Velocities are those without contact at the end of the step. Arena.
PosedBody *quality_setup_bodies(const QualityScenes *scenes, const QualityScene *scene,
                                const QualitySetup *setup, const QualityFilling *fillings,
                                Arena *arena);

// The turn of the whole scene.
mat3 quality_setup_turn(const QualitySetup *setup);

// Where a point of a body's surface is, before the scene is turned and moved: scene axes, m.
vec3 quality_setup_place(const QualityScenes *scenes, const QualityScene *scene,
                         const QualitySetup *setup, int body, vec3 point);

// Surfaces of bodies, for the model that asks for them.
void quality_setup_surfaces(PosedBody *bodies, int count, Arena *arena);

// Which faces of tetrahedra no other one shares, [tetra_count]; face k lies opposite corner k.
bool (*quality_setup_surface_faces(const QualityFilling *filling, Arena *arena))[4];
