// Distance of two convex point sets (Gilbert, Johnson, Keerthi 1988).
#include "gjk.h"

#include <assert.h>
#include <stdbool.h>

#include "check.h"
#include "clipper_lanes.h"

#define MAX_ITERATIONS 128
#define DISTANCE_ROUNDING 1e-15   // of the size of the sets: below it differences are rounding
#define ALL_CORNERS 15            // bits of a tetrahedron
#define MOST_ROWS 256             // points of a set that are turned into rows

// A set, up to MOST_ROWS points of it coordinate by coordinate, the last one repeated to full
// lanes.
typedef struct {
  const vec3 *points;
  int count, room;
  double x[MOST_ROWS], y[MOST_ROWS], z[MOST_ROWS];
} PointSet;

// A point of the difference of the sets, and the points it is the difference of.
typedef struct {
  vec3 point;
  int a, b;
} Corner;

// Up to four corners, the newest last, and the point of them that lies nearest to the origin.
typedef struct {
  int count;
  Corner corners[4];
  double weights[4];   // of the nearest point
  double distance;     // of it, m
  vec3 direction;      // unit, from the origin to it
} Simplex;

// -- sets -----------------------------------------------------------------------------------------

// The largest distance from the first point, m; middle: about the mean of the points.
static double measure_many(const PointSet *set, vec3 *middle)
{
  double largest = 0;
  vec3 sum = {0, 0, 0};
  for (int i = 0; i < set->count; i++) {
    const vec3 d = vec3_sub(set->points[i], set->points[0]);
    const double square = vec3_dot(d, d);
    largest = square > largest ? square : largest;
    sum = vec3_add(sum, d);
  }
  *middle = vec3_axpy(1.0 / set->count, sum, set->points[0]);
  return sqrt(largest);
}

static double lanes_total(Lane a)
{
  double of[LANES];
  lane_store(of, a);
  return of[0] + of[1] + (of[2] + of[3]);
}

static double measure_rows(const PointSet *set, vec3 *middle)
{
  const vec3 from = set->points[0];
  const Lane x = lane_all(from.x), y = lane_all(from.y), z = lane_all(from.z);
  Lane largest = lane_all(0), sum_x = largest, sum_y = largest, sum_z = largest;
  for (int i = 0; i < set->room; i += LANES) {
    const Lane dx = lane_load(&set->x[i]) - x;
    const Lane dy = lane_load(&set->y[i]) - y;
    const Lane dz = lane_load(&set->z[i]) - z;
    const Lane square = dx * dx + dy * dy + dz * dz;
    largest = lane_max(largest, square);
    sum_x = sum_x + dx;
    sum_y = sum_y + dy;
    sum_z = sum_z + dz;
  }
  const vec3 sum = {lanes_total(sum_x), lanes_total(sum_y), lanes_total(sum_z)};
  *middle = vec3_axpy(1.0 / set->room, sum, from);
  return sqrt(lanes_largest(largest));
}

// Fills in the rows and measures.
static double point_set_begin(PointSet *set, const vec3 *points, int count, vec3 *middle)
{
  assert_debug(count > 0 && points != NULL && "a set has points");
  set->points = points;
  set->count = count;
  set->room = count > MOST_ROWS ? 0 : (count + LANES - 1) / LANES * LANES;
  for (int i = 0; i < set->room; i++) {
    const vec3 p = points[i < count ? i : count - 1];
    set->x[i] = p.x;
    set->y[i] = p.y;
    set->z[i] = p.z;
  }
  return set->room > 0 ? measure_rows(set, middle) : measure_many(set, middle);
}

static int furthest_of_many(const PointSet *set, vec3 direction)
{
  int best = 0;
  double largest = vec3_dot(set->points[0], direction);
  for (int i = 1; i < set->count; i++) {
    const double value = vec3_dot(set->points[i], direction);
    if (value > largest) largest = value, best = i;
  }
  return best;
}

// A point furthest along a direction; lanes change no bit of the heights.
static inline int furthest_along(const PointSet *set, vec3 direction)
{
  if (set->room == 0) return furthest_of_many(set, direction);
  const Lane x = lane_all(direction.x), y = lane_all(direction.y), z = lane_all(direction.z);
  const double first_lanes[LANES] = {0, 1, 2, 3};
  const Lane stride = lane_all(LANES);
  Lane index = lane_load(first_lanes), top = lane_all(-INFINITY), best = index;
  for (int i = 0; i < set->room; i += LANES) {
    const Lane of_x = lane_load(&set->x[i]) * x;
    const Lane of_y = lane_load(&set->y[i]) * y;
    const Lane of_z = lane_load(&set->z[i]) * z;
    const Lane height = of_x + of_y + of_z;
    best = lane_select(top < height, index, best);
    top = lane_max(top, height);
    index = index + stride;
  }
  double indices[LANES];
  lane_store(indices, best);
  const unsigned found = lanes_not_less(top, lane_all(lanes_largest(top)));
  const int at = (int)indices[found == 0 ? 0 : __builtin_ctz(found)];
  return at < set->count ? at : set->count - 1;
}

