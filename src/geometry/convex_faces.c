// Judges whether a solid given by points and faces is convex and closed.
#include "convex_faces.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "box.h"

// A side of a face, in the order of the loops: from loops[i] to the next corner of its face.
typedef struct {
  int low, high;   // its ends, the smaller one first
  int side;        // index into loops
} SideKey;

// The solid about one of its points, and what is found out on the way.
typedef struct {
  const StatedSolid *solid;
  vec3 *points;   // relative to the first one, m
  int *face_of;   // [sides]
  int *partner;   // [sides] the same edge in the other face
  bool *turned;   // [faces] against the outward direction
  Polyhedron hull;
  int *hull_vertex;    // [points] of the hull, -1: none
  int *around_start;   // [hull vertices + 1] into around
  int *around;         // faces of the hull around a vertex
  double tolerance;    // m
} Check;

static ConvexResult fault(ConvexFault kind, int face, int point, int other)
{
  return (ConvexResult){.fault = kind, .face = face, .point = point, .other = other};
}

static const ConvexResult SOUND = {.fault = CONVEX_OK};

static int loop_size(const StatedSolid *s, int face)
{
  assert(face >= 0 && face < s->face_count && "a face has a number");
  return s->loop_start[face + 1] - s->loop_start[face];
}

static int next_side(const Check *c, int side)
{
  const int face = c->face_of[side];
  return side + 1 < c->solid->loop_start[face + 1] ? side + 1 : c->solid->loop_start[face];
}

static double points_extent(const vec3 *points, int count)
{
  assert(count > 0 && "points have an extent");
  return box_longest_side(box_of_points(points, count));
}

// -- points ---------------------------------------------------------------------------------------

typedef struct {
  double key;
  int index;
} KeyedPoint;

