#pragma once
// Cuts a solid along planes through its reentrant edges until every piece is convex.
#include "cells.h"

#define NOTCH_LONE (-1)   // group of cells that are in no convex piece

// Local. Gives cells of one convex piece one group, 0 to the returned number - 1. Cells of pieces
// that no plane makes convex become NOTCH_LONE. -1: there would be more than most pieces, the solid
// has too many reentrant edges for this to be of use, or rounding leaves no sound cut; the cells
// are of no more use then.
int notches_cut(Cells *cells, int most);
