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
  int *cell;     // [faces] that each is of
} FiniteSurface;

// The faces that belong to one cell alone.
FiniteSurface finite_surface_new(const FiniteMesh *mesh);
void finite_surface_destroy(FiniteSurface *surface);

// A face between two cells, the lower one first; its corners turn about the normal that leads out
// of that one, by the right hand.
typedef struct {
  int cell[2];
  int corner[FINITE_FACE];   // nodes; -1 behind the last
} FiniteInnerFace;

// All faces that two cells have, ascending by their sorted nodes (memory_free). Returns how many.
int finite_surface_inner(const FiniteMesh *mesh, FiniteInnerFace **faces);

// The area vector of a face, m2: outward, half the cross product of its diagonals.
vec3 finite_surface_area(const FiniteMesh *mesh, const FiniteSurface *surface, int face);

// The integrals of the shares of a quadrilateral's corners over it, times its normal, m2.
void finite_surface_areas(const vec3 at[FINITE_FACE], vec3 areas[FINITE_FACE]);

// Shares of a face's corners in a place on it: of triangles linear, of quadrilaterals bilinear.
// They add up to one, and carry a linear field without error. The place is taken to the nearest
// point of the face's plane; outside the face shares are negative.
void finite_surface_weights(const FiniteMesh *mesh, const FiniteSurface *surface, int face,
                            vec3 place, double weights[FINITE_FACE]);
