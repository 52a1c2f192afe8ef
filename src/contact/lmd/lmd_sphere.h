#pragma once
// Where a surface is nearest to a point, locally: contacts of spheres with bodies that are a
// surface alone.
#include "lmd_search.h"

typedef struct {
  LmdFeature feature;
  vec3 normal;       // unit, from the surface to the point, world
  double distance;   // along it, negative inside, m
} LmdPlace;

typedef struct {
  int count;
  LmdPlace *places;   // arena
  bool inside;        // the point is; then there is one place, the nearest
  int64_t tried;      // simplices
} LmdPlaces;

// Local. Places of a surface that was moved by nothing where its distance to a point has a local
// minimum of at most far, m.
LmdPlaces lmd_sphere_find(const LmdBody *body, vec3 point, double far, Arena *arena);
