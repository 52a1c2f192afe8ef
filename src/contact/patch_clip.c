#include "patch_clip.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "contacts.h"

#define NEARLY_PARALLEL 1e-3   // sine: segments nearer to parallel overlap instead of crossing

// A side of the window as a line: distance of a place from it, positive outside.
typedef struct {
  double u, v, du, dv;
} Side;

static Side window_side(const Figure *window, int k)
{
  const PlaneCorner *from = &window->corners[k],
                    *to = &window->corners[k + 1 == window->count ? 0 : k + 1];
  const double du = to->u - from->u, dv = to->v - from->v;
  const double length = sqrt(du * du + dv * dv);
  const double scale = length > 0 ? 1.0 / length : 0;   // a side without length cuts nothing
  return (Side){from->u, from->v, scale * du, scale * dv};
}

static double side_distance(Side side, double u, double v)
{
  return (u - side.u) * side.dv - (v - side.v) * side.du;
}

static ClipPoint point_between(ClipPoint from, ClipPoint to, double t)
{
  const double s = t < 0 ? 0 : t > 1 ? 1 : t;
  return (ClipPoint){.u = from.u + s * (to.u - from.u),
                     .v = from.v + s * (to.v - from.v),
                     .z = from.z + s * (to.z - from.z)};
}

// The point where the side that leaves a corner crosses side k of the window.
static ClipPoint corner_on_side(const ClipCorner *from, const ClipCorner *to, double t,
                                const Figure *subject, const Figure *window, int k)
{
  ClipPoint p = point_between(from->at, to->at, t);
  const int next = k + 1 == window->count ? 0 : k + 1, before = k == 0 ? window->count - 1 : k - 1;
  if (from->window < 0) {
    p.subject = from->edge;
    p.window = window->corners[k].edge;
  } else {
    // two sides of the window: their common corner lies inside the subject
    p.subject = subject->feature;
    p.window = from->window == before ? window->corners[k].vertex
               : from->window == next ? window->corners[next].vertex
                                      : window->corners[k].edge;
  }
  return p;
}

int clip_polygon(const Figure *subject, const Figure *window, double tolerance, ClipCorner *work,
                 ClipPoint *out)
{
  const int room = subject->count + window->count;
  ClipCorner *now = work, *next = work + room;
  int count = subject->count;
  for (int i = 0; i < count; i++) {
    const PlaneCorner *c = &subject->corners[i];
    now[i] = (ClipCorner){{c->u, c->v, c->z, c->vertex, window->feature}, c->edge, -1};
  }
  for (int k = 0; k < window->count && count > 0; k++) {
    const Side side = window_side(window, k);
    int kept = 0;
    double here = side_distance(side, now[0].at.u, now[0].at.v);
    const double first = here;
    for (int i = 0; i < count; i++) {
      const int j = i + 1 == count ? 0 : i + 1;
      const double there = j == 0 ? first : side_distance(side, now[j].at.u, now[j].at.v);
      const int out_here = here > tolerance, out_there = there > tolerance;
      if (!out_here && kept < room) next[kept++] = now[i];
      if (out_here != out_there && kept < room) {
        const double t = here / (here - there);
        next[kept].at = corner_on_side(&now[i], &now[j], t, subject, window, k);
        // leaving the window, the boundary goes on along its side; entering, along the subject's
        next[kept].edge = out_there ? 0 : now[i].edge;
        next[kept].window = out_there ? k : now[i].window;
        kept++;
      }
      here = there;
    }
    ClipCorner *swap = now;
    now = next;
    next = swap;
    count = kept;
  }
  for (int i = 0; i < count; i++) out[i] = now[i].at;
  return count;
}

