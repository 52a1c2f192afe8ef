#pragma once
// What is worth knowing of a mesh before bodies of it move. Local.
#include "finite_masses.h"
#include "finite_modes.h"

enum { FINITE_MEASURED = 4 };   // frequencies that are looked for

typedef struct {
  int nodes, cells;
  int worst;                           // cell of the least quality, the first of these
  double quality;                      // of that cell (finite_mesh.h)
  double inertia_error;                // of lumped masses (finite_masses.h)
  int modes;                           // found: FINITE_MEASURED or none
  double frequency[FINITE_MEASURED];   // of the free body, lowest first, rad/s
} FiniteMeasure;

// The mesh is in the body frame and its cells are sound. law NULL: no frequencies are looked for.
FiniteMeasure finite_measure(const FiniteMesh *mesh, const FiniteMoments *moments,
                             const ElasticLaw *law);
