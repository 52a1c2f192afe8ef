#pragma once
// Contact points of two bodies by one of the contact models. Local.
#include "model.h"
#include "quality_setup.h"

typedef struct {
  vec3 point;    // relative to the centre of one of the two bodies, world axes, m
  vec3 normal;   // from low into high
  double gap;    // m
  double area;   // m2
} QualityPoint;

typedef struct {
  int count;
  QualityPoint *points;   // arena
  int failed;             // pairs of parts without a patch
} QualityPoints;

// How points are found and judged.
typedef struct {
  ContactModel model;
  PatchParameters parameters;
  double tolerance;   // distance from a feasible normal up to which one is feasible, 1
} QualityRule;

// Finds the points of two bodies of a scene, by their numbers; the first member of a struct that
// knows the bodies.
typedef struct QualityFinder QualityFinder;
struct QualityFinder {
  QualityPoints (*find)(const QualityFinder *finder, int low, int high, Arena *arena);
};

// A contact model as a finder.
typedef struct {
  QualityFinder base;
  const PosedBody *bodies;
  const QualitySetup *setup;
  const QualityRule *rule;
} ModelFinder;

// Points as the detection of the setup's step would find them, which looks as far as the two can
// close in it. In a mirrored setup high is the model's first body.
ModelFinder quality_points_finder(const PosedBody *bodies, const QualitySetup *setup,
                                  const QualityRule *rule);
