#pragma once
// Volume, centroid and second moments of the exact intersection of two solids.
#include "exact_intersection.h"

typedef struct {
  double volume;        // m3
  double centroid[3];   // relative to the centre of a, m
  double second[6];     // about the centroid, xx xy xz yy yz zz, m5
} ExactMoments;

// Local. Of the last result, which was not empty, each number rounded once.
ExactMoments exact_moments_last(ExactSpace *space);
