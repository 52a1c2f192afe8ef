// Decides without rounding whether closed surfaces cross themselves or each other.
#include <assert.h>
#include <string.h>

#include "check.h"
#include "mesh_boxes.h"
#include "mesh_crossing.h"

typedef struct {
  GridPoint a, b, c;
} GridTriangle;

static GridTriangle triangle_of(const Solid *solid, int t)
{
  assert_debug(t >= 0 && t < solid->surface->count && "a triangle has a number");
  const int *v = solid->surface->triangles[t];
  return (GridTriangle){solid->grid[v[0]], solid->grid[v[1]], solid->grid[v[2]]};
}

static int side_of(GridTriangle t, GridPoint p) { return exact_side(t.a, t.b, t.c, p); }

// Axis along which a triangle is projected with area.
static int projection_axis(GridTriangle t)
{
  return largest_axis(exact_round(exact_cross(t.a, t.b, t.c)));
}

// -- segments and triangles -----------------------------------------------------------------------

static bool intervals_meet(int64_t p, int64_t q, int64_t a, int64_t b)
{
  const int64_t low = p < q ? p : q, high = p < q ? q : p;
  return (a <= high || b <= high) && (a >= low || b >= low);
}

// Closed segments in one plane, seen along an axis that is not in it.
static bool segments_meet(GridPoint p, GridPoint q, GridPoint a, GridPoint b, int axis)
{
  const int pa = exact_turn(p, q, a, axis), pb = exact_turn(p, q, b, axis);
  const int ap = exact_turn(a, b, p, axis), aq = exact_turn(a, b, q, axis);
  if (pa * pb > 0 || ap * aq > 0) return false;
  if (pa != 0 || pb != 0 || ap != 0 || aq != 0) return true;
  return intervals_meet(p.x, q.x, a.x, b.x) && intervals_meet(p.y, q.y, a.y, b.y) &&
         intervals_meet(p.z, q.z, a.z, b.z);
}

static bool span_is_near(int64_t p, int64_t q, int64_t a, int64_t b, int64_t c)
{
  return !((p < a && p < b && p < c && q < a && q < b && q < c) ||
           (p > a && p > b && p > c && q > a && q > b && q > c));
}

// The boxes of a segment and of a triangle meet.
static bool segment_is_near(GridTriangle t, GridPoint p, GridPoint q)
{
  return span_is_near(p.x, q.x, t.a.x, t.b.x, t.c.x) &&
         span_is_near(p.y, q.y, t.a.y, t.b.y, t.c.y) && span_is_near(p.z, q.z, t.a.z, t.b.z, t.c.z);
}

// A point of the triangle's plane lies in the closed triangle.
static bool point_is_in(GridTriangle t, GridPoint p, int axis)
{
  const int sense = exact_turn(t.a, t.b, t.c, axis);
  return sense * exact_turn(t.a, t.b, p, axis) >= 0 && sense * exact_turn(t.b, t.c, p, axis) >= 0 &&
         sense * exact_turn(t.c, t.a, p, axis) >= 0;
}

