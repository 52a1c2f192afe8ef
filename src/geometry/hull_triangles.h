#pragma once
// The triangulated convex hull of grid points, exact. Local.
#include <stdbool.h>

#include "arena.h"
#include "check.h"
#include "hull_exact.h"

typedef struct {
  int vertex[3];       // counter-clockwise seen from outside
  int neighbor[3];     // across the edge vertex[i] -> vertex[i + 1]
  WideVector normal;   // exact, outward, twice the area in length
} HullTriangle;

typedef struct {
  int count;
  HullTriangle *triangles;   // arena
} HullTriangles;

// Local. Quickhull with conflict lists (Barber, Dobkin and Huhdanpaa 1996) over the points that are
// not skipped. No triangle is degenerate, none is above another one's plane; triangles may lie in
// one plane. False when all points lie in one plane.
bool hull_triangulate(const GridPoint *points, int count, const bool *skipped, Arena *arena,
                      HullTriangles *hull);

// Index of the edge of a triangle that starts at a vertex.
static inline int hull_edge_from(const HullTriangle *triangle, int vertex)
{
  assert_debug((triangle->vertex[0] == vertex || triangle->vertex[1] == vertex ||
                triangle->vertex[2] == vertex) &&
               "the vertex is a corner of the triangle");
  return triangle->vertex[0] == vertex ? 0 : triangle->vertex[1] == vertex ? 1 : 2;
}
