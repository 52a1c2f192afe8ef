#pragma once
// Places within a mesh: joints and loads act there. Local.
#include <stdbool.h>

#include "finite_shape.h"

// The shares of the corners of one cell in a place.
typedef struct {
  int cell;
  int count;                          // 4 or 8
  const int *node;                    // [count] of the mesh
  double weight[FINITE_HEXAHEDRON];   // they add up to 1, and their middle is the place
} FiniteCell;

// Shares in a place of the body, of the cell that holds it, the lowest of several. False: no cell
// does.
bool finite_cell_find(const FiniteShape *shape, vec3 place, FiniteCell *cell);

// The same. Of a place outside they are those of the nearest cell, carried on by its gradient
// there, so that they keep every rigid motion and every uniform strain.
FiniteCell finite_cell_at(const FiniteShape *shape, vec3 place);

// The value there of a field that is known at the nodes, [nodes].
static inline vec3 finite_cell_value(const FiniteCell *cell, const vec3 *values)
{
  vec3 sum = {0, 0, 0};
  for (int k = 0; k < cell->count; k++)
    sum = vec3_axpy(cell->weight[k], values[cell->node[k]], sum);
  return sum;
}