// A closed segment and a closed triangle, given on which sides of the triangle its ends lie.
static bool segment_meets(GridTriangle t, GridPoint p, GridPoint q, int side_p, int side_q)
{
  if (side_p * side_q > 0) return false;
  if (side_p == 0 && side_q == 0) {
    const int axis = projection_axis(t);
    return point_is_in(t, p, axis) || segments_meet(p, q, t.a, t.b, axis) ||
           segments_meet(p, q, t.b, t.c, axis) || segments_meet(p, q, t.c, t.a, axis);
  }
  const int ab = exact_side(p, q, t.a, t.b), bc = exact_side(p, q, t.b, t.c);
  const int ca = exact_side(p, q, t.c, t.a);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

// -- pairs of triangles of one surface ------------------------------------------------------------

// Two triangles without a common corner.
static bool triangles_meet(GridTriangle s, GridTriangle t)
{
  const int ta = side_of(s, t.a), tb = side_of(s, t.b), tc = side_of(s, t.c);
  if (ta == tb && tb == tc && ta != 0) return false;
  const int sa = side_of(t, s.a), sb = side_of(t, s.b), sc = side_of(t, s.c);
  if (sa == sb && sb == sc && sa != 0) return false;
  return segment_meets(s, t.a, t.b, ta, tb) || segment_meets(s, t.b, t.c, tb, tc) ||
         segment_meets(s, t.c, t.a, tc, ta) || segment_meets(t, s.a, s.b, sa, sb) ||
         segment_meets(t, s.b, s.c, sb, sc) || segment_meets(t, s.c, s.a, sc, sa);
}

// Two triangles with a common corner. What they share is a convex set around that corner; when
// there is more, the edge opposite to it of one of them meets the other one.
static bool triangles_meet_beyond(GridTriangle s, GridPoint a, GridPoint b, GridTriangle t,
                                  GridPoint c, GridPoint d)
{
  // in a fan of slivers most edges are far from other triangles
  if (!segment_is_near(s, c, d) && !segment_is_near(t, a, b)) return false;
  const int side_c = side_of(s, c), side_d = side_of(s, d);
  if (side_c * side_d > 0) return false;
  const int side_a = side_of(t, a), side_b = side_of(t, b);
  if (side_a * side_b > 0) return false;
  return segment_meets(s, c, d, side_c, side_d) || segment_meets(t, a, b, side_a, side_b);
}

// Two triangles that share an edge by the surface are folded onto each other.
static bool triangles_are_folded(const Solid *solid, int edge)
{
  assert_debug(solid->surface->mates[edge] >= 0 && "two triangles share the edge");
  const Surface *s = solid->surface;
  const GridPoint u = solid->grid[edge_start(s, edge)], v = solid->grid[edge_end(s, edge)];
  const GridPoint x = solid->grid[edge_opposite(s, edge)];
  const GridPoint y = solid->grid[edge_opposite(s, s->mates[edge])];
  if (exact_side(u, v, x, y) != 0) return false;
  const int axis = largest_axis(exact_round(exact_cross(u, v, x)));
  return exact_turn(u, v, x, axis) * exact_turn(u, v, y, axis) > 0;
}

static bool pair_crosses(const Solid *solid, int first, int second)
{
  assert_debug(first != second && "a pair has two triangles");
  const Surface *surface = solid->surface;
  const int *v = surface->triangles[first], *w = surface->triangles[second];
  int shared = 0, corner_v = 0, corner_w = 0;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      if (solid->place[v[i]] == solid->place[w[k]]) shared++, corner_v = i, corner_w = k;
    }
  }
  if (shared >= 2) {
    for (int e = 3 * first; e < 3 * first + 3; e++) {
      const int mate = surface->mates[e];
      if (mate >= 0 && mate / 3 == second) return shared == 3 || triangles_are_folded(solid, e);
    }
    return true;
  }
  const GridTriangle s = triangle_of(solid, first), t = triangle_of(solid, second);
  if (shared == 0) return triangles_meet(s, t);
  return triangles_meet_beyond(
      s, solid->grid[v[(corner_v + 1) % 3]], solid->grid[v[(corner_v + 2) % 3]], t,
      solid->grid[w[(corner_w + 1) % 3]], solid->grid[w[(corner_w + 2) % 3]]);
}

// -- searches -------------------------------------------------------------------------------------

static Box triangle_box(const Solid *solid, int t)
{
  assert_debug(t >= 0 && t < solid->surface->count && "a triangle has a number");
  const int *v = solid->surface->triangles[t];
  const vec3 a = solid->points[v[0]], b = solid->points[v[1]], c = solid->points[v[2]];
  return (Box){vec3_min(a, vec3_min(b, c)), vec3_max(a, vec3_max(b, c))};
}

static Box solid_box(const Solid *solid)
{
  assert(solid->surface->count > 0 && "a solid has triangles");
  Box box = triangle_box(solid, 0);
  for (int t = 1; t < solid->surface->count; t++) {
    const Box other = triangle_box(solid, t);
    box = (Box){vec3_min(box.low, other.low), vec3_max(box.high, other.high)};
  }
  return box;
}

// The first pair is the lowest one, in whatever order they are found.
static void count_crossing(Crossings *found, int first, int second)
{
  assert(first >= 0 && second >= 0 && "triangles have numbers");
  const bool lower =
      first < found->first[0] || (first == found->first[0] && second < found->first[1]);
  if (found->count++ == 0 || lower) found->first[0] = first, found->first[1] = second;
}

typedef struct {
  const Solid *solid;
  Crossings found;
} Search;

static void judge_boxes(void *context, int first, int second)
{
  assert_debug(first < second && "pairs come in ascending order");
  Search *search = context;
  if (pair_crosses(search->solid, first, second)) count_crossing(&search->found, first, second);
}

