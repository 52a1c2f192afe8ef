// Cuts plane polygons with holes into triangles.
#include "surface_split.h"

#include <assert.h>
#include <stdbool.h>

typedef struct {
  int count;
  SplitCorner *corners;
} Ring;

static double turn_of(SplitCorner a, SplitCorner b, SplitCorner c)
{
  return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

// Do the open segments cross?
static bool segments_cross(SplitCorner a, SplitCorner b, SplitCorner c, SplitCorner d)
{
  return (turn_of(a, b, c) > 0) != (turn_of(a, b, d) > 0) &&
         (turn_of(c, d, a) > 0) != (turn_of(c, d, b) > 0);
}

static double ring_area(const SplitCorner *corners, int count)
{
  double area = 0;
  for (int k = 2; k < count; k++) area += 0.5 * turn_of(corners[0], corners[k - 1], corners[k]);
  return area;
}

static bool same_place(SplitCorner a, SplitCorner b) { return a.u == b.u && a.v == b.v; }

// May a corner of a ring see a place: nothing of the ring or of the open loops is between?
static bool is_visible(const SplitPolygon *polygon, const bool *joined, const Ring *ring,
                       SplitCorner from, SplitCorner to)
{
  for (int k = 0; k < ring->count; k++) {
    const SplitCorner a = ring->corners[k], b = ring->corners[(k + 1) % ring->count];
    if (same_place(a, from) || same_place(b, from)) continue;
    if (segments_cross(from, to, a, b)) return false;
  }
  int first = 0;
  for (int k = 0; k < polygon->count; k++) {
    const SplitCorner a = polygon->corners[k];
    const SplitCorner b = polygon->corners[polygon->ends_loop[k] ? first : k + 1];
    const bool known = joined[first];
    if (polygon->ends_loop[k]) first = k + 1;
    if (known || same_place(a, to) || same_place(b, to)) continue;
    if (segments_cross(from, to, a, b)) return false;
  }
  return true;
}

// A way between a corner of a ring and a corner of a hole.
typedef struct {
  int at;          // of the ring
  int hole;        // first corner of the loop
  int enter;       // corner of it
  double square;   // m2
} Bridge;

static int loop_end(const SplitPolygon *polygon, int first)
{
  while (!polygon->ends_loop[first]) first++;
  return first + 1;
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
        const double du = to.u - from.u, dv = to.v - from.v, square = du * du + dv * dv;
        if (best.hole >= 0 && !(square < best.square)) continue;
        // inside of the corner of the ring
        const SplitCorner before = ring->corners[(i + ring->count - 1) % ring->count];
        const SplitCorner after = ring->corners[(i + 1) % ring->count];
        const bool left_in = turn_of(before, from, to) > 0, left_out = turn_of(from, after, to) > 0;
        const bool convex = turn_of(before, from, after) > 0;
        if (convex ? !(left_in && left_out) : !(left_in || left_out)) continue;
        if (is_visible(polygon, joined, ring, from, to))
          best = (Bridge){.at = i, .hole = first, .enter = k, .square = square};
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

static bool is_in_triangle(SplitCorner a, SplitCorner b, SplitCorner c, SplitCorner p)
{
  return turn_of(a, b, p) >= 0 && turn_of(b, c, p) >= 0 && turn_of(c, a, p) >= 0;
}

// Is the triangle at a corner of a ring free of others?
static bool is_ear(const Ring *ring, int at)
{
  const int n = ring->count;
  const SplitCorner a = ring->corners[(at + n - 1) % n], b = ring->corners[at];
  const SplitCorner c = ring->corners[(at + 1) % n];
  if (!(turn_of(a, b, c) > 0)) return false;
  for (int k = 0; k < n; k++) {
    const SplitCorner p = ring->corners[k];
    if (same_place(p, a) || same_place(p, b) || same_place(p, c)) continue;
    if (is_in_triangle(a, b, c, p)) return false;
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

static void cut_ears(Ring *ring, SplitTriangles *triangles)
{
  while (ring->count >= 3) {
    int best = -1, fattest = 0;
    double quality = 0, any = -1;
    for (int i = 0; i < ring->count; i++) {
      const double q = ear_quality(ring, i);
      if (q > any) {
        any = q;
        fattest = i;
      }
      if (q > quality && is_ear(ring, i)) {
        quality = q;
        best = i;
      }
    }
    // rounding may leave none: the fattest then
    if (best < 0) best = fattest;
    const int n = ring->count;
    int *names = triangles->names[triangles->count++];
    names[0] = ring->corners[(best + n - 1) % n].name;
    names[1] = ring->corners[best].name;
    names[2] = ring->corners[(best + 1) % n].name;
    ring->count--;
    for (int i = best; i < ring->count; i++) ring->corners[i] = ring->corners[i + 1];
  }
}

SplitTriangles surface_split(const SplitPolygon *polygon, Arena *arena)
{
  assert(polygon->count >= 3 && polygon->ends_loop[polygon->count - 1] && "loops are closed");
  const size_t room = 3 * (size_t)polygon->count;
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
      const Bridge bridge = find_bridge(polygon, joined, &ring);
      if (bridge.hole < 0) break;
      cross_bridge(polygon, bridge, &ring);
      joined[bridge.hole] = true;
    }
    cut_ears(&ring, &triangles);
  }
  return triangles;
}
