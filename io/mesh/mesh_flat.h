#pragma once
// Makes the faces of all bodies of a file flat, and gives neighbours the planes of their joints.
#include "mesh_block.h"

// Local. Whether anything is to be done: wanted is that of the mesh frame.
bool mesh_flat_is_asked(double wanted, double step);

// Local. Moves the points of bodies without tetrahedra, none farther than mesh_block.h allows; what
// was moved stands in the repairs of each. step: of the file's numbers, m.
MeshFlat mesh_flat_make(MeshBlock *const *bodies, int count, double wanted, double step,
                        Arena *scratch);

// Local. What was done, in words; "" when nothing was. bytes >= 1.
void mesh_flat_text(MeshFlat flat, char *text, size_t bytes);
