// Finds the axis of largest separation of two ellipsoids by Newton's method on the unit sphere.
#include <assert.h>

#include "ellipsoid.h"

#define MOST_STEPS 40
#define MOST_HALVINGS 40
#define FEW_STARTS 16   // of the repeated search, where both ellipsoids have at most that aspect
#define FEW_ASPECT 12
#define MOST_STARTS (FEW_STARTS + 2 * 27)
#define LEAST_SINE 1e-6    // of two axes that have a direction across them
#define LARGEST_STEP 0.5   // of the tangent of an angle, where the separation is not convex
#define NEAR_END 1e-6      // of the size: a step from a smaller slope is judged by the slope
#define ROUNDED 4e-15      // of the size: slopes below are zero
#define SMALL 1e-11        // of the size: slopes below that do not fall any more are zero

// What is known along one direction.
typedef struct {
  vec3 n, qa, qb;        // S n of both, m2
  double ha, hb;         // reaches, m
  double separation;     // m
  vec3 slope;            // its gradient across n, m
  double slope_square;   // m2
} Probe;

typedef struct {
  const Ellipsoid *a, *b;
  vec3 d;        // centre of a from that of b, m
  double size;   // m
  double far;    // m
  int steps;
} Search;

static inline Probe probe(const Search *search, vec3 n)
{
  Probe p = {
      .n = n, .qa = ellipsoid_square_mul(search->a, n), .qb = ellipsoid_square_mul(search->b, n)};
  p.ha = sqrt(vec3_dot(n, p.qa));
  p.hb = sqrt(vec3_dot(n, p.qb));
  // the difference of places has the separation along n and the slope across it
  const double ra = 1 / p.ha, rb = 1 / p.hb;
  const vec3 between = {search->d.x - p.qa.x * ra - p.qb.x * rb,
                        search->d.y - p.qa.y * ra - p.qb.y * rb,
                        search->d.z - p.qa.z * ra - p.qb.z * rb};
  p.separation = vec3_dot(n, between);
  p.slope = vec3_axpy(-p.separation, n, between);
  p.slope_square = vec3_dot(p.slope, p.slope);
  return p;
}

// The step from n across it, of Newton where the separation is concave there.
static inline vec3 newton_step(const Search *search, const Probe *p)
{
  vec3 t, u;
  ellipsoid_tangents(p->n, &t, &u);
  const double ra = 1 / p->ha, rb = 1 / p->hb;
  const sym3 *a = &search->a->square, *b = &search->b->square;
  const sym3 k = {a->xx * ra + b->xx * rb, a->xy * ra + b->xy * rb, a->xz * ra + b->xz * rb,
                  a->yy * ra + b->yy * rb, a->yz * ra + b->yz * rb, a->zz * ra + b->zz * rb};
  const vec3 kt = {k.xx * t.x + k.xy * t.y + k.xz * t.z, k.xy * t.x + k.yy * t.y + k.yz * t.z,
                   k.xz * t.x + k.yz * t.y + k.zz * t.z};
  const vec3 ku = {k.xx * u.x + k.xy * u.y + k.xz * u.z, k.xy * u.x + k.yy * u.y + k.yz * u.z,
                   k.xz * u.x + k.yz * u.y + k.zz * u.z};
  const double ra3 = ra * ra * ra, rb3 = rb * rb * rb;
  const double at = vec3_dot(t, p->qa), au = vec3_dot(u, p->qa);
  const double bt = vec3_dot(t, p->qb), bu = vec3_dot(u, p->qb);
  const double tt = vec3_dot(t, kt) - at * at * ra3 - bt * bt * rb3;
  const double tu = vec3_dot(t, ku) - at * au * ra3 - bt * bu * rb3;
  const double uu = vec3_dot(u, ku) - au * au * ra3 - bu * bu * rb3;
  const double gt = vec3_dot(t, p->slope), gu = vec3_dot(u, p->slope);
  double s = p->separation, det = (tt + s) * (uu + s) - tu * tu;
  if (s < 0 && !(tt + uu + 2 * s > 0 && det > 1e-3 * tt * uu)) {
    s = 0;
    det = tt * uu - tu * tu;
  }
  if (!(det > 0)) return p->slope;
  double x = ((uu + s) * gt - tu * gu) / det, y = ((tt + s) * gu - tu * gt) / det;
  return vec3_axpy(x, t, vec3_scale(y, u));
}

static inline vec3 unit_of(vec3 v) { return vec3_scale(1 / vec3_norm(v), v); }

// Climbs from a direction. Returns whether it came to a maximum.
static bool climb(Search *search, vec3 start, Probe *best)
{
  const double rounded = ROUNDED * search->size, small = SMALL * search->size,
               near = NEAR_END * search->size;
  *best = probe(search, start);
  for (int i = 0; i < MOST_STEPS; i++) {
    if (best->separation > search->far) return true;
    if (best->slope_square <= rounded * rounded) return true;
    vec3 step = newton_step(search, best);
    search->steps++;
    const double square = vec3_dot(step, step);
    if (square > LARGEST_STEP * LARGEST_STEP) step = vec3_scale(LARGEST_STEP / sqrt(square), step);
    const bool ending = best->slope_square < near * near;
    Probe next = probe(search, unit_of(vec3_add(best->n, step)));
    for (int half = 0; half < MOST_HALVINGS; half++) {
      if (next.separation > best->separation || (ending && next.slope_square < best->slope_square))
        break;
      // by rounding alone it falls no more
      if (best->slope_square <= small * small) return true;
      step = vec3_scale(0.5, step);
      next = probe(search, unit_of(vec3_add(best->n, step)));
    }
    if (!(next.separation > best->separation || (ending && next.slope_square < best->slope_square)))
      return false;
    if (best->slope_square <= small * small && next.slope_square >= 0.25 * best->slope_square)
      return true;
    *best = next;
  }
  return best->slope_square <= small * small;
}

