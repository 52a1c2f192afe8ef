#pragma once
// The points that two tetrahedra have in common, and contacts made of them along one normal.
#include "method_tetra.h"

#define POINTS_MOST (8 + 2 * 6 * 4)   // corners, and edges times faces

typedef struct {
  int count;
  real3 list[POINTS_MOST];
} CommonPoints;

static inline void add_common_point(CommonPoints *points, real3 place)
{
  assert(points->count < POINTS_MOST && "room for the points of two tetrahedra");
  points->list[points->count++] = place;
}

// Where an edge of one tetrahedron goes through a face of the other. The program asks the face's
// own plane, too, whether it holds the point: rounding drops some. The text wants all of them.
static inline void add_crossing(CommonPoints *points, const MethodPair *pair, bool of_b, int edge,
                                int face)
{
  assert(edge >= 0 && edge < 6 && face >= 0 && face < 4 && "an edge and a face");
  const RealTetra *of = of_b ? pair->b : pair->a, *other = of_b ? pair->a : pair->b;
  const real3 from = of->corners[tetra_edge[edge][0]], to = of->corners[tetra_edge[edge][1]];
  if (!plane_parts(&other->planes[face], from, to)) return;
  const real3 place = plane_meet(&other->planes[face], from, to);
  for (int k = 0; k < 4; k++) {
    if (!(pair->text && k == face) && plane_height(&other->planes[k], place) > 0) return;
  }
  add_common_point(points, place);
}

// Corners of each inside the other, and crossings of edges with faces.
static inline CommonPoints common_points(const MethodPair *pair)
{
  const RealTetra *a = pair->a, *b = pair->b;
  CommonPoints points = {.count = 0};
  for (int k = 0; k < 4; k++) {
    if (tetra_holds(a, b->corners[k])) add_common_point(&points, b->corners[k]);
    if (tetra_holds(b, a->corners[k])) add_common_point(&points, a->corners[k]);
  }
  for (int edge = 0; edge < 6; edge++) {
    for (int face = 0; face < 4; face++) {
      add_crossing(&points, pair, true, edge, face);
      add_crossing(&points, pair, false, edge, face);
    }
  }
  return points;
}

static inline bool places_are_one(real3 a, real3 b)
{
  const real3 off = real3_sub(a, b);
  return real_abs(off.x) + real_abs(off.y) + real_abs(off.z) <= REAL_ROUNDING;
}

// Contacts at points with one normal and depth, without those that an earlier point has the place
// of.
static inline void add_distinct_contacts(const MethodPair *pair, const CommonPoints *points,
                                         real3 normal, real depth)
{
  assert(points->count <= POINTS_MOST && "points are in their room");
  for (int i = 0; i < points->count; i++) {
    bool known = false;
    for (int j = 0; j < i && !known; j++) known = places_are_one(points->list[i], points->list[j]);
    if (!known) method_add(pair, points->list[i], normal, depth);
  }
}

// Where the plane of contact lies along the normal: in the middle of the extent of the points
// (program), at their mean (text).
static inline real height_of_plane(const CommonPoints *points, real3 normal, RealSpan span,
                                   bool text)
{
  assert(points->count > 0 && "a plane of contact is made of points");
  if (!text) return (real)0.5 * (span.high + span.low);
  real sum = 0;
  for (int i = 0; i < points->count; i++) sum += real3_dot(points->list[i], normal);
  return sum / (real)points->count;
}

// The common points moved into the plane of contact; the depth is their extent along the normal.
static inline void method_project(const MethodPair *pair, real3 normal)
{
  CommonPoints points = common_points(pair);
  if (points.count == 0) return;
  const RealSpan span = real_span(points.list, points.count, normal);
  const real3 plane = real3_scale(height_of_plane(&points, normal, span, pair->text), normal);
  for (int i = 0; i < points.count; i++) {
    const real3 place = points.list[i];
    const real off = real3_dot(normal, real3_sub(place, plane));
    points.list[i] = real3_sub(place, real3_scale(off, normal));
  }
  add_distinct_contacts(pair, &points, normal, span.low - span.high);
}
