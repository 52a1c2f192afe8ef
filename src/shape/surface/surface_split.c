// Cuts plane polygons with holes into triangles.
#include "surface_split.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "vec3.h"

#define SPLIT_ROUNDING 1e-11   // of the extent: a corner this near a line is on it
#define SPLIT_EQUAL 1e-9       // lengths and shapes that differ by less are equal

typedef struct {
  int count;
  SplitCorner *corners;
  double rounding;   // m
} Ring;

static double turn_of(SplitCorner a, SplitCorner b, SplitCorner c)
{
  return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

// On which side of a line through a and b a corner is: 1 left, -1 right, 0 on it.
static int side_of(SplitCorner a, SplitCorner b, SplitCorner c, double rounding)
{
  const double turn = turn_of(a, b, c), du = b.u - a.u, dv = b.v - a.v;
  const double least = rounding * sqrt(du * du + dv * dv);
  return turn > least ? 1 : turn < -least ? -1 : 0;
}

// Do two segments cross or touch?
static bool segments_meet(SplitCorner a, SplitCorner b, SplitCorner c, SplitCorner d,
                          double rounding)
{
  const int p = side_of(a, b, c, rounding), q = side_of(a, b, d, rounding);
  const int r = side_of(c, d, a, rounding), s = side_of(c, d, b, rounding);
  if (p != 0 || q != 0) return p * q <= 0 && r * s <= 0;
  // on one line
  const double u = b.u - a.u, v = b.v - a.v, square = u * u + v * v;
  const double from = u * (c.u - a.u) + v * (c.v - a.v), to = u * (d.u - a.u) + v * (d.v - a.v);
  return (from > 0 || to > 0) && (from < square || to < square);
}

static double ring_area(const SplitCorner *corners, int count)
{
  double area = 0;
  for (int k = 2; k < count; k++) area += 0.5 * turn_of(corners[0], corners[k - 1], corners[k]);
  return area;
}

static bool same_place(SplitCorner a, SplitCorner b) { return a.u == b.u && a.v == b.v; }

static bool ends_at(SplitCorner a, SplitCorner b, SplitCorner p)
{
  return same_place(a, p) || same_place(b, p);
}

// May a corner of a ring see a place: nothing of the ring or of the open loops is between?
static bool is_visible(const SplitPolygon *polygon, const bool *joined, const Ring *ring,
                       SplitCorner from, SplitCorner to)
{
  for (int k = 0; k < ring->count; k++) {
    const SplitCorner a = ring->corners[k], b = ring->corners[(k + 1) % ring->count];
    if (ends_at(a, b, from) || ends_at(a, b, to)) continue;
    if (segments_meet(from, to, a, b, ring->rounding)) return false;
  }
  int first = 0;
  for (int k = 0; k < polygon->count; k++) {
    const SplitCorner a = polygon->corners[k];
    const SplitCorner b = polygon->corners[polygon->ends_loop[k] ? first : k + 1];
    const bool known = joined[first];
    if (polygon->ends_loop[k]) first = k + 1;
    if (known || ends_at(a, b, from) || ends_at(a, b, to)) continue;
    if (segments_meet(from, to, a, b, ring->rounding)) return false;
  }
  return true;
}

// A way between a corner of a ring and a corner of a hole.
typedef struct {
  int at;          // of the ring
  int hole;        // first corner of the loop
  int enter;       // corner of it
  int order[2];    // of both corners
  double square;   // m2
} Bridge;

static bool bridge_is_better(const Bridge *bridge, const Bridge *best)
{
  if (best->hole < 0 || bridge->square < (1 - SPLIT_EQUAL) * best->square) return true;
  if (bridge->square > (1 + SPLIT_EQUAL) * best->square) return false;
  const int ring = bridge->order[0] - best->order[0], hole = bridge->order[1] - best->order[1];
  return ring < 0 || (ring == 0 && hole < 0);
}

static int loop_end(const SplitPolygon *polygon, int first)
{
  while (!polygon->ends_loop[first]) first++;
  return first + 1;
}

// Does a way from a corner of a ring begin inside of the polygon?
static bool leaves_inwards(const Ring *ring, int at, SplitCorner to)
{
  const SplitCorner before = ring->corners[(at + ring->count - 1) % ring->count];
  const SplitCorner from = ring->corners[at], after = ring->corners[(at + 1) % ring->count];
  const bool left_in = side_of(before, from, to, ring->rounding) > 0;
  const bool left_out = side_of(from, after, to, ring->rounding) > 0;
  const bool convex = side_of(before, from, after, ring->rounding) > 0;
  return convex ? left_in && left_out : left_in || left_out;
}

// The shortest way from a ring to any hole that sees it.
static Bridge find_bridge(const SplitPolygon *polygon, const bool *joined, const Ring *ring)
{
  Bridge best = {.hole = -1};
  for (int first = 0; first < polygon->count; first = loop_end(polygon, first)) {
    if (joined[first]) continue;
    const int end = loop_end(polygon, first);
    for (int k = first; k < end; k++) {
      for (int i = 0; i < ring->count; i++) {
        const SplitCorner from = ring->corners[i], to = polygon->corners[k];
        const double du = to.u - from.u, dv = to.v - from.v;
        const Bridge bridge = {i, first, k, {from.order, to.order}, du * du + dv * dv};
        if (bridge_is_better(&bridge, &best) && leaves_inwards(ring, i, to) &&
            is_visible(polygon, joined, ring, from, to))
          best = bridge;
      }
    }
  }
  return best;
}

// Goes into the hole and round it, and back.
static void cross_bridge(const SplitPolygon *polygon, Bridge bridge, Ring *ring)
{
  assert(bridge.hole >= 0 && "a hole is seen from somewhere");
  const int end = loop_end(polygon, bridge.hole), length = end - bridge.hole;
  for (int i = ring->count - 1; i > bridge.at; i--)
    ring->corners[i + length + 2] = ring->corners[i];
  for (int k = 0; k <= length; k++) {
    ring->corners[bridge.at + 1 + k] =
        polygon->corners[bridge.hole + (bridge.enter - bridge.hole + k) % length];
  }
  ring->corners[bridge.at + length + 2] = ring->corners[bridge.at];
  ring->count += length + 2;
}

// Is the triangle at a corner of a ring free of others?
static bool is_ear(const Ring *ring, int at)
{
  const int n = ring->count;
  const double rounding = ring->rounding;
  const SplitCorner a = ring->corners[(at + n - 1) % n], b = ring->corners[at];
  const SplitCorner c = ring->corners[(at + 1) % n];
  if (side_of(a, b, c, rounding) <= 0) return false;
  for (int k = 0; k < n; k++) {
    const SplitCorner p = ring->corners[k];
    if (same_place(p, a) || same_place(p, b) || same_place(p, c)) continue;
    if (side_of(a, b, p, rounding) >= 0 && side_of(b, c, p, rounding) >= 0 &&
        side_of(c, a, p, rounding) >= 0)
      return false;
  }
  return true;
}

// How far the triangle at a corner is from a sliver.
static double ear_quality(const Ring *ring, int at)
{
  const int n = ring->count;
  const SplitCorner p[3] = {ring->corners[(at + n - 1) % n], ring->corners[at],
                            ring->corners[(at + 1) % n]};
  double longest = 0;
  for (int k = 0; k < 3; k++) {
    const double du = p[(k + 1) % 3].u - p[k].u, dv = p[(k + 1) % 3].v - p[k].v;
    if (du * du + dv * dv > longest) longest = du * du + dv * dv;
  }
  return longest > 0 ? turn_of(p[0], p[1], p[2]) / longest : 0;
}

// The fattest ear, among equals the one whose corner comes first; -1: none.
static int fattest_ear(const Ring *ring, bool any)
{
  int best = -1;
  double most = 0;
  for (int i = 0; i < ring->count; i++) {
    const double q = ear_quality(ring, i), slack = SPLIT_EQUAL * fabs(most);
    const bool equal = best >= 0 && fabs(q - most) <= slack;
    if (best >= 0 && !equal && q < most) continue;
    if (equal && ring->corners[i].order >= ring->corners[best].order) continue;
    if (!any && !is_ear(ring, i)) continue;
    best = i;
    most = q;
  }
  return best;
}

static void cut_ears(Ring *ring, SplitTriangles *triangles)
{
  while (ring->count >= 3) {
    int best = fattest_ear(ring, false);
    // rounding may leave none: the fattest then
    if (best < 0) best = fattest_ear(ring, true);
    const int n = ring->count;
    int *names = triangles->names[triangles->count++];
    names[0] = ring->corners[(best + n - 1) % n].name;
    names[1] = ring->corners[best].name;
    names[2] = ring->corners[(best + 1) % n].name;
    ring->count--;
    for (int i = best; i < ring->count; i++) ring->corners[i] = ring->corners[i + 1];
  }
}

static double extent_of(const SplitPolygon *polygon)
{
  double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
  for (int k = 0; k < polygon->count; k++) {
    const double at[2] = {polygon->corners[k].u, polygon->corners[k].v};
    for (int i = 0; i < 2; i++) {
      least[i] = smaller_of(least[i], at[i]);
      most[i] = larger_of(most[i], at[i]);
    }
  }
  return larger_of(most[0] - least[0], most[1] - least[1]);
}

SplitTriangles surface_split(const SplitPolygon *polygon, Arena *arena)
{
  assert(polygon->count >= 3 && polygon->ends_loop[polygon->count - 1] && "loops are closed");
  const size_t room = 3 * (size_t)polygon->count;
  const double rounding = SPLIT_ROUNDING * extent_of(polygon);
  SplitTriangles triangles = {.names = arena_allocate(arena, room * sizeof(int[3]))};
  Ring ring = {.corners = arena_allocate(arena, room * sizeof(SplitCorner))};
  bool *joined = arena_allocate_zero(arena, (size_t)polygon->count, sizeof *joined);
  for (int first = 0; first < polygon->count; first = loop_end(polygon, first)) {
    const int end = loop_end(polygon, first);
    if (!(ring_area(polygon->corners + first, end - first) > 0)) continue;
    // an outer loop, with the holes that can be seen from it one after another
    ring.count = 0;
    joined[first] = true;
    for (int k = first; k < end; k++) ring.corners[ring.count++] = polygon->corners[k];
    for (;;) {
      ring.rounding = rounding;
      Bridge bridge = find_bridge(polygon, joined, &ring);
      // past corners that nearly are in the way, if there is no other
      if (bridge.hole < 0) ring.rounding = 0;
      if (bridge.hole < 0) bridge = find_bridge(polygon, joined, &ring);
      if (bridge.hole < 0) break;
      cross_bridge(polygon, bridge, &ring);
      joined[bridge.hole] = true;
    }
    ring.rounding = rounding;
    cut_ears(&ring, &triangles);
  }
  return triangles;
}
