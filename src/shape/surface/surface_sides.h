#pragma once
// Pieces of a surface as directed sides between welded points, each with the side that runs back.
#include "surface_complex.h"

// Sides of all pieces; those of one piece run round it, loop by loop.
typedef struct {
  int count, capacity;
  int *from, *to;   // points
  int *piece;
  int *next;   // side of the same loop that begins where this one ends
  int *
      twin;   // side between the same points in the other direction, on the same wedge of the solid
  int point_count;
  const vec3 *points;   // m
  int piece_count;
  vec3 *normals;     // [piece_count] unit; zero: a piece without area
  double *offsets;   // [piece_count] of their planes, m
  double *areas;     // [piece_count] m2
  double *widths;    // [piece_count] m: area over the longest side, or about that
  double extent;     // m
} SurfaceSides;

// Local. Adds a side; next and twin are the caller's to fill in. Returns its number.
int surface_sides_add(SurfaceSides *sides, int from, int to, int piece, Arena *arena);

// Local. Sides of pieces: corners welded, sides cut where corners of others lie on them. Fills all
// but twin.
SurfaceSides surface_sides_weld(const SurfacePieces *pieces, Arena *arena);

// Local. Normals, offsets and areas of pieces from their sides, for given points.
void surface_sides_measure(SurfaceSides *sides, Arena *arena);

// Local. Fills twin; SURFACE_OPEN with the first side that has none.
SurfaceResult surface_sides_pair(SurfaceSides *sides, Arena *scratch);

// Local. The complex of paired sides, or SURFACE_FOLDED (surface_complex.c).
SurfaceResult surface_sides_merge(const SurfaceSides *sides, Arena *arena, SurfaceComplex *complex);

// Local. Directions, classes and normal cones of vertices and edges (surface_cones.c). Needs faces,
// sides, places, and the ends and faces of edges.
void surface_cones_find(SurfaceComplex *complex, Arena *arena);
