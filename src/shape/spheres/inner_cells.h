#pragma once
// The places inside a body that are farthest from its surface and from the spheres that are there
// already: cells of an octree, each with a bound of that distance.
#include "inner_sites.h"
#include "inner_spheres.h"

typedef struct InnerCells InnerCells;

// Local. Cells around a surface without spheres; both outlive the cells, which are freed by
// inner_cells_destroy.
InnerCells *inner_cells_new(const InnerSurface *surface);
void inner_cells_destroy(InnerCells *cells);

#define INNER_SHARE 0.5   // of the radius of the largest sphere that fits: the least that counts

// Local. The next sphere: it crosses neither surface nor spheres, and no sphere that fits is larger
// than its radius over INNER_SHARE. It is the largest about a place near its own, so that mostly
// none is larger. False: nothing is left that is larger than rounding, or than a bounded number of
// cells resolves.
bool inner_cells_largest(InnerCells *cells, InnerSphere *sphere);

// Local. Adds a sphere.
void inner_cells_add(InnerCells *cells, InnerSphere sphere);
