#pragma once
// The intersection of two posed convex solids in exact arithmetic: which faces bound it, and its
// volume to more digits than anybody needs.
//
// A body holds the points x with normal.R'(x - center) <= offset for all planes, with normal,
// offset, R and center as stored: rational numbers, whose products and sums are made without
// rounding. Planes are shifted inward by infinitesimal amounts, the first by the largest
// (Edelsbrunner and Muecke 1990), so that no four meet in a point: a common interior keeps its
// volume, solids that touch are apart, and of two faces in one plane the first one has the area.
// test: needs libgmp-dev
#include <gmp.h>
#include <stdbool.h>

#include "polyhedron.h"

#define EXACT_BITS 320   // coordinates of vertices are cut off after this many binary places

typedef struct {
  const Polyhedron *hull;   // body frame
  mat3 rotation;            // body to world
  vec3 center;              // world, m
} ExactBody;

typedef struct ExactSpace ExactSpace;   // kept between calls: memory of all numbers

typedef struct {
  bool empty;            // no common interior
  double volume;         // rounded, m3
  double surface;        // likewise, m2
  int vertex_count;      // 0 when empty
  int ties;              // signs that infinitesimals had to decide
  const double *areas;   // [faces of a, then faces of b], rounded, m2
  vec3 area[2];          // sum of area vectors of the faces of a and of b, rounded, m2
  double middle[3];      // mean of the vertices relative to the centre of a, rounded, m
} ExactIntersection;

ExactSpace *exact_space_new(void);
void exact_space_destroy(ExactSpace *space);

// Local. The result's arrays belong to the space and live until its next use.
ExactIntersection exact_intersection(ExactSpace *space, ExactBody a, ExactBody b);

// Local. Six times the volume of the last result times 2^(3 EXACT_BITS): an integer that is off by
// less than the number of triangles times 2^(2 EXACT_BITS) times the surface.
void exact_last_volume(const ExactSpace *space, mpz_t six_volumes);

// Local. Calls back with the corners of all triangles of the surface of the last result, which was
// not empty, relative to one of its vertices, the apex: coordinates times 2^EXACT_BITS, cut off.
typedef void ExactTriangle(void *context, mpz_t corner[3][3]);
void exact_last_triangles(ExactSpace *space, mpz_t apex[3], ExactTriangle *call, void *context);
