#pragma once
// Bodies that are a closed surface of triangles, and measures that they share with parts.
#include "shape.h"

#define SHAPE_MIN_INRADIUS 1e-3   // of the shape's extent

// Local. The shape of a surface: mass properties from its triangles. SHAPE_NO_VOLUME for one that
// holds none. Memory from the arena.
ShapeResult shape_triangles_build(const PartRecipe *surface, Arena *arena, Shape *shape);

// Local. Distance of a plane polygon with that unit normal from the origin, m.
double shape_triangles_polygon_distance(const vec3 *corners, int count, vec3 normal);
