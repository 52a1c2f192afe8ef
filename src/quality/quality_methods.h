#pragma once
// The eight local methods of the text on bodies of tetrahedra: they find points as contact models
// do. Local.
#include "methods.h"
#include "quality_score.h"

#define METHODS_EROSION 0.01   // m that bodies are shrunk by for Closest points
#define METHODS_ENVELOPE (2 * METHODS_EROSION)

// Bodies are shrunk for Closest points alone. The text moves every vertex along its normal, the
// program scales some bodies.
typedef enum { EROSION_NONE, EROSION_PROGRAM, EROSION_TEXT, EROSION_COUNT } MethodErosion;

// A body before the scene is turned.
typedef struct {
  int point_count;
  const vec3 *places[EROSION_COUNT];   // [point_count] scene axes, m
  int tetra_count;
  const int (*tetra)[4];
  const bool (*on_surface)[4];   // [tetra_count] face k lies opposite corner k
} MethodBody;

// Tetrahedra of two bodies that may touch.
typedef struct {
  int count;
  int (*tetra)[2];   // of low and of high
} MethodCandidates;

typedef struct {
  int body_count;
  const MethodBody *bodies;
  const MethodCandidates *touching, *near;   // [body_count * low + high]; within the envelope
} MethodBodies;

// A method as a finder.
typedef struct {
  QualityFinder base;
  MethodRule rule;
  const MethodBodies *bodies;
  const vec3 *const *world;   // [body] its points as the scene is turned, m
} MethodFinder;

// The bodies of a scene in a setup, but for turns of the whole scene, which there may be many of.
// fillings: [scenes->solid_count]. Arena.
MethodBodies quality_methods_bodies(const ShownScene *shown, const QualityFilling *fillings,
                                    Arena *arena);

// A method on the bodies as the setup turns the scene. Arena.
MethodFinder quality_methods_finder(const MethodBodies *bodies, const QualitySetup *setup,
                                    const MethodRule *rule, Arena *arena);
