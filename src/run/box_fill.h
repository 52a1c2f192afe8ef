#pragma once
// How much of a box bodies fill.
#include "bodies.h"
#include "polyhedron.h"
#include "shape.h"

// A box along the world's axes.
typedef struct {
  vec3 low, high;     // m
  Polyhedron solid;   // about its middle
} FilledBox;

// Local. Memory from the arena.
FilledBox box_fill_new(vec3 low, vec3 high, Arena *arena);

// A body's place.
typedef struct {
  vec3 centre;     // of mass, m
  mat3 rotation;   // body to world
} FillPlace;

// Local. The volume of a body within a box, m3: of parts exactly; of spheres and ellipsoids that
// the box cuts to about 1e-3 of theirs. Without deformation. Scratch from the arena.
double box_fill_volume(const FilledBox *box, const Shape *shape, FillPlace place, Arena *arena);
