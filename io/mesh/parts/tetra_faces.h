#pragma once
// Which faces tetrahedra share: by their corners, never by coordinates.
#include "convex_parts.h"

// A triangle of one or two tetrahedra.
typedef struct {
  int corner[3];   // counter-clockwise seen from outside of tetra[0]
  int tetra[2];    // tetra[1] -1: none, the triangle is surface
} TetraFace;

typedef struct {
  int count;
  TetraFace *faces;   // sorted by corners in ascending order
} TetraFaces;

// Local. All faces; tetrahedra have positive volume. False when more than two tetrahedra share a
// triangle, or two that see it from the same side. Arena.
bool tetra_find_faces(const Tetrahedra *filling, Arena *arena, TetraFaces *faces);

// Local. Six times the volume of one tetrahedron, m3.
double tetra_sixfold_volume(const Tetrahedra *filling, int tetra);
