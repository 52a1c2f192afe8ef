// Cuts polygons into triangles.
#include <assert.h>
#include <string.h>

#include "check.h"
#include "mesh_exact.h"
#include "mesh_polygon.h"

// A polygon being cut: a ring of corners that are left.
typedef struct {
  int count;            // corners
  int *vertex;          // [count] of the mesh
  vec3 *points;         // [count]
  GridPoint *grid;      // [count]
  int axis;             // of the projection
  int sense;            // 1: counter-clockwise seen against the axis, -1: clockwise
  int *next, *before;   // the ring
  bool *ear;            // can be clipped off
} Ring;

// Drops repeated corners and ways there and back; returns how many are left.
static int clean_corners(const int *corners, int count, int *clean)
{
  int left = 0;
  for (int i = 0; i < count; i++) {
    clean[left++] = corners[i];
    for (;;) {
      if (left >= 2 && clean[left - 1] == clean[left - 2]) left--;
      else if (left >= 3 && clean[left - 1] == clean[left - 3]) left -= 2;
      else break;
    }
  }
  // the same where the end meets the beginning
  int start = 0;
  for (;;) {
    if (left - start >= 2 && clean[left - 1] == clean[start]) left--;
    else if (left - start >= 3 && clean[left - 2] == clean[start]) left -= 2;
    else if (left - start >= 3 && clean[left - 1] == clean[start + 1]) start++, left--;
    else break;
  }
  memmove(clean, clean + start, (size_t)(left - start) * sizeof(int));
  return left - start;
}

// Sequence a of count vertices before b, corner by corner.
static bool comes_before(const int *a, const int *b, int count)
{
  for (int i = 0; i < count; i++) {
    if (a[i] != b[i]) return a[i] < b[i];
  }
  return false;
}

// Turns the polygon so that it begins at its lowest vertex and goes on to the lower neighbour; true
// when that reversed it.
static bool put_in_order(int *corners, int count, Arena *scratch)
{
  assert(count >= 3 && "a polygon has three corners");
  int *best = arena_allocate(scratch, (size_t)count * sizeof(int));
  int *other = arena_allocate(scratch, (size_t)count * sizeof(int));
  int lowest = corners[0];
  for (int i = 1; i < count; i++) lowest = corners[i] < lowest ? corners[i] : lowest;
  bool reversed = false, any = false;
  for (int i = 0; i < count; i++) {
    if (corners[i] != lowest) continue;
    for (int back = 0; back < 2; back++) {
      for (int k = 0; k < count; k++) {
        other[k] = corners[back ? (i - k + count) % count : (i + k) % count];
      }
      if (any && !comes_before(other, best, count)) continue;
      memcpy(best, other, (size_t)count * sizeof(int));
      reversed = back == 1;
      any = true;
    }
  }
  memcpy(corners, best, (size_t)count * sizeof(int));
  return reversed;
}

static vec3 polygon_normal(const vec3 *points, int count)
{
  vec3 sum = {0, 0, 0};
  for (int i = 1; i + 1 < count; i++) {
    const vec3 cross =
        vec3_cross(vec3_sub(points[i], points[0]), vec3_sub(points[i + 1], points[0]));
    sum = vec3_add(sum, cross);
  }
  return sum;
}

static bool points_are_flat(const vec3 *points, int count, vec3 normal, double tolerance)
{
  const double length = vec3_norm(normal);
  if (length <= 0) return false;
  double low = 0, high = 0;
  for (int i = 1; i < count; i++) {
    const double height = vec3_dot(normal, vec3_sub(points[i], points[0])) / length;
    if (height < low) low = height;
    if (height > high) high = height;
  }
  return high - low <= 2 * tolerance;
}

