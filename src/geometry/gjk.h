#pragma once
// Distance of two convex point sets (Gilbert, Johnson, Keerthi 1988).
#include "vec3.h"

typedef struct {
  double distance;   // m, 0 when the hulls meet
  vec3 on_a, on_b;   // closest points, m
  int iterations;    // counted, bounded
} GjkResult;

// Local. Distance between the convex hulls of two vertex sets.
GjkResult gjk_distance(const vec3 *a, int a_count, const vec3 *b, int b_count);
