#pragma once
// Overlapping pairs of boxes one by one, without a list of them: fans of slivers have more pairs
// than memory holds.
#include "box_overlap.h"

// Called with a < b.
typedef void (*BoxVisit)(void *context, int a, int b);

// Local. Visits every pair of boxes that overlap, once, by a tree of boxes. Valid boxes.
void mesh_boxes_visit(const Box *boxes, int count, BoxVisit visit, void *context, Arena *scratch);
