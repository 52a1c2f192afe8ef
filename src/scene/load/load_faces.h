#pragma once
// Faces of a shape that a pressure acts on.
#include "arena.h"
#include "body_load.h"
#include "elastic.h"
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

// A body that has faces.
typedef struct {
  const Shape *shape;
  const ElasticMesh *mesh;   // of its finite elements; NULL: it has none
  LoadStart start;
} LoadBody;

// Local. The pieces of the surface that are chosen (arena), in the order of the shape, without cuts
// through a larger body; round bodies have none. Of pieces of a body of a file they are faces of
// its cells. Returns how many.
int load_faces_find(const LoadFaces *chosen, const LoadBody *body, Arena *arena, LoadFace **faces);
