// Measures how much of a box a body fills.
#include "box_fill.h"

#include <assert.h>
#include <math.h>

#include "intersection.h"

enum { SLICES = 64 };   // of a ball, along two axes each

FilledBox box_fill_new(vec3 low, vec3 high, Arena *arena)
{
  assert(low.x < high.x && low.y < high.y && low.z < high.z && "a box has a volume");
  FilledBox box = {.low = low, .high = high};
  const vec3 half = vec3_scale(0.5, vec3_sub(high, low));
  vec3 corners[8];
  for (int i = 0; i < 8; i++)
    corners[i] =
        (vec3){i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
  const HullStatus status = hull_build(corners, 8, arena, &box.solid);
  assert(status == HULL_OK && "a box is a hull");
  (void)status;
  return box;
}

// Whether a ball lies in the box, or outside of it.
static bool is_inside(const FilledBox *box, vec3 centre, double radius)
{
  const vec3 a = vec3_sub(centre, box->low), b = vec3_sub(box->high, centre);
  return a.x >= radius && a.y >= radius && a.z >= radius && b.x >= radius && b.y >= radius &&
         b.z >= radius;
}

static bool is_outside(const FilledBox *box, vec3 centre, double radius)
{
  const vec3 a = vec3_sub(centre, box->low), b = vec3_sub(box->high, centre);
  return a.x <= -radius || a.y <= -radius || a.z <= -radius || b.x <= -radius || b.y <= -radius ||
         b.z <= -radius;
}

// The length of a line u, v, w of a ball about the origin within half spaces: w from -half to half.
static double line_within(const Plane *planes, double u, double v, double half)
{
  double from = -half, to = half;
  for (int i = 0; i < 6; i++) {
    const double slope = planes[i].normal.z;
    const double room = planes[i].offset - planes[i].normal.x * u - planes[i].normal.y * v;
    if (slope > 0) to = fmin(to, room / slope);
    else if (slope < 0) from = fmax(from, room / slope);
    else if (room < 0) return 0;
  }
  return to > from ? to - from : 0;
}

// The share of an ellipsoid within the box: of a unit ball between planes, by lines at the middles
// of slices. The ball is turned so that no face of a box lies along slices, where all of one would
// count or nothing.
static double round_share(const FilledBox *box, vec3 radii, FillPlace place)
{
  const mat3 askew = quat_to_mat3(quat_normalize((quat){0.8, 0.3, 0.5, 0.2}));
  Plane planes[6];
  for (int i = 0; i < 6; i++) {
    const double sign = i < 3 ? -1 : 1;
    const vec3 axis = {i % 3 == 0 ? sign : 0, i % 3 == 1 ? sign : 0, i % 3 == 2 ? sign : 0};
    const vec3 turned = mat3_mul_transposed(place.rotation, axis);
    const vec3 corner = i < 3 ? box->low : box->high;
    const vec3 of_ball = {turned.x * radii.x, turned.y * radii.y, turned.z * radii.z};
    planes[i] = (Plane){mat3_mul(askew, of_ball), vec3_dot(axis, vec3_sub(corner, place.centre))};
  }
  double within = 0, all = 0;
  for (int i = 0; i < SLICES; i++) {
    const double u = (2.0 * i + 1) / SLICES - 1, disc = sqrt(1 - u * u);
    for (int k = 0; k < SLICES; k++) {
      const double v = disc * ((2.0 * k + 1) / SLICES - 1);
      const double half = sqrt(1 - u * u - v * v);
      within += disc * line_within(planes, u, v, half);
      all += disc * 2 * half;
    }
  }
  return within / all;
}

double box_fill_volume(const FilledBox *box, const Shape *shape, FillPlace place, Arena *arena)
{
  assert(shape->volume > 0 && "a body has a volume");
  if (is_outside(box, place.centre, shape->radius)) return 0;
  if (is_inside(box, place.centre, shape->radius)) return shape->volume;
  const double r = shape->sphere_radius;
  if (r > 0) return shape->volume * round_share(box, (vec3){r, r, r}, place);
  if (shape->radii.x > 0) return shape->volume * round_share(box, shape->radii, place);

  // about the body's centre, where the parts are small numbers
  const ArenaMark mark = arena_mark(arena);
  const vec3 middle = vec3_scale(0.5, vec3_add(box->low, box->high));
  const Polyhedron room = polyhedron_shift(&box->solid, vec3_sub(middle, place.centre), arena);
  double volume = 0;
  for (int p = 0; p < shape->part_count; p++) {
    const Polyhedron part =
        polyhedron_place(&shape->parts[p].hull, place.rotation, (vec3){0, 0, 0}, arena);
    const Intersection common = intersection_clip(&part, &room, 0, arena);
    if (common.status == INTERSECTION_OK) volume += common.volume;
  }
  arena_release(arena, mark);
  return volume;
}
