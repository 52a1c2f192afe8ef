#pragma once
// The surface of a shape as ParaView shows it: polygons over corners that the body's facets share;
// triangles with their corners on the surface for a sphere.
#include "arena.h"
#include "shape.h"

typedef struct {
  int point_count, cell_count,
      loop_count;          // corners, facets, corners counted in every facet that has them
  const vec3 *points;      // [point_count], body frame, m; in order of first use
  const int *loops;        // [loop_count], into points, counter-clockwise seen from outside
  const int *cell_start;   // [cell_count + 1], into loops
  const int *cell_part;    // [cell_count], convex part of the shape
} ShapeMesh;

// Meshes built on first use; each is stored once per rank.
typedef struct {
  ShapeSet *shapes;
  ShapeMesh **built;   // [shapes->count], NULL until asked for
  Arena arena;
} MeshSet;

MeshSet shape_mesh_set_new(ShapeSet *shapes);
void shape_mesh_set_destroy(MeshSet *set);

// Local. The mesh of a shape.
const ShapeMesh *shape_mesh_set_get(MeshSet *set, int shape);
