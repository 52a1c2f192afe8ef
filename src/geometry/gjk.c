#include "gjk.h"

#include <assert.h>
#include <stdbool.h>

#define MAX_ITERATIONS 128
#define DISTANCE_ROUNDING 1e-15   // of the size of the sets: below it differences are rounding

// A point of the difference of the sets, and the points it is the difference of.
typedef struct {
  vec3 point;
  int a, b;
} Corner;

// Up to four corners and the point of them that lies nearest to the origin.
typedef struct {
  int count;
  Corner corners[4];
  double weights[4];   // of the nearest point
  double distance;     // of it, m
  vec3 direction;      // unit, from the origin to it
} Simplex;

// -- nearest point of a simplex -------------------------------------------------------------------

static vec3 nearest_point(const Simplex *s)
{
  vec3 sum = {0, 0, 0};
  for (int i = 0; i < s->count; i++) sum = vec3_axpy(s->weights[i], s->corners[i].point, sum);
  return sum;
}

// Near contact the nearest point is a small difference of large numbers. Distance and direction
// come from cross products of the corners instead, so that the next corner is the right one.
//
// Each of these fills in weights, distance and direction of the nearest point of the corners'
// affine hull; false when the point does not lie between the corners.
static bool solve_corner(Simplex *s)
{
  const vec3 p = s->corners[0].point;
  s->weights[0] = 1;
  s->distance = vec3_norm(p);
  s->direction = s->distance > 0 ? vec3_scale(1 / s->distance, p) : p;
  return true;
}

static bool solve_edge(Simplex *s)
{
  const vec3 p = s->corners[0].point, q = s->corners[1].point, u = vec3_sub(q, p);
  const double square = vec3_dot(u, u);
  if (square <= 0) return false;
  s->weights[0] = vec3_dot(q, u) / square;
  s->weights[1] = -vec3_dot(p, u) / square;
  if (s->weights[0] <= 0 || s->weights[1] <= 0) return false;
  const vec3 moment = vec3_cross(p, q);
  const vec3 across = vec3_cross(u, moment);
  const double norm = vec3_norm(across);
  s->distance = vec3_norm(moment) / sqrt(square);
  s->direction = norm > 0 ? vec3_scale(1 / norm, across) : across;
  return true;
}

static bool solve_triangle(Simplex *s)
{
  const vec3 p = s->corners[0].point, q = s->corners[1].point, r = s->corners[2].point;
  const vec3 normal = vec3_cross(vec3_sub(q, p), vec3_sub(r, p));
  const double square = vec3_dot(normal, normal);
  if (square <= 0) return false;
  // shares of the areas of the triangles that the foot of the perpendicular makes with the sides
  s->weights[0] = vec3_dot(normal, vec3_cross(q, r)) / square;
  s->weights[1] = vec3_dot(normal, vec3_cross(r, p)) / square;
  s->weights[2] = vec3_dot(normal, vec3_cross(p, q)) / square;
  if (s->weights[0] <= 0 || s->weights[1] <= 0 || s->weights[2] <= 0) return false;
  const double norm = sqrt(square), height = vec3_dot(normal, p) / norm;
  s->distance = fabs(height);
  s->direction = vec3_scale((height < 0 ? -1 : 1) / norm, normal);
  return true;
}

// True when the origin lies in the tetrahedron of four corners, as far as heights tell that may be
// rounding; fills in its weights and the distance of the point they make.
static bool solve_tetrahedron(Simplex *s)
{
  for (int i = 0; i < 4; i++) {
    const vec3 p = s->corners[(i + 1) & 3].point, opposite = s->corners[i].point;
    const vec3 u = vec3_sub(s->corners[(i + 2) & 3].point, p);
    const vec3 v = vec3_sub(s->corners[(i + 3) & 3].point, p);
    const vec3 normal = vec3_cross(u, v);
    const double origin_height = -vec3_dot(normal, p);
    const double height = vec3_dot(normal, vec3_sub(opposite, p));
    if (height == 0 || origin_height * height < 0) return false;
    s->weights[i] = origin_height / height;
  }
  // with shares of one they make a point of the tetrahedron, however wrong they are
  const double sum = s->weights[0] + s->weights[1] + s->weights[2] + s->weights[3];
  if (!(sum > 0 && sum < INFINITY)) return false;
  for (int i = 0; i < 4; i++) s->weights[i] /= sum;
  s->distance = vec3_norm(nearest_point(s));   // rounding, more of it where the solid is flat
  s->direction = (vec3){0, 0, 0};
  return true;
}

