#pragma once
// Convex bodies with six sides of four corners each: boxes, voussoirs, wedges cut at their edge,
// hulls of eight points.
#include "finite_mesh.h"
#include "polyhedron.h"

// Local. The corners in the order of finite_mesh.h, axes being those of the frame of the hull that
// the sides look along best. False: it is none.
bool hexahedron_corners(const Polyhedron *hull, vec3 corner[FINITE_HEXAHEDRON]);