Crossings mesh_crossing_within(const Solid *solid, Arena *scratch)
{
  assert(solid->place != NULL && "places of points are known");
  assert((solid->surface->mates != NULL || solid->surface->count == 0) && "edges are joined");
  const ArenaMark mark = arena_mark(scratch);
  const int count = solid->surface->count;
  Box *boxes = arena_allocate(scratch, (size_t)count * sizeof(Box));
  for (int t = 0; t < count; t++) boxes[t] = triangle_box(solid, t);
  Search search = {solid, {0, {-1, -1}}};
  mesh_boxes_visit(boxes, count, judge_boxes, &search, scratch);
  arena_release(scratch, mark);
  return search.found;
}

// Two triangles in one plane that look the same way have area in common: no edge of one has all of
// the other one outside.
static bool same_faces_overlap(GridTriangle s, GridTriangle t)
{
  const int axis = projection_axis(s);
  const int sense = exact_turn(s.a, s.b, s.c, axis);
  if (sense != exact_turn(t.a, t.b, t.c, axis)) return false;
  const GridPoint p[2][3] = {{s.a, s.b, s.c}, {t.a, t.b, t.c}};
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 3; k++) {
      bool outside = true;
      for (int j = 0; j < 3; j++) {
        outside = outside && sense * exact_turn(p[i][k], p[i][(k + 1) % 3], p[1 - i][j], axis) <= 0;
      }
      if (outside) return false;
    }
  }
  return true;
}

// The open segment passes from one side of a surface to the other, within a triangle or through the
// inside of an edge, where it must change sides of both triangles alike: along an edge that it
// passes crosswise it only touches.
static bool segment_pierces(const Solid *solid, int triangle, GridPoint p, GridPoint q, int side_p,
                            int side_q)
{
  assert_debug(triangle >= 0 && triangle < solid->surface->count && "a triangle has a number");
  if (side_p * side_q >= 0) return false;
  const GridTriangle t = triangle_of(solid, triangle);
  const int turn[3] = {exact_side(p, q, t.a, t.b), exact_side(p, q, t.b, t.c),
                       exact_side(p, q, t.c, t.a)};
  if (turn[0] != 0 && turn[0] == turn[1] && turn[1] == turn[2]) return true;
  for (int k = 0; k < 3; k++) {
    const int next = turn[(k + 1) % 3];
    if (turn[k] != 0 || next == 0 || next != turn[(k + 2) % 3]) continue;
    const GridTriangle beside = triangle_of(solid, solid->surface->mates[3 * triangle + k] / 3);
    return side_of(beside, p) == side_p && side_of(beside, q) == side_q;
  }
  return false;
}

static bool solids_overlap_by(const Solid *a, int first, const Solid *b, int second)
{
  const GridTriangle s = triangle_of(a, first), t = triangle_of(b, second);
  const int ta = side_of(s, t.a), tb = side_of(s, t.b), tc = side_of(s, t.c);
  if (ta == 0 && tb == 0 && tc == 0) return same_faces_overlap(s, t);
  if (ta == tb && tb == tc) return false;
  const int sa = side_of(t, s.a), sb = side_of(t, s.b), sc = side_of(t, s.c);
  return segment_pierces(a, first, t.a, t.b, ta, tb) ||
         segment_pierces(a, first, t.b, t.c, tb, tc) ||
         segment_pierces(a, first, t.c, t.a, tc, ta) ||
         segment_pierces(b, second, s.a, s.b, sa, sb) ||
         segment_pierces(b, second, s.b, s.c, sb, sc) ||
         segment_pierces(b, second, s.c, s.a, sc, sa);
}

Crossings mesh_crossing_between(const Solid *a, const Solid *b, Arena *scratch)
{
  assert(a->surface->mates != NULL && b->surface->mates != NULL && "edges are joined");
  const ArenaMark mark = arena_mark(scratch);
  const Box box_a = solid_box(a), box_b = solid_box(b);
  const size_t room = (size_t)a->surface->count + (size_t)b->surface->count;
  Box *boxes = arena_allocate(scratch, room * sizeof(Box));
  int *triangles = arena_allocate(scratch, room * sizeof(int));
  int count = 0;
  for (int t = 0; t < a->surface->count; t++) {
    boxes[count] = triangle_box(a, t);
    if (box_overlaps(boxes[count], box_b)) triangles[count++] = t;
  }
  const int count_a = count;
  for (int t = 0; t < b->surface->count; t++) {
    boxes[count] = triangle_box(b, t);
    if (box_overlaps(boxes[count], box_a)) triangles[count++] = t;
  }
  const BoxPairs pairs = box_overlap_find(boxes, count, scratch);
  Crossings found = {0, {-1, -1}};
  for (int64_t i = 0; i < pairs.count; i++) {
    const BoxPair pair = pairs.pairs[i];
    if (pair.a >= count_a || pair.b < count_a) continue;
    const int s = triangles[pair.a], t = triangles[pair.b];
    if (solids_overlap_by(a, s, b, t)) count_crossing(&found, s, t);
  }
  arena_release(scratch, mark);
  return found;
}

