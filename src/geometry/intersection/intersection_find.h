#pragma once
// The intersection of two convex polyhedra by the fast route, and by the reference where that one
// fails.
#include "intersection.h"

typedef enum { ROUTE_CLIP, ROUTE_REFERENCE } IntersectionRoute;

// Local. intersection_clip; where it returns FAILED, intersection_reference. *route says which one
// gave the result, so that the caller can count and name the pair. FAILED: neither could.
Intersection intersection_find(const Polyhedron *a, const Polyhedron *b, double margin,
                               Arena *arena, IntersectionRoute *route);
