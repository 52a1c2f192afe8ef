#pragma once
// Faces of a surface that are flat but for the digits of a file become flat to rounding.
#include <stdbool.h>

#include "arena.h"
#include "polyhedron.h"
#include "vec3.h"

// A surface of triangles whose points may move.
typedef struct {
  int point_count;
  vec3 *points;   // m
  int triangle_count;
  const int (*triangles)[3];   // closed, counter-clockwise seen from outside
} FlatSurface;

typedef struct {
  int regions;   // groups of triangles in one plane
  int moved_points;
  double farthest;   // of all moves, m
} FlatReport;

// Local. Neighbouring triangles that leave one plane by no more than tolerance (of the largest side
// of the bounding box) share it; points go to the nearest place in their planes where there is one:
// where at most three planes meet, and at an angle. No point moves by more than twice the
// tolerance.
FlatReport flatten_mesh(const FlatSurface *surface, double tolerance, Arena *scratch);

// Groups of neighbouring triangles that leave one plane by no more than a reach.
typedef struct {
  int count;
  int *region;     // [triangle_count] -1: a triangle without area that fits in none
  Plane *planes;   // [count] mean of the triangles
} FlatRegions;

// Local. Those of a surface (arena); reach in m. Planes are best known near the origin.
FlatRegions flatten_regions(const FlatSurface *surface, double reach, Arena *arena);

// Local. The nearest place to x in one, two or three planes; false where they fix none well, or are
// more.
bool flatten_place(const Plane *planes, int count, vec3 x, vec3 *place);
