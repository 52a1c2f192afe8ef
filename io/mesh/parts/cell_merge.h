#pragma once
// Merges convex cells into few convex parts.
#include "cells.h"

// Which neighbours are tried first.
typedef enum {
  MERGE_BROAD,   // across a large face, compared with the smaller part
  MERGE_SMALL,   // small parts
  MERGE_LARGE,   // large parts
  MERGE_ORDERS
} MergeOrder;

typedef struct {
  int count;
  int *part;   // [cells] the part of each cell; parts are numbered by their first cell
} CellParts;

// Local. Cells of one group (0 or above) begin as one part, if that is convex; all others begin
// alone. Two parts merge while their union stays convex: no reentrant edge, and a hull of the
// volume of the cells to 1e-12. The same cells give the same parts. Arena.
CellParts cell_merge_all(const Cells *cells, MergeOrder order, Arena *arena);
