#pragma once
// Which nodes of two meshes carry the points of a patch.
//
// The mesh whose faces cut a patch meets its points at its own nodes; the other one has nodes
// between them. So that both sides feel every pressure that is uniform, or linear along a piece, as
// one: what the field of a mesh is on a piece beside the linear function through its corners,
// integrated over the piece, goes to these corners by their shares (mortar methods: Wohlmuth 2000,
// with multipliers at corners, so that a stone still rocks over its edge). That has neither a sum
// nor a moment, so that impulses act at the place of the point whatever carries them. Local.
#include "mesh_faces.h"

// Distances at which points of a patch are one, of the shortest side of the faces that cut it.
#define SAMPLED_SAME 2e-3
#define SAMPLED_NEAR 0.3
#define SAMPLED_ALONG 0.85   // of the side of a triangle, so that sides of nearly equal ones stay

typedef struct {
  vec3 normal;
  int count;
  const vec3 *places;     // [count] m
  const double *areas;    // [count] m2: of what each stands for, other patches' points at its place
                          // included; 0: one of another patch stands for it (shared_places.h);
                          // NULL: their own shares in this patch
  const bool *given_up;   // [count] as sampled (patch_seams.h); with areas
  MeshedBody bodies[2];   // centres relative to what places are relative to
} PatchPoints;

// Sets the places of points in both bodies, [count] each, on the faces of the patch, and adds their
// nodes; those of a body without such faces stay. What lasts comes into keep.
void patch_shares_spread(const PatchPoints *patch, FinitePoint *const points[2], Arena *keep,
                         Arena *work);
