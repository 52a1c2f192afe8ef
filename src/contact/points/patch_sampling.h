#pragma once
// Where a contact patch between meshes has its points: the patch is cut by the faces of both
// surfaces, and points are the corners of the pieces, so that no piece crosses an edge of either
// mesh and a uniform pressure goes through faces that do not match. In the plane of the patch.
// Local.
#include "arena.h"
#include "patch_clip.h"

// Faces of one side that may overlap the patch, convex polygons that meet at their edges alone;
// count 0: a body without a mesh, whose side is not cut.
typedef struct {
  int count;
  const Figure *face;
} SamplingFaces;

typedef struct {
  double u, v;   // in the plane, m
  double area;   // m2: its share in the pieces it is a corner of, so that sums over points are
                 // integrals of linear functions
  int face[2];   // of the first and the second side, the lowest ones it lies on; -1: not cut
} SamplingPoint;

typedef struct {
  int count;
  SamplingPoint *point;   // in the arena
} Sampling;

// Points nearer than [same], m, are one; pieces about as thin as that are none. Points come in the
// order of pieces, which follows the order of faces. As yet for the tests.
Sampling patch_sampling_new(const Figure *patch, const SamplingFaces sides[2], double same,
                            Arena *arena);
