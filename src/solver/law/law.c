// Solves the law of one contact point: Signorini, restitution, Coulomb's cone, limits of bonds and
// joints.
#include "law.h"

#include <float.h>
#include <stdbool.h>

#include "check.h"

// w no larger than W_NN and a diagonal entry of W_TT allow where W is positive semidefinite
static double bounded(double w, double nn, double tt)
{
  const double most = sqrt(nn) * sqrt(tt > 0 ? tt : 0);
  return w > most ? most : w < -most ? -most : w;
}

// What a normal impulse does, and how the tangents share in it.
typedef struct {
  double nn, inverse;   // W_NN and 1 / W_NN; 0: no impulse changes the normal velocity
  double w1, w2;        // W_TN
  double g1, g2;        // W_TN / W_NN
} NormalPart;

static NormalPart normal_part(const sym3 *w)
{
  const double inverse = 1 / w->xx;
  const bool responds = w->xx > 0 && inverse < INFINITY;
  const double nn = responds ? w->xx : 0;
  const double w1 = bounded(w->xy, nn, w->yy), w2 = bounded(w->xz, nn, w->zz);
  return (NormalPart){nn, responds ? inverse : 0, w1,
                      w2, responds ? w1 / nn : 0, responds ? w2 / nn : 0};
}

// a singular S is known to rounding only; at that level it counts as definite
static double least_s(const sym3 *w, double nn)
{
  return DBL_EPSILON * (w->yy + w->zz) + DBL_EPSILON * DBL_EPSILON * nn;
}

LocalDelassus law_turned(const sym3 *w)
{
  assert_debug(!(w->xx < 0) && !(w->yy < 0) && !(w->zz < 0) && "a matrix is positive semidefinite");
  const NormalPart n = normal_part(w);
  const double floor = least_s(w, n.nn);
  return (LocalDelassus){.normal = n.nn,
                         .inverse = n.inverse,
                         .w1 = n.w1,
                         .w2 = n.w2,
                         .s1 = fmax(w->yy - n.w1 * n.g1, floor),
                         .s2 = fmax(w->zz - n.w2 * n.g2, floor)};
}

// Jacobi's rotation of the symmetric matrix (a b; b c), and its eigenvalues
typedef struct {
  double cosine, sine, s1, s2;
} Rotation;

static Rotation rotation_of(double a, double b, double c)
{
  if (b == 0) return (Rotation){1, 0, a, c};
  const double tau = (c - a) / (2 * b);
  const double tangent = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
  const double cosine = 1 / sqrt(1 + tangent * tangent);
  return (Rotation){cosine, tangent * cosine, a - tangent * b, c + tangent * b};
}

LocalDelassus law_diagonalize(mat3 m, mat3 *basis)
{
  assert_debug(basis != NULL && "a basis is turned");
  const sym3 w = {m.row[0].x, m.row[0].y, m.row[0].z, m.row[1].y, m.row[1].z, m.row[2].z};
  const NormalPart n = normal_part(&w);
  const Rotation turn = rotation_of(w.yy - n.w1 * n.g1, w.yz - n.w1 * n.g2, w.zz - n.w2 * n.g2);
  const vec3 t1 = basis->row[1], t2 = basis->row[2];
  basis->row[1] = vec3_axpy(-turn.sine, t2, vec3_scale(turn.cosine, t1));
  basis->row[2] = vec3_axpy(turn.sine, t1, vec3_scale(turn.cosine, t2));
  const double floor = least_s(&w, n.nn);
  return (LocalDelassus){.normal = n.nn,
                         .inverse = n.inverse,
                         .w1 = turn.cosine * n.w1 - turn.sine * n.w2,
                         .w2 = turn.sine * n.w1 + turn.cosine * n.w2,
                         .s1 = fmax(turn.s1, floor),
                         .s2 = fmax(turn.s2, floor)};
}

// A family of impulses by the multiplier a >= 0 with U_T = -a r_T, tension taken out. Closed: U_N =
// 0, t(a) = (S + a)^-1 b, n(a) = -(q_N + w.t)/W_NN. Open: the same with W_TT for S and n = 0.
typedef struct {
  const LocalDelassus *d;   // open: no normal, S is W_TT in its own basis
  double mu, radius;        // |r_T| <= radius + mu r_N
  double qn, b1, b2;
  bool open;
} Branch;

typedef struct {
  double a, i1, i2;   // multiplier, 1 / (s + a)
  double t1, t2, size, n, limit;
} Slip;

static Slip slip_at(const Branch *k, double a)
{
  assert_debug(!(a < 0) && "a multiplier is not below zero");
  const LocalDelassus *d = k->d;
  Slip s = {.a = a, .i1 = 1 / (d->s1 + a), .i2 = 1 / (d->s2 + a)};
  s.t1 = k->b1 * s.i1;
  s.t2 = k->b2 * s.i2;
  s.size = sqrt(s.t1 * s.t1 + s.t2 * s.t2);
  s.n = -(k->qn + (d->w1 * s.t1 + d->w2 * s.t2)) * d->inverse;
  s.limit = k->mu * s.n + k->radius;
  return s;
}

