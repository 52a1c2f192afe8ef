#pragma once
// What a case says of forces.
#include "convergence.h"

typedef struct {
  SolverParameters solve;
  double impact_speed;       // restitution below it is nil, m/s; negative: 5 |g| h
  bool demand_convergence;   // a step that does not converge ends the run
} SolverSettings;

// Of overlap that is left at the end of a step.
typedef struct {
  double share;   // of the overlap beyond the slop that goes in one step, 0: off
  double slop;    // overlap left alone, relative to the smaller body's extent
} CorrectionSettings;
