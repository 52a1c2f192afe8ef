#pragma once
// The surface of a body as vertices, straight edges and plane faces, whatever pieces it comes in.
//
// Pieces are plane polygons that together cover the surface once: facets of convex parts, or
// triangles of a mesh. Corners within SURFACE_WELD are one point, and a corner on the side of
// another piece cuts that side. Pieces of one plane become one face with any number of loops,
// pieces of one line one edge: how a surface was cut leaves no trace.
//
// A simplex s has directions U(s) in which the surface leaves it, and a normal cone
// T*(s) = {z at right angles to s, z.u <= 0 for all u in U(s)} outside of the body (Merlhiot 2007,
// section 6). Its class is that of table 1 there.
#include <stdbool.h>

#include "arena.h"
#include "shape.h"
#include "vec3.h"

#define SURFACE_WELD 4e-9   // of the extent: corners nearer than this are one point
#define SURFACE_FLAT \
  1e-8   // of the extent: pieces whose corners are this near one plane are a face
#define SURFACE_SINE 1e-9    // sine of the angle below which two directions are one
#define SURFACE_MIN_LOOP 3   // corners of a loop

typedef enum {
  SURFACE_CORNER,        // vertex with normals in a solid angle
  SURFACE_RIDGE_POINT,   // vertex inside a straight convex edge
  SURFACE_RIDGE,         // convex edge
  SURFACE_NOTCH,         // reentrant corner of a plane face
  SURFACE_FLAT_POINT,    // vertex inside a plane: merging leaves none
  SURFACE_FLAT_EDGE,     // edge inside a plane: likewise
  SURFACE_FACE,
  SURFACE_HIDDEN,   // vertex or edge without a normal: no other body touches it first
  SURFACE_CLASS_COUNT
} SurfaceClass;

// Directions within a half angle of an axis: around the normal cone of a simplex.
typedef struct {
  vec3 axis;       // unit, outwards
  double cosine;   // of the half angle
} NormalCone;

typedef struct {
  vec3 at;   // body frame, m
  SurfaceClass class;
  NormalCone cone;                        // of a simplex that is hidden: axis zero
  int point;                              // of the pieces
  int direction_start, direction_count;   // U: along its edges, into SurfaceComplex.directions
  int face_start, face_count;             // faces around it, each once, into vertex_faces
} SurfaceVertex;

typedef struct {
  int vertex[2];
  int face[2];   // face[0] runs from vertex[0] to vertex[1], face[1] back
  SurfaceClass class;
  NormalCone cone;
  vec3 direction;   // unit, from vertex[0] to vertex[1]
  double length;    // m
  vec3 into[2];     // U: unit, in face[0] and face[1], at right angles to the edge
} SurfaceEdge;

// One side of a face, counter-clockwise seen from outside.
typedef struct {
  int from, to, edge;
  bool ends_loop;   // the next side begins another loop
} SurfaceSide;

typedef struct {
  vec3 normal;                  // unit, outwards
  double offset;                // normal.x of its plane, m
  double area;                  // m2
  int side_start, side_count;   // into SurfaceComplex.sides
  int piece;                    // one of the pieces that it was made of
} SurfaceFace;

// All memory belongs to the arena that it was made with.
typedef struct {
  double extent;   // largest side of the bounding box, m
  int vertex_count, edge_count, face_count, side_count;
  SurfaceVertex *vertices;
  SurfaceEdge *edges;
  SurfaceFace *faces;
  SurfaceSide *sides;
  vec3 *directions;
  int *vertex_faces;
  int shell_count;    // pieces of surface that hang together
  int *shell_edges;   // [shell_count] one of each, convex if there is one
} SurfaceComplex;

// Plane polygons: piece p has the corners start[p] to start[p + 1] - 1, counter-clockwise seen from
// outside, body frame, m.
typedef struct {
  int count;
  const int *start;   // [count + 1]
  const vec3 *corners;
} SurfacePieces;

typedef enum {
  SURFACE_OK,
  SURFACE_EMPTY,   // no piece with an area
  SURFACE_OPEN,    // a side has no other side: the pieces do not close a surface
  SURFACE_FOLDED   // pieces lie on each other and hold no volume
} SurfaceStatus;

typedef struct {
  SurfaceStatus status;
  int piece;       // a piece at the gap, or that is folded
  vec3 from, to;   // the side at the gap, m
} SurfaceResult;

// Local. The facets of all parts of a shape as pieces, part by part, or the triangles of its
// surface; arena memory.
SurfacePieces surface_pieces_of_shape(const Shape *shape, Arena *arena);

// Local. Triangles of a mesh as pieces, in their order; arena memory. Here for the tests.
SurfacePieces surface_pieces_of_triangles(const vec3 *points, const int (*triangles)[3], int count,
                                          Arena *arena);

// Local. The complex of pieces. A side where four faces meet belongs to two edges, so that each
// vertex and edge is that of one wedge of the solid.
SurfaceResult surface_complex_build(const SurfacePieces *pieces, Arena *arena,
                                    SurfaceComplex *complex);

// Local. Is a place of a face's plane in the face or within tolerance (m) of a side? For the tests.
bool surface_face_holds(const SurfaceComplex *complex, int face, vec3 place, double tolerance);

// Local. Is a face one loop that turns left at every corner, or goes straight on? slack: how far a
// corner may lie inside of the line of its neighbours, of the extent.
bool surface_face_is_convex(const SurfaceComplex *complex, int face, double slack);

// Local. Is it the surface of a convex solid: one piece without a reentrant edge?
bool surface_complex_is_convex(const SurfaceComplex *complex);

// Local. Volume inside, m3. For the tests.
double surface_complex_volume(const SurfaceComplex *complex);
