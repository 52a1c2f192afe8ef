#pragma once
// Is the union of some cells convex? Judged as a whole, by its hull.
#include "cells.h"

// A face and the cell of the union that it bounds.
typedef struct {
  int face, cell;
} BoundaryFace;

// Local. The faces of cells of one part that are no inner faces of it. part: [cells]. Returns how
// many; faces has room for all faces of the members.
int cell_hull_list_boundary(const Cells *cells, const int *members, int count, const int *part,
                            BoundaryFace *faces);

// Local. Does no point of a boundary lie above the plane of one of its faces by more than
// CELL_FLAT, and has its hull the volume (m3) that it encloses?
bool cell_hull_boundary_is_convex(const Cells *cells, const BoundaryFace *faces, int count,
                                  double volume, Arena *scratch);
