// Distance of two segments and the barrier of it.
#include "barrier_edges.h"

#include <assert.h>

#include "barrier_law.h"

#define PARALLEL 1e-3   // of the product of squared lengths: c below it is mollified

static double into_unit(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

// Shares s and t of the edges at which they are nearest: of the lines where these places are inside
// of both, else of the best of the four ends.
static void find_nearest(BarrierSegment a, BarrierSegment b, double *s, double *t)
{
  const vec3 between = vec3_sub(a.from, b.from);
  const double aa = vec3_dot(a.along, a.along), bb = vec3_dot(b.along, b.along);
  const double ab = vec3_dot(a.along, b.along);
  const double ar = vec3_dot(a.along, between), br = vec3_dot(b.along, between);
  const vec3 p = vec3_cross(a.along, b.along);
  const double square = vec3_dot(p, p);
  if (square > 0) {
    *s = (ab * br - ar * bb) / square;
    *t = (aa * br - ab * ar) / square;
    if (*s >= 0 && *s <= 1 && *t >= 0 && *t <= 1) return;
  }
  double least = INFINITY;
  for (int end = 0; end < 4; end++) {
    // an end of a to b, then an end of b to a
    const double fixed = end % 2;
    const double u = end < 2 ? fixed : into_unit((fixed * ab - ar) / aa);
    const double v = end < 2 ? into_unit((fixed * ab + br) / bb) : fixed;
    const vec3 way = vec3_sub(vec3_axpy(u, a.along, between), vec3_scale(v, b.along));
    const double far = vec3_dot(way, way);
    if (far < least) least = far, *s = u, *t = v;
  }
}

BarrierCrossing barrier_edges_find(BarrierSegment a, BarrierSegment b, double distance)
{
  assert(distance > 0 && "edges act over a distance");
  BarrierCrossing crossing = {.gap = INFINITY};
  double s = 0, t = 0;
  find_nearest(a, b, &s, &t);
  const vec3 between = vec3_sub(a.from, b.from);
  const vec3 way = vec3_sub(vec3_axpy(s, a.along, between), vec3_scale(t, b.along));
  const double gap = vec3_norm(way);
  if (!(gap < distance)) return crossing;
  const vec3 p = vec3_cross(a.along, b.along);
  const double limit = PARALLEL * vec3_dot(a.along, a.along) * vec3_dot(b.along, b.along);
  const BarrierValue m = barrier_law_mollifier(vec3_dot(p, p), limit);
  crossing.gap = gap;
  if (!(gap > 0)) return crossing;
  const BarrierValue barrier = barrier_law_at(gap, distance);
  crossing.value = barrier.value * m.value;
  crossing.place = vec3_axpy(s, a.along, a.from);
  crossing.normal = vec3_scale(1 / gap, way);
  crossing.slope = barrier.slope * m.value;
  crossing.curvature = barrier.curvature * m.value;
  // dc = 2 p . ((turn x a) x b) = 2 turn . (a x (b x p))
  crossing.couple =
      vec3_scale(2 * m.slope * barrier.value, vec3_cross(a.along, vec3_cross(b.along, p)));
  return crossing;
}
