#pragma once
// Bodies of hexahedra of a file cut into pieces: shapes of these.
#include "finite_mesh.h"
#include "mesh_block.h"
#include "shape.h"

typedef struct {
  int count;             // of pieces; 0: the body is whole
  int *piece;            // [cells] the piece of each hexahedron (finite_pieces.h)
  ShapeRecipe *shapes;   // [count] in the mesh frame, m
  vec3 *arm;             // [count] centre of mass of each from that of the whole, m
} MeshCut;

// Local. Cuts a body into pieces of at most so many nodes, if it has more; one of other cells, or
// of faces alone, stays whole. False with a reason. Memory from the arena.
bool mesh_cut_make(const MeshBlock *block, int most_nodes, Arena *arena, MeshCut *cut,
                   ErrorText reason);
