// Clips convex figures of one plane by each other, and keeps what made each corner.
#include "patch_clip.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "check.h"
#include "contacts.h"

#define NEARLY_PARALLEL 1e-3   // sine: segments nearer to parallel overlap instead of crossing
#define ALONG 0.5              // cosine: a segment runs along a side that it makes less angle with

// A side of the window as a line: distance of a place from it, positive outside.
typedef struct {
  double u, v, du, dv;
} Side;

static Side window_side(const Figure *window, int k)
{
  assert_debug(k >= 0 && k < window->count && "a side has a number");
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
  assert_debug(k >= 0 && k < window->count && "a side has a number");
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

int patch_clip_polygon(const Figure *subject, const Figure *window, double tolerance,
                       ClipCorner *work, ClipPoint *out)
{
  assert_debug(subject->count >= 3 && window->count >= 3 && "a polygon has three corners");
  assert_debug(work != NULL && out != NULL && "corners have room");
  const int room = subject->count + window->count;
  ClipCorner *now = work, *next = work + room;
  int count = subject->count;
  for (int i = 0; i < count; i++) {
    const PlaneCorner *c = &subject->corners[i];
    now[i] = (ClipCorner){{c->u, c->v, c->z, c->vertex, window->feature}, c->edge, -1};
  }
  for (int k = 0; k < window->count && count > 0; k++) {
    const Side side = window_side(window, k);
    // most sides cut nothing
    double most = -INFINITY;
    for (int i = 0; i < count; i++) {
      const double there = side_distance(side, now[i].at.u, now[i].at.v);
      most = there > most ? there : most;
    }
    if (!(most > tolerance)) continue;

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

static void place_on(const Figure *segment, double t, double place[3])
{
  assert_debug(segment->count == 2 && "a segment has two ends");
  const PlaneCorner *from = &segment->corners[0], *to = &segment->corners[1];
  place[0] = from->u + t * (to->u - from->u);
  place[1] = from->v + t * (to->v - from->v);
  place[2] = from->z + t * (to->z - from->z);
}

void patch_clip_nearest(const Figure *figure, double u, double v, double place[3])
{
  assert_debug(figure->count >= 1 && figure->count <= 2 && "points and segments only");
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
  patch_clip_nearest(p, c.u, c.v, c.p);
  patch_clip_nearest(q, c.u, c.v, c.q);
  return c;
}

static double clamped(double t) { return t < 0 ? 0 : t > 1 ? 1 : t; }

static double plane_distance(const double x[3], const double y[3])
{
  const double du = x[0] - y[0], dv = x[1] - y[1];
  return sqrt(du * du + dv * dv);
}

// A point keeps its place beside sides that it is outside of by at most the slack.
static ThinClip clip_point(const PlaneCorner *c, const Figure *window, double tolerance,
                           double slack)
{
  ThinClip result = {.count = 1, .points = {{c->u, c->v, c->z, c->vertex, window->feature}}};
  for (int k = 0; k < window->count; k++) {
    const double outside = side_distance(window_side(window, k), c->u, c->v);
    if (outside <= tolerance) continue;
    if (outside > slack) return (ThinClip){.count = 0};
    result.beside = true;
  }
  return result;
}

// A segment at work: parameters of its ends and which feature of the window made them, NO_WINDOW
// being its own end.
#define NO_WINDOW UINT32_MAX
typedef struct {
  double low, high;
  uint32_t low_window, high_window;
} Stretch;

static void stretch_add(Stretch *stretch, double t, uint32_t window)
{
  if (t <= 0 || t >= 1) window = NO_WINDOW;
  t = clamped(t);
  if (t < stretch->low) {
    stretch->low = t;
    stretch->low_window = window;
  }
  if (t > stretch->high) {
    stretch->high = t;
    stretch->high_window = window;
  }
}

// Parameter of the place on a segment's line that is nearest to (u, v).
static double nearest_parameter(const Figure *segment, double u, double v)
{
  assert_debug(segment->count == 2 && "a segment has two ends");
  const PlaneCorner *from = &segment->corners[0], *to = &segment->corners[1];
  const double du = to->u - from->u, dv = to->v - from->v, square = du * du + dv * dv;
  return square > 0 ? ((u - from->u) * du + (v - from->v) * dv) / square : 0.5;
}

// Is the place t of a segment within the slack of another one?
static bool place_is_beside(const Figure *segment, double t, const Figure *side, double slack)
{
  double place[3], on_side[3];
  place_on(segment, t, place);
  patch_clip_nearest(side, place[0], place[1], on_side);
  return plane_distance(place, on_side) <= slack;
}

// What of a segment that misses the window runs along its sides, or past its corners, within the
// slack.
static Stretch stretch_beside(const Figure *subject, const Figure *window, double slack)
{
  assert_debug(subject->count == 2 && "a segment has two ends");
  Stretch beside = {INFINITY, -INFINITY, NO_WINDOW, NO_WINDOW};
  const PlaneCorner *p0 = &subject->corners[0], *p1 = &subject->corners[1];
  const double su = p1->u - p0->u, sv = p1->v - p0->v, ls = sqrt(su * su + sv * sv);
  for (int k = 0; k < window->count; k++) {
    PlaneCorner ends[2] = {window->corners[k], window->corners[k + 1 == window->count ? 0 : k + 1]};
    const Figure side = {2, ends, ends[0].edge};
    const double du = ends[1].u - ends[0].u, dv = ends[1].v - ends[0].v;
    const double from = nearest_parameter(subject, ends[0].u, ends[0].v);
    const double to = nearest_parameter(subject, ends[1].u, ends[1].v);
    const bool along = fabs(du * su + dv * sv) >= ALONG * sqrt(du * du + dv * dv) * ls;
    if ((along && place_is_beside(subject, clamped(from), &side, slack) &&
         place_is_beside(subject, clamped(to), &side, slack)) ||
        (place_is_beside(subject, 0, &side, slack) && place_is_beside(subject, 1, &side, slack))) {
      stretch_add(&beside, from, ends[0].edge);
      stretch_add(&beside, to, ends[0].edge);
    } else if (from > 0 && from < 1) {
      const Figure corner = {1, ends, ends[0].vertex};
      if (place_is_beside(subject, from, &corner, slack)) {
        stretch_add(&beside, from, ends[0].vertex);
      }
    }
  }
  return beside;
}

// The sides cut the segment itself, whatever their order.
static ThinClip clip_segment(const Figure *subject, const Figure *window, double tolerance,
                             double slack)
{
  assert_debug(subject->count == 2 && "a segment has two ends");
  const PlaneCorner *p0 = &subject->corners[0], *p1 = &subject->corners[1];
  Stretch held = {0, 1, NO_WINDOW, NO_WINDOW};
  bool missed = false;
  for (int k = 0; k < window->count; k++) {
    const Side side = window_side(window, k);
    const double first = side_distance(side, p0->u, p0->v);
    const double second = side_distance(side, p1->u, p1->v);
    const double least = first < second ? first : second, most = first < second ? second : first;
    if (most <= tolerance) continue;
    if (least > tolerance || (most <= slack && most - least <= tolerance)) {
      missed = true;
      continue;
    }
    const double t = clamped(first / (first - second));
    if (first > second && t > held.low) {
      held.low = t;
      held.low_window = window->corners[k].edge;
    } else if (first < second && t < held.high) {
      held.high = t;
      held.high_window = window->corners[k].edge;
    }
  }
  missed = missed || held.low > held.high;
  if (missed) held = stretch_beside(subject, window, slack);
  if (!(held.low <= held.high)) return (ThinClip){.count = 0};
  ThinClip result = {.count = 2, .beside = missed};
  const ClipPoint ends[2] = {{p0->u, p0->v, p0->z, p0->vertex, window->feature},
                             {p1->u, p1->v, p1->z, p1->vertex, window->feature}};
  const double at[2] = {held.low, held.high};
  const uint32_t by[2] = {held.low_window, held.high_window};
  for (int i = 0; i < 2; i++) {
    // (both places may be the same end of the segment)
    result.points[i] = point_between(ends[0], ends[1], at[i]);
    result.points[i].subject = at[i] <= 0 ? p0->vertex : at[i] >= 1 ? p1->vertex : subject->feature;
    result.points[i].window = by[i] == NO_WINDOW ? window->feature : by[i];
  }
  return result;
}

ThinClip patch_clip_thin(const Figure *subject, const Figure *window, double tolerance,
                         double slack)
{
  assert(subject->count >= 1 && subject->count <= 2 && "points and segments only");
  return subject->count == 1 ? clip_point(&subject->corners[0], window, tolerance, slack)
                             : clip_segment(subject, window, tolerance, slack);
}

// Segments whose lines cross beyond their ends, at t on p and s on q, meet half way between the
// nearest places of both, one of which is an end, and not out there.
static Crossing near_miss(const Figure *p, double t, const Figure *q, double s)
{
  Crossing c = {.p_feature = p->feature, .q_feature = q->feature};
  double end_p[3], end_q[3], on_p[3], on_q[3];
  place_on(p, clamped(t), end_p);
  place_on(q, clamped(s), end_q);
  patch_clip_nearest(q, end_p[0], end_p[1], on_q);
  patch_clip_nearest(p, end_q[0], end_q[1], on_p);
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

int patch_clip_cross(const Figure *p, const Figure *q, double tolerance, Crossing out[2])
{
  assert_debug(p->count == 2 && q->count == 2 && "two segments cross");
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
  const double t0 = (wu * ru + wv * rv) / (lr * lr),
               t1 = ((wu + su) * ru + (wv + sv) * rv) / (lr * lr);
  // how far apart, to either side, where the common stretch begins and ends: whichever is longer,
  // its own ends may be far away
  const double aside = (wu * rv - wv * ru) / lr, slope = (su * rv - sv * ru) / lr / (t1 - t0);
  const double from = aside + (clamped(t0) - t0) * slope, to = aside + (clamped(t1) - t0) * slope;
  if ((from > tolerance && to > tolerance) || (from < -tolerance && to < -tolerance)) return 0;
  return common_stretch(p, q, t0, t1, lr, tolerance, out);
}

double patch_clip_area(const ClipPoint *points, int count)
{
  assert_debug(count >= 0 && "corners are counted");
  double twice = 0;
  for (int i = 1; i + 1 < count; i++) {
    const double du = points[i].u - points[0].u, dv = points[i].v - points[0].v;
    const double eu = points[i + 1].u - points[0].u, ev = points[i + 1].v - points[0].v;
    twice += du * ev - dv * eu;
  }
  return 0.5 * twice;
}