// A segment that passes beside a corner, outside of a side that does not cut it, crosses the line
// of the next side beyond that corner: it ends where it is nearest to the corner. t: at the line.
static double cut_parameter(const ClipPoint *segment, double t, const Figure *window, int k)
{
  const ClipPoint at = point_between(segment[0], segment[1], t);
  const PlaneCorner *from = &window->corners[k];
  const PlaneCorner *to = &window->corners[k + 1 == window->count ? 0 : k + 1];
  const double du = to->u - from->u, dv = to->v - from->v;
  const double along = (at.u - from->u) * du + (at.v - from->v) * dv;
  if (along >= 0 && along <= du * du + dv * dv) return t;
  const PlaneCorner *corner = along < 0 ? from : to;
  const double su = segment[1].u - segment[0].u, sv = segment[1].v - segment[0].v;
  return ((corner->u - segment[0].u) * su + (corner->v - segment[0].v) * sv) / (su * su + sv * sv);
}

ThinClip clip_thin(const Figure *subject, const Figure *window, double tolerance, double slack)
{
  assert(subject->count <= 2 && "points and segments only");
  ThinClip result = {.count = subject->count};
  ClipPoint *out = result.points;
  for (int i = 0; i < subject->count; i++) {
    const PlaneCorner *c = &subject->corners[i];
    out[i] = (ClipPoint){c->u, c->v, c->z, c->vertex, window->feature};
  }
  for (int k = 0; k < window->count && result.count > 0; k++) {
    const Side side = window_side(window, k);
    const double first = side_distance(side, out[0].u, out[0].v);
    const double second = result.count == 2 ? side_distance(side, out[1].u, out[1].v) : first;
    const double least = first < second ? first : second, most = first < second ? second : first;
    // inside, or beside by no more than the slack
    if (most <= tolerance) continue;
    if (most <= slack && (least > tolerance || (result.count == 2 && most - least <= tolerance))) {
      result.beside = true;
      continue;
    }
    if (least > tolerance) {
      result.count = 0;
    } else {
      // a segment with one end outside
      const double t = cut_parameter(out, first / (first - second), window, k);
      ClipPoint cut = point_between(out[0], out[1], t);
      cut.subject = subject->feature;
      cut.window = window->corners[k].edge;
      out[first > second ? 0 : 1] = cut;
    }
  }
  return result;
}

static void place_on(const Figure *segment, double t, double place[3])
{
  const PlaneCorner *from = &segment->corners[0], *to = &segment->corners[1];
  place[0] = from->u + t * (to->u - from->u);
  place[1] = from->v + t * (to->v - from->v);
  place[2] = from->z + t * (to->z - from->z);
}

void nearest_on(const Figure *figure, double u, double v, double place[3])
{
  const PlaneCorner *from = &figure->corners[0];
  if (figure->count == 1) {
    place[0] = from->u;
    place[1] = from->v;
    place[2] = from->z;
    return;
  }
  const double du = figure->corners[1].u - from->u, dv = figure->corners[1].v - from->v;
  const double square = du * du + dv * dv;
  double t = square > 0 ? ((u - from->u) * du + (v - from->v) * dv) / square : 0.5;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  place_on(figure, t, place);
}

static Crossing crossing_at(const Figure *p, double t, const Figure *q)
{
  Crossing c = {.p_feature = p->feature, .q_feature = q->feature};
  double place[3];
  place_on(p, t, place);
  c.u = place[0];
  c.v = place[1];
  nearest_on(p, c.u, c.v, c.p);
  nearest_on(q, c.u, c.v, c.q);
  return c;
}

static double clamped(double t) { return t < 0 ? 0 : t > 1 ? 1 : t; }

static double plane_distance(const double x[3], const double y[3])
{
  const double du = x[0] - y[0], dv = x[1] - y[1];
  return sqrt(du * du + dv * dv);
}

