#pragma once
// Faces of a surface that are flat but for the digits of a file become flat to rounding.
#include "arena.h"
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
