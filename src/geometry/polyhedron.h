#pragma once
// A convex polyhedron: vertices, planes, face loops and edges, in one coordinate frame. Views never
// own memory.
#include <stdbool.h>

#include "arena.h"
#include "vec3.h"

typedef struct {
  vec3 normal;     // unit, outward
  double offset;   // normal.x = offset on the face, m
} Plane;

typedef struct {
  int vertex[2];   // ends
  int face[2];     // face[0] runs vertex[0] -> vertex[1] in its loop, face[1] the other way
} Edge;

typedef struct SmallDarts SmallDarts;   // clipper_small.h

typedef struct {
  int vertex_count, face_count, edge_count;
  const vec3 *vertices;    // [vertex_count], m
  const Plane *planes;     // [face_count]
  const int *face_start;   // [face_count + 1], into face_vertices
  const int
      *face_vertices;   // loops, counter-clockwise seen from outside; strictly convex polygons
  const Edge *edges;    // [edge_count], each once
  double extent;   // largest side of the bounding box in the coordinate frame it was built in, m
  const SmallDarts *darts;   // of the edges, for cuts; NULL: more than three edges meet in a vertex
                             // or there are many vertices
} Polyhedron;

typedef struct {
  double volume;   // m3
  vec3 centroid;   // m
  mat3 second;     // integral of (x - centroid)(x - centroid)' over the volume, m5
} Moments;

typedef enum {
  HULL_OK,
  HULL_NOT_FINITE,       // a coordinate is NaN or infinite
  HULL_TOO_FEW_POINTS,   // fewer than four different points
  HULL_FLAT              // all points in one plane within HULL_FLATNESS of their extent
} HullStatus;

#define HULL_FLATNESS 1e-9   // thickness below this times the extent is flat
#define HULL_COPLANAR \
  1e-9   // facets whose vertices leave a common plane by less than this times the extent merge

// Local. Convex hull of points (m, any order, duplicates and interior points allowed) with coplanar
// facets merged into polygons and collinear vertices dropped. Memory from the arena. Vertices keep
// the order of the points, faces are ordered deterministically: the same points give the same
// polyhedron, bit for bit.
HullStatus hull_build(const vec3 *points, int count, Arena *arena, Polyhedron *hull);
const char *hull_status_text(HullStatus status);

// Local. Volume, centroid and second moments by exact formulas over tetrahedra about the first
// vertex.
Moments polyhedron_moments(const Polyhedron *p);

// Local. True when loops, planes and edges fit together and the solid is convex within tolerance *
// extent.
bool polyhedron_is_valid(const Polyhedron *p, double tolerance);

// Local. Vertices of p turned by rotation and then moved by translation; topology is shared with p.
Polyhedron polyhedron_place(const Polyhedron *p, mat3 rotation, vec3 translation, Arena *arena);

// Local. p moved without turning.
Polyhedron polyhedron_shift(const Polyhedron *p, vec3 translation, Arena *arena);

// Local. Height of a place above a plane, m; negative: below.
static inline double plane_height(Plane plane, vec3 x)
{
  return vec3_dot(plane.normal, x) - plane.offset;
}

// Local. Is the place in the solid, or above its planes by at most the tolerance (m)?
bool polyhedron_holds(const Polyhedron *p, vec3 x, double tolerance);

// Local. The face above whose plane a place is highest, or below which it is least: the nearest one
// for a place of the solid. *height: above that plane, m.
int polyhedron_nearest_face(const Polyhedron *p, vec3 x, double *height);

// Local. Area vector (m2) of a planar polygon given by its corners: half the sum of cross products.
vec3 polyhedron_area_vector(const vec3 *corners, int count);

// Local. Which edge leaves each corner of each face, [as face_vertices]; arena memory.
int *polyhedron_loop_edges(const Polyhedron *p, Arena *arena);
