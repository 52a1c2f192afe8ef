#pragma once
// How near pieces are to the solid that they stand for.
#include "mesh_block.h"
#include "shape.h"

typedef struct {
  int corners;           // of all pieces
  double volume;         // of the pieces, m3
  double excess;         // of that over the solid's, its share; 0 where rounding makes it
  double from_surface;   // m: no place of the solid's surface is farther from that of the pieces
  double from_pieces;    // m: nor the other way round
} PiecesMeasure;

// Local. Of the shape of pieces of a solid. Distances are told too large by at most a hundredth of
// themselves or 1e-4 of the extent.
PiecesMeasure pieces_measure(const MeshBlock *solid, const Shape *shape);
