// Mean lengths of fields over a footprint in closed form, and the slip that friction leaves.
#include "footprint.h"

#include "check.h"
#include "trig.h"

// Of the reach: where a field turns about a place farther than this, it is nearly parallel.
#define FAR_TURN 300
#define ON_EDGE 1e-14   // of an edge: a place nearer to its line sees it under no angle
// The arm of a paraboloid over the root of its mean square, (8/15) sqrt(3): N^2 = s^2 + arm^2 t^2.
#define ROUND_ARM 0.92376043070340121

JointFootprint footprint_round(double radius2)
{
  assert_debug(radius2 >= 0 && "a square");
  return (JointFootprint){.radius2 = radius2};
}

JointFootprint footprint_of_edges(JointFootprint given)
{
  assert_debug(given.edge_count >= 0 && "edges are counted");
  double volume = 0, square = 0;
  for (int i = 0; i < given.edge_count; i++) {
    const FootprintEdge *e = &given.edges[i];
    // the triangle with the centroid
    const double twice = e->from[0] * e->to[1] - e->from[1] * e->to[0];
    const double x = (e->from[0] + e->to[0]) / 3, y = (e->from[1] + e->to[1]) / 3;
    volume += 0.5 * twice * (e->height + e->slope[0] * x + e->slope[1] * y);
    square = larger_of(square, e->from[0] * e->from[0] + e->from[1] * e->from[1]);
  }
  if (!(volume > 0) || !(square > 0)) return footprint_round(given.radius2);
  given.volume = volume;
  given.reach = sqrt(square);
  return given;
}

// -- mean lengths ---------------------------------------------------------------------------------

// Integrals over the footprint about the place that a field turns about, by the distance r and the
// direction e of the columns l from there.
typedef struct {
  double length;    // r l
  double way[2];    // e l
  double bend[3];   // e e' l / r: xx, xy, yy
} TurnSums;

// Those of the triangle of the place and an edge: with u along the edge's line and its distance h,
// d(angle) = h du/r^2, and powers of r integrate in closed form.
static void add_edge(const FootprintEdge *edge, const double about[2], TurnSums *sums)
{
  const double a[2] = {edge->from[0] - about[0], edge->from[1] - about[1]};
  const double b[2] = {edge->to[0] - about[0], edge->to[1] - about[1]};
  const double d[2] = {b[0] - a[0], b[1] - a[1]}, length = sqrt(d[0] * d[0] + d[1] * d[1]);
  if (!(length > 0)) return;
  const double t[2] = {d[0] / length, d[1] / length}, n[2] = {t[1], -t[0]};
  const double h = a[0] * n[0] + a[1] * n[1];
  if (!(h * h > ON_EDGE * ON_EDGE * length * length)) return;
  const double u = a[0] * t[0] + a[1] * t[1], v = b[0] * t[0] + b[1] * t[1];
  const double p = sqrt(u * u + h * h), q = sqrt(v * v + h * h);
  const double ratio = u >= 0   ? (v + q) / (u + p)
                       : v <= 0 ? (p - u) / (q - v)
                                : (v + q) * ((p - u) / (h * h));
  const double log = trig_log(ratio);

  // columns are level + across h + along u
  const double level = edge->height + edge->slope[0] * about[0] + edge->slope[1] * about[1];
  const double across = (edge->slope[0] * n[0] + edge->slope[1] * n[1]) * h;
  const double along = edge->slope[0] * t[0] + edge->slope[1] * t[1];

  // integrals of r, r u; 1/r, u/r, u^2/r; h^2/r^3, u/r^3, u^2/r^3, u^3/r^3 by u
  const double r0 = 0.5 * (v * q - u * p + h * h * log), r1 = (q * q * q - p * p * p) / 3;
  const double k0 = log, k1 = q - p, k2 = 0.5 * (v * q - u * p - h * h * log);
  const double turn = v / q - u / p, m1 = 1 / p - 1 / q, m2 = log - turn, m3 = k1 - h * h * m1;
  sums->length += h * ((level / 3 + across / 4) * r0 + along / 4 * r1);
  const double f = level / 2 + across / 3, g = along / 3;
  const double wn = h * h * (f * k0 + g * k1), wt = h * (f * k1 + g * k2);
  const double e = level + across / 2, c = along / 2;
  const double nn = h * (e * turn + c * h * h * m1), nt = h * h * (e * m1 + c * m2),
               tt = h * (e * m2 + c * m3);
  for (int i = 0; i < 2; i++) sums->way[i] += wn * n[i] + wt * t[i];
  sums->bend[0] += nn * n[0] * n[0] + 2 * nt * n[0] * t[0] + tt * t[0] * t[0];
  sums->bend[1] += nn * n[0] * n[1] + nt * (n[0] * t[1] + n[1] * t[0]) + tt * t[0] * t[1];
  sums->bend[2] += nn * n[1] * n[1] + 2 * nt * n[1] * t[1] + tt * t[1] * t[1];
}

