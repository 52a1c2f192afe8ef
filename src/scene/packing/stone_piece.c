// Finds axes that separate convex pieces of stones.
#include "stone_piece.h"

#include <assert.h>

#include "check.h"
#include "gjk.h"

// Pieces that overlap are made smaller about their middles by these factors until they are apart.
static const double core_scales[] = {0.9, 0.5};
enum { CORE_SCALES = sizeof core_scales / sizeof core_scales[0] };

double stone_piece_reach(const StonePiece *s, vec3 direction)
{
  if (s->ellipsoid)
    return vec3_dot(s->middle, direction) + ellipsoid_reach(s->ellipsoid, direction);
  assert_debug(s->count > 0 && "a piece has points");
  double most = vec3_dot(s->points[0], direction);
  for (int i = 1; i < s->count; i++) most = larger_of(most, vec3_dot(s->points[i], direction));
  return most + s->radius;
}

// The gap of two pieces along a unit direction from a to b, m.
static double gap_along(const StonePiece *a, const StonePiece *b, vec3 direction)
{
  return -stone_piece_reach(b, vec3_neg(direction)) - stone_piece_reach(a, direction);
}

static PieceAxis axis_along(const StonePiece *a, const StonePiece *b, vec3 normal, vec3 on_a,
                            vec3 on_b)
{
  return (PieceAxis){.normal = normal, .gap = gap_along(a, b, normal), .nearest = {on_a, on_b}};
}

PieceAxis stone_piece_axis_beside(const StonePiece *a, const StonePiece *triangle, vec3 place)
{
  assert_debug(triangle->flat && triangle->count == 3 && "a triangle has three corners");
  const vec3 *p = triangle->points;
  const vec3 across = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
  const double norm = vec3_norm(across);
  vec3 normal = norm > 0 ? vec3_scale(1 / norm, across) : (vec3){0, 0, 1};
  if (vec3_dot(normal, vec3_sub(p[0], place)) < 0) normal = vec3_neg(normal);
  return axis_along(a, triangle, normal, a->middle, a->middle);
}

// From middle to middle: what is left where pieces are deep in each other.
static PieceAxis axis_of_middles(const StonePiece *a, const StonePiece *b)
{
  if (b->flat) return stone_piece_axis_beside(a, b, a->middle);
  const vec3 between = vec3_sub(b->middle, a->middle);
  const double norm = vec3_norm(between);
  const vec3 normal = norm > 0 ? vec3_scale(1 / norm, between) : (vec3){0, 0, 1};
  return axis_along(a, b, normal, a->middle, b->middle);
}

// Points of a piece nearer to its middle; triangles have no inside and stay as they are.
static void shrink(const StonePiece *s, double scale, vec3 *points)
{
  const double kept = s->flat ? 1 : scale;
  for (int i = 0; i < s->count; i++)
    points[i] = vec3_axpy(kept, vec3_sub(s->points[i], s->middle), s->middle);
}

static PieceAxis axis_of_points(const StonePiece *a, const StonePiece *b, PieceScratch *scratch)
{
  assert_debug(a->count > 0 && b->count > 0 && "pieces have points");
  for (int k = 0; k < CORE_SCALES; k++) {
    shrink(a, core_scales[k], scratch->points[0]);
    shrink(b, core_scales[k], scratch->points[1]);
    const GjkResult found =
        gjk_distance(scratch->points[0], a->count, scratch->points[1], b->count);
    const vec3 between = vec3_sub(found.on_b, found.on_a);
    const double distance = vec3_norm(between);
    if (found.distance > 0 && distance > 0)
      return axis_along(a, b, vec3_scale(1 / distance, between), found.on_a, found.on_b);
  }
  return axis_of_middles(a, b);
}

// Where an ellipsoid is a unit ball about the origin.
static vec3 ball_place(const Ellipsoid *e, vec3 from_middle)
{
  const vec3 own = mat3_mul_transposed(e->rotation, from_middle);
  return (vec3){own.x / e->radii.x, own.y / e->radii.y, own.z / e->radii.z};
}

// From an ellipsoid to points: where it is a ball, the nearest point of the other's hull tells.
static PieceAxis axis_from_ellipsoid(const StonePiece *a, const StonePiece *b,
                                     PieceScratch *scratch)
{
  assert_debug(a->ellipsoid != NULL && b->count > 0 && "an ellipsoid meets points");
  const Ellipsoid *e = a->ellipsoid;
  for (int i = 0; i < b->count; i++)
    scratch->points[0][i] = ball_place(e, vec3_sub(b->points[i], a->middle));
  const vec3 origin = {0, 0, 0};
  const GjkResult found = gjk_distance(&origin, 1, scratch->points[0], b->count);

  // a plane with the normal n there has the normal Q D^-1 n here
  const vec3 p = found.on_b, r = e->radii;
  const vec3 across = mat3_mul(e->rotation, (vec3){p.x / r.x, p.y / r.y, p.z / r.z});
  const double norm = vec3_norm(across);
  if (!(found.distance > 0 && norm > 0)) return axis_of_middles(a, b);
  const vec3 arm = mat3_mul(e->rotation, (vec3){p.x * r.x, p.y * r.y, p.z * r.z});
  const vec3 place = vec3_add(a->middle, arm);
  return axis_along(a, b, vec3_scale(1 / norm, across), place, place);
}

static PieceAxis axis_of_ellipsoids(const StonePiece *a, const StonePiece *b)
{
  const EllipsoidAxis found =
      ellipsoid_axis_find(a->ellipsoid, b->ellipsoid, vec3_sub(a->middle, b->middle), INFINITY);
  return axis_along(a, b, vec3_neg(found.normal), vec3_add(a->middle, found.arm_a),
                    vec3_add(b->middle, found.arm_b));
}

// From an ellipsoid to a ball.
static PieceAxis axis_to_ball(const StonePiece *a, const StonePiece *b)
{
  const vec3 radii = {b->radius, b->radius, b->radius};
  const Ellipsoid ball = ellipsoid_place(radii, mat3_diagonal(1, 1, 1));
  return axis_of_ellipsoids(a, &(StonePiece){.ellipsoid = &ball, .middle = b->middle});
}

PieceAxis stone_piece_axis(const StonePiece *a, const StonePiece *b, PieceScratch *scratch)
{
  assert_debug(!a->flat && "the second piece alone may be a triangle");
  if (!a->ellipsoid && !b->ellipsoid) return axis_of_points(a, b, scratch);
  if (a->ellipsoid && b->ellipsoid) return axis_of_ellipsoids(a, b);
  if (a->ellipsoid) return b->radius > 0 ? axis_to_ball(a, b) : axis_from_ellipsoid(a, b, scratch);
  const PieceAxis back = a->radius > 0 ? axis_to_ball(b, a) : axis_from_ellipsoid(b, a, scratch);
  return (PieceAxis){vec3_neg(back.normal), back.gap, {back.nearest[1], back.nearest[0]}};
}

bool stone_piece_apart(const StonePiece *a, const StonePiece *b, PieceScratch *scratch)
{
  if (a->ellipsoid || b->ellipsoid) return stone_piece_axis(a, b, scratch).gap > 0;
  assert_debug(a->count > 0 && b->count > 0 && "pieces have points");
  return gjk_distance(a->points, a->count, b->points, b->count).distance > a->radius + b->radius;
}
