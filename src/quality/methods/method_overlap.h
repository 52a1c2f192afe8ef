#pragma once
// Whether two tetrahedra, or two faces of them, overlap: no axis separates them. Touching counts.
#include "method_tetra.h"

static inline bool spans_are_apart(RealSpan a, RealSpan b)
{
  return a.high < b.low || b.high < a.low;
}

// Whether the plane of a face has the whole other tetrahedron before it.
static inline bool face_separates(const RealTetra *of, const RealTetra *other, int face)
{
  assert(face >= 0 && face < 4 && "a tetrahedron has four faces");
  const int *corner = tetra_face[face];
  const real3 at = of->corners[corner[0]];
  const real3 normal = real3_unit(
      real3_cross(real3_sub(of->corners[corner[1]], at), real3_sub(of->corners[corner[2]], at)));
  const real height = real3_dot(at, normal);
  for (int i = 0; i < 4; i++) {
    if (!(real3_dot(normal, other->corners[i]) - height > 0)) return false;
  }
  return true;
}

// The extent along an axis at right angles to an edge, of one end of the edge and the corners that
// it does not hold. Both ends have one height, but for rounding, and the program asks the same end.
static inline RealSpan span_across_edge(const RealTetra *tetra, int edge, real3 axis)
{
  static const int left_out[6] = {0, 0, 0, 2, 3, 3};
  assert(edge >= 0 && edge < 6 && "a tetrahedron has six edges");
  RealSpan span = {REAL_MOST, -REAL_MOST};
  for (int k = 0; k < 4; k++) {
    if (k == left_out[edge]) continue;
    const real at = real3_dot(axis, tetra->corners[k]);
    span.low = real_min(span.low, at);
    span.high = real_max(span.high, at);
  }
  return span;
}

// Two edges whose cross product is rounding: its direction separates nothing.
static inline bool edges_are_parallel(real3 first, real3 second, real3 cross)
{
  return !(real3_norm(cross) > REAL_ROUNDING * real3_norm(first) * real3_norm(second));
}

static inline bool method_overlap(const RealTetra *a, const RealTetra *b)
{
  for (int k = 0; k < 4; k++) {
    if (face_separates(a, b, k) || face_separates(b, a, k)) return false;
  }
  for (int i = 0; i < 6; i++) {
    const real3 edge = edge_vector(a, i);
    for (int j = 0; j < 6; j++) {
      const real3 other = edge_vector(b, j), axis = real3_cross(edge, other);
      if (edges_are_parallel(edge, other, axis)) continue;
      if (spans_are_apart(span_across_edge(a, i, axis), span_across_edge(b, j, axis))) return false;
    }
  }
  return true;
}

// The corners of a face.
typedef struct {
  real3 corners[3];
} FaceCorners;

static inline FaceCorners face_corners(const RealTetra *tetra, int face)
{
  assert(face >= 0 && face < 4 && "a tetrahedron has four faces");
  FaceCorners result;
  for (int k = 0; k < 3; k++) result.corners[k] = tetra->corners[tetra_face[face][k]];
  return result;
}

// Whether all corners of the other face lie strictly on one side of a face's plane.
static inline bool face_parts(const FaceCorners *of, const FaceCorners *other)
{
  const real3 at = of->corners[0];
  const real3 normal =
      real3_unit(real3_cross(real3_sub(of->corners[1], at), real3_sub(of->corners[2], at)));
  const real height = real3_dot(at, normal);
  int above = 0, below = 0;
  for (int i = 0; i < 3; i++) {
    const real off = real3_dot(normal, other->corners[i]) - height;
    above += off > 0;
    below += off < 0;
  }
  return above == 3 || below == 3;
}

// The extent of a face along an axis at right angles to its edge from corner k on.
static inline RealSpan span_beside_edge(const FaceCorners *face, int k, real3 axis)
{
  assert(k >= 0 && k < 3 && "a face has three edges");
  const real3 corners[2] = {face->corners[k], face->corners[(k + 2) % 3]};
  return real_span(corners, 2, axis);
}

// Faces in one plane overlap: axes within the plane are not looked at, as in the author's program.
static inline bool method_faces_overlap(const FaceCorners *a, const FaceCorners *b)
{
  if (face_parts(a, b) || face_parts(b, a)) return false;
  for (int i = 0; i < 3; i++) {
    const real3 edge = real3_sub(a->corners[(i + 1) % 3], a->corners[i]);
    for (int j = 0; j < 3; j++) {
      const real3 other = real3_sub(b->corners[(j + 1) % 3], b->corners[j]);
      const real3 axis = real3_cross(edge, other);
      if (edges_are_parallel(edge, other, axis)) continue;
      if (spans_are_apart(span_beside_edge(a, i, axis), span_beside_edge(b, j, axis))) return false;
    }
  }
  return true;
}