// -- nearest point of a simplex -------------------------------------------------------------------

// Of all faces that have the newest corner, as the nearest one does, that with the nearest point.
typedef struct {
  int bits;            // of its corners
  double square;       // of the distance, m2
  double weights[4];   // of a tetrahedron
} NearestFace;

// What the faces of a simplex share. Corners: p the newest, q the others.
typedef struct {
  int others;
  vec3 p, q[3];
  vec3 arm[3];        // q - p
  vec3 moment[3];     // p x q
  vec3 normal[3];     // arm x arm of the triangle without q[i]
  double square[3];   // of the normal
} Faces;

// Near contact the nearest point is a small difference of large numbers. Distances and directions
// come from cross products of the corners instead, so that the next corner is the right one. A face
// without extent, or beside whose inside the nearest point of its plane lies, drops out.
static inline void try_edges(Faces *f, NearestFace *best)
{
  for (int i = 0; i < f->others; i++) {
    f->arm[i] = vec3_sub(f->q[i], f->p);
    f->moment[i] = vec3_cross(f->p, f->q[i]);
    const bool inside = (vec3_dot(f->p, f->arm[i]) < 0) & (vec3_dot(f->q[i], f->arm[i]) > 0);
    const double square = vec3_dot(f->moment[i], f->moment[i]) / vec3_dot(f->arm[i], f->arm[i]);
    const bool nearer = inside & (square < best->square);
    best->bits = nearer ? 1 << f->others | 1 << i : best->bits;
    best->square = nearer ? square : best->square;
  }
}

static inline void try_triangle(Faces *f, int without, NearestFace *best)
{
  const int i = without == 0 ? 1 : 0, j = without == 2 ? 1 : 2;
  const vec3 normal = vec3_cross(f->arm[i], f->arm[j]);
  const double square_of_normal = vec3_dot(normal, normal), height = vec3_dot(normal, f->p);
  // shares of the areas of the triangles that the foot of the perpendicular makes with the sides
  const bool inside = (vec3_dot(normal, vec3_cross(f->q[i], f->q[j])) > 0) &
                      (vec3_dot(normal, f->moment[j]) < 0) & (vec3_dot(normal, f->moment[i]) > 0);
  const double square = height * height / square_of_normal;
  const bool nearer = inside & (square < best->square);
  best->bits = nearer ? 1 << f->others | 1 << i | 1 << j : best->bits;
  best->square = nearer ? square : best->square;
  f->normal[without] = normal;
}

// True when the origin lies in the tetrahedron of four corners, as far as heights tell that may be
// rounding; fills in weights.
static inline bool tetrahedron_holds(const Faces *f, double weights[4])
{
  const vec3 base = vec3_cross(vec3_sub(f->q[1], f->q[0]), vec3_sub(f->q[2], f->q[0]));
  double height[4], origin_height[4];
  for (int i = 0; i < 3; i++) {
    origin_height[i] = -vec3_dot(f->normal[i], f->p);
    height[i] = vec3_dot(f->normal[i], f->arm[i]);
  }
  origin_height[3] = -vec3_dot(base, f->q[0]);
  height[3] = -vec3_dot(base, f->arm[0]);
  for (int i = 0; i < 4; i++) {
    if (height[i] == 0 || origin_height[i] * height[i] < 0) return false;
  }
  // with shares of one they make a point of the tetrahedron, however wrong they are
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    weights[i] = origin_height[i] / height[i];
    sum += weights[i];
  }
  if (!(sum > 0 && sum < INFINITY)) return false;
  for (int i = 0; i < 4; i++) weights[i] /= sum;
  return true;
}

// The face with the nearest point, by trying all that have the newest corner: a degenerate one only
// drops out. A tetrahedron whose point is nearer than those of its faces holds the origin; a flat
// one that only seems to has a nearer face.
static inline void find_nearest(const Simplex *s, int others, NearestFace *best)
{
  Faces f;
  f.others = others;
  f.p = s->corners[others].point;
  for (int i = 0; i < others; i++) f.q[i] = s->corners[i].point;
  best->bits = 1 << others;
  best->square = vec3_dot(f.p, f.p);
  for (int i = 0; i < 4; i++) best->weights[i] = 0;
  try_edges(&f, best);
  if (others == 2) try_triangle(&f, 2, best);
  if (others < 3) return;
  for (int i = 0; i < 3; i++) try_triangle(&f, i, best);
  double weights[4];
  if (!tetrahedron_holds(&f, weights)) return;
  vec3 sum = vec3_scale(weights[3], f.p);
  for (int i = 0; i < 3; i++) sum = vec3_axpy(weights[i], f.q[i], sum);
  const double square = vec3_dot(sum, sum);   // rounding, more of it where the solid is flat
  if (!(square < best->square)) return;
  best->bits = ALL_CORNERS;
  best->square = square;
  for (int i = 0; i < 4; i++) best->weights[i] = weights[i];
}

