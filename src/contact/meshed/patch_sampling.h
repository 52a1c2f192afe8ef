#pragma once
// Where a contact patch between meshes has its points. The faces of one surface cut the patch;
// points are the corners of the pieces, so that there are no more of them than nodes of that side
// can meet: what else both meshes do is held in the mean (contact_places.h). In the plane of the
// patch. Local.
#include <stdbool.h>

#include "arena.h"
#include "patch_clip.h"

// Faces of a side that may overlap the patch, convex polygons that meet at their edges alone.
typedef struct {
  int count;
  const Figure *face;
  const unsigned char *seams;   // [count] bit k: side k of a face, from its corner k on, is on a
                                // cut through a larger body; NULL: none is
} SamplingFaces;

// The faces that cut, and those of the other body.
typedef struct {
  const SamplingFaces *cut;     // whose corners the points are
  const SamplingFaces *other;   // NULL: it has none
} SamplingSides;

// Distances, m.
typedef struct {
  double same;   // points nearer than this are one; pieces about as thin are none
  double near;   // so are points of a face beside a corner of the patch or one of its sides
  double
      along;   // of the side of a triangle: so are points on one side of the patch that are nearer
} SamplingReach;

typedef struct {
  double u, v;     // in the plane, m
  double area;     // m2: its share in the pieces it is a corner of, so that sums over points are
                   // integrals of linear functions
  int face;        // the lowest one it is a corner of a piece of
  bool given_up;   // others stand for it, which have its area beside theirs (patch_seams.h)
} SamplingPoint;

typedef struct {
  int count;
  SamplingPoint *point;   // in the arena
} Sampling;

// A polygon of points; they turn as the patch does.
typedef struct {
  int count;
  int *corner;     // [count] numbers of points
  double *share;   // [count] m2: of the piece, exact for linear functions
  double area;     // m2
} SamplingPiece;

typedef struct {
  int count;
  SamplingPiece *piece;
} SamplingPieces;

// Corners of the patch stay, and hold what is near them; so do its sides.
Sampling patch_sampling_new(const Figure *patch, const SamplingSides *sides, SamplingReach reach,
                            Arena *arena);

// The pieces between points: each face of the patch, its corners moved to the points nearest to
// them; of triangles new ones between the points.
SamplingPieces patch_sampling_pieces(const Figure *patch, const SamplingFaces *faces,
                                     const Sampling *points, double same, Arena *arena);

// What two convex figures have in common, in the arena: places alone.
Figure patch_sampling_common(const Figure *a, const Figure *b, double same, Arena *arena);
