// Clips and measures convex polygons of a plane, apart from the code that they judge.
#include "planar.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// twice the area of a triangle, positive counter-clockwise
static double turn_of(PlanarPoint a, PlanarPoint b, PlanarPoint c)
{
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

double planar_area(const PlanarPoint *corners, int count)
{
  assert(count >= 0 && (corners != NULL || count == 0) && "corners are given");
  double twice = 0;
  for (int k = 1; k + 1 < count; k++) twice += turn_of(corners[0], corners[k], corners[k + 1]);
  return 0.5 * twice;
}

static int compare_points(const void *p, const void *q)
{
  const PlanarPoint *a = p, *b = q;
  return a->x != b->x ? (a->x < b->x ? -1 : 1) : (a->y > b->y) - (a->y < b->y);
}

double planar_hull_area(PlanarPoint *points, int count, PlanarPoint *scratch)
{
  assert(count >= 0 && points != scratch && "the hull has a place of its own");
  qsort(points, (size_t)count, sizeof *points, compare_points);
  double area = 0;
  // from left to right below, and back above
  for (int side = 0; side < 2; side++) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      const PlanarPoint next = points[side ? count - 1 - i : i];
      while (kept >= 2 && turn_of(scratch[kept - 2], scratch[kept - 1], next) <= 0) kept--;
      scratch[kept++] = next;
    }
    area += planar_area(scratch, kept);
  }
  return area;
}

PlanarPolygon planar_common(const PlanarPolygon *a, const PlanarPolygon *b)
{
  assert(a->count >= 0 && b->count >= 0 && "corners are counted");
  assert(a->count + b->count <= PLANAR_MAX_CORNERS && "a side adds one corner at most");
  PlanarPolygon rest = *a;
  const double inside = planar_area(b->corners, b->count) < 0 ? -1 : 1;
  for (int side = 0; side < b->count; side++) {
    const PlanarPoint from = b->corners[side], to = b->corners[(side + 1) % b->count];
    PlanarPolygon cut = {0};
    for (int k = 0; k < rest.count; k++) {
      const PlanarPoint p = rest.corners[k], q = rest.corners[(k + 1) % rest.count];
      const double at_p = inside * turn_of(from, to, p), at_q = inside * turn_of(from, to, q);
      if (at_p >= 0) cut.corners[cut.count++] = p;
      if (at_p * at_q < 0) {
        const double share = at_p / (at_p - at_q);
        cut.corners[cut.count++] =
            (PlanarPoint){p.x + share * (q.x - p.x), p.y + share * (q.y - p.y)};
      }
    }
    rest = cut;
  }
  return rest;
}

static double distance_between(PlanarPoint a, PlanarPoint b)
{
  return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

int planar_corner_count(const PlanarPolygon *polygon, double distance)
{
  assert(!(distance < 0) && "corners are apart by a distance");
  PlanarPolygon rest = *polygon;
  for (int k = 0; k < rest.count && rest.count > 2;) {
    const PlanarPoint before = rest.corners[(k + rest.count - 1) % rest.count];
    const PlanarPoint own = rest.corners[k], after = rest.corners[(k + 1) % rest.count];
    const double chord = distance_between(before, after);
    const double off = chord > 0 ? turn_of(before, own, after) / chord : 0;
    if (off >= distance || -off >= distance) {
      k++;
      continue;
    }
    memmove(&rest.corners[k], &rest.corners[k + 1],
            (size_t)(rest.count - k - 1) * sizeof *rest.corners);
    rest.count--;
    k = 0;
  }
  return rest.count;
}
