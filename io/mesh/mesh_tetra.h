#pragma once
// Cells of a file, hexahedra as six tetrahedra each: turned to positive volume, joined along faces,
// with their outer faces.
#include "mesh_body.h"

typedef struct {
  int count;
  Piece *pieces;          // in the order of the file
  int *first;             // [count] first tetrahedron of the file
  MeshRepairs *repairs;   // [count] turned_tetra, turned_hexa and merged_points
} TetraPieces;

// Local. Pieces of tetrahedra of one mesh block that hang together by faces. points: of the file,
// in m; extents: of its mesh blocks, m. False with a message: no volume, more than two on a face,
// overlapping, sides of hexahedra on the surface that are not plane. Memory from the arena.
bool mesh_tetra_pieces(const MeshFault *fault, const vec3 *points, const double *extents,
                       Arena *arena, TetraPieces *pieces);
