#pragma once
// Hexahedra in tetrahedra that meet face to face.

enum { HEXA_CORNERS = 8, HEXA_SIDES = 6, HEXA_SIDE = 4, HEXA_TETRA = 6 };

// Corner c of a hexahedron is at the high end of axis a where bit a of c is set. The corners of its
// sides, counter-clockwise seen from outside.
extern const int MESH_HEXA_SIDES[HEXA_SIDES][HEXA_SIDE];

// Local. Six tetrahedra, each of the corner with the lowest number and a triangle of the three
// sides that it is not in. Sides are parted from their lowest corner, so that neighbours part them
// alike. Those of a convex hexahedron have positive volume: their last corner lies on the side that
// the first three turn about by the right hand.
void mesh_hexa_split(const int corner[HEXA_CORNERS], int tetra[HEXA_TETRA][4]);
