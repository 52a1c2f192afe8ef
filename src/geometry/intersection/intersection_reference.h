#pragma once
// Intersection of two convex polyhedra by duality: slower than the clipper and independent of it.
#include "arena.h"
#include "intersection.h"
#include "polyhedron.h"

// Local. The same solid as intersection_clip makes, with the same labels, order of faces and
// statuses, by another way (Muller and Preparata 1978; Solfec-1.0 user manual, "Contact points"): a
// common point by GJK, pushed inside to the centre of the largest ball; planes as points of the
// dual space about it; their convex hull, exact on a grid; its polar set. Where faces of both
// solids lie in one plane the label is a's. Every vertex is the meeting of three faces: vertices
// coincide where more than three meet. EMPTY: four planes prove it, or a plane separates by 2
// margin. DEGENERATE: the volume is rounding; when not even an inner point is certain, there are no
// faces and the centroid is the deepest point known. FAILED: the dual hull did not close about the
// inner point.
Intersection intersection_reference(const Polyhedron *a, const Polyhedron *b, double margin,
                                    Arena *arena);