static FootprintMean mean_of_turn(const JointFootprint *footprint, const FootprintField *field)
{
  const double t = field->t, sign = t < 0 ? -1 : 1, volume = footprint->volume;
  const double about[2] = {-field->s[1] / t, field->s[0] / t};
  TurnSums sums = {0};
  for (int i = 0; i < footprint->edge_count; i++) add_edge(&footprint->edges[i], about, &sums);
  FootprintMean m = {.mean = sign * t * sums.length / volume};
  m.slope[0] = -sign * sums.way[1] / volume;
  m.slope[1] = sign * sums.way[0] / volume;
  m.slope[2] = sign * (sums.length + sums.way[0] * about[0] + sums.way[1] * about[1]) / volume;

  // of second derivatives by s alone the others follow, since N grows in proportion to its field
  const double per = sign / (t * volume);
  m.bend[0][0] = per * sums.bend[0];
  m.bend[0][1] = m.bend[1][0] = per * sums.bend[1];
  m.bend[1][1] = per * sums.bend[2];
  for (int i = 0; i < 2; i++)
    m.bend[i][2] = m.bend[2][i] = -(m.bend[i][0] * field->s[0] + m.bend[i][1] * field->s[1]) / t;
  m.bend[2][2] = -(m.bend[2][0] * field->s[0] + m.bend[2][1] * field->s[1]) / t;
  return m;
}

// Of a field that hardly turns, to the second power of the turn: s + t^2 (mean of x^2 along s)/2 s.
static FootprintMean mean_of_slide(const JointFootprint *footprint, const FootprintField *field)
{
  const double *e = footprint->square, *s = field->s, t = field->t;
  const double s2 = s[0] * s[0] + s[1] * s[1], length = sqrt(s2);
  const double es[2] = {e[0] * s[0] + e[1] * s[1], e[1] * s[0] + e[2] * s[1]};
  const double along = (s[0] * es[0] + s[1] * es[1]) / s2;
  FootprintMean m = {.mean = length + 0.5 * t * t * along / length};
  for (int i = 0; i < 2; i++) {
    m.slope[i] = (s[i] + 0.5 * t * t * (2 * es[i] - 3 * along * s[i]) / s2) / length;
    for (int k = 0; k < 2; k++) m.bend[i][k] = ((i == k) - s[i] * s[k] / s2) / length;
  }
  m.slope[2] = t * along / length;
  m.bend[2][2] = along / length;
  return m;
}

static FootprintMean mean_of_round(const JointFootprint *footprint, const FootprintField *field)
{
  const double arm = ROUND_ARM * sqrt(footprint->radius2), a2 = arm * arm;
  const double y[3] = {field->s[0], field->s[1], field->t}, weight[3] = {1, 1, a2};
  double square = 0;
  for (int i = 0; i < 3; i++) square += weight[i] * y[i] * y[i];
  FootprintMean m = {.mean = sqrt(square)};
  if (!(square > 0)) return m;
  for (int i = 0; i < 3; i++) {
    m.slope[i] = weight[i] * y[i] / m.mean;
    for (int k = 0; k < 3; k++)
      m.bend[i][k] = ((i == k) * weight[i] - weight[i] * y[i] * weight[k] * y[k] / square) / m.mean;
  }
  return m;
}

FootprintMean footprint_mean(const JointFootprint *footprint, const FootprintField *field)
{
  assert_debug(footprint->radius2 >= 0 && "a footprint has a size");
  if (footprint->edge_count == 0) return mean_of_round(footprint, field);
  const double turn = FAR_TURN * footprint->reach * field->t;
  const double s2 = field->s[0] * field->s[0] + field->s[1] * field->s[1];
  return s2 > turn * turn ? mean_of_slide(footprint, field) : mean_of_turn(footprint, field);
}

// -- slip -----------------------------------------------------------------------------------------

#define SEARCHES 12     // steps to a direction that slips
#define NEWTONS 40      // steps to the slip
#define SHORTENED 30    // times a step is halved
#define ENOUGH 1e-12    // of the limit: what is left of the forces' balance
#define NOTHING 1e-12   // of the field: a slip that is none
#define LEVEL 1e-7      // of the limit: the slope where it no longer gets better

// A slip in the coordinates s and radius t, in which the square to be made least is plain.
typedef struct {
  const JointFootprint *footprint;
  double radius, limit;
  double wanted[3];
} SlipSearch;

