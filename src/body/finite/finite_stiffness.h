#pragma once
// The stiffness of a mesh, small strain in the body's frame: hexahedra with incompatible modes
// (Taylor, Beresford and Wilson 1976), condensed; tetrahedra whose strain is smoothed over edges
// (Liu and Nguyen-Thoi 2010). Local.
#include <stdbool.h>

#include "finite_strain.h"

// K0: symmetric, both triangles; columns of a node ascend, itself among them.
typedef struct {
  int nodes;
  int *start;      // [nodes + 1]
  int *column;     // [start[nodes]]
  double *value;   // [start[nodes] * FINITE_BLOCK + 1] N/m, blocks by columns
} FiniteStiffness;

// Cells of no volume or turned inside out at a point of integration are refused: false, the first
// of them in *bad.
bool finite_stiffness_new(const FiniteMesh *mesh, const ElasticLaw *law, FiniteStiffness *stiffness,
                          int *bad);
void finite_stiffness_destroy(FiniteStiffness *stiffness);

// force = K0 displacement, [nodes] N and m.
void finite_stiffness_force(const FiniteStiffness *stiffness, const vec3 *displacement,
                            vec3 *force);
// displacement . K0 displacement / 2, J. As yet for the tests.
double finite_stiffness_energy(const FiniteStiffness *stiffness, const vec3 *displacement);
