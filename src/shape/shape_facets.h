#pragma once
// Which pieces of the faces of a shape's parts are its surface.
#include "box.h"
#include "shape.h"

#define SHAPE_COPLANAR 1e-8   // of the shape's extent: faces of two parts in one plane

// Local. Facets of one part: its faces minus what opposite faces of other parts cover. boxes: of
// all parts, grown by rounding. Fills facets and facet_start.
void shape_facets_find(Shape *shape, const Box *boxes, int index, Arena *scratch, Arena *arena);
