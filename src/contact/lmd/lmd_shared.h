#pragma once
// The area that two faces share.
#include "plane_basis.h"
#include "surface_complex.h"
#include "vec3.h"

// A face where its body is.
typedef struct {
  const SurfaceComplex *complex;
  int face;
  mat3 rotation;
  vec3 shift;   // m
} PosedFace;

// Local. Area that two faces share, seen along the normal of a plane, m2: of any outlines. Both
// outlines are sums of triangles from one place with a sign each, and so is what they share.
double lmd_shared_area(const PosedFace *a, const PosedFace *b, const PlaneBasis *plane);
