#pragma once
// The gradient of displacements in cells: how the nodes of a cell enter it, and what stress and
// stiffness it makes. Local.
#include "affine.h"
#include "finite_mesh.h"

enum {
  FINITE_BLOCK = 9,   // numbers of the block of two nodes, by rows
  FINITE_INNER = 3,   // incompatible modes of a hexahedron, behind its corners
  FINITE_SLOPES = FINITE_HEXAHEDRON + FINITE_INNER
};

// Lame's constants, Pa.
typedef struct {
  double lambda, shear;
} FiniteLame;

// Where strain is the same: its volume, and how the displacement of each node enters its gradient.
typedef struct {
  double volume;   // m3
  vec3 *slope;     // [nodes of the patch] 1/m
} FiniteStrain;

FiniteLame finite_strain_lame(const ElasticLaw *law);

// Slopes of the corners and of the modes 1 - x^2, 1 - y^2, 1 - z^2 at a point, [FINITE_SLOPES]. The
// modes' are those of the middle, so that they do no work on a constant stress (Taylor, Beresford
// and Wilson 1976). False where the cell has no volume there.
bool finite_strain_hexahedron(const vec3 corner[FINITE_HEXAHEDRON], vec3 at, FiniteStrain *strain);

// Slopes of a tetrahedron's corners, and its volume.
FiniteStrain finite_strain_tetrahedron(const FiniteMesh *mesh, int cell,
                                       vec3 slope[FINITE_TETRAHEDRON]);

// The block of two nodes at a place of one strain, by rows, N/m.
void finite_strain_block(FiniteLame lame, const FiniteStrain *strain, int i, int j, double *block);

// The gradient of values, [count] with slopes, and its stress, Pa.
mat3 finite_strain_gradient(const FiniteStrain *strain, const vec3 *values, int count);
sym3 finite_strain_stress(FiniteLame lame, mat3 gradient);
