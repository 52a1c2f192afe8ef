#pragma once
// A box of any direction that fits a set of points, however flat or slim.
#include <stdbool.h>

#include "vec3.h"

typedef struct {
  mat3 axes;         // rows: orthonormal, right-handed
  double sides[3];   // half of them, m
} FittedBox;

// Local. The box about 0: its first axis points to the farthest point, the second to the one that
// is farthest from that line. Small components of the points are not lost beside large ones when
// the large ones lie along coordinate axes. False when the points have no thickness.
bool fitted_box(const vec3 *points, int count, FittedBox *box);
