#pragma once
// A body of hexahedra of any mesh in pieces that are such bodies themselves, and the nodes where
// these hang together. They follow from the mesh alone. Local.
#include <stdbool.h>

#include "arena.h"
#include "finite_surface.h"

// A node that two pieces have, on a face between them.
typedef struct {
  int low, high;   // its number in the mesh of each
  vec3 at;         // m
  vec3 area;       // its share of the area of these faces times their normal, from the higher piece
                   // into the lower one, m2
  bool spare;      // other seams hold the two together there, as long as none parts
} FiniteSeamNode;

// Two pieces that share faces.
typedef struct {
  int low, high;    // pieces
  int first, end;   // of the nodes
  int ties;         // of these, not spare
} FiniteSeam;

typedef struct {
  int count;              // of pieces; 0: the mesh is whole
  FiniteMesh *cells;      // [count] nodes and cells in the order of the whole
  FiniteSurface *outer;   // [count] faces of each that are the whole's
  double *bulge;          // [count] volume between its other faces, which need not be plane, and
                          // their parts by diagonals, at most, m3
  int seam_count;
  FiniteSeam *seams;       // [seam_count] ascending by pieces
  FiniteSeamNode *nodes;   // of all of them, each seam's ascending by the lower piece's
} FinitePieces;

// Which piece each cell is in, [cells]: cells are halved by their middles, across the longest side
// of the box of these, between two layers near the half, until no part has more than so many nodes,
// or each is one cell; what does not hang together by faces is several pieces. They are numbered
// from the low sides on. Returns how many there are.
int finite_pieces_share(const FiniteMesh *mesh, int most_nodes, int *piece);

// The pieces of a mesh whose cells are shared out. Memory from the arena.
FinitePieces finite_pieces_make(const FiniteMesh *mesh, const int *piece, int count, Arena *arena);

// The seam of two pieces, the lower one first; NULL: they share no face.
const FiniteSeam *finite_pieces_seam(const FinitePieces *pieces, int low, int high);
