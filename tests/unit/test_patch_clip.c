// Segments and points cut by polygons: what is left lies in the polygon, or beside it by no more
// than the slack, and is all that does.
#include "harness.h"
#include "patch_clip.h"
#include "random_numbers.h"

#define CORNERS 7
#define TOLERANCE 1e-10

typedef struct {
  PlaneCorner corners[CORNERS];
  Figure figure;
} Polygon;

// Corners on an ellipse, counter-clockwise.
static void polygon_make(Polygon *polygon, Random *random)
{
  const int count = 3 + random_below(random, CORNERS - 2);
  const double flat = random_between(random, 0.1, 1);
  double angle = 0;
  for (int i = 0; i < count; i++) {
    angle += random_between(random, 0.5, 1) * 2 * acos(-1) / count;
    polygon->corners[i] = (PlaneCorner){.u = cos(angle), .v = flat * sin(angle)};
  }
  polygon->figure = (Figure){.count = count, .corners = polygon->corners};
}

// How far a place is outside of a polygon; negative inside.
static double distance_outside(const Figure *polygon, double u, double v)
{
  double least = INFINITY, deepest = -INFINITY;
  for (int k = 0; k < polygon->count; k++) {
    const PlaneCorner *a = &polygon->corners[k], *b = &polygon->corners[(k + 1) % polygon->count];
    const double du = b->u - a->u, dv = b->v - a->v, length = sqrt(du * du + dv * dv);
    double t = ((u - a->u) * du + (v - a->v) * dv) / (length * length);
    t = fmin(fmax(t, 0), 1);
    least = fmin(least, hypot(u - a->u - t * du, v - a->v - t * dv));
    deepest = fmax(deepest, ((u - a->u) * dv - (v - a->v) * du) / length);
  }
  return deepest < 0 ? -least : least;
}

// The stretch of a segment inside all sides, as parameters; false: none.
static bool stretch_inside(const Figure *polygon, const PlaneCorner *ends, double *low,
                           double *high)
{
  *low = 0;
  *high = 1;
  for (int k = 0; k < polygon->count; k++) {
    const PlaneCorner *a = &polygon->corners[k], *b = &polygon->corners[(k + 1) % polygon->count];
    const double du = b->u - a->u, dv = b->v - a->v;
    const double first = (ends[0].u - a->u) * dv - (ends[0].v - a->v) * du;
    const double second = (ends[1].u - a->u) * dv - (ends[1].v - a->v) * du;
    if (first > 0 && second > 0) return false;
    if (first > 0) *low = fmax(*low, first / (first - second));
    if (second > 0) *high = fmin(*high, first / (first - second));
  }
  return *low < *high;
}

static void test_segments(void)
{
  Random random = {11};
  int far = 0, lost = 0, short_of = 0, inside = 0, missed = 0;
  for (int i = 0; i < 20000; i++) {
    Polygon polygon;
    polygon_make(&polygon, &random);
    const double reach = i % 3 ? 2 : 50, slack = i % 2 ? 1e-3 : 0;
    PlaneCorner ends[2];
    for (int k = 0; k < 2; k++) {
      ends[k] = (PlaneCorner){.u = random_between(&random, -reach, reach),
                              .v = random_between(&random, -reach, reach)};
    }
    if (i % 5 == 0) {
      // past a corner
      const PlaneCorner *corner = &polygon.corners[random_below(&random, polygon.figure.count)];
      const double off = random_between(&random, -2e-3, 2e-3);
      ends[1].u = 2 * corner->u - ends[0].u + off;
      ends[1].v = 2 * corner->v - ends[0].v + off;
    }
    const Figure segment = {.count = 2, .corners = ends};
    const ThinClip clip = patch_clip_thin(&segment, &polygon.figure, TOLERANCE, slack);
    for (int k = 0; k < clip.count; k++) {
      const ClipPoint p = clip.points[k];
      if (distance_outside(&polygon.figure, p.u, p.v) > slack + 1e-7) far++;
    }
    double low, high;
    const double length = hypot(ends[1].u - ends[0].u, ends[1].v - ends[0].v);
    if (!stretch_inside(&polygon.figure, ends, &low, &high)) {
      missed++;
      continue;
    }
    inside++;
    if ((high - low) * length < 0.1) continue;
    if (clip.count < 2) {
      lost++;
      continue;
    }
    const double left =
        hypot(clip.points[1].u - clip.points[0].u, clip.points[1].v - clip.points[0].v);
    if (left < (high - low) * length - 50 * slack - 1e-7) short_of++;
  }
  CHECK(inside > 2000 && missed > 2000);
  CHECK(far == 0);
  CHECK(lost == 0);
  CHECK(short_of == 0);
}

// Ridges of two wedges whose faces lie in one plane, a little turned: the diagonal of a face that
// is cut in two passes the tip of the other far away, and has no place on it.
static void test_far_corner(void)
{
  PlaneCorner tip[3] = {{.u = 0, .v = 0}, {.u = 0.8, .v = 2.53}, {.u = -0.8, .v = 2.53}};
  PlaneCorner diagonal[2] = {{.u = 1.6, .v = 0}, {.u = -1.6, .v = -2.53}};
  const Figure window = {.count = 3, .corners = tip}, segment = {.count = 2, .corners = diagonal};
  CHECK(patch_clip_thin(&segment, &window, TOLERANCE, 5e-3).count == 0);
}

int main(void)
{
  test_segments();
  test_far_corner();
  return test_report();
}