static void nearest_face(const Simplex *s, NearestFace *best)
{
  // (numbers that the compiler knows)
  switch (s->count) {
  case 2: find_nearest(s, 1, best); return;
  case 3: find_nearest(s, 2, best); return;
  default: find_nearest(s, 3, best);
  }
}

// Weights, distance and direction of the nearest point of one corner, an edge or a triangle.
static void solve_corner(Simplex *s)
{
  const vec3 p = s->corners[0].point;
  s->weights[0] = 1;
  s->distance = vec3_norm(p);
  s->direction = s->distance > 0 ? vec3_scale(1 / s->distance, p) : p;
}

static void solve_edge(Simplex *s)
{
  const vec3 p = s->corners[0].point, q = s->corners[1].point, u = vec3_sub(q, p);
  const double square = vec3_dot(u, u);
  s->weights[0] = vec3_dot(q, u) / square;
  s->weights[1] = -vec3_dot(p, u) / square;
  const vec3 moment = vec3_cross(p, q);
  const vec3 across = vec3_cross(u, moment);
  const double norm = vec3_norm(across);
  s->distance = vec3_norm(moment) / sqrt(square);
  s->direction = norm > 0 ? vec3_scale(1 / norm, across) : across;
}

static void solve_triangle(Simplex *s)
{
  const vec3 p = s->corners[0].point, q = s->corners[1].point, r = s->corners[2].point;
  const vec3 normal = vec3_cross(vec3_sub(q, p), vec3_sub(r, p));
  const double square = vec3_dot(normal, normal);
  s->weights[0] = vec3_dot(normal, vec3_cross(q, r)) / square;
  s->weights[1] = vec3_dot(normal, vec3_cross(r, p)) / square;
  s->weights[2] = vec3_dot(normal, vec3_cross(p, q)) / square;
  const double norm = sqrt(square), height = vec3_dot(normal, p) / norm;
  s->distance = fabs(height);
  s->direction = vec3_scale((height < 0 ? -1 : 1) / norm, normal);
}

// The simplex becomes that face of it.
static void keep_face(Simplex *s, const NearestFace *face)
{
  int kept = 0;
  for (int i = 0; i < s->count; i++) {
    if (face->bits >> i & 1) s->corners[kept++] = s->corners[i];
  }
  s->count = kept;
  switch (kept) {
  case 1: solve_corner(s); return;
  case 2: solve_edge(s); return;
  case 3: solve_triangle(s); return;
  default:
    for (int i = 0; i < 4; i++) s->weights[i] = face->weights[i];
    s->distance = sqrt(face->square);
  }
}

// -- iteration ------------------------------------------------------------------------------------

static bool simplex_has(const Simplex *s, int a, int b)
{
  assert_debug(a >= 0 && b >= 0 && "vertices have numbers");
  for (int i = 0; i < s->count; i++) {
    if (s->corners[i].a == a && s->corners[i].b == b) return true;
  }
  return false;
}

static GjkResult make_result(const Simplex *s, const vec3 *a, const vec3 *b, int iterations)
{
  assert_debug(iterations >= 0 && "iterations are counted");
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
  PointSet set_a, set_b;
  vec3 middle_a, middle_b;
  const double size_a = point_set_begin(&set_a, a, a_count, &middle_a);
  const double size_b = point_set_begin(&set_b, b, b_count, &middle_b);
  const double rounding = DISTANCE_ROUNDING * (size_a + size_b);

  // the corner towards each other's middle is near the nearest one
  const vec3 between = vec3_sub(middle_a, middle_b);
  Simplex simplex;
  simplex.count = 1;
  Corner *first = &simplex.corners[0];
  first->a = furthest_along(&set_a, vec3_neg(between));
  first->b = furthest_along(&set_b, between);
  first->point = vec3_sub(a[first->a], b[first->b]);
  solve_corner(&simplex);
  int iterations = 0;
  bool meet = simplex.distance <= rounding;
  while (!meet && iterations < MAX_ITERATIONS) {
    // no corner lies nearer along the direction: its plane separates the sets by the distance
    iterations++;
    const int on_a = furthest_along(&set_a, vec3_neg(simplex.direction));
    const int on_b = furthest_along(&set_b, simplex.direction);
    const vec3 corner = vec3_sub(a[on_a], b[on_b]);
    const double progress = simplex.distance - vec3_dot(simplex.direction, corner);
    if (progress <= rounding || simplex_has(&simplex, on_a, on_b)) break;

    simplex.corners[simplex.count++] = (Corner){corner, on_a, on_b};
    NearestFace face;
    nearest_face(&simplex, &face);
    // where rounding hides what is left, the new corner does not help
    if (!(face.square < simplex.distance * simplex.distance)) {
      simplex.count--;
      break;
    }
    keep_face(&simplex, &face);
    meet = face.bits == ALL_CORNERS || simplex.distance <= rounding;
  }
  if (meet) simplex.distance = 0;
  return make_result(&simplex, a, b, iterations);
}
