#pragma once
// The base surfaces of the shapes of a run, each stored once per rank: made on first use, or given.
#include "shape.h"
#include "surface_base.h"

typedef struct {
  ShapeSet *shapes;   // outlive the set
  double dilation;    // share of the extent of a shape
  bool spheres;       // some shape is a sphere
  int count;
  const SurfaceBase *const *given;   // [count], outlive the set; NULL: not that one, or none
  SurfaceBase **built;               // [count], NULL until asked for
  SurfaceBase **sharp;               // likewise, moved by nothing
  Arena arena;
} SurfaceSet;

// given: as in the set.
SurfaceSet surface_set_new(ShapeSet *shapes, double dilation, const SurfaceBase *const *given);
void surface_set_destroy(SurfaceSet *set);

// Local. The same surface without what its build left beside it, in memory of its own.
SurfaceBase *surface_set_copy(const SurfaceBase *surface, Arena *arena);

// Local. The surface of a shape, which was checked when the case was read, so a failure here is our
// bug; NULL for spheres and ellipsoids.
const SurfaceBase *surface_set_get(SurfaceSet *set, int index);

// Local. The surface as it is of a shape that is a surface alone; NULL for others.
const SurfaceBase *surface_set_get_sharp(SurfaceSet *set, int index);
