#pragma once
// Few convex pieces for a closed surface that is not convex: near it, not equal to it.
#include "mesh_block.h"
#include "shape.h"

// Local. At most so many pieces, which fill convex cells of their own and thus never overlap. The
// solid is cut by planes, always the part whose hull is most too large, and each part is then its
// hull: pieces hold the solid and more. A body that is convex is one piece. The same bits for the
// same solid. Arena.
ShapeRecipe pieces_make(const MeshBlock *solid, int most, Arena *arena);
