#pragma once
// The one-contact problem and the projection on Coulomb's cone for four points at once: operation
// by operation what law.c does for a contact without bond, so that the bits are the same. Local.
#include <float.h>

#include "check.h"
#include "lane.h"
#include "law.h"

typedef struct {
  Lane normal, inverse, w1, w2, s1, s2;
} DelassusLane;

static inline Vec3Lane law_lanes_apply(const DelassusLane *d, Vec3Lane r)
{
  const Lane c = (d->w1 * r.y + d->w2 * r.z) * d->inverse + r.x;
  return (Vec3Lane){d->normal * r.x + (d->w1 * r.y + d->w2 * r.z), d->w1 * c + d->s1 * r.y,
                    d->w2 * c + d->s2 * r.z};
}

typedef struct {
  Lane i1, i2, t1, t2, size, n, limit;
} SlipLane;

// Points that are asked for a slip.
typedef struct {
  const DelassusLane *d;
  Lane mu, qn, b1, b2;
} SlipTask;

static inline SlipLane law_lanes_slip(const SlipTask *task, Lane a)
{
  const DelassusLane *d = task->d;
  SlipLane s = {.i1 = 1.0 / (d->s1 + a), .i2 = 1.0 / (d->s2 + a)};
  s.t1 = task->b1 * s.i1;
  s.t2 = task->b2 * s.i2;
  s.size = lane_sqrt(s.t1 * s.t1 + s.t2 * s.t2);
  s.n = -(task->qn + (d->w1 * s.t1 + d->w2 * s.t2)) * d->inverse;
  s.limit = task->mu * s.n;
  return s;
}

static inline Lane law_lanes_newton(const DelassusLane *d, Lane mu, SlipLane s)
{
  const Lane x = s.t1 * s.i1, y = s.t2 * s.i2;
  const Lane size_slope = (s.t1 * x + s.t2 * y) / s.size;
  const Lane limit_slope = mu * ((d->w1 * x + d->w2 * y) * d->inverse);
  return (s.size - s.limit) * s.size * s.limit /
         (size_slope * (s.limit * s.limit) + limit_slope * (s.size * s.size));
}

static inline Lane law_lanes_middle(Lane low, Lane high, Lane negligible)
{
  const Lane from = lane_max(low, negligible);
  return lane_select(from < 0.25 * high, lane_sqrt(from) * lane_sqrt(high), 0.5 * (low + high));
}

// Where slides: the slip with |t| = mu n.
static inline SlipLane law_lanes_slide(const SlipTask *task, SlipLane s, LaneMask slides)
{
  const DelassusLane *d = task->d;
  const Lane mu = task->mu, b1 = task->b1, b2 = task->b2;
  const Lane zero = lane_all(0);
  const Lane b = lane_sqrt(b1 * b1 + b2 * b2), w = lane_sqrt(d->w1 * d->w1 + d->w2 * d->w2);
  Lane high = b * ((d->normal + mu * w) / (zero - mu * task->qn));
  high = lane_min(2.0 * high, lane_all(DBL_MAX));
  const Lane negligible = LAW_NEGLIGIBLE * DBL_EPSILON * lane_select(d->s1 < d->s2, d->s1, d->s2);
  Lane low = zero, a = zero;
  for (int i = 0; i < LAW_SLIP_ITERATIONS; i++) {
    const Lane excess = s.size - s.limit;
    const LaneMask pressed = s.n > zero;
    slides &= ~(pressed & (lane_abs(excess) <= LAW_SLIP_ROUNDING * s.size));
    if (!lane_any(slides)) break;
    const LaneMask raise = ~pressed | (excess > zero);
    low = lane_select(raise, a, low);
    high = lane_select(raise, high, a);
    Lane next = a + law_lanes_newton(d, mu, s);
    const LaneMask inside = pressed & (s.limit > zero) & (next > low) & (next < high);
    if (lane_any(slides & ~inside))
      next = lane_select(inside, next, law_lanes_middle(low, high, negligible));
    slides &= ~((next == a) | (next == low) | (next == high));
    if (!lane_any(slides)) break;
    const SlipLane moved = law_lanes_slip(task, next);
    a = lane_select(slides, next, a);
    s.i1 = lane_select(slides, moved.i1, s.i1);
    s.i2 = lane_select(slides, moved.i2, s.i2);
    s.t1 = lane_select(slides, moved.t1, s.t1);
    s.t2 = lane_select(slides, moved.t2, s.t2);
    s.size = lane_select(slides, moved.size, s.size);
    s.n = lane_select(slides, moved.n, s.n);
    s.limit = lane_select(slides, moved.limit, s.limit);
  }
  return s;
}

