#pragma once
// One contact point from the volume two convex parts share: the model of last resort, and of
// comparison.
#include "arena.h"
#include "intersection_contact.h"
#include "intersection_find.h"
#include "polyhedron.h"
#include "vec3.h"

typedef struct {
  vec3 point;                          // in the frame of the two solids, m
  vec3 normal;                         // unit, from b into a
  double gap;                          // along the normal, negative: depth, m
  double area;                         // half the surface of the common solid, m2
  int face_a, face_b;                  // nearest to the point
  IntersectionStatus common;           // what the common solid was
  IntersectionRoute route;             // and which way found it
  IntersectionContactStatus contact;   // what it gave
} VolumetricPoint;

// Local. The point, normal, gap and area that intersection_contact gives, by the fast route or by
// the reference where that fails. Something is always filled in, whatever the statuses say:
//
//   contact OK          all from the common solid
//   contact OUTSIDE     likewise, the point being the centroid of the volume
//   contact NO_NORMAL   point and area of the common solid; normal and gap (b to a, m) of the
//   caller contact NONE        the common solid is EMPTY, DEGENERATE or FAILED: the middle of the
//   closest
//                       points by GJK, no area, normal and gap of the caller
VolumetricPoint volumetric_point(const Polyhedron *a, const Polyhedron *b, vec3 normal, double gap,
                                 Arena *arena);
