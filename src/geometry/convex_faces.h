#pragma once
// Is a solid given by points and faces convex and closed, and if not, where is it at fault?
#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "polyhedron.h"

// What a face may leave its plane, or a point stand above a face, relative to the extent: what
// hull_build merges, with its rounding.
#define CONVEX_FLATNESS (4 * HULL_COPLANAR)

typedef enum {
  CONVEX_OK,
  CONVEX_NO_SOLID,          // whatever the faces: result.hull says why
  CONVEX_REPEATED_POINT,    // point and other are in one place
  CONVEX_REPEATED_CORNER,   // face goes through point twice
  CONVEX_UNUSED_POINT,      // point is in no face
  CONVEX_OPEN_EDGE,         // the edge from point to other belongs to face alone
  CONVEX_SHARED_EDGE,       // that edge belongs to more than two faces: face is the first
  CONVEX_TWO_SHELLS,        // no way over edges leads from face 0 to face
  CONVEX_INVERTED,          // count faces look inward: face is the first
  CONVEX_ONE_SIDED,         // face looks outward and inward, depending on the way to it
  CONVEX_BENT_FACE,         // point is distance away from the plane of face
  CONVEX_DENTED,            // point is distance above the plane of face
  CONVEX_FOLDED_FACE,       // the outline of face is not convex at point
  CONVEX_COVERED            // faces overlap
} ConvexFault;

typedef struct {
  ConvexFault fault;
  HullStatus hull;
  int face, point, other, count;   // counted from 0
  int face_count;                  // of the solid
  double distance;                 // m
} ConvexResult;

// Faces as loops of points, counted from 0, counter-clockwise seen from outside.
typedef struct {
  int point_count, face_count;
  const vec3 *points;      // [point_count], m
  const int *loop_start;   // [face_count + 1], into loops
  const int *loops;        // each of at least three points, 0 <= loops[i] < point_count
} StatedSolid;

// Local. Whether the faces are the closed surface of the convex hull of the points, all of them
// outward: every edge between two faces, every face in a face of the hull within CONVEX_FLATNESS of
// the extent, the surface covered once. Faces in one plane, and points on an edge or inside a flat
// piece of the surface, are sound. Memory for the time of the call from the arena.
ConvexResult convex_faces_check(const StatedSolid *solid, Arena *scratch);

// Local. Writes a phrase that says what is wrong.
void convex_result_text(ConvexResult result, char *text, size_t bytes);

// Local. The first two points that lie in one place within HULL_COPLANAR of the extent; false:
// there are none. Points are finite.
bool convex_faces_find_repeated(const vec3 *points, int count, int *first, int *second,
                                Arena *scratch);
