// Blocks of cells: rows of cells are shared out evenly along each axis.
#include "finite_blocks.h"

#include <assert.h>

#include "check.h"

// cells of the longest block along an axis
static int longest(int cells, int blocks) { return (cells + blocks - 1) / blocks; }

void finite_blocks_count(const int cells[3], int most_nodes, int blocks[3])
{
  assert(cells[0] > 0 && cells[1] > 0 && cells[2] > 0 && "a cell along every axis");
  assert(most_nodes > 0 && "a block has nodes");
  for (int a = 0; a < 3; a++) blocks[a] = 1;
  for (;;) {
    double nodes = 1;
    int axis = 0;
    for (int a = 0; a < 3; a++) {
      nodes *= longest(cells[a], blocks[a]) + 1;
      if (longest(cells[a], blocks[a]) > longest(cells[axis], blocks[axis])) axis = a;
    }
    const int most = longest(cells[axis], blocks[axis]);
    if (nodes <= most_nodes || most == 1) return;
    while (longest(cells[axis], blocks[axis]) > (most + 1) / 2) blocks[axis]++;
  }
}

FiniteBlock finite_blocks_find(const int cells[3], const int blocks[3], int number)
{
  assert_debug(number >= 0 && number < blocks[0] * blocks[1] * blocks[2] && "a block has a number");
  FiniteBlock block;
  for (int a = 0; a < 3; a++) {
    const int at = number % blocks[a];
    number /= blocks[a];
    block.at[a] = at;
    block.first[a] = at * cells[a] / blocks[a];
    block.cells[a] = (at + 1) * cells[a] / blocks[a] - block.first[a];
  }
  return block;
}

void finite_blocks_corners(const vec3 corner[FINITE_HEXAHEDRON], const int cells[3],
                           const FiniteBlock *block, vec3 of[FINITE_HEXAHEDRON])
{
  assert_debug(block->cells[0] > 0 && block->cells[1] > 0 && block->cells[2] > 0 &&
               "a block has cells");
  for (int c = 0; c < FINITE_HEXAHEDRON; c++) {
    double at[3];
    for (int a = 0; a < 3; a++) {
      const int node = block->first[a] + (c >> a & 1 ? block->cells[a] : 0);
      at[a] = 2.0 * node / cells[a] - 1;
    }
    of[c] = finite_mesh_place(corner, (vec3){at[0], at[1], at[2]});
  }
}
