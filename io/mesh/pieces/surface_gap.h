#pragma once
// How far one surface is from another one.
#include "vec3.h"

typedef struct {
  int count;
  const vec3 (*corners)[3];   // m
} GapTriangles;

// Local. The largest distance from a place of the first surface to the nearest place of the other
// one, m: no less, and more by at most a hundredth of itself or 1e-4 of the extent. Both have
// triangles.
double surface_gap(const GapTriangles *from, const GapTriangles *to);
