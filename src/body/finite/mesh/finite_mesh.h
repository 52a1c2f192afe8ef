#pragma once
// Meshes of one body, in its body frame: hexahedra or tetrahedra, one kind in a mesh. Local.
#include "vec3.h"

enum { FINITE_TETRAHEDRON = 4, FINITE_HEXAHEDRON = 8 };   // corners of a cell

// Corner c of a hexahedron is at the high end of axis a where bit a of c is set. Tetrahedra have
// positive volume: their last corner lies on the side that the first three turn about by the right
// hand.
typedef struct {
  int nodes, cells;
  int corners;   // of a cell
  vec3 *place;   // [nodes] m
  int *corner;   // [cells * corners] nodes
} FiniteMesh;

// A body with eight corners, its sides parted evenly: boxes, voussoirs, wedges cut at their edge.
FiniteMesh finite_mesh_hexahedra(const vec3 corner[FINITE_HEXAHEDRON], const int cells[3]);
// Each hexahedron as six tetrahedra about the diagonal of its corners 0 and 7. As yet for the
// tests.
FiniteMesh finite_mesh_tetrahedra(const FiniteMesh *hexahedra);
// The cells of another mesh, without nodes that no cell has; the other nodes keep their order.
// Places are relative to the origin.
FiniteMesh finite_mesh_copy(const FiniteMesh *mesh, vec3 origin);
void finite_mesh_destroy(FiniteMesh *mesh);

// A place of a hexahedron by its coordinates, -1 to 1 along each of its axes, and its derivatives
// by them. Weights: the share of a corner in the place; slopes: its derivatives by the coordinates.
// Points: the eight places of integration, of weight one.
vec3 finite_mesh_place(const vec3 corner[FINITE_HEXAHEDRON], vec3 at);
double finite_mesh_weight(int corner, vec3 at);
mat3 finite_mesh_axes(const vec3 corner[FINITE_HEXAHEDRON], vec3 at);
vec3 finite_mesh_slope(int corner, vec3 at);
vec3 finite_mesh_point(int point);

// m3
double finite_mesh_volume(const FiniteMesh *mesh, int cell);
// Share of each node in the volume, [nodes] m3: their sum is the mesh's.
void finite_mesh_shares(const FiniteMesh *mesh, double *share);

// The shape of a cell, 1 for cubes and for the corner of a cube, 0 or less where it is flat or
// turned inside out: the least over its corners of the triple product of the edges there over the
// product of their lengths; of tetrahedra the largest over corners.
double finite_mesh_quality(const FiniteMesh *mesh, int cell);
