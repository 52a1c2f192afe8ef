#pragma once
// Lumped masses of a mesh that together have the moments of the body. Local.
#include "finite_mesh.h"

// About the origin of the mesh, which is the centre of mass.
typedef struct {
  double mass;    // kg
  mat3 inertia;   // kg m2
} FiniteMoments;

// Masses of nodes, [nodes] kg, all positive: nearest to their shares of the volume, and with the
// body's mass, centre and inertia, so that a body that hardly deforms turns and rocks as the rigid
// one does. What no masses of these nodes give stays: across a single layer of cells inertia is too
// large. Where none are found shares are the masses. Returns the largest error of the tensor of
// second moments over its trace: rounding but in these two cases.
double finite_masses(const FiniteMesh *mesh, const FiniteMoments *moments, double *mass);
