#pragma once
// Intersection: surface faces of one tetrahedron against those of the other, vertices on faces and
// edges across edges.
#include "method_overlap.h"

// Vertices of a face behind the other one. The program's normals are not of unit length.
static inline void add_vertices_behind(const MethodPair *pair, const FaceCorners *corners,
                                       const RealTetra *other, int face)
{
  const FacePlane *plane = &other->planes[face];
  for (int k = 0; k < 3; k++) {
    const real3 vertex = corners->corners[k];
    const real height = plane_height(plane, vertex);
    if (height > 0 || !face_is_below(other, face, vertex)) continue;
    const real3 outwards = pair->text ? plane_unit(plane) : plane->normal;
    method_add(pair, vertex, other == pair->b ? real3_neg(outwards) : outwards,
               pair->text ? height / plane->length : height);
  }
}

// Two surface faces and an edge of each.
typedef struct {
  int of_a, of_b;     // faces
  real3 a[2], b[2];   // ends of the edges
} CrossedEdges;

// Whether the nearest points of the lines lie strictly within both edges.
static inline bool lies_within(real3 place, const real3 ends[2], real3 along)
{
  return real3_dot(along, real3_sub(place, ends[1])) < -REAL_ROUNDING &&
         real3_dot(real3_neg(along), real3_sub(place, ends[0])) < -REAL_ROUNDING;
}

static inline void add_crossed_edges(const MethodPair *pair, const CrossedEdges *edges,
                                     real3 normal)
{
  assert(edges->of_a >= 0 && edges->of_b >= 0 && "edges are of faces");
  const MethodLine line_a = line_between(edges->a[0], edges->a[1]);
  const MethodLine line_b = line_between(edges->b[0], edges->b[1]);
  const NearestOnLines nearest = lines_nearest(&line_a, &line_b);
  const real3 on_a = line_place(&line_a, nearest.first);
  const real3 on_b = line_place(&line_b, nearest.second);
  if (!lies_within(on_a, edges->a, line_a.along) || !lies_within(on_b, edges->b, line_b.along))
    return;
  const real3 middle = real3_middle(on_a, on_b);
  const FacePlane *plane_a = &pair->a->planes[edges->of_a];
  const FacePlane *plane_b = &pair->b->planes[edges->of_b];
  if (plane_height(plane_a, middle) > REAL_ROUNDING * plane_a->length ||
      plane_height(plane_b, middle) > REAL_ROUNDING * plane_b->length)
    return;
  // towards the second, by either order of the extents
  const RealSpan a = real_span(pair->a->corners, 4, normal);
  const RealSpan b = real_span(pair->b->corners, 4, normal);
  if (a.low <= b.low && b.low <= a.high) method_add(pair, middle, normal, b.low - a.high);
  if (b.low <= a.low && a.low <= b.high)
    method_add(pair, middle, real3_neg(normal), a.low - b.high);
}

// False where the tetrahedra are apart along the cross product of two edges, touching included: the
// program then looks at nothing more of this pair.
static inline bool add_face_edges(const MethodPair *pair, int of_a, int of_b)
{
  const FaceCorners a = face_corners(pair->a, of_a), b = face_corners(pair->b, of_b);
  for (int k = 0; k < 9; k++) {
    const int i = k / 3, j = k % 3;
    const CrossedEdges edges = {
        of_a, of_b, {a.corners[i], a.corners[(i + 1) % 3]}, {b.corners[j], b.corners[(j + 1) % 3]}};
    const real3 cross = real3_cross(real3_unit(real3_sub(edges.a[1], edges.a[0])),
                                    real3_unit(real3_sub(edges.b[1], edges.b[0])));
    if (real3_norm(cross) < REAL_ROUNDING) continue;
    const real3 normal = real3_unit(cross);
    const RealSpan span_a = real_span(pair->a->corners, 4, normal);
    const RealSpan span_b = real_span(pair->b->corners, 4, normal);
    if (!(span_a.high <= span_b.low || span_b.high <= span_a.low))
      add_crossed_edges(pair, &edges, normal);
    else if (!pair->text) return false;
  }
  return true;
}

static inline void method_intersection(const MethodPair *pair)
{
  for (int k = 0; k < 16; k++) {
    const int of_a = k / 4, of_b = k % 4;
    if (!pair->a->on_surface[of_a] || !pair->b->on_surface[of_b]) continue;
    const FaceCorners a = face_corners(pair->a, of_a), b = face_corners(pair->b, of_b);
    if (!method_faces_overlap(&a, &b)) continue;
    add_vertices_behind(pair, &a, pair->b, of_b);
    add_vertices_behind(pair, &b, pair->a, of_a);
    if (!add_face_edges(pair, of_a, of_b)) return;
  }
}
