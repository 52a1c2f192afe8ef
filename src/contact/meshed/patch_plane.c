// Planes of patches: fits by least squares, hulls by chains.
#include "patch_plane.h"

#include <assert.h>
#include <math.h>

#include "check.h"

#define LEAST_TURN 1e-9   // sine of an angle: points that turn by less lie on a line

static vec3 in_plane(const PatchPlane *plane, vec3 point)
{
  return plane_basis_apply(&plane->basis, vec3_sub(point, plane->middle));
}

// The slope that fits moments of values over the points.
static void fit_slope(const PatchPlane *plane, const double moment[2], PlaneLinear *of)
{
  const double *s = plane->square, determinant = s[0] * s[2] - s[1] * s[1];
  if (!(determinant > 1e-12 * (s[0] + s[2]) * (s[0] + s[2]))) return;
  of->slope[0] = (s[2] * moment[0] - s[1] * moment[1]) / determinant;
  of->slope[1] = (s[0] * moment[1] - s[1] * moment[0]) / determinant;
}

PlaneLinear patch_plane_fit(const PatchPlane *plane, const vec3 *points, const double *values,
                            int count)
{
  assert_debug(count > 0 && "a patch has points");
  PlaneLinear of = {0, {0, 0}};
  double moment[2] = {0, 0};
  for (int k = 0; k < count; k++) {
    const vec3 p = in_plane(plane, points[k]);
    of.mean += values[k] / count;
    moment[0] += p.x * values[k];
    moment[1] += p.y * values[k];
  }
  fit_slope(plane, moment, &of);
  return of;
}

PatchPlane patch_plane_new(vec3 normal, const vec3 *points, int count)
{
  assert_debug(count > 0 && "a patch has points");
  PatchPlane plane = {.basis = plane_basis_new(normal)};
  for (int k = 0; k < count; k++) plane.middle = vec3_axpy(1.0 / count, points[k], plane.middle);
  double by_height[2] = {0, 0};
  for (int k = 0; k < count; k++) {
    const vec3 p = in_plane(&plane, points[k]);
    plane.square[0] += p.x * p.x;
    plane.square[1] += p.x * p.y;
    plane.square[2] += p.y * p.y;
    by_height[0] += p.x * p.z;
    by_height[1] += p.y * p.z;
  }
  fit_slope(&plane, by_height, &plane.height);
  return plane;
}

vec3 patch_plane_place(const PatchPlane *plane, double u, double v)
{
  assert_debug(plane != NULL && "a plane is given");
  const double height = patch_plane_value(&plane->height, u, v);
  return vec3_add(plane->middle, plane_basis_point(&plane->basis, u, v, height));
}

// The sine of the angle by which three points turn left, times lengths; below zero: to the right.
static double cross_of(const PlaneCorner *o, const PlaneCorner *p, const PlaneCorner *q)
{
  return (p->u - o->u) * (q->v - o->v) - (p->v - o->v) * (q->u - o->u);
}

static double square_between(const PlaneCorner *p, const PlaneCorner *q)
{
  return (q->u - p->u) * (q->u - p->u) + (q->v - p->v) * (q->v - p->v);
}

// Takes out corners at which the figure turns by no more than rounding.
static int straighten(PlaneCorner *corners, int count)
{
  for (int k = 0, seen = 0; seen < count && count > 3; seen++) {
    const PlaneCorner *o = &corners[(k + count - 1) % count], *p = &corners[k],
                      *q = &corners[(k + 1) % count];
    const double scale = sqrt(square_between(o, p) * square_between(p, q));
    if (cross_of(o, p, q) > LEAST_TURN * scale) {
      k = (k + 1) % count;
      continue;
    }
    for (int j = k; j < count - 1; j++) corners[j] = corners[j + 1];
    count--;
    k = (k + count - 1) % count;   // the one before may turn less now
    seen = -1;
  }
  return count;
}

static bool comes_before(const PlaneCorner *p, const PlaneCorner *q)
{
  return p->u != q->u ? p->u < q->u : p->v < q->v;
}

Figure patch_plane_hull(const PatchPlane *plane, const vec3 *points, int count, Arena *arena)
{
  assert_debug(count > 0 && "a patch has points");
  PlaneCorner *corners = arena_allocate(arena, (size_t)count * sizeof *corners);
  for (int k = 0; k < count; k++) {
    const vec3 p = in_plane(plane, points[k]);
    corners[k] = (PlaneCorner){.u = p.x, .v = p.y};
  }
  return patch_plane_hull_of(corners, count, arena);
}

Figure patch_plane_hull_of(const PlaneCorner *corners, int count, Arena *arena)
{
  assert_debug(count > 0 && "there are corners");
  PlaneCorner *sorted = arena_allocate(arena, (size_t)count * sizeof *sorted);
  for (int k = 0; k < count; k++) {
    int at = k;
    for (; at > 0 && comes_before(&corners[k], &sorted[at - 1]); at--) sorted[at] = sorted[at - 1];
    sorted[at] = corners[k];
  }
  PlaneCorner *hull = arena_allocate(arena, (2 * (size_t)count + 1) * sizeof *hull);
  int made = 0;
  for (int pass = 0; pass < 2; pass++) {
    const int least = made + 2;
    for (int k = 0; k < count; k++) {
      const PlaneCorner *next = &sorted[pass == 0 ? k : count - 1 - k];
      while (made >= least && !(cross_of(&hull[made - 2], &hull[made - 1], next) > 0)) made--;
      hull[made++] = *next;
    }
    made--;   // the last one begins the other chain
  }
  return (Figure){.count = straighten(hull, made), .corners = hull};
}