// law_solve_point of contacts without bond
static inline Vec3Lane law_lanes_solve(const DelassusLane *d, Lane mu, Vec3Lane q)
{
  assert_debug(!lane_any((mu < 0.0) | (d->normal < 0.0)) && "friction and W_NN are not below zero");
  const Lane zero = lane_all(0);
  const LaneMask meets = (q.x < zero) & (d->normal != zero);
  const Lane p = q.x * d->inverse;
  const SlipTask task = {d, mu, q.x, d->w1 * p - q.y, d->w2 * p - q.z};
  SlipLane s = law_lanes_slip(&task, zero);
  Vec3Lane r = {s.n, s.t1, s.t2};
  const LaneMask smooth = mu == zero, sticks = (s.n > zero) & (s.size <= s.limit);
  const LaneMask slides = meets & ~smooth & ~sticks;
  if (lane_any(slides)) {
    s = law_lanes_slide(&task, s, slides);
    const Lane scale = lane_select((s.limit > zero) & (s.size > zero), s.limit / s.size, zero);
    const LaneMask pressed = s.n > zero;
    const Vec3Lane limit = {lane_select(pressed, s.n, zero),
                            lane_select(pressed, scale * s.t1, zero),
                            lane_select(pressed, scale * s.t2, zero)};
    r = lane3_select(slides, limit, r);
  }
  if (lane_any(smooth)) r = lane3_select(smooth, (Vec3Lane){-q.x * d->inverse, zero, zero}, r);
  return lane3_select(meets, r, (Vec3Lane){zero, zero, zero});
}

// law_nearest of contacts without bond
static inline Vec3Lane law_lanes_nearest(Lane mu, Vec3Lane r, Vec3Lane x)
{
  assert_debug(!lane_any(mu < 0.0) && "friction is not below zero");
  const Lane zero = lane_all(0);
  const Lane n = lane_select(x.x < zero, zero, x.x);
  const Lane radius = lane_max(zero + mu * r.x, zero);
  const Lane size = lane_sqrt(x.y * x.y + x.z * x.z), scale = radius / size;
  const LaneMask inside = size <= radius;
  return (Vec3Lane){n, lane_select(inside, x.y, scale * x.y),
                    lane_select(inside, x.z, scale * x.z)};
}

static inline Lane law_lanes_rounding(Lane rho, Lane speed, Lane impulse)
{
  assert_debug(!lane_any((rho < 0.0) | (speed < 0.0) | (impulse < 0.0)) &&
               "sizes are not below zero");
  return LAW_ROUNDING * DBL_EPSILON * (rho * speed + impulse);
}

// law_project of contacts without bond
static inline Vec3Lane law_lanes_project(Lane mu, Vec3Lane r)
{
  assert_debug(!lane_any(mu < 0.0) && "friction is not below zero");
  const Lane zero = lane_all(0);
  const Lane size = lane_sqrt(r.y * r.y + r.z * r.z);
  const LaneMask inside = (r.x >= zero) & (size <= mu * r.x);
  const LaneMask opens = mu * size <= zero - r.x;
  const Lane n = (r.x + mu * size) / (1.0 + mu * mu), scale = mu * n / size;
  const Vec3Lane edge = {n, scale * r.y, scale * r.z};
  const Vec3Lane result = lane3_select(opens, (Vec3Lane){zero, zero, zero}, edge);
  return lane3_select(inside, r, result);
}