// Segments whose lines cross beyond their ends, at t on p and s on q, meet half way between the
// nearest places of both, one of which is an end, and not out there.
static Crossing near_miss(const Figure *p, double t, const Figure *q, double s)
{
  Crossing c = {.p_feature = p->feature, .q_feature = q->feature};
  double end_p[3], end_q[3], on_p[3], on_q[3];
  place_on(p, clamped(t), end_p);
  place_on(q, clamped(s), end_q);
  nearest_on(q, end_p[0], end_p[1], on_q);
  nearest_on(p, end_q[0], end_q[1], on_p);
  const bool from_p = plane_distance(end_p, on_q) <= plane_distance(on_p, end_q);
  for (int k = 0; k < 3; k++) {
    c.p[k] = from_p ? end_p[k] : on_p[k];
    c.q[k] = from_p ? on_q[k] : end_q[k];
  }
  c.u = 0.5 * (c.p[0] + c.q[0]);
  c.v = 0.5 * (c.p[1] + c.q[1]);
  return c;
}

// The common stretch of two nearly parallel segments: parameters on p, with the corner that ends it
// there.
static int common_stretch(const Figure *p, const Figure *q, double t0, double t1, double length,
                          double tolerance, Crossing out[2])
{
  const int forward = t0 < t1;
  const double q_low = forward ? t0 : t1, q_high = forward ? t1 : t0;
  const double low = q_low > 0 ? q_low : 0, high = q_high < 1 ? q_high : 1;
  if (high < low - tolerance / length) return 0;
  if ((high - low) * length <= tolerance) {
    out[0] = crossing_at(p, 0.5 * (low + high), q);
    return 1;
  }
  out[0] = crossing_at(p, low, q);
  out[1] = crossing_at(p, high, q);
  if (q_low > 0) {
    out[0].q_feature = q->corners[forward ? 0 : 1].vertex;
  } else {
    out[0].p_feature = p->corners[0].vertex;
  }
  if (q_high < 1) {
    out[1].q_feature = q->corners[forward ? 1 : 0].vertex;
  } else {
    out[1].p_feature = p->corners[1].vertex;
  }
  return 2;
}

int cross_segments(const Figure *p, const Figure *q, double tolerance, Crossing out[2])
{
  const PlaneCorner *p0 = &p->corners[0], *p1 = &p->corners[1], *q0 = &q->corners[0],
                    *q1 = &q->corners[1];
  const double ru = p1->u - p0->u, rv = p1->v - p0->v, su = q1->u - q0->u, sv = q1->v - q0->v;
  const double lr = sqrt(ru * ru + rv * rv), ls = sqrt(su * su + sv * sv);
  if (!(lr > 0) || !(ls > 0)) return 0;
  const double wu = q0->u - p0->u, wv = q0->v - p0->v;
  const double cross = ru * sv - rv * su;
  if (fabs(cross) > NEARLY_PARALLEL * lr * ls) {
    const double t = (wu * sv - wv * su) / cross, s = (wu * rv - wv * ru) / cross;
    if (t < -tolerance / lr || t > 1 + tolerance / lr || s < -tolerance / ls ||
        s > 1 + tolerance / ls)
      return 0;
    out[0] = t < 0 || t > 1 || s < 0 || s > 1 ? near_miss(p, t, q, s) : crossing_at(p, t, q);
    return 1;
  }
  const double from = (wu * rv - wv * ru) / lr, to = ((wu + su) * rv - (wv + sv) * ru) / lr;
  if (fabs(from) > tolerance && fabs(to) > tolerance) return 0;
  const double t0 = (wu * ru + wv * rv) / (lr * lr),
               t1 = ((wu + su) * ru + (wv + sv) * rv) / (lr * lr);
  return common_stretch(p, q, t0, t1, lr, tolerance, out);
}

double clip_area(const ClipPoint *points, int count)
{
  double twice = 0;
  for (int i = 1; i + 1 < count; i++) {
    const double du = points[i].u - points[0].u, dv = points[i].v - points[0].v;
    const double eu = points[i + 1].u - points[0].u, ev = points[i + 1].v - points[0].v;
    twice += du * ev - dv * eu;
  }
  return 0.5 * twice;
}
