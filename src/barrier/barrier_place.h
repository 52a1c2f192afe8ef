#pragma once
// The potential of a surface at a place.
#include "arena.h"
#include "barrier_surface.h"

// Psi of a place and its derivatives, without the factor that the place is worth.
typedef struct {
  double value;    // m
  vec3 gradient;   // by the place
  sym3 weight;     // its curvature along the normals, positive semidefinite, 1/m
  double gap;      // the least distance that counts, m; infinite: no surface in the distance
  vec3 normal;     // from there to the place, unit
  int terms;       // different distances that count
} BarrierPlace;

// Local. At a place of the surface's frame outside of the body. The curvature of distances is left
// out, and what is negative of the rest.
BarrierPlace barrier_place_find(const BarrierSurface *surface, vec3 place, double distance,
                                Arena *scratch);
