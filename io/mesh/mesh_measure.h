#pragma once
// Volume, centroid and inertia of a closed surface, its planes, and whether it is convex.
#include "mesh_surface.h"

typedef struct {
  double volume;   // m3, negative for a surface that looks inwards
  double area;     // m2
  vec3 centroid;   // m
  mat3 inertia;    // about the centroid, for unit density, m5
} Measures;

// Vertices of a surface.
typedef struct {
  int count;
  const vec3 *points;   // m
} SurfacePoints;

// Local. Of a closed surface. Sums over tetrahedra from the middle of the box to the triangles are
// exact, so that only the terms are rounded.
Measures mesh_measure_solid(const Surface *surface, SurfacePoints vertices);

// Local. Numbers neighbouring triangles whose corners leave the plane of the largest of them by no
// more than the tolerance (m) alike, from 0. Returns how many numbers there are.
int mesh_measure_polygons(const Surface *surface, const vec3 *points, double tolerance,
                          int *polygon, Arena *scratch);

// Local. A closed, connected surface that does not cross itself is convex: no triangle rises above
// the plane of a neighbour by more than the tolerance (m), and the hull of the points is not larger
// than the solid by more than the surface times the tolerance.
bool mesh_measure_convex(const Surface *surface, SurfacePoints vertices, Measures measures,
                         double tolerance, Arena *scratch);
