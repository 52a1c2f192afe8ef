#pragma once
// Part of a solid in a convex cell of cutting planes: what is left of its surface, and what bounds
// it along the planes.
#include <stdbool.h>

#include "arena.h"
#include "mesh_block.h"
#include "polyhedron.h"

enum { LUMP_MOST_PLANES = 48 };   // of a cell

typedef struct {
  double volume;   // m3; 0: all points lie in one plane
  double area;     // m2
} LumpHull;

// Caps are triangles along the cutting planes that stand for the sections: they may overlap and be
// of either sign, but their sum is the section, so that volumes are right and no outline is cut
// into triangles. Points of caps are no points of the solid.
typedef struct {
  int point_count;
  vec3 *points;   // m
  int triangle_count;
  int (*triangles)[3];   // of the solid's own surface, counter-clockwise seen from outside
  int cap_count;
  vec3 (*caps)[3];
  int plane_count;
  Plane planes[LUMP_MOST_PLANES];   // of the cell, which lies below them
  int corner_count;
  vec3 *corners;   // of the cell, inside the solid
  double volume;   // m3
  LumpHull hull;
} Lump;

// Local. A solid as one lump, without planes; shares its points and triangles.
Lump lump_of_solid(const MeshBlock *solid, Arena *scratch);

// Local. Corners that a plane makes with two planes of the cell inside a solid, at most
// LUMP_MOST_PLANES squared. Returns how many.
int lump_new_corners(const Lump *lump, Plane plane, const MeshBlock *solid, vec3 *corners);

// Local. Cuts a lump in two: sides[0] below the plane, sides[1] above. New corners belong to both.
// False where a side has no surface, no volume, or too many planes. Each side has an arena.
bool lump_cut(const Lump *lump, Plane plane, const MeshBlock *solid, Arena arenas[2],
              Lump sides[2]);

// Local. All points of the hull of a lump: its own and the corners of its cell (arena).
vec3 *lump_hull_points(const Lump *lump, int *count, Arena *arena);

// Local. The hull of points. vertex (or NULL): [count] is the point one of its vertices?
LumpHull lump_hull_measure(const vec3 *points, int count, bool *vertex, Arena *scratch);

// Local. Where the plane meets the edge of a and b, whose heights above it have different signs:
// the same bits from both ends.
vec3 lump_cross(vec3 a, vec3 b, Plane plane);
