#pragma once
// One contact point from the volume two convex parts share: the model of last resort, and of
// comparison.
#include "arena.h"
#include "polyhedron.h"
#include "vec3.h"

typedef struct {
  vec3 point;           // in the frame of the two solids, m
  vec3 normal;          // unit, from b into a
  double gap;           // along the normal, negative: depth, m
  double area;          // half the surface of the common solid, m2
  int face_a, face_b;   // nearest to the point
} VolumetricPoint;

// Local. Centroid of the common solid's surface, normal from its faces weighted by the square of
// their area, half its surface, thickness along the normal checked by GJK (Solfec-1.0 user manual,
// "Contact points"). Where the common solid gives no normal (a part inside the other, rounding)
// normal and gap (b to a, m) of the caller are used.
VolumetricPoint volumetric_point(const Polyhedron *a, const Polyhedron *b, vec3 normal, double gap,
                                 Arena *arena);
