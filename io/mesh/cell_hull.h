#pragma once
// Is the union of some cells convex?
#include "cells.h"

#define CELL_VOLUME 1e-12   // of a part: the volume of its hull may differ by this

// Local. Points of the cells' faces that are no inner faces of the union, each once, ascending.
// marks: [points] not above the token; those of the union get it. Returns how many.
int cells_list_points(const Cells *cells, const int *members, int count, const int *part,
                      int *points, int *marks, int token);

// Local. Has the hull of points the given volume (m3)? Exact but for rounding of the volume.
bool cells_hull_is(const Cells *cells, const int *points, int count, double volume, Arena *scratch);
