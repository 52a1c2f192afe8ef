#pragma once
// Volume-SAT and Surface-SAT: the axis along which two tetrahedra overlap least, of all their faces
// and edges or of those on the surface.
#include "method_overlap.h"
#include "method_points.h"

typedef struct {
  bool found, separated;
  real overlap;   // negative; the largest so far
  real3 normal;
} LeastOverlap;

// One more axis; the first of equals stays.
static inline void try_axis(const MethodPair *pair, real3 axis, LeastOverlap *best)
{
  const RealSpan a = real_span(pair->a->corners, 4, axis), b = real_span(pair->b->corners, 4, axis);
  if (spans_are_apart(a, b)) {
    best->separated = true;
    return;
  }
  if (a.low <= b.low && b.low <= a.high && b.low - a.high > best->overlap)
    *best = (LeastOverlap){true, best->separated, b.low - a.high, axis};
  if (b.low <= a.low && a.low <= b.high && a.low - b.high > best->overlap)
    *best = (LeastOverlap){true, best->separated, a.low - b.high, real3_neg(axis)};
}

static inline LeastOverlap least_overlap(const MethodPair *pair, bool surface_alone)
{
  const RealTetra *a = pair->a, *b = pair->b;
  LeastOverlap best = {.overlap = -REAL_MOST};
  // faces come first, so that they win against edges
  for (int k = 0; k < 4; k++) {
    if (!surface_alone || a->on_surface[k]) try_axis(pair, plane_unit(&a->planes[k]), &best);
    if (!surface_alone || b->on_surface[k]) try_axis(pair, plane_unit(&b->planes[k]), &best);
  }
  for (int i = 0; i < 6; i++) {
    if (surface_alone && !edge_on_surface(a, i)) continue;
    const real3 edge = edge_vector(a, i);
    for (int j = 0; j < 6; j++) {
      if (surface_alone && !edge_on_surface(b, j)) continue;
      // parallel edges: by an absolute length in the program
      const real3 other = edge_vector(b, j), axis = real3_cross(edge, other);
      if (!(real3_norm(axis) > REAL_ROUNDING)) continue;
      if (pair->text && edges_are_parallel(edge, other, axis)) continue;
      try_axis(pair, real3_unit(axis), &best);
    }
  }
  return best;
}

static inline void method_sat(const MethodPair *pair, bool surface_alone)
{
  if (!method_overlap(pair->a, pair->b)) return;
  const LeastOverlap best = least_overlap(pair, surface_alone);
  if (best.found && !best.separated) method_project(pair, best.normal);
}