// -- points in solids -----------------------------------------------------------------------------

typedef enum { POINT_OUTSIDE, POINT_INSIDE, POINT_ON, POINT_UNCLEAR } PointPlace;

// Counts how often the way from a point to one outside the box passes the surface.
static PointPlace place_along(const Solid *solid, GridPoint p, GridPoint outside)
{
  bool inside = false;
  for (int i = 0; i < solid->surface->count; i++) {
    const GridTriangle t = triangle_of(solid, i);
    const int side_p = side_of(t, p), side_q = side_of(t, outside);
    if (side_p == 0 && point_is_in(t, p, projection_axis(t))) return POINT_ON;
    if (side_p == 0 && side_q == 0) return POINT_UNCLEAR;
    if (side_p * side_q >= 0) continue;
    const int ab = exact_side(p, outside, t.a, t.b), bc = exact_side(p, outside, t.b, t.c);
    const int ca = exact_side(p, outside, t.c, t.a);
    if (ab > 0 && bc > 0 && ca > 0) inside = !inside;
    else if (ab < 0 && bc < 0 && ca < 0) inside = !inside;
    else if ((ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0))
      return POINT_UNCLEAR;
  }
  return inside ? POINT_INSIDE : POINT_OUTSIDE;
}

static PointPlace place_of(const Solid *solid, GridPoint p, GridPoint low, GridPoint high)
{
  assert(low.x <= high.x && low.y <= high.y && low.z <= high.z && "a box has its low end first");
  // ways to points beyond the box that share no plane but by chance
  PointPlace place = POINT_UNCLEAR;
  uint64_t state = 1;
  for (int attempt = 0; attempt < 64 && place == POINT_UNCLEAR; attempt++) {
    int64_t share[2];
    for (int k = 0; k < 2; k++) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      share[k] = (int64_t)(state >> 33);
    }
    const GridPoint outside = {high.x + 1 + (high.x - low.x) / 7,
                               low.y + ((high.y - low.y) >> 31) * share[0],
                               low.z + ((high.z - low.z) >> 31) * share[1]};
    place = place_along(solid, p, outside);
  }
  return place;
}

bool mesh_crossing_is_inside(const Solid *inner, const Solid *outer)
{
  assert(inner->surface->count > 0 && outer->surface->count > 0 && "solids have triangles");
  GridPoint low = outer->grid[outer->surface->triangles[0][0]], high = low;
  for (int e = 0; e < 3 * outer->surface->count; e++) {
    const GridPoint p = outer->grid[edge_start(outer->surface, e)];
    low = (GridPoint){p.x < low.x ? p.x : low.x, p.y < low.y ? p.y : low.y,
                      p.z < low.z ? p.z : low.z};
    high = (GridPoint){p.x > high.x ? p.x : high.x, p.y > high.y ? p.y : high.y,
                       p.z > high.z ? p.z : high.z};
  }
  // corners first; the middles of triangles where all corners lie on the outer surface
  for (int middle = 0; middle < 2; middle++) {
    for (int t = 0; t < inner->surface->count; t++) {
      const GridTriangle s = triangle_of(inner, t);
      const GridPoint p =
          middle ? (GridPoint){s.a.x / 3 + s.b.x / 3 + s.c.x / 3, s.a.y / 3 + s.b.y / 3 + s.c.y / 3,
                               s.a.z / 3 + s.b.z / 3 + s.c.z / 3}
                 : s.a;
      if (p.x < low.x || p.y < low.y || p.z < low.z || p.x > high.x || p.y > high.y || p.z > high.z)
        return false;
      const PointPlace place = place_of(outer, p, low, high);
      if (place == POINT_INSIDE || place == POINT_OUTSIDE) return place == POINT_INSIDE;
    }
  }
  return false;
}
