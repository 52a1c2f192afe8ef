#include "law.h"

#define SLIP_ITERATIONS 100
#define SLIP_ROUNDING 4e-16

LocalDelassus law_diagonalize(mat3 w, mat3 *frame)
{
  const double nn = w.row[0].x, w1 = w.row[0].y, w2 = w.row[0].z;
  const double a = w.row[1].y - w1 * w1 / nn, b = w.row[1].z - w1 * w2 / nn,
               c = w.row[2].z - w2 * w2 / nn;

  // Jacobi rotation of the symmetric 2x2 matrix (a b; b c)
  double cosine = 1, sine = 0, tangent = 0;
  if (b != 0) {
    const double tau = (c - a) / (2 * b);
    tangent = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
    cosine = 1 / sqrt(1 + tangent * tangent);
    sine = tangent * cosine;
  }
  const vec3 t1 = frame->row[1], t2 = frame->row[2];
  frame->row[1] = vec3_axpy(-sine, t2, vec3_scale(cosine, t1));
  frame->row[2] = vec3_axpy(sine, t1, vec3_scale(cosine, t2));
  return (LocalDelassus){.normal = nn,
                         .w1 = cosine * w1 - sine * w2,
                         .w2 = sine * w1 + cosine * w2,
                         .s1 = a - tangent * b,
                         .s2 = c + tangent * b};
}

// tangential impulse t(a) = b / (s + a) and normal impulse n(a) on the sliding branch
typedef struct {
  double t1, t2, size, n;
} Slip;

static Slip slip_at(const LocalDelassus *d, double qn, double b1, double b2, double a)
{
  Slip s = {b1 / (d->s1 + a), b2 / (d->s2 + a), 0, 0};
  s.size = sqrt(s.t1 * s.t1 + s.t2 * s.t2);
  s.n = -(qn + d->w1 * s.t1 + d->w2 * s.t2) / d->normal;
  return s;
}

vec3 law_solve_point(const LocalDelassus *d, PointLaw law, vec3 q)
{
  const double mu = law.friction;
  if (!(q.x < 0)) return (vec3){0, 0, 0};
  if (mu == 0) return (vec3){-q.x / d->normal, 0, 0};

  // sticking: a = 0
  const double b1 = d->w1 * q.x / d->normal - q.y, b2 = d->w2 * q.x / d->normal - q.z;
  Slip s = slip_at(d, q.x, b1, b2, 0);
  if (s.size <= mu * s.n) return (vec3){s.n, s.t1, s.t2};

  // sliding: U_T = -a r_T, a > 0 with |t(a)| = mu n(a); Newton on 1/|t| - 1/(mu n), which is nearly
  // linear, in a bracket
  double low = 0, high = INFINITY, a = 0;
  for (int i = 0; i < SLIP_ITERATIONS; i++) {
    const double excess = s.size - mu * s.n;
    if (excess > 0) low = a;
    else high = a;
    if (fabs(excess) <= SLIP_ROUNDING * s.size) break;
    double next = -1;
    if (s.n > 0) {
      const double e1 = d->s1 + a, e2 = d->s2 + a;
      const double size_slope = -(s.t1 * s.t1 / e1 + s.t2 * s.t2 / e2) / s.size;
      const double n_slope = (d->w1 * s.t1 / e1 + d->w2 * s.t2 / e2) / d->normal;
      const double slope = -size_slope / (s.size * s.size) + n_slope / (mu * s.n * s.n);
      next = a - (1 / s.size - 1 / (mu * s.n)) / slope;
    }
    if (!(next > low && next < high))
      next = high < INFINITY ? 0.5 * (low + high) : 2 * low + d->s1 + d->s2;
    if (next == a || next == low || next == high) break;
    a = next;
    s = slip_at(d, q.x, b1, b2, a);
  }
  // on the cone to the last bit: the size of the tangential part follows from the normal part
  const double scale = s.n > 0 && s.size > 0 ? mu * s.n / s.size : 0;
  return (vec3){s.n > 0 ? s.n : 0, scale * s.t1, scale * s.t2};
}

vec3 law_project(PointLaw law, vec3 r)
{
  const double mu = law.friction;
  const double size = sqrt(r.y * r.y + r.z * r.z);
  // without friction 0 <= -0 would let tension through
  if (r.x >= 0 && size <= mu * r.x) return r;
  if (mu * size <= -r.x) return (vec3){0, 0, 0};
  const double n = (r.x + mu * size) / (1 + mu * mu);
  const double scale = mu * n / size;
  return (vec3){n, scale * r.y, scale * r.z};
}
