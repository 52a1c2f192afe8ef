#pragma once
// What a case says of barriers.
#include <stdbool.h>

#include "barrier_pair.h"

typedef struct {
  bool given;   // the case has the scheme
  BarrierScale scale;
  double relative_distance;   // of the smallest side of a part, where the case gives no distance
  int refine;                 // parts of each side of a cell
  double stick_speed;         // m/s: eps_v, below which friction is not whole
  int friction_passes;        // how often forces of friction follow the normal ones, >= 0
  double tolerance;           // m/s: a Newton step below it is the last one
  int most;                   // Newton steps
} BarrierSettings;
