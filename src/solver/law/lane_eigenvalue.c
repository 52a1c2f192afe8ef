// Largest eigenvalues of four symmetric 3x3 matrices at once.
#include "lane_eigenvalue.h"

#define ROOT_STEPS 3   // of Newton, from a first guess within 5e-3: the last leaves rounding

// The root y in [sqrt 3, 2] of y^3 - 3 y = 2 r, 0 <= r <= 1, where the slope is 6 to 9.
static Lane upper_root(Lane r)
{
  const double at_zero = 1.7320508075688772, slope = 1.0 / 3, bend = at_zero + slope - 2;
  Lane y = at_zero + r * (slope - bend * r);
  for (int i = 0; i < ROOT_STEPS; i++) {
    const Lane square = y * y;
    const Lane above = 2.0 * (square * y + r);
    y = above / (3.0 * (square - 1.0));
  }
  return y;
}

static Vec3Lane longer(Vec3Lane a, Vec3Lane b)
{
  return lane3_select(lane3_dot(a, a) < lane3_dot(b, b), b, a);
}

// The largest eigenvalue of m, whose smallest is known and stands alone: that of the 2x2 matrix in
// the plane across its eigenvector, which is as exact where both of it are equal. Basis of the
// plane: Duff et al. 2017.
static Lane largest_across(const SymmetricLane *m, Lane smallest)
{
  const Vec3Lane a = {m->xx - smallest, m->xy, m->xz}, b = {m->xy, m->yy - smallest, m->yz},
                 c = {m->xz, m->yz, m->zz - smallest};
  Vec3Lane v = longer(longer(lane3_cross(a, b), lane3_cross(b, c)), lane3_cross(c, a));
  v = lane3_scale(1.0 / lane_sqrt(lane3_dot(v, v)), v);

  const Lane one = lane_all(1), minus = lane_all(-1), zero = lane_all(0);
  const Lane sign = lane_select(v.z < zero, minus, one);
  const Lane k = minus / (sign + v.z);
  const Lane kxy = k * (v.x * v.y);
  const Vec3Lane s = {one + sign * (k * (v.x * v.x)), sign * kxy, zero - sign * v.x};
  const Vec3Lane t = {kxy, sign + k * (v.y * v.y), zero - v.y};
  const Mat3Lane full = {{{m->xx, m->xy, m->xz}, {m->xy, m->yy, m->yz}, {m->xz, m->yz, m->zz}}};
  const Vec3Lane ms = lane3_mul(full.row, s), mt = lane3_mul(full.row, t);
  const Lane half = lane_all(0.5);
  const Lane ss = lane3_dot(s, ms), st = lane3_dot(s, mt), tt = lane3_dot(t, mt);
  const Lane mean = half * (ss + tt), apart = half * (ss - tt);
  return mean + lane_sqrt(apart * apart + st * st);
}

// m = q I + p B, with trace B = 0 and trace B^2 = 6: the eigenvalues of B are the roots of
// y^3 - 3 y = det B = 2 r. One of them stands alone, the largest where r >= 0 and the smallest
// where r < 0; the other two meet where |r| = 1, and there the polynomial knows half the digits of
// them.
Lane lane_largest_eigenvalue(const SymmetricLane *m)
{
  const Lane q = 1.0 / 3 * (m->xx + m->yy + m->zz);
  SymmetricLane b = {m->xx - q, m->xy, m->xz, m->yy - q, m->yz, m->zz - q};
  const Vec3Lane main = {b.xx, b.yy, b.zz}, side = {b.xy, b.xz, b.yz};
  const Lane squares = lane3_dot(main, main) + 2.0 * lane3_dot(side, side);
  const Lane zero = lane_all(0), one = lane_all(1);
  const Lane p = lane_sqrt(1.0 / 6 * squares);
  const Lane scale = lane_select(zero < p, one / p, zero);
  b = (SymmetricLane){scale * b.xx, scale * b.xy, scale * b.xz,
                      scale * b.yy, scale * b.yz, scale * b.zz};
  const Vec3Lane b1 = {b.xx, b.xy, b.xz}, b2 = {b.xy, b.yy, b.yz}, b3 = {b.xz, b.yz, b.zz};
  const Lane r = 0.5 * lane3_dot(b1, lane3_cross(b2, b3));
  const Lane size = lane_min(lane_abs(r), one);
  Lane top = upper_root(size);
  if (lane_any(r < zero)) top = lane_select(r < zero, largest_across(&b, zero - top), top);
  return q + p * top;
}
