#pragma once
// Forces at the nodes of a mesh that stand for forces at places and pressures on faces, body frame.
// Local.
#include "finite_shape.h"

// Adds a force, N, at a place to the forces of the nodes, [nodes]: by the shares of the corners of
// its cell; outside the mesh by those of the nearest place of the surface.
void finite_loads_add_force(const FiniteShape *shape, vec3 place, vec3 force, vec3 *nodes);

// A plane convex part of the surface.
typedef struct {
  int count;
  const vec3 *corner;   // [count] by the right hand about its outward normal, m
} FiniteSide;

// Some of them, and what pushes on all.
typedef struct {
  int count;
  const FiniteSide *sides;   // [count]
  double pressure;           // Pa
} FinitePressure;

// Adds -p n, integrated with the shares of the nodes over all faces of the mesh whose middle lies
// on one of the sides, to the forces of the nodes, [nodes].
void finite_loads_add_pressure(const FiniteShape *shape, const FinitePressure *on, vec3 *nodes);
