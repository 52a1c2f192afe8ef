#pragma once
// Large meshes in pieces that share nodes of their surfaces: each piece becomes a body, a weld
// holds a shared node. Cuts are functions of the mesh alone. Local.
#include "finite_mesh.h"

// The same place of two pieces.
typedef struct {
  int piece[2];   // ascending
  int node[2];    // of the pieces' meshes
} FiniteWeld;

typedef struct {
  int pieces;
  FiniteMesh *mesh;   // [pieces] places of the whole mesh; nodes ascend as they do there
  int welds;
  FiniteWeld *weld;   // [welds] of a node in k pieces k - 1, from each piece to the next
} FinitePieces;

// Halves the cells by their centres, across the longest extent of these, until no piece has more
// than so many nodes; a cell stays whole. As yet for the tests.
FinitePieces finite_pieces_new(const FiniteMesh *mesh, int most_nodes);
// As yet for the tests.
void finite_pieces_destroy(FinitePieces *pieces);
