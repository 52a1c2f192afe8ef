#pragma once
// A body of hexahedra in pieces that are such bodies themselves: blocks of its cells, numbered
// fastest along the first axis. They follow from the numbers of cells alone. Local.
#include "finite_mesh.h"

// Halves the longest row of cells of a block, the first of equals, until no block has more than so
// many nodes, or each is one cell: how many blocks lie along each axis.
void finite_blocks_count(const int cells[3], int most_nodes, int blocks[3]);

// A block by its number: its cells, and the first of them along each axis.
typedef struct {
  int at[3];   // place among the blocks
  int first[3], cells[3];
} FiniteBlock;

FiniteBlock finite_blocks_find(const int cells[3], const int blocks[3], int number);

// The corners of a block of a body with eight corners.
void finite_blocks_corners(const vec3 corner[FINITE_HEXAHEDRON], const int cells[3],
                           const FiniteBlock *block, vec3 of[FINITE_HEXAHEDRON]);
