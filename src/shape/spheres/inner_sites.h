#pragma once
// What a ball inside a body must not cross: the triangles of the body's surface.
#include <stdbool.h>

#include "arena.h"
#include "box.h"
#include "shape.h"

typedef struct {
  vec3 corner[3];   // counter-clockwise seen from outside, body frame, m
} InnerTriangle;

// A closed surface.
typedef struct {
  int count;
  const InnerTriangle *triangles;
  Box box;
} InnerSurface;

// Local. The surface of a shape of parts, or of one that is a surface alone: facets are cut into
// fans. Memory from the arena.
InnerSurface inner_sites_of_shape(const Shape *shape, Arena *arena);

// Local. The place of a triangle that is nearest to a point.
vec3 inner_sites_nearest(const InnerTriangle *triangle, vec3 point);

typedef enum { INNER_APART, INNER_CROSSES, INNER_UNCLEAR } InnerCrossing;

// Local. Does the straight way between two points cross a triangle? Unclear near its rim, and where
// an end lies in its plane, but for rounding.
InnerCrossing inner_sites_crossing(const InnerTriangle *triangle, vec3 from, vec3 to);

// Local. Is a point inside of the surface? By the parity of crossings on the way to a place far
// outside; where no way of many is clear the point counts as outside.
bool inner_sites_hold(const InnerSurface *surface, vec3 point);
