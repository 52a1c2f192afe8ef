#pragma once
// The surface of a body as a barrier sees it: plane convex cells with their edges and vertices, and
// the points at which the potential of the other body is summed.
//
// The potential of a body at a place x is Psi(x) = sum over cells of b - sum over edges between two
// cells of b + sum over vertices inside of b, each b that of the distance of x from it, over the
// cells that see x: those that x is above. For a convex body it is b of the distance from the body.
#include <stdbool.h>

#include "arena.h"
#include "box.h"
#include "polyhedron.h"
#include "surface_complex.h"
#include "vec3.h"

// A corner of a cell, counter-clockwise seen from outside, and the edge to the next one.
typedef struct {
  int vertex, edge;
} BarrierCorner;

typedef struct {
  vec3 normal;      // unit, outwards
  double area;      // m2
  double offset;    // normal.x of its plane, m
  Box box;          // m
  int first, end;   // of its corners
} BarrierCell;

typedef struct {
  int vertex[2];
  int cell[2];      // cell[0] runs from vertex[0] to vertex[1], cell[1] back
  vec3 direction;   // unit, from vertex[0] to vertex[1]
  double length;    // m
  double share;     // m2: area that it stands for where it is sharp and convex, else 0
} BarrierEdge;

// Body frame. All memory belongs to the arena that it was made with.
typedef struct {
  int vertex_count, edge_count, cell_count, point_count;
  const vec3 *vertices;
  const BarrierEdge *edges;
  const BarrierCell *cells;
  const BarrierCorner *corners;
  const int *around;         // [vertex_count + 1] into around_cells
  const int *around_cells;   // cells around each vertex, ascending
  const vec3 *points;        // the vertices come first
  const double *areas;       // [point_count] m2, area that each point stands for
  bool convex;               // the surface is that of the hull of the vertices
  Box box;                   // m
  double radius;             // of the ball about the origin that holds it, m
} BarrierSurface;

// Local. The surface of a convex solid, or of a complex whose faces that are not convex are cut
// into triangles. refine >= 1: parts of each side of a cell, whose ends are points; a point stands
// for a quarter of the quadrangles around it and for a third of the triangles.
BarrierSurface barrier_surface_of_solid(const Polyhedron *solid, int refine, Arena *arena);
BarrierSurface barrier_surface_of_complex(const SurfaceComplex *complex, int refine, Arena *arena);
