#pragma once
// Contact points of two bodies by one of the contact models. Local.
#include "model.h"

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

// Points as the detection of a step would find them, which looks as far as the two can close in the
// step (s). mirrored: high is the model's first body.
QualityPoints quality_points_find(const PosedBody *low, const PosedBody *high, bool mirrored,
                                  ContactModel model, const PatchParameters *parameters,
                                  double step, Arena *arena);
