#pragma once
// The base surfaces of the shapes of a run, each made on first use and stored once per rank.
#include "shape.h"
#include "surface_base.h"

typedef struct {
  ShapeSet *shapes;   // outlive the set
  double dilation;    // share of the extent of a shape
  int count;
  SurfaceBase **built;   // [count], NULL until asked for
  Arena arena;
} SurfaceSet;

SurfaceSet surface_set_new(ShapeSet *shapes, double dilation);
void surface_set_destroy(SurfaceSet *set);

// Local. The surface of a shape, which was checked when the case was read, so a failure here is our
// bug; NULL for spheres and ellipsoids.
const SurfaceBase *surface_set_get(SurfaceSet *set, int index);
