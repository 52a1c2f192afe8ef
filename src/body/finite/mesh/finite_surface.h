#pragma once
// The faces of a mesh's surface, and the nodes that carry a place of them. Local.
#include "finite_mesh.h"

enum { FINITE_FACE = 4 };   // most corners of a face

// Triangles of tetrahedra, quadrilaterals of hexahedra; corners turn about the normal that leads
// out of the body, by the right hand, from the lowest node on.
typedef struct {
  int faces;
  int corners;   // of a face
  int *corner;   // [faces * corners] nodes; faces ascend by their sorted nodes
} FiniteSurface;

// The faces that belong to one cell alone.
FiniteSurface finite_surface_new(const FiniteMesh *mesh);
void finite_surface_destroy(FiniteSurface *surface);

// The area vector of a face, m2: outward, half the cross product of its diagonals.
vec3 finite_surface_area(const FiniteMesh *mesh, const FiniteSurface *surface, int face);

// Shares of a face's corners in a place on it: of triangles linear, of quadrilaterals bilinear.
// They add up to one, and carry a linear field without error. The place is taken to the nearest
// point of the face's plane; outside the face shares are negative.
void finite_surface_weights(const FiniteMesh *mesh, const FiniteSurface *surface, int face,
                            vec3 place, double weights[FINITE_FACE]);
