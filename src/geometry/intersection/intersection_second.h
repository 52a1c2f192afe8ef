#pragma once
// Second moments of an intersection, from its polygons.
#include "intersection.h"

// Local. Integral of (x - centroid)(x - centroid)' over an intersection that is OK, m5: pyramids
// over the triangles of its faces with the apex in the centroid, so that what rounding leaves has
// no sign.
mat3 intersection_second(const Intersection *common);