// (S_a + S_b)^-1 d, by the adjugate and up to its length.
static vec3 first_direction(const Search *search)
{
  const sym3 *a = &search->a->square, *b = &search->b->square;
  const double xx = a->xx + b->xx, xy = a->xy + b->xy, xz = a->xz + b->xz, yy = a->yy + b->yy,
               yz = a->yz + b->yz, zz = a->zz + b->zz;
  const vec3 d = search->d;
  const double axx = yy * zz - yz * yz, axy = xz * yz - xy * zz, axz = xy * yz - xz * yy,
               ayy = xx * zz - xz * xz, ayz = xy * xz - xx * yz, azz = xx * yy - xy * xy;
  return (vec3){axx * d.x + axy * d.y + axz * d.z, axy * d.x + ayy * d.y + ayz * d.z,
                axz * d.x + ayz * d.y + azz * d.z};
}

static vec3 column(mat3 m, int k)
{
  return (vec3){(&m.row[0].x)[k], (&m.row[1].x)[k], (&m.row[2].x)[k]};
}

// A start of the search that is repeated: across pairs of axes, along axes, along the centres; then
// normals all over the surfaces, where these are stretched.
static vec3 other_direction(const Search *search, int number)
{
  const mat3 *a = &search->a->rotation, *b = &search->b->rotation;
  if (number < 9) return vec3_cross(column(*a, number / 3), column(*b, number % 3));
  if (number < 15) return number < 12 ? column(*a, number - 9) : column(*b, number - 12);
  if (number == 15) return vec3_scale(1 / search->size, search->d);
  const Ellipsoid *e = number % 2 ? search->a : search->b;
  const int grid = (number - FEW_STARTS) / 2;
  const vec3 r = vec3_scale(1 / search->size, e->radii);
  return mat3_mul(e->rotation,
                  (vec3){(grid % 3 - 1) / r.x, (grid / 3 % 3 - 1) / r.y, (grid / 9 - 1) / r.z});
}

// Deeper than the surfaces curve there may be several maxima.
static bool climb_again(Search *search, int starts, bool settled, Probe *best)
{
  for (int k = 0; k < starts; k++) {
    vec3 n = other_direction(search, k);
    if (!(vec3_dot(n, n) > LEAST_SINE * LEAST_SINE)) continue;
    n = unit_of(n);
    if (vec3_dot(n, search->d) < 0) n = vec3_neg(n);
    Probe other;
    const bool done = climb(search, n, &other) || climb(search, other.n, &other);
    const bool better = other.separation > best->separation + ROUNDED * search->size;
    if (!better && (settled || !done)) continue;
    // of two that are as good the settled one
    if (!better && other.separation < best->separation - ROUNDED * search->size) continue;
    *best = other;
    settled = done;
  }
  return settled;
}

EllipsoidAxis ellipsoid_axis_find(const Ellipsoid *a, const Ellipsoid *b, vec3 from_b, double far)
{
  assert(a->radii.x > 0 && b->radii.x > 0 && "ellipsoids have radii");
  const double size_a = larger_of(a->radii.x, larger_of(a->radii.y, a->radii.z)),
               size_b = larger_of(b->radii.x, larger_of(b->radii.y, b->radii.z));
  Search search = {.a = a, .b = b, .d = from_b, .far = far, .size = size_a + size_b};
  vec3 start = first_direction(&search);
  if (!(vec3_dot(start, start) > 0)) start = column(a->rotation, 2);
  Probe best;
  bool settled = climb(&search, unit_of(start), &best);
  const bool apart = best.separation > far;
  // less deep than both curve, the sum of the two without that depth is still convex, and the
  // maximum is the only one
  const double curved_a = ellipsoid_least_curvature_radius(a),
               curved_b = ellipsoid_least_curvature_radius(b);
  const bool stretched =
      curved_a * FEW_ASPECT * FEW_ASPECT < size_a || curved_b * FEW_ASPECT * FEW_ASPECT < size_b;
  if (!apart && (!settled || best.separation < -(curved_a + curved_b)))
    settled = climb_again(&search, stretched ? MOST_STARTS : FEW_STARTS, settled, &best);
  return (EllipsoidAxis){.normal = best.n,
                         .separation = best.separation,
                         .arm_a = vec3_scale(-1 / best.ha, best.qa),
                         .arm_b = vec3_scale(1 / best.hb, best.qb),
                         .reach_a = best.ha,
                         .reach_b = best.hb,
                         .steps = search.steps,
                         .settled = settled,
                         .apart = apart};
}