// All corners on one line within the tolerance.
static bool points_are_on_line(const vec3 *points, int count, double tolerance)
{
  assert(count > 0 && tolerance >= 0 && "points are on a line within a distance");
  int far = 0;
  for (int i = 1; i < count; i++) {
    if (vec3_norm(vec3_sub(points[i], points[0])) > vec3_norm(vec3_sub(points[far], points[0])))
      far = i;
  }
  const vec3 along = vec3_sub(points[far], points[0]);
  const double length = vec3_norm(along);
  for (int i = 1; i < count; i++) {
    const vec3 cross = vec3_cross(along, vec3_sub(points[i], points[0]));
    if (vec3_norm(cross) > tolerance * length) return false;
  }
  return true;
}

static int ring_turn(const Ring *r, int a, int b, int c)
{
  return r->sense * exact_turn(r->grid[a], r->grid[b], r->grid[c], r->axis);
}

// Two edges of the polygon without a common vertex meet.
static bool edges_meet(const Ring *r, int i, int j)
{
  const int p = i, q = (i + 1) % r->count, a = j, b = (j + 1) % r->count;
  if (r->vertex[p] == r->vertex[a] || r->vertex[p] == r->vertex[b] ||
      r->vertex[q] == r->vertex[a] || r->vertex[q] == r->vertex[b])
    return false;
  for (int k = 0; k < 3; k++) {
    const double pk = (&r->points[p].x)[k], qk = (&r->points[q].x)[k];
    const double ak = (&r->points[a].x)[k], bk = (&r->points[b].x)[k];
    if (k != r->axis &&
        ((pk < ak && pk < bk && qk < ak && qk < bk) || (pk > ak && pk > bk && qk > ak && qk > bk)))
      return false;
  }
  return ring_turn(r, p, q, a) * ring_turn(r, p, q, b) <= 0 &&
         ring_turn(r, a, b, p) * ring_turn(r, a, b, q) <= 0;
}

static bool polygon_is_simple(const Ring *r)
{
  for (int i = 0; i < r->count; i++) {
    for (int j = i + 2; j < r->count; j++) {
      if (edges_meet(r, i, j)) return false;
    }
  }
  return true;
}

// The corner turns inwards, and no other corner lies in its triangle or on its edge.
static bool corner_is_ear(const Ring *r, int i)
{
  assert_debug(i >= 0 && i < r->count && "a corner has a number");
  const int a = r->before[i], c = r->next[i];
  if (ring_turn(r, a, i, c) <= 0) return false;
  for (int p = r->next[c]; p != a; p = r->next[p]) {
    if (r->vertex[p] == r->vertex[a] || r->vertex[p] == r->vertex[i] ||
        r->vertex[p] == r->vertex[c])
      continue;
    if (ring_turn(r, a, i, p) >= 0 && ring_turn(r, i, c, p) >= 0 && ring_turn(r, c, a, p) >= 0)
      return false;
  }
  return true;
}

// The ear of the shortest diagonal, the first of equal ones; -1: none.
static int shortest_ear(const Ring *r, int start)
{
  assert_debug(start >= 0 && start < r->count && "a corner has a number");
  int best = -1;
  double shortest = INFINITY;
  int i = start;
  do {
    if (r->ear[i]) {
      const double length = vec3_norm(vec3_sub(r->points[r->next[i]], r->points[r->before[i]]));
      if (length < shortest || (length == shortest && i < best)) shortest = length, best = i;
    }
    i = r->next[i];
  } while (i != start);
  return best;
}

