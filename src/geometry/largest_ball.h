#pragma once
// The largest ball below a set of planes: a point deep inside a convex solid, or a proof that there
// is none.
#include "polyhedron.h"

typedef struct {
  vec3 center;     // the deepest point seen, m
  double radius;   // its distance from the nearest plane, negative above one, m
  double bound;    // no point is deeper than this, but for rounding, m
} LargestBall;

// Local. Searched within some sizes (m) of start, where a bounded solid must be. Ends early when
// bound falls below zero: no point lies below all planes then.
LargestBall largest_ball(const Plane *planes, int count, vec3 start, double size);
