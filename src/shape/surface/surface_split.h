#pragma once
// Triangles of a plane polygon with holes.
#include <stdbool.h>

#include "arena.h"

// A corner in the plane, m.
typedef struct {
  double u, v;
  int name;    // the caller's
  int order;   // among corners between which nothing else tells
} SplitCorner;

// Loops one after another: outer ones counter-clockwise, holes clockwise; none crosses another.
typedef struct {
  int count;   // of corners
  const SplitCorner *corners;
  const bool *ends_loop;   // [count]
} SplitPolygon;

typedef struct {
  int count;
  int (*names)[3];   // counter-clockwise, arena
} SplitTriangles;

// Local. Cuts off ears (Meisters 1975) after holes are joined to what is around them. The triangles
// depend on places and order of the corners, and not on where loops begin, nor on rounding.
SplitTriangles surface_split(const SplitPolygon *polygon, Arena *arena);