static bool clip_ears(Ring *r, PolygonCut *cut)
{
  assert(r->count >= 4 && "ears are clipped off four corners or more");
  assert((r->sense == 1 || r->sense == -1) && "a polygon has a sense of rotation");
  for (int i = 0; i < r->count; i++) {
    r->next[i] = (i + 1) % r->count;
    r->before[i] = (i + r->count - 1) % r->count;
  }
  for (int i = 0; i < r->count; i++) r->ear[i] = corner_is_ear(r, i);
  int start = 0;
  for (int left = r->count; left > 3; left--) {
    int ear = shortest_ear(r, start);
    if (ear < 0) {   // corners that a bridge passes twice can come free by the clipping of others
      int i = start;
      do r->ear[i] = corner_is_ear(r, i), i = r->next[i];
      while (i != start);
      ear = shortest_ear(r, start);
      if (ear < 0) return false;
    }
    const int a = r->before[ear], c = r->next[ear];
    int *triangle = cut->triangles[cut->count++];
    triangle[0] = r->vertex[a], triangle[1] = r->vertex[ear], triangle[2] = r->vertex[c];
    r->next[a] = c;
    r->before[c] = a;
    start = a;
    r->ear[a] = corner_is_ear(r, a);
    r->ear[c] = corner_is_ear(r, c);
  }
  const int b = r->next[start], c = r->next[b];
  if (ring_turn(r, start, b, c) <= 0) return false;
  int *triangle = cut->triangles[cut->count++];
  triangle[0] = r->vertex[start], triangle[1] = r->vertex[b], triangle[2] = r->vertex[c];
  return true;
}

static void cut_fan(const int *corners, int count, PolygonCut *cut)
{
  assert(count >= 3 && cut->count == 0 && "a fan has three corners");
  for (int i = 1; i + 1 < count; i++) {
    int *triangle = cut->triangles[cut->count++];
    triangle[0] = corners[0], triangle[1] = corners[i], triangle[2] = corners[i + 1];
  }
}

// Cuts a polygon of four corners or more.
static bool cut_polygon(const vec3 *points, const int *corners, int count, double tolerance,
                        PolygonCut *cut, Arena *scratch)
{
  assert(count >= 4 && "a polygon of three corners needs no cut");
  const size_t n = (size_t)count;
  Ring ring = {.count = count, .vertex = arena_allocate(scratch, n * sizeof(int))};
  ring.points = arena_allocate(scratch, n * sizeof(vec3));
  ring.next = arena_allocate(scratch, n * sizeof(int));
  ring.before = arena_allocate(scratch, n * sizeof(int));
  ring.ear = arena_allocate(scratch, n * sizeof(bool));
  memcpy(ring.vertex, corners, n * sizeof(int));
  for (int i = 0; i < count; i++) ring.points[i] = points[corners[i]];
  const vec3 normal = polygon_normal(ring.points, count);
  cut->flat = points_are_flat(ring.points, count, normal, tolerance);
  if (points_are_on_line(ring.points, count, tolerance)) {
    cut->flat = true;
    cut_fan(corners, count, cut);
    return true;
  }
  if (vec3_norm(normal) <= 0) return false;
  ring.axis = largest_axis(normal);
  ring.sense = (&normal.x)[ring.axis] > 0 ? 1 : -1;
  ring.grid = mesh_exact_grid(ring.points, count, scratch);
  return polygon_is_simple(&ring) && clip_ears(&ring, cut);
}

bool mesh_polygon_cut(MeshPolygon polygon, double tolerance, PolygonCut *cut, Arena *arena)
{
  const int *corners = polygon.corners, corner_count = polygon.count;
  assert(corner_count >= 0 && (corners != NULL || corner_count == 0) && "corners are given");
  assert(tolerance >= 0 && "corners lie in a plane within a distance");
  const size_t room = corner_count > 2 ? (size_t)corner_count - 2 : 1;
  *cut = (PolygonCut){.triangles = arena_allocate(arena, room * sizeof(int[3])), .flat = true};
  const ArenaMark mark = arena_mark(arena);
  int *clean = arena_allocate(arena, (size_t)corner_count * sizeof(int));
  const int count = clean_corners(corners, corner_count, clean);
  bool simple = true;
  if (count >= 3) {
    const bool reversed = put_in_order(clean, count, arena);
    if (count == 3) cut_fan(clean, count, cut);
    else simple = cut_polygon(polygon.points, clean, count, tolerance, cut, arena);
    for (int t = 0; reversed && t < cut->count; t++) {
      const int corner = cut->triangles[t][1];
      cut->triangles[t][1] = cut->triangles[t][2];
      cut->triangles[t][2] = corner;
    }
  }
  assert((size_t)cut->count <= room && "triangles have room");
  arena_release(arena, mark);
  return simple;
}
