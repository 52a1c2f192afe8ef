#pragma once
// Finite elements of a shape as TetGen makes them.
#include "finite_mesh.h"
#include "mesh_block.h"
#include "shape.h"

// Local. Fills a shape that has parts with tetrahedra whose edges are about as long as the size, m,
// shorter where the surface is finer: cells of its surface lie in its faces. Memory of the heap
// (finite_mesh_destroy), places in the body frame. False with a reason: the surface has no inside,
// or the program fails (tetgen.h).
bool elastic_cells_make(const Shape *shape, double size, FiniteMesh *mesh, ErrorText reason);
