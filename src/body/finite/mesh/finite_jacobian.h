#pragma once
// Whether a hexahedron has volume everywhere. Local.
#include <stdbool.h>

#include "finite_mesh.h"

// Is the determinant of a hexahedron's axes (finite_mesh_axes) above zero in all of it? One that
// comes so near to zero that halving the cell a few times decides nothing is refused.
bool finite_jacobian_is_positive(const vec3 corner[FINITE_HEXAHEDRON]);
