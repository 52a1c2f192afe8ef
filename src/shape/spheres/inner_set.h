#pragma once
// The inner spheres of the shapes of a run, each stored once per rank and made on first use.
#include "inner_spheres.h"

typedef struct {
  ShapeSet *shapes;   // outlive the set
  int wanted;         // spheres of a shape, at most
  const InnerSpheres *const
      *given;             // [shapes->count], outlive the set; NULL: not that one, or none
  InnerSpheres **built;   // [shapes->count], NULL until asked for
  Arena arena;
} InnerSet;

// given: as in the set.
InnerSet inner_set_new(ShapeSet *shapes, int wanted, const InnerSpheres *const *given);
void inner_set_destroy(InnerSet *set);

// Local. The spheres of a shape; NULL for ellipsoids.
const InnerSpheres *inner_set_get(InnerSet *set, int index);