// step of Newton for 1/|t| = 1/limit, which is nearly linear in a
static double newton_step(const Branch *k, Slip s)
{
  const LocalDelassus *d = k->d;
  const double x = s.t1 * s.i1, y = s.t2 * s.i2;
  const double size_slope = (s.t1 * x + s.t2 * y) / s.size;   // of -|t|
  const double limit_slope = k->mu * ((d->w1 * x + d->w2 * y) * d->inverse);
  return (s.size - s.limit) * s.size * s.limit /
         (size_slope * (s.limit * s.limit) + limit_slope * (s.size * s.size));
}

// half way by exponents, then by digits: multipliers may have any magnitude
static double middle(double low, double high, double negligible)
{
  assert_debug(!(low > high) && "a multiplier lies between two others");
  const double from = low > negligible ? low : negligible;
  if (!(from < 0.25 * high)) return 0.5 * (low + high);
  return sqrt(from) * sqrt(high);
}

// The slip with |t| = limit, where a_open says on which side a multiplier without pressure (n <= 0)
// lies: below it tangential impulses there are larger than the radius, above it smaller.
static Slip slide(const Branch *k, Slip s, double high, double a_open)
{
  assert_debug(!(high < 0) && !(a_open < 0) && "multipliers are not below zero");
  const double negligible =
      LAW_NEGLIGIBLE * DBL_EPSILON * (k->d->s1 < k->d->s2 ? k->d->s1 : k->d->s2);
  double low = 0, a = 0;
  for (int i = 0; i < LAW_SLIP_ITERATIONS; i++) {
    const double excess = s.size - s.limit;
    const bool pressed = k->open || s.n > 0;
    if (pressed && fabs(excess) <= LAW_SLIP_ROUNDING * s.size) break;
    if (pressed ? excess > 0 : a < a_open) low = a;
    else high = a;
    double next = -1;
    if (pressed && s.limit > 0) next = a + newton_step(k, s);
    if (!(next > low && next < high)) next = middle(low, high, negligible);
    if (next == a || next == low || next == high) break;
    a = next;
    s = slip_at(k, a);
  }
  return s;
}

// on the limit to the last bit: the size of the tangential part follows from the normal part
static vec3 on_limit(Slip s)
{
  const double scale = s.limit > 0 && s.size > 0 ? s.limit / s.size : 0;
  return (vec3){s.n, scale * s.t1, scale * s.t2};
}

// tangential impulse within the radius for n = 0; *a: its multiplier
static vec3 solve_open(const LocalDelassus *d, double radius, vec3 q, double *a)
{
  assert_debug(!(radius < 0) && "a disc has a radius");
  *a = 0;
  const double size = sqrt(q.y * q.y + q.z * q.z);
  if (size == 0 || radius == 0) return (vec3){0, 0, 0};
  if (d->s1 == 0 && radius == INFINITY) return (vec3){0, 0, 0};   // nothing moves it
  if (d->s1 == 0) return (vec3){0, -radius / size * q.y, -radius / size * q.z};   // W is zero

  // from the sum S + w w'/W_NN, whose own cancellation would not be small where W is singular
  const double g1 = d->w1 * d->inverse, g2 = d->w2 * d->inverse;
  const Rotation turn = rotation_of(d->s1 + g1 * d->w1, g1 * d->w2, d->s2 + g2 * d->w2);
  const double floor = DBL_EPSILON * (turn.s1 + turn.s2);
  const LocalDelassus tangents = {.s1 = fmax(turn.s1, floor), .s2 = fmax(turn.s2, floor)};
  const Branch open = {.d = &tangents,
                       .radius = radius,
                       .b1 = -(turn.cosine * q.y - turn.sine * q.z),
                       .b2 = -(turn.sine * q.y + turn.cosine * q.z),
                       .open = true};
  Slip s = slip_at(&open, 0);
  if (s.size > radius) {
    s = slide(&open, s, size / radius, INFINITY);
    *a = s.a;
  }
  const vec3 t = s.size > radius ? on_limit(s) : (vec3){0, s.t1, s.t2};
  return (vec3){0, turn.cosine * t.y + turn.sine * t.z, turn.cosine * t.z - turn.sine * t.y};
}

