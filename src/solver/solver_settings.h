#pragma once
// What a case says of forces.
#include "convergence.h"
#include "stops.h"

// What becomes of a step that ends above the tolerance.
typedef enum {
  UNSOLVED_KEEP,    // it stays, and is counted
  UNSOLVED_HALVE,   // it is made again in two halves, once
  UNSOLVED_END      // it ends the run
} Unsolved;

typedef struct {
  SolverParameters solve;
  SolverStops stops;     // 0: none
  double impact_speed;   // restitution below it is nil, m/s; negative: 5 |g| h
  Unsolved unsolved;
} SolverSettings;

// Of overlap that is left at the end of a step.
typedef struct {
  double share;   // of the overlap beyond the slop that goes in one step, 0: off
  double slop;    // overlap left alone, relative to the smaller body's extent
} CorrectionSettings;
