#pragma once
// Elastic stress of a body at its nodes, from their displacements, and what is told of a stress.
// Local.
#include "finite_strain.h"

typedef struct {
  const FiniteMesh *mesh;   // its cells are sound
  const ElasticLaw *law;
  const vec3 *displacement;   // [nodes] m
  double temperature;         // above that of no stress, K
} FiniteDeformed;

// Stress at the nodes, Pa, [nodes]: the mean by volume of the cells that meet there. In hexahedra
// the one of the eight points of integration, internal modes included, goes on to the corners;
// in tetrahedra it is constant.
void finite_stress_nodes(const FiniteDeformed *of, sym3 *stress);

// Principal stresses, the largest first, and von Mises' stress, Pa.
vec3 finite_stress_principal(sym3 stress);
double finite_stress_mises(sym3 stress);
