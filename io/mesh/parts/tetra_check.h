#pragma once
// Do tetrahedra fill a mesh block, the whole mesh block and nothing else?
#include <stdbool.h>
#include <stddef.h>

#include "convex_parts.h"
#include "mesh_block.h"

#define TETRA_VOLUME \
  1e-12   // of the mesh block's volume: the sum of the tetrahedra may differ by this

// Local. Turns tetrahedra of negative volume round, and judges the filling, whose first points are
// the mesh block's: indices, volumes, their sum, and that the outer faces are the mesh block's
// triangles, each of them. False with a phrase ("their volume is 2 m3 instead of 3 m3").
bool tetra_check_block(const MeshBlock *mesh_block, const Tetrahedra *filling, int (*tetra)[4],
                       char *reason, size_t bytes);

// Local. The same of a filling that may have split the mesh block's triangles.
bool tetra_check_split_block(const MeshBlock *mesh_block, const Tetrahedra *filling,
                             int (*tetra)[4], char *reason, size_t bytes);
