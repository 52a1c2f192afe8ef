#pragma once
// The solids of Erleben's scenes: a closed surface of triangles as they were meshed there, and the
// convex parts a body of it is made of. Local.
#include <stdbool.h>

#include "vec3.h"

#define SOLID_MAX_POINTS 16
#define SOLID_MAX_TRIANGLES 28
#define SOLID_MAX_PARTS 4

typedef struct {
  int point_count;
  vec3 points[SOLID_MAX_POINTS];   // m
  int triangle_count;
  int triangles[SOLID_MAX_TRIANGLES][3];   // counter-clockwise seen from outside
  int part_count;                          // 0: convex, one part of all points
  int part_size[SOLID_MAX_PARTS];
  int part_points[SOLID_MAX_PARTS][SOLID_MAX_POINTS];
  bool shrinks_by_scale;   // in the author's program, where others are shrunk along their normals
} QualitySolid;

// y is up. A box about a middle (m); its corners in the order of quality_box_corner.
QualitySolid quality_box(vec3 middle, vec3 half);
vec3 quality_box_corner(vec3 middle, vec3 half, int corner);   // bits of corner: +x, +y, +z

// A pyramid and a wedge whose tip or ridge (along z) is at the origin; up: 1 tip upwards, -1
// downwards.
QualitySolid quality_spike(double up);
QualitySolid quality_wedge(double up);

// Half the side of a spike's and the width of a wedge's base, their height (m): 1 to 3.
#define SPIKE_HALF_BASE 0.8
#define SPIKE_HEIGHT 2.4

// Stones with a groove along z, with a square pit; in parts about their lowest place, the origin.
QualitySolid quality_crack(void);
QualitySolid quality_hole(void);

// A base of 4 x 2 x 4 m with its top at y = 0, meshed so that a cube of 2 m has two corners on
// inner points and two on inner edges of the top.
QualitySolid quality_meshed_base(void);

// A frustum between two regular polygons about y, with 4 (sides along x and z, radius: half a side)
// or 6 corners (first on +x; its caps are meshed about their middles), from y = low to y = high.
QualitySolid quality_frustum(int corners, double low_radius, double high_radius, double low,
                             double high);
vec3 quality_ring_corner(int corners, double radius, double y, int k);

// Stone k of an arch of 7 about z between radii 1.5 and 2, about (0, 2, 0), 2 m deep.
#define ARCH_STONES 7
#define ARCH_INNER 1.5
#define ARCH_OUTER 2.0
QualitySolid quality_voussoir(int k);
vec3 quality_arch_point(int joint, double radius, double z);   // on the joint below stone k

// Volume (m3) and centre of mass (m) from the surface. For the tests.
double quality_solid_volume(const QualitySolid *solid);
vec3 quality_solid_center(const QualitySolid *solid);
