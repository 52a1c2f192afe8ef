#pragma once
// The faces of a mesh that a contact patch may lie on, as figures in its plane. Local.
#include "finite_shape.h"
#include "patch_plane.h"
#include "patch_sampling.h"
#include "vec3.h"

// A body with its mesh, as the patch's points see it.
typedef struct {
  const FiniteShape *mesh;   // NULL: it has none
  mat3 rotation;             // body to world
  vec3 centre;               // relative to what the points are relative to, m
} MeshedBody;

typedef struct {
  SamplingFaces faces;
  int *number;       // [faces.count] in the mesh
  double shortest;   // side of a face, m; infinite: there is none
} MeshFaces;

// Those that look along the normal, either way, and are not another side of the body. Memory from
// the arena.
MeshFaces mesh_faces_new(const PatchPlane *plane, const MeshedBody *body, Arena *arena);

// Of two sides, the one whose faces cut the patch: the one with the finer faces, the first where
// they are about the same, the second where the first has none.
static inline int mesh_faces_cut(const MeshFaces sides[2])
{
  return sides[1].shortest < 0.9 * sides[0].shortest ? 1 : 0;
}
