#pragma once
// Flat faces of all bodies of a file: groups of triangles that lie in one plane but for the digits.
#include "arena.h"
#include "box.h"
#include "vec3.h"

// A closed surface whose points may move.
typedef struct {
  int point_count;
  vec3 *points;   // m
  int triangle_count;
  const int (*triangles)[3];   // counter-clockwise seen from outside
  double extent;               // largest side of the bounding box, m
  double reach;                // how far corners may leave the plane of their face, m
  double overlap;              // how deep its faces may lie in a neighbour's that shares a joint, m
} FlatBody;

typedef struct {
  int body;
  int first_triangle, triangle_count;   // in triangles of the list
  int first_corner, corner_count;       // in corners of the list
  vec3 area;                            // sum of its triangles, m2, outward
  vec3 middle;                          // mean of its triangles' centroids by area, m
  Box box;
} FlatFace;

typedef struct {
  int count;
  FlatFace *faces;      // by body
  int *triangles;       // of their body
  int *corners;         // points of their body, each once in a face
  int *first_of_body;   // [body_count + 1] into faces
  const FlatBody *bodies;
  int body_count;
} FlatFaces;

// A plane near which all points that are asked for lie.
typedef struct {
  vec3 normal;   // unit
  vec3 middle;   // m, in the plane
} FlatPlane;

static inline double flat_faces_height(FlatPlane plane, vec3 x)
{
  return vec3_dot(plane.normal, vec3_sub(x, plane.middle));
}

// Local. The faces of bodies (arena). A body of which most triangles lie in planes of their own is
// curved: neighbours that are nearly in one plane by chance stay apart.
FlatFaces flat_faces_find(const FlatBody *bodies, int count, Arena *arena);

// Local. The plane of one face, normal outward.
FlatPlane flat_faces_plane(const FlatFace *face);

// Local. The place of a corner, m.
static inline vec3 flat_faces_corner(const FlatFaces *all, const FlatFace *face, int corner)
{
  return all->bodies[face->body].points[all->corners[face->first_corner + corner]];
}
