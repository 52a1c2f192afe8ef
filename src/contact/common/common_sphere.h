#pragma once
// Common solids of spheres in closed form: of two of them, and of one with a flat surface.
#include <stdbool.h>

#include "common_solid.h"

// A sphere of radius R cut by a plane that leaves the height h of it, 0 < h <= 2 R (Vilela 2018,
// 4.19-4.23, which hold on both sides of the centre).
typedef struct {
  double volume;          // m3
  double depth;           // of the centroid below the highest point, m
  double along, across;   // second moments about the centroid, along the axis and across it, m5
  double disk;            // area of the plane's disk, m2
} SphereCap;

// Local. radius > 0, 0 < height <= 2 radius, m. For the tests.
SphereCap common_sphere_cap(double radius, double height);

// Local. The lens of a sphere about the origin and one about a place, m. Where one holds the other
// it is the smaller sphere, and no surface of the larger bounds it.
CommonSolid common_sphere_lens(double radius_a, double radius_b, vec3 center_b);

// Local. Integral of the volume of a lens over its depth, m4: k times it is the work of the layer
// of two spheres that near each other. 0 < depth <= both diameters.
double common_sphere_work(double radius_a, double radius_b, double depth);

// A sphere and a convex part of a body, about the body's centre.
typedef struct {
  double radius;
  vec3 center;
  const Polyhedron *hull;
  const Part *part;   // whose hull it is, elsewhere
  mat3 turn;          // of the facets of the part
} SpherePart;

typedef struct {
  CommonStatus status;   // FAILED: it is no cap, or none of one facet
  CommonSolid solid;     // with the sphere as a
} SpherePartSolid;

// Local. The cap that a facet cuts off the sphere, where the common solid is that: the disk lies in
// the facet and the cap below all other planes.
SpherePartSolid common_sphere_part(const SpherePart *pair);
