#pragma once
// Whether closed surfaces cross themselves or each other, decided without rounding on the grid of
// their extent.
#include <stdint.h>

#include "mesh_exact.h"
#include "mesh_surface.h"

// A closed surface of triangles with area, with its points on a grid.
typedef struct {
  const Surface *surface;
  const vec3 *points;
  const GridPoint *grid;
  const int *place;   // [points] points with the same number lie at the same place; for crossings
                      // within one surface
} Solid;

typedef struct {
  int64_t count;   // pairs of triangles
  int first[2];    // the first pair
} Crossings;

// Local. Pairs of triangles of one surface that meet elsewhere than in the corner or the edge that
// they share.
Crossings mesh_crossing_within(const Solid *solid, Arena *scratch);

// Local. Pairs of triangles of two surfaces on the same grid, one of each, by which the solids
// overlap: an edge pierces a face, or two faces in one plane look the same way and overlap.
// Surfaces that touch do not cross.
Crossings mesh_crossing_between(const Solid *a, const Solid *b, Arena *scratch);

// Local. Whether the inner one of two closed surfaces that do not cross lies inside the outer one.
bool mesh_crossing_is_inside(const Solid *inner, const Solid *outer);
