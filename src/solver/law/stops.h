#pragma once
// Stops of the iteration that are stated in the terms of other programs of contact: what a point
// may lack of the forces at its bodies, and by how much it may go wrong in a step.
#include <assert.h>
#include <stdbool.h>

// Limits of errors beside the tolerance, 0: none. Where both are asked for the one that allows less
// holds.
typedef struct {
  double unbalanced;    // of a point's error over the mean force at its bodies, 1
  double penetration;   // by which a point may go wrong in the step, m
} SolverStops;

// Local. Are any asked for?
static inline bool stops_any(SolverStops stops)
{
  return stops.unbalanced > 0 || stops.penetration > 0;
}

// Local. Limits as sizes that errors count relative to: over the tolerance of the residual.
static inline SolverStops stops_over(SolverStops stops, double tolerance)
{
  assert(tolerance > 0 && "sizes are over the tolerance");
  return (SolverStops){stops.unbalanced / tolerance, stops.penetration / tolerance};
}
