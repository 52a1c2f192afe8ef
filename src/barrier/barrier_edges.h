#pragma once
// The potential of two sharp edges that pass each other.
#include "vec3.h"

// An edge in some frame, m.
typedef struct {
  vec3 from, along;   // one end, and the way to the other
} BarrierSegment;

// The potential b(d) m(c) of the distance d of two edges a and b, c = |a x b|^2, and its
// derivatives.
typedef struct {
  double value;       // m
  vec3 place;         // the nearest one of a
  vec3 normal;        // unit, from the nearest place of b to that of a
  double gap;         // m; infinite: the edges are farther from each other than the distance
  double slope;       // by the gap
  double curvature;   // by the gap twice, 1/m
  vec3 couple;        // by a turn of a, m; a turn of b has the opposite
} BarrierCrossing;

// Local. m goes to zero from crossings at a sine of 1/sqrt(1000) of their angle on.
BarrierCrossing barrier_edges_find(BarrierSegment a, BarrierSegment b, double distance);