// 0 <= U_N perp r_N >= 0, |r_T| <= radius + mu r_N
static vec3 solve_shifted(const LocalDelassus *d, double mu, double radius, vec3 q)
{
  assert_debug(!(mu < 0) && !(radius < 0) && "friction and radius are not below zero");
  // open: with a radius, shear may close it
  double a_open = INFINITY;
  vec3 open = {0, 0, 0};
  if (radius > 0) {
    open = solve_open(d, radius, q, &a_open);
    if (!(q.x + (d->w1 * open.y + d->w2 * open.z) < 0) || d->normal == 0) return open;
  } else if (!(q.x < 0) || d->normal == 0) {
    return open;
  }
  if (mu == 0 && radius == 0) return (vec3){-q.x * d->inverse, 0, 0};

  // sticking: a = 0
  const double p = q.x * d->inverse;
  const Branch closed = {
      .d = d, .mu = mu, .radius = radius, .qn = q.x, .b1 = d->w1 * p - q.y, .b2 = d->w2 * p - q.z};
  const Slip s = slip_at(&closed, 0);
  if (s.n > 0 && s.size <= s.limit) return (vec3){s.n, s.t1, s.t2};

  // sliding: there is one below this multiplier
  const double b = sqrt(closed.b1 * closed.b1 + closed.b2 * closed.b2);
  double high = INFINITY;
  if (q.x < 0) {
    const double w = sqrt(d->w1 * d->w1 + d->w2 * d->w2);
    high = b * ((d->normal + mu * w) / (radius * d->normal - mu * q.x));
  }
  if (radius > 0) high = fmin(high, fmax(a_open, b / radius));
  const Slip slip = slide(&closed, s, fmin(2 * high, DBL_MAX), a_open);
  return slip.n > 0 ? on_limit(slip) : open;
}

// Least r.W r/2 + q.r within a cylinder. Without limits along the normal, r_N follows the tangents:
// these have S in the place of W. Where that r_N is beyond an end, the least is at that end, since
// the least over the tangents is a convex function of r_N.
static vec3 solve_cylinder(const LocalDelassus *d, PointLaw law, vec3 q)
{
  assert_debug(law.friction == 0 && "a cylinder has no friction");
  double n;
  if (d->normal > 0) {
    const double p = q.x * d->inverse;
    const Branch free = {.d = d,
                         .radius = law.shear,
                         .qn = q.x,
                         .b1 = d->w1 * p - q.y,
                         .b2 = d->w2 * p - q.z,
                         .open = true};
    vec3 r = {0 - p, 0, 0};
    if (law.shear > 0) {
      Slip s = slip_at(&free, 0);
      const bool slides = s.size > s.limit;
      const double b = sqrt(free.b1 * free.b1 + free.b2 * free.b2);
      if (slides) s = slide(&free, s, fmin(2 * (b / law.shear), DBL_MAX), INFINITY);
      r = slides ? on_limit(s) : (vec3){s.n, s.t1, s.t2};
    }
    if (r.x >= -law.tension && r.x <= law.push) return r;
    n = r.x < 0 ? 0 - law.tension : law.push;
  } else {
    n = q.x > 0 ? 0 - law.tension : q.x < 0 ? law.push : 0;
    if (fabs(n) == INFINITY) n = 0;   // nothing moves it
  }
  double a;
  vec3 r = solve_open(d, law.shear, vec3_add(q, law_apply(d, (vec3){n, 0, 0})), &a);
  r.x = n;
  return r;
}

vec3 law_project_on_cylinder(PointLaw law, vec3 r)
{
  assert_debug(law.friction == 0 && !(law.tension < 0) && !(law.push < 0) && !(law.shear < 0) &&
               "limits are not below zero");
  const double n = r.x < -law.tension ? 0 - law.tension : r.x > law.push ? law.push : r.x;
  const double size = sqrt(r.y * r.y + r.z * r.z);
  if (size <= law.shear) return (vec3){n, r.y, r.z};
  const double scale = law.shear / size;
  return (vec3){n, scale * r.y, scale * r.z};
}

// Tangential impulses times k = sqrt(metric_T / metric_N) make the metric that of the normal alone,
// and a cone one with k times the friction and shear.
vec3 law_project_elastic(PointLaw law, double weight, vec3 z)
{
  assert_debug(!(law.give[0] < 0) && !(law.give[1] < 0) && "springs are not below zero");
  const vec3 target = law_target(law, weight, z);
  if (law_is_cylinder(law)) return law_project_on_cylinder(law, target);
  const double size = sqrt(target.y * target.y + target.z * target.z);
  const double x = target.x + law.tension;
  const double radius = fmax(law.shear - law.friction * law.tension, 0);
  if (x >= 0 && size <= radius + law.friction * x) return target;
  const double k = sqrt((1 + law.give[1] * weight) / (1 + law.give[0] * weight));
  const PointLaw scaled = {k * law.friction, law.tension, k * law.shear, INFINITY, {0, 0}};
  const vec3 r = law_project(scaled, (vec3){target.x, k * target.y, k * target.z});
  return (vec3){r.x, r.y / k, r.z / k};
}

vec3 law_solve_point(const LocalDelassus *d, PointLaw law, vec3 q)
{
  assert_debug(!(law.friction < 0) && !(law.tension < 0) && !(law.shear < 0) &&
               "limits are not below zero");
  assert_debug(!(d->normal < 0) && "a matrix is positive semidefinite");
  if (law_is_cylinder(law)) return solve_cylinder(d, law, q);
  if (law.tension == 0 && law.shear == 0) return solve_shifted(d, law.friction, 0, q);
  const vec3 pulled = law_apply(d, (vec3){-law.tension, 0, 0});
  const double radius = law.shear - law.friction * law.tension;
  vec3 r = solve_shifted(d, law.friction, radius > 0 ? radius : 0, vec3_add(q, pulled));
  r.x -= law.tension;
  return r;
}
