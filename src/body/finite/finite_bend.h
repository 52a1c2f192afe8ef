#pragma once
// How far a body of finite elements is from what small displacements may be. Local.
#include "finite_mesh.h"

#define FINITE_BEND_TURN 0.1   // rad: a cell that turns more in the frame of its body is too far

typedef struct {
  double farthest;   // largest displacement of a node, m
  int turned;        // cells that turn too far
  int first;         // of them
} FiniteBend;

// Displacements of nodes in the frame of the body, [nodes] m. A cell turns as its middle does.
FiniteBend finite_bend(const FiniteMesh *mesh, const vec3 *displacement);