// Keeps those of the corners whose bits are set.
static Simplex face_of(const Simplex *s, int bits)
{
  Simplex face = {.count = 0};
  for (int i = 0; i < s->count; i++) {
    if (bits >> i & 1) face.corners[face.count++] = s->corners[i];
  }
  return face;
}

static bool solve_face(Simplex *face)
{
  switch (face->count) {
  case 1: return solve_corner(face);
  case 2: return solve_edge(face);
  case 3: return solve_triangle(face);
  default: return solve_tetrahedron(face);
  }
}

// The face with the nearest point, by trying all that have the newest corner, as the nearest one
// does: slower than a walk through Voronoi regions, but a degenerate face only drops out. A
// tetrahedron whose point is nearer than those of its faces holds the origin, and sets *meet; a
// flat one that only seems to has a nearer face.
static Simplex reduce_simplex(const Simplex *s, bool *meet)
{
  Simplex best = {.count = 0};
  const int newest = 1 << (s->count - 1);
  for (int bits = 0; bits < newest; bits++) {
    Simplex face = face_of(s, bits | newest);
    if (!solve_face(&face)) continue;
    if (best.count == 0 || face.distance < best.distance) best = face;
  }
  *meet = best.count == 4;
  assert(best.count > 0 && "a single corner is its own nearest point");
  return best;
}

// -- iteration ------------------------------------------------------------------------------------

static int furthest_along(const vec3 *points, int count, vec3 direction)
{
  int best = 0;
  double largest = vec3_dot(points[0], direction);
  for (int i = 1; i < count; i++) {
    const double value = vec3_dot(points[i], direction);
    if (value > largest) largest = value, best = i;
  }
  return best;
}

static bool simplex_has(const Simplex *s, int a, int b)
{
  for (int i = 0; i < s->count; i++) {
    if (s->corners[i].a == a && s->corners[i].b == b) return true;
  }
  return false;
}

static double largest_distance(const vec3 *points, int count)
{
  double largest = 0;
  for (int i = 1; i < count; i++) {
    const vec3 d = vec3_sub(points[i], points[0]);
    const double square = vec3_dot(d, d);
    if (square > largest) largest = square;
  }
  return sqrt(largest);
}

static GjkResult make_result(const Simplex *s, const vec3 *a, const vec3 *b, int iterations)
{
  // relative to one corner of each set, so that weights that miss one by rounding do no harm far
  // from the origin
  const vec3 base_a = a[s->corners[0].a], base_b = b[s->corners[0].b];
  vec3 on_a = base_a, on_b = base_b;
  for (int i = 1; i < s->count; i++) {
    on_a = vec3_axpy(s->weights[i], vec3_sub(a[s->corners[i].a], base_a), on_a);
    on_b = vec3_axpy(s->weights[i], vec3_sub(b[s->corners[i].b], base_b), on_b);
  }
  return (GjkResult){.distance = s->distance, .on_a = on_a, .on_b = on_b, .iterations = iterations};
}

GjkResult gjk_distance(const vec3 *a, int a_count, const vec3 *b, int b_count)
{
  assert(a_count > 0 && b_count > 0 && "a set has points");
  const double rounding =
      DISTANCE_ROUNDING * (largest_distance(a, a_count) + largest_distance(b, b_count));
  Simplex simplex = {.count = 1, .corners = {{vec3_sub(a[0], b[0]), 0, 0}}};
  (void)solve_corner(&simplex);
  int iterations = 0;
  bool meet = simplex.distance <= rounding;
  while (!meet && iterations < MAX_ITERATIONS) {
    // no corner lies nearer along the direction: its plane separates the sets by the distance
    iterations++;
    const int on_a = furthest_along(a, a_count, vec3_neg(simplex.direction));
    const int on_b = furthest_along(b, b_count, simplex.direction);
    const vec3 corner = vec3_sub(a[on_a], b[on_b]);
    const double progress = simplex.distance - vec3_dot(simplex.direction, corner);
    if (progress <= rounding || simplex_has(&simplex, on_a, on_b)) break;

    Simplex grown = simplex;
    grown.corners[grown.count++] = (Corner){corner, on_a, on_b};
    const Simplex reduced = reduce_simplex(&grown, &meet);
    // where rounding hides what is left, the new corner does not help
    if (reduced.distance >= simplex.distance) break;
    simplex = reduced;
    meet |= simplex.distance <= rounding;
  }
  if (meet) simplex.distance = 0;
  return make_result(&simplex, a, b, iterations);
}
