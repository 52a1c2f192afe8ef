#pragma once
// The largest eigenvalues of four symmetric matrices at once. Local.
#include "lane.h"

typedef struct {
  Lane xx, xy, xz, yy, yz, zz;
} SymmetricLane;

// Local. To some units in the last place of the largest by magnitude; without a tolerance, so that
// a power of two goes through to the bit.
Lane lane_largest_eigenvalue(const SymmetricLane *m);
