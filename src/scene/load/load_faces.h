#pragma once
// Faces of a shape that a pressure acts on.
#include "arena.h"
#include "body_load.h"
#include "shape.h"

// A convex piece of plane surface, body frame, origin at the centre of mass.
typedef struct {
  vec3 area;       // along its outward normal, m2
  vec3 centroid;   // m
  int corner_count;
  const vec3 *corners;   // [corner_count] by the right hand about that normal, m
} LoadFace;

// Where a body is as it appears.
typedef struct {
  vec3 centre;   // of mass, m
  mat3 turn;     // body axes to world axes
} LoadStart;

// Local. The pieces of the surface that are chosen (arena), in the order of the shape; round bodies
// have none. Returns how many.
int load_faces_find(const LoadFaces *chosen, const Shape *shape, LoadStart start, Arena *arena,
                    LoadFace **faces);