static double dot3(const double *p, const double *q)
{
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

static FootprintMean mean_at(const SlipSearch *search, const double y[3])
{
  const double per = 1 / search->radius;
  const FootprintField field = {{y[0], y[1]}, y[2] * per};
  FootprintMean m = footprint_mean(search->footprint, &field);
  m.slope[2] *= per;
  for (int i = 0; i < 3; i++) {
    m.bend[i][2] *= per;
    m.bend[2][i] *= per;
  }
  return m;
}

// A direction along which it slips, scaled to the best slip along it: false where it holds.
// limit N(y) - wanted . y grows in proportion to y, so its sign on a sphere decides.
static bool find_direction(const SlipSearch *search, double y[3])
{
  double size = sqrt(dot3(search->wanted, search->wanted));
  for (int i = 0; i < 3; i++) y[i] = search->wanted[i] / size;
  for (int n = 0; n < SEARCHES; n++) {
    const FootprintMean m = mean_at(search, y);
    const double gain = dot3(search->wanted, y) - search->limit * m.mean;
    if (gain > NOTHING * size) {
      for (int i = 0; i < 3; i++) y[i] *= gain;
      return true;
    }
    // uphill on the sphere
    double up[3], rest = 0;
    for (int i = 0; i < 3; i++) {
      up[i] = search->wanted[i] - search->limit * m.slope[i] - gain * y[i];
      rest = larger_of(rest, fabs(up[i]));
    }
    if (rest < LEVEL * search->limit) return false;
    for (int i = 0; i < 3; i++) y[i] += up[i] / search->limit;
    const double length = sqrt(dot3(y, y));
    for (int i = 0; i < 3; i++) y[i] /= length;
  }
  return false;
}

// A field that holds for sure: N >= (mean r^2)/(largest r) about any place, so that on the sphere
// it is at least this share.
static bool holds(const SlipSearch *search)
{
  const JointFootprint *f = search->footprint;
  const double reach = f->edge_count > 0 ? f->reach : 0;
  const double least = f->edge_count > 0 ? 1 / sqrt(1 + reach * reach / f->radius2) : ROUND_ARM;
  const double bears = least * search->limit;
  return dot3(search->wanted, search->wanted) <= bears * bears;
}

static double objective(const SlipSearch *search, const double y[3], double mean)
{
  double square = 0;
  for (int i = 0; i < 3; i++) square += (search->wanted[i] - y[i]) * (search->wanted[i] - y[i]);
  return search->limit * mean + 0.5 * square;
}

// (1 + limit H) x = b, whose matrix is at least 1: by Cholesky without roots.
static void solve_step(const SlipSearch *search, const FootprintMean *m, double b[3])
{
  double a[3][3];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) a[i][k] = (i == k) + search->limit * m->bend[i][k];
  for (int i = 0; i < 3; i++) {
    for (int k = i + 1; k < 3; k++) {
      const double share = a[k][i] / a[i][i];
      for (int j = i; j < 3; j++) a[k][j] -= share * a[i][j];
      b[k] -= share * b[i];
    }
  }
  for (int i = 2; i >= 0; i--) {
    for (int k = i + 1; k < 3; k++) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
}

// What is left of the forces' balance, and its largest number.
static double balance(const SlipSearch *search, const double y[3], const FootprintMean *m,
                      double left[3])
{
  double most = 0;
  for (int i = 0; i < 3; i++) {
    left[i] = search->wanted[i] - y[i] - search->limit * m->slope[i];
    most = larger_of(most, fabs(left[i]));
  }
  return most;
}

// Newton's steps from a slip that is less than the whole, each shortened until it helps: it lowers
// the sum that is to be least, or the balance where that sum has no more digits.
static void refine(const SlipSearch *search, double y[3])
{
  FootprintMean m = mean_at(search, y);
  double step[3], value = objective(search, y, m.mean), most = balance(search, y, &m, step);
  for (int n = 0; n < NEWTONS && most > ENOUGH * search->limit; n++) {
    solve_step(search, &m, step);
    bool better = false;
    for (int k = 0; k < SHORTENED && !better; k++) {
      double next[3], left[3];
      for (int i = 0; i < 3; i++) next[i] = y[i] + step[i];
      const FootprintMean there = mean_at(search, next);
      const double less = objective(search, next, there.mean);
      const double rest = balance(search, next, &there, left);
      better = less < value || (k == 0 && rest < 0.5 * most);
      for (int i = 0; i < 3; i++) {
        if (better) y[i] = next[i];
        step[i] = better ? left[i] : 0.5 * step[i];
      }
      if (!better) continue;
      m = there;
      value = less;
      most = rest;
    }
    if (!better) return;
  }
}

FootprintField footprint_slip(const JointFootprint *footprint, const FootprintField *field,
                              double limit)
{
  assert_debug(limit >= 0 && "friction bears something or nothing");
  const double radius = sqrt(footprint->radius2);
  const FootprintField none = {{0, 0}, 0};
  if (!(radius > 0)) {
    // (no arm: the force alone is limited)
    const double size = sqrt(field->s[0] * field->s[0] + field->s[1] * field->s[1]);
    const double share = size > limit ? 1 - limit / size : 0;
    return (FootprintField){{share * field->s[0], share * field->s[1]}, share > 0 ? field->t : 0};
  }
  const SlipSearch search = {
      footprint, radius, limit, {field->s[0], field->s[1], radius * field->t}};
  if (holds(&search)) return none;
  if (!(limit > 0)) return *field;
  double y[3];
  if (!find_direction(&search, y)) return none;
  refine(&search, y);
  return (FootprintField){{y[0], y[1]}, y[2] / radius};
}