static int compare_keyed_points(const void *p, const void *q)
{
  const KeyedPoint *a = p, *b = q;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

bool convex_faces_find_repeated(const vec3 *points, int count, int *first, int *second,
                                Arena *scratch)
{
  assert(count >= 0 && (points != NULL || count == 0) && "points are given");
  assert(first != NULL && second != NULL && "both points are asked for");
  // a direction along which points of grids and boxes do not tie
  const vec3 direction = {1, 0.6180339887498949, 0.2360679774997897};
  const double tolerance = HULL_COPLANAR * points_extent(points, count);
  const double reach = 3 * tolerance;
  const ArenaMark mark = arena_mark(scratch);
  KeyedPoint *sorted = arena_allocate(scratch, (size_t)count * sizeof *sorted);
  for (int i = 0; i < count; i++)
    sorted[i] = (KeyedPoint){vec3_dot(direction, vec3_sub(points[i], points[0])), i};
  qsort(sorted, (size_t)count, sizeof *sorted, compare_keyed_points);

  *first = *second = count;
  for (int k = 0; k < count; k++) {
    for (int l = k + 1; l < count && sorted[l].key - sorted[k].key <= reach; l++) {
      const int i = sorted[k].index, j = sorted[l].index;
      const vec3 apart = vec3_sub(points[i], points[j]);
      if (!(fabs(apart.x) <= tolerance && fabs(apart.y) <= tolerance && fabs(apart.z) <= tolerance))
        continue;
      const int low = i < j ? i : j, high = i < j ? j : i;
      if (high > *second || (high == *second && low >= *first)) continue;
      *first = low;
      *second = high;
    }
  }
  arena_release(scratch, mark);
  return *second < count;
}

static ConvexResult check_corners(const StatedSolid *s, Arena *scratch)
{
  int *last_face = arena_allocate(scratch, (size_t)s->point_count * sizeof(int));
  for (int i = 0; i < s->point_count; i++) last_face[i] = -1;
  for (int f = 0; f < s->face_count; f++) {
    assert(loop_size(s, f) >= 3 && "a face has at least three corners");
    for (int k = s->loop_start[f]; k < s->loop_start[f + 1]; k++) {
      assert(s->loops[k] >= 0 && s->loops[k] < s->point_count && "a corner is one of the points");
      if (last_face[s->loops[k]] == f) return fault(CONVEX_REPEATED_CORNER, f, s->loops[k], 0);
      last_face[s->loops[k]] = f;
    }
  }
  for (int i = 0; i < s->point_count; i++)
    if (last_face[i] < 0) return fault(CONVEX_UNUSED_POINT, 0, i, 0);
  return SOUND;
}

// -- edges ----------------------------------------------------------------------------------------

static int compare_sides(const void *p, const void *q)
{
  const SideKey *a = p, *b = q;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return (a->side > b->side) - (a->side < b->side);
}

// Finds the partner of every side.
static ConvexResult match_sides(Check *c, Arena *scratch)
{
  const StatedSolid *s = c->solid;
  const int count = s->loop_start[s->face_count];
  SideKey *keys = arena_allocate(scratch, (size_t)count * sizeof *keys);
  for (int f = 0; f < s->face_count; f++)
    for (int k = s->loop_start[f]; k < s->loop_start[f + 1]; k++) c->face_of[k] = f;
  for (int k = 0; k < count; k++) {
    const int from = s->loops[k], to = s->loops[next_side(c, k)];
    keys[k] = (SideKey){from < to ? from : to, from < to ? to : from, k};
  }
  qsort(keys, (size_t)count, sizeof *keys, compare_sides);
  for (int k = 0, end; k < count; k = end) {
    end = k + 1;
    while (end < count && keys[end].low == keys[k].low && keys[end].high == keys[k].high) end++;
    const int face = c->face_of[keys[k].side];
    if (end - k == 1) return fault(CONVEX_OPEN_EDGE, face, keys[k].low, keys[k].high);
    if (end - k > 2) return fault(CONVEX_SHARED_EDGE, face, keys[k].low, keys[k].high);
    c->partner[keys[k].side] = keys[k + 1].side;
    c->partner[keys[k + 1].side] = keys[k].side;
  }
  return SOUND;
}

// Six times the volume that the faces enclose, turned ones taken the other way round, m3.
static double enclosed_volume(const Check *c)
{
  const StatedSolid *s = c->solid;
  double sum = 0;
  for (int f = 0; f < s->face_count; f++) {
    const int *loop = s->loops + s->loop_start[f];
    double volume = 0;
    for (int k = 1; k + 1 < loop_size(s, f); k++) {
      const vec3 p = c->points[loop[0]], q = c->points[loop[k]], r = c->points[loop[k + 1]];
      volume += vec3_dot(p, vec3_cross(q, r));
    }
    sum += c->turned[f] ? -volume : volume;
  }
  return sum;
}

// From face to face over their edges, which neighbours go through in opposite directions; the sign
// of the volume then tells outside from inside.
static ConvexResult check_direction(Check *c, Arena *scratch)
{
  const StatedSolid *s = c->solid;
  bool *seen = arena_allocate_zero(scratch, (size_t)s->face_count, sizeof(bool));
  int *stack = arena_allocate(scratch, (size_t)s->face_count * sizeof(int));
  int depth = 0, reached = 1;
  stack[depth++] = 0;
  seen[0] = true;
  while (depth > 0) {
    const int f = stack[--depth];
    for (int k = s->loop_start[f]; k < s->loop_start[f + 1]; k++) {
      const int other = c->face_of[c->partner[k]];
      const bool turned = c->turned[f] != (s->loops[k] == s->loops[c->partner[k]]);
      if (seen[other] && c->turned[other] != turned) return fault(CONVEX_ONE_SIDED, other, 0, 0);
      if (seen[other]) continue;
      seen[other] = true;
      c->turned[other] = turned;
      stack[depth++] = other;
      reached++;
    }
  }
  for (int f = 0; f < s->face_count && reached < s->face_count; f++)
    if (!seen[f]) return fault(CONVEX_TWO_SHELLS, f, 0, 0);

  const bool inside_out = enclosed_volume(c) < 0;
  ConvexResult result = {.fault = CONVEX_OK, .face_count = s->face_count};
  for (int f = s->face_count - 1; f >= 0; f--) {
    c->turned[f] = c->turned[f] != inside_out;
    if (!c->turned[f]) continue;
    result.fault = CONVEX_INVERTED;
    result.face = f;
    result.count++;
  }
  return result;
}

// -- the hull -------------------------------------------------------------------------------------

// Which vertex of the hull a point is, and the faces of the hull around each vertex.
static void index_hull(Check *c, Arena *scratch)
{
  const Polyhedron *h = &c->hull;
  const int points = c->solid->point_count;
  c->hull_vertex = arena_allocate(scratch, (size_t)points * sizeof(int));
  int v = 0;
  for (int i = 0; i < points; i++) {
    // vertices keep the order of the points, which all differ
    const vec3 p = c->points[i];
    const bool same = v < h->vertex_count && h->vertices[v].x == p.x && h->vertices[v].y == p.y &&
                      h->vertices[v].z == p.z;
    c->hull_vertex[i] = same ? v++ : -1;
  }
  assert(v == h->vertex_count && "every vertex of a hull is one of its points");

  const int corners = h->face_start[h->face_count];
  c->around_start = arena_allocate_zero(scratch, (size_t)h->vertex_count + 2, sizeof(int));
  c->around = arena_allocate(scratch, (size_t)corners * sizeof(int));
  for (int k = 0; k < corners; k++) c->around_start[h->face_vertices[k] + 2]++;
  for (int i = 0; i < h->vertex_count; i++) c->around_start[i + 2] += c->around_start[i + 1];
  for (int f = 0; f < h->face_count; f++)
    for (int k = h->face_start[f]; k < h->face_start[f + 1]; k++)
      c->around[c->around_start[h->face_vertices[k] + 1]++] = f;
}

static bool plane_holds_face(const Check *c, int hull_face, int face)
{
  const Plane plane = c->hull.planes[hull_face];
  const int *loop = c->solid->loops + c->solid->loop_start[face];
  for (int k = 0; k < loop_size(c->solid, face); k++) {
    const double height = vec3_dot(plane.normal, c->points[loop[k]]) - plane.offset;
    if (fabs(height) > c->tolerance) return false;
  }
  return true;
}

static int faces_around(const Check *c, int hull_vertex)
{
  return c->around_start[hull_vertex + 1] - c->around_start[hull_vertex];
}

// The face of the hull that a face lies in, or -1: one around the corner that has fewest.
static int find_hull_face(const Check *c, int face)
{
  assert(face >= 0 && "a face has a number");
  const int *loop = c->solid->loops + c->solid->loop_start[face];
  int best = -1;
  for (int k = 0; k < loop_size(c->solid, face); k++) {
    const int v = c->hull_vertex[loop[k]];
    if (v >= 0 && (best < 0 || faces_around(c, v) < faces_around(c, best))) best = v;
  }
  if (best >= 0) {
    for (int i = c->around_start[best]; i < c->around_start[best + 1]; i++)
      if (plane_holds_face(c, c->around[i], face)) return c->around[i];
    return -1;
  }
  for (int f = 0; f < c->hull.face_count; f++)
    if (plane_holds_face(c, f, face)) return f;
  return -1;
}

// Why a face lies in no face of the hull: bent, or below some point.
static ConvexResult explain_face(const Check *c, int face)
{
  assert(face >= 0 && "a face has a number");
  const StatedSolid *s = c->solid;
  const int *loop = s->loops + s->loop_start[face];
  const int size = loop_size(s, face);
  vec3 area = {0, 0, 0}, middle = {0, 0, 0};
  for (int k = 0; k < size; k++) {
    const vec3 p = vec3_sub(c->points[loop[k]], c->points[loop[0]]);
    const vec3 q = vec3_sub(c->points[loop[(k + 1) % size]], c->points[loop[0]]);
    area = vec3_add(area, vec3_cross(p, q));
    middle = vec3_axpy(1.0 / size, c->points[loop[k]], middle);
  }
  const double twice = vec3_norm(area);
  const vec3 normal = twice > 0 ? vec3_scale(1 / twice, area) : area;
  ConvexResult result = {.fault = CONVEX_BENT_FACE, .face = face, .point = loop[0]};
  for (int k = 0; k < size; k++) {
    const double height = fabs(vec3_dot(normal, vec3_sub(c->points[loop[k]], middle)));
    if (height <= result.distance) continue;
    result.distance = height;
    result.point = loop[k];
  }
  if (result.distance > c->tolerance) return result;

  // also without a plane of its own, a face away from the hull is a dent
  result = (ConvexResult){.fault = CONVEX_DENTED, .face = face};
  for (int i = 0; i < s->point_count; i++) {
    const double height = vec3_dot(normal, vec3_sub(c->points[i], middle));
    if (height <= result.distance) continue;
    result.distance = height;
    result.point = i;
  }
  return result;
}

// Twice the area of a face in a plane, m2; an outline that is not convex there gives a fault.
static ConvexResult measure_face(const Check *c, int face, vec3 normal, double *area)
{
  const int *loop = c->solid->loops + c->solid->loop_start[face];
  const int size = loop_size(c->solid, face);
  *area = 0;
  for (int k = 0; k < size; k++) {
    const vec3 p = c->points[loop[(k + size - 1) % size]], q = c->points[loop[k]];
    const vec3 r = c->points[loop[(k + 1) % size]], hub = c->points[loop[0]];
    const vec3 in = vec3_sub(q, p), out = vec3_sub(r, q), arm = vec3_sub(q, hub);
    const double turn = vec3_dot(normal, vec3_cross(in, out));
    const double fan = vec3_dot(normal, vec3_cross(arm, out));
    const double longest = fmax(vec3_norm(in), fmax(vec3_norm(out), vec3_norm(arm)));
    // left at every corner, and every corner left of the way from the first to the one before
    if (turn < -c->tolerance * longest || fan < -c->tolerance * longest)
      return fault(CONVEX_FOLDED_FACE, face, loop[k], 0);
    *area += fan;
  }
  return SOUND;
}

// Every face in a face of the hull, and all of them cover the hull once.
static ConvexResult compare_with_hull(const Check *c)
{
  double covered = 0, surface = 0;
  for (int f = 0; f < c->solid->face_count; f++) {
    const int hull_face = find_hull_face(c, f);
    if (hull_face < 0) return explain_face(c, f);
    double area;
    const ConvexResult result = measure_face(c, f, c->hull.planes[hull_face].normal, &area);
    if (result.fault) return result;
    covered += area;
  }
  for (int f = 0; f < c->hull.face_count; f++) {
    const int *loop = c->hull.face_vertices + c->hull.face_start[f];
    const vec3 hub = c->hull.vertices[loop[0]];
    for (int k = 1; k + 1 < c->hull.face_start[f + 1] - c->hull.face_start[f]; k++) {
      const vec3 p = vec3_sub(c->hull.vertices[loop[k]], hub);
      const vec3 q = vec3_sub(c->hull.vertices[loop[k + 1]], hub);
      surface += vec3_dot(c->hull.planes[f].normal, vec3_cross(p, q));
    }
  }
  // a closed surface covers a whole number of times
  return fabs(covered - surface) < 0.5 * surface ? SOUND : fault(CONVEX_COVERED, 0, 0, 0);
}

ConvexResult convex_faces_check(const StatedSolid *solid, Arena *scratch)
{
  assert(solid->point_count >= 0 && solid->face_count >= 0 && "counts are not below zero");
  assert((solid->face_count == 0 || solid->loop_start[0] == 0) &&
         "the first loop begins with the first corner");
  for (int i = 0; i < solid->point_count; i++)
    if (!vec3_is_finite(solid->points[i]))
      return (ConvexResult){.fault = CONVEX_NO_SOLID, .hull = HULL_NOT_FINITE};
  ConvexResult result = {.fault = CONVEX_REPEATED_POINT};
  if (convex_faces_find_repeated(solid->points, solid->point_count, &result.point, &result.other,
                                 scratch))
    return result;

  const size_t points = (size_t)solid->point_count, faces = (size_t)solid->face_count;
  const size_t sides = (size_t)solid->loop_start[solid->face_count];
  Check c = {.solid = solid,
             .points = arena_allocate(scratch, points * sizeof(vec3)),
             .face_of = arena_allocate(scratch, sides * sizeof(int)),
             .partner = arena_allocate(scratch, sides * sizeof(int)),
             .turned = arena_allocate_zero(scratch, faces, sizeof(bool)),
             .tolerance = CONVEX_FLATNESS * points_extent(solid->points, solid->point_count)};
  // far from zero planes are known better from nearby
  for (size_t i = 0; i < points; i++) c.points[i] = vec3_sub(solid->points[i], solid->points[0]);

  const HullStatus status = hull_build(c.points, solid->point_count, scratch, &c.hull);
  if (status != HULL_OK) return (ConvexResult){.fault = CONVEX_NO_SOLID, .hull = status};
  result = check_corners(solid, scratch);
  if (!result.fault) result = match_sides(&c, scratch);
  if (!result.fault) result = check_direction(&c, scratch);
  if (result.fault) return result;
  index_hull(&c, scratch);
  return compare_with_hull(&c);
}

void convex_result_text(ConvexResult r, char *text, size_t bytes)
{
  assert(text != NULL && bytes > 0 && "a phrase has room");
  switch (r.fault) {
  case CONVEX_OK: snprintf(text, bytes, "sound"); return;
  case CONVEX_NO_SOLID: snprintf(text, bytes, "%s", hull_status_text(r.hull)); return;
  case CONVEX_REPEATED_POINT:
    snprintf(text, bytes, "points %d and %d are in the same place", r.point, r.other);
    return;
  case CONVEX_REPEATED_CORNER:
    snprintf(text, bytes, "face %d has point %d twice", r.face, r.point);
    return;
  case CONVEX_UNUSED_POINT: snprintf(text, bytes, "point %d is in no face", r.point); return;
  case CONVEX_OPEN_EDGE:
    snprintf(text, bytes, "not closed: the edge between points %d and %d is in face %d alone",
             r.point, r.other, r.face);
    return;
  case CONVEX_SHARED_EDGE:
    snprintf(text, bytes, "the edge between points %d and %d is in more than two faces", r.point,
             r.other);
    return;
  case CONVEX_TWO_SHELLS:
    snprintf(text, bytes, "more than one solid: no edges lead from face 0 to face %d", r.face);
    return;
  case CONVEX_INVERTED:
    if (r.count == r.face_count)
      snprintf(text, bytes,
               "all faces look inward: list corners counter-clockwise as seen from outside");
    else if (r.count > 1)
      snprintf(text, bytes, "face %d and %d more of %d look inward", r.face, r.count - 1,
               r.face_count);
    else snprintf(text, bytes, "face %d looks inward", r.face);
    return;
  case CONVEX_ONE_SIDED:
    snprintf(text, bytes, "face %d looks inward and outward, as on a Moebius strip", r.face);
    return;
  case CONVEX_BENT_FACE:
    snprintf(text, bytes, "face %d is not flat: point %d is %.3g m away from its plane", r.face,
             r.point, r.distance);
    return;
  case CONVEX_DENTED:
    snprintf(text, bytes, "not convex: point %d is %.3g m above the plane of face %d", r.point,
             r.distance, r.face);
    return;
  case CONVEX_FOLDED_FACE:
    snprintf(text, bytes, "the outline of face %d is not convex at point %d", r.face, r.point);
    return;
  case CONVEX_COVERED: snprintf(text, bytes, "faces lie over one another"); return;
  }
  assert(!"a fault has a phrase");
}
