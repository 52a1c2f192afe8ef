#pragma once
// Facets of parts whose true surface the recipe knows as triangles.
#include "shape.h"

// Local. Facets of one part from the triangles of its recipe: a face that they cover is one whole
// facet, one that they cover in part has their union as convex polygons, one without any is
// internal. Fills facets and facet_start.
void shape_surface_take_facets(Shape *shape, const PartRecipe *recipe, int index, Arena *scratch,
                               Arena *arena);
