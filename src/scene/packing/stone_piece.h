#pragma once
// Convex pieces of stones as they stand, and the axis along which two of them are farthest apart.
#include <stdbool.h>

#include "ellipsoid.h"
#include "vec3.h"

// What a ball of the radius reaches from the hull of points, or an ellipsoid.
typedef struct {
  int count;
  const vec3 *points;           // [count] m
  double radius;                // m
  const Ellipsoid *ellipsoid;   // about the middle; NULL: there are points
  vec3 middle;                  // a point inside, m
  bool flat;                    // a triangle of the room's surface
} StonePiece;

typedef struct {
  vec3 normal;       // unit, from the first to the second
  double gap;        // between planes across it that touch them, negative: overlap, m
  vec3 nearest[2];   // where they come nearest to each other, roughly, m
} PieceAxis;

// Memory for points of two pieces.
typedef struct {
  vec3 *points[2];   // [as many as a piece has]
} PieceScratch;

// Local. The largest n.x of a piece along a unit direction, m.
double stone_piece_reach(const StonePiece *s, vec3 direction);

// Local. Whether two pieces have no point in common.
bool stone_piece_apart(const StonePiece *a, const StonePiece *b, PieceScratch *scratch);

// Local. The axis across a triangle for a piece that belongs on the side of it where a place is.
PieceAxis stone_piece_axis_beside(const StonePiece *a, const StonePiece *triangle, vec3 place);

// Local. An axis along which two pieces are apart, or come apart by a short way. It is that of the
// largest gap where they are apart or overlap by less than a tenth of their size, but for features
// that are about as near. Only b may be flat.
PieceAxis stone_piece_axis(const StonePiece *a, const StonePiece *b, PieceScratch *scratch);
