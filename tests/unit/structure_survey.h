#pragma once
// What a test wants to know of a structure: volumes, overlaps, joints between stones.
#include "structure.h"

typedef struct {
  double volume;      // of all stones, m3
  double size;        // largest side of the box around all, m
  double overlap;     // largest volume that two stones have in common, m3
  double surface;     // of all stones, m2
  double joints[2];   // area of all joints, clipped by the stones of higher and of lower number, m2
  double unequal;     // largest difference of these two of a pair, m2
  int joined;         // pairs of stones with a joint
  int failed;         // shapes that could not be built
} StructureSurvey;

// Local.
StructureSurvey structure_survey(const Structure *structure);

// Local. Points that two stones have in common, bit for bit.
int structure_shared_points(const Structure *structure, int first, int second);
