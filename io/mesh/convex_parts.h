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

// Local. Merges tetrahedra greedily while unions stay convex to rounding. The parts carry their
// true surface: the faces of tetrahedra that no other one shares. Deterministic; arena.
ShapeRecipe convex_parts(const Tetrahedra *filling, Arena *arena);
