#pragma once
// Volumetric intersection of two convex polyhedra; every output face carries the label of the face
// that made it.
#include <stdint.h>

#include "arena.h"
#include "polyhedron.h"

typedef enum {
  INTERSECTION_EMPTY,   // no common volume: separated or touching exactly
  INTERSECTION_OK,
  INTERSECTION_DEGENERATE,   // common volume at rounding level: nothing but its existence is
                             // certain
  INTERSECTION_FAILED        // bookkeeping broke down: the caller counts and names the pair
} IntersectionStatus;

typedef struct {
  int owner;       // 0: face of a, 1: face of b
  int face;        // index of that face in its polyhedron
  vec3 area;       // area vector, outward from the intersection, m2
  vec3 centroid;   // of the polygon, m
} IntersectionFace;

typedef struct {
  IntersectionStatus status;
  double volume;    // m3
  vec3 centroid;    // m
  vec3 area[2];     // sum of area vectors of the faces owned by a and by b, m2
  double surface;   // sum of the face areas, m2
  int face_count, vertex_count;
  const IntersectionFace *faces;   // [face_count], arena
  const int *face_start;           // [face_count + 1], into face_vertices
  const int *face_vertices;        // loops, counter-clockwise seen from outside
  const vec3 *vertices;            // [vertex_count], arena, m
} Intersection;

// Which faces bound the solid common to a and b, without their polygons.
typedef struct {
  int owner, face;   // as in IntersectionFace
} FaceLabel;

typedef struct {
  IntersectionStatus status;
  double volume;   // m3
  vec3 centroid;   // m
  int label_count;
  const FaceLabel *labels;   // [label_count], arena; each once, those of either solid in order
} IntersectionLabels;

// Local. Intersection of a and b after every plane of both was pushed outward by margin (m, >= 0),
// so that touching faces are seen. Solids that a face's plane separates by 2 margin are apart:
// EMPTY, even where sharp corners, which move further than their planes, would still meet. The
// clipper cuts one solid by the planes of the other, or a box around what both share by the planes
// of both, deepest first; the sign of each vertex, taken once, decides topology; no epsilon.
// Swapped solids give the same bits with the owners swapped, but for faces that lie in one plane
// bit for bit in identical solids. Works best in coordinates relative to one of the two solids.
Intersection intersection_clip(const Polyhedron *a, const Polyhedron *b, double margin,
                               Arena *arena);

// Local. Status, volume and centroid of the same solid and the faces that bound it, in less time.
// Labels are there where the status is OK or DEGENERATE.
IntersectionLabels intersection_labels(const Polyhedron *a, const Polyhedron *b, double margin,
                                       Arena *arena);

// Local. The intersection by the slower way that has room for any number of faces. The fast one
// goes on here where its own room ends; tests compare the two.
Intersection intersection_clip_any(const Polyhedron *a, const Polyhedron *b, double margin,
                                   Arena *arena);
