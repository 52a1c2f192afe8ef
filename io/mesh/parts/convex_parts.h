#pragma once
// From tetrahedra to few convex parts.
#include "arena.h"
#include "shape.h"

// Tetrahedra that fill a closed surface, of positive volume.
typedef struct {
  int point_count;
  const vec3 *points;   // m
  int tetra_count;
  const int (*tetra)[4];
} Tetrahedra;

// Local. Few convex parts of tetrahedra that meet face to face: merged while unions stay convex to
// rounding, also after cuts along reentrant edges where that makes fewer. Parts have the hull
// volume of their tetrahedra to 1e-12 and carry their true surface: what no other tetrahedron
// shares, in triangles whose corners are the tetrahedra's points or, on cuts, new ones.
// Deterministic; arena. No parts where a tetrahedron or a face of one is flat to rounding.
ShapeRecipe convex_parts(const Tetrahedra *filling, Arena *arena);
