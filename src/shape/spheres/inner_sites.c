// Triangles of a body's surface: distances, and on which side of them a point lies.
#include "inner_sites.h"

#include "check.h"

#define CROSSING_ROUNDING 1e-11   // of the cube of lengths: a volume below it has no sign
#define HOLD_WAYS 24              // ways to the outside that are tried

static int facet_triangles(const Shape *shape)
{
  int count = 0;
  for (int p = 0; p < shape->part_count; p++)
    for (int f = 0; f < shape->parts[p].facet_count; f++)
      count += shape->parts[p].facets[f].corner_count - 2;
  return count;
}

InnerSurface inner_sites_of_shape(const Shape *shape, Arena *arena)
{
  assert((shape->part_count > 0 || shape->surface) && "a shape with a surface of triangles");
  const ShapeSurface *alone = shape->surface;
  const int room = alone ? alone->triangle_count : facet_triangles(shape);
  InnerTriangle *all = arena_allocate(arena, (size_t)room * sizeof *all);
  int count = 0;
  for (int t = 0; alone && t < alone->triangle_count; t++) {
    const int *of = alone->triangles[t];
    all[count++] =
        (InnerTriangle){{alone->points[of[0]], alone->points[of[1]], alone->points[of[2]]}};
  }
  for (int p = 0; p < shape->part_count; p++)
    for (int f = 0; f < shape->parts[p].facet_count; f++) {
      const Facet *facet = &shape->parts[p].facets[f];
      for (int k = 2; k < facet->corner_count; k++)
        all[count++] =
            (InnerTriangle){{facet->corners[0], facet->corners[k - 1], facet->corners[k]}};
    }
  assert(count == room && count > 0 && "triangles were counted");
  Box box = box_of_points(all[0].corner, 3);
  for (int t = 1; t < count; t++) box = box_join(box, box_of_points(all[t].corner, 3));
  return (InnerSurface){count, all, box};
}

// By the regions of the plane that are nearest to corners, edges and the inside (Ericson 2005,
// 5.1.5).
vec3 inner_sites_nearest(const InnerTriangle *triangle, vec3 point)
{
  const vec3 a = triangle->corner[0], b = triangle->corner[1], c = triangle->corner[2];
  const vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a);
  const vec3 ap = vec3_sub(point, a), bp = vec3_sub(point, b), cp = vec3_sub(point, c);
  const double d1 = vec3_dot(ab, ap), d2 = vec3_dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return a;
  const double d3 = vec3_dot(ab, bp), d4 = vec3_dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return vec3_axpy(d1 / (d1 - d3), ab, a);
  const double d5 = vec3_dot(ab, cp), d6 = vec3_dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return vec3_axpy(d2 / (d2 - d6), ac, a);
  const double va = d3 * d6 - d5 * d4;
  const double w4 = d4 - d3, w5 = d5 - d6;
  if (va <= 0 && w4 >= 0 && w5 >= 0) return vec3_axpy(w4 / (w4 + w5), vec3_sub(c, b), b);
  const double sum = va + vb + vc;
  if (!(sum > 0)) return a;   // (a sliver: its corners and edges have been looked at)
  return vec3_axpy(vc / sum, ac, vec3_axpy(vb / sum, ab, a));
}

// Six times the volume of a tetrahedron.
static double volume_of(vec3 a, vec3 b, vec3 c, vec3 d)
{
  return vec3_dot(vec3_sub(a, d), vec3_cross(vec3_sub(b, d), vec3_sub(c, d)));
}

InnerCrossing inner_sites_crossing(const InnerTriangle *triangle, vec3 from, vec3 to)
{
  const vec3 a = triangle->corner[0], b = triangle->corner[1], c = triangle->corner[2];
  const vec3 way = vec3_sub(to, from), ab = vec3_sub(b, a), ac = vec3_sub(c, a);
  const double length = vec3_norm(way), across = vec3_norm(ab) + vec3_norm(ac);
  const double size = length + across + vec3_norm(vec3_sub(from, a));
  const double none = CROSSING_ROUNDING * size * across * larger_of(length, across);
  const double start = volume_of(a, b, c, from), end = volume_of(a, b, c, to);
  if ((start > none && end > none) || (start < -none && end < -none)) return INNER_APART;
  const double u = volume_of(from, to, a, b), v = volume_of(from, to, b, c);
  const double w = volume_of(from, to, c, a);
  const bool up = u > none || v > none || w > none, down = u < -none || v < -none || w < -none;
  if (up && down) return INNER_APART;
  const bool clear =
      fabs(start) > none && fabs(end) > none && fabs(u) > none && fabs(v) > none && fabs(w) > none;
  return clear ? INNER_CROSSES : INNER_UNCLEAR;
}

bool inner_sites_hold(const InnerSurface *surface, vec3 point)
{
  assert(surface->count > 0 && "a surface has triangles");
  const Box box = surface->box;
  const vec3 size = vec3_sub(box.high, box.low);
  const double far = 2 * (size.x + size.y + size.z);
  for (int way = 0; way < HOLD_WAYS; way++) {
    // (directions with nothing in common with those of a body's edges)
    const double turn = 0.7548776662466927 * (way + 1), rise = 0.5698402909980532 * (way + 1);
    const vec3 direction = {way % 2 ? 1 : -1, 2 * (turn - floor(turn)) - 1,
                            2 * (rise - floor(rise)) - 1};
    const vec3 outside = vec3_axpy(far, direction, point);
    int crossings = 0;
    bool clear = true;
    for (int t = 0; t < surface->count && clear; t++) {
      const InnerCrossing crossing = inner_sites_crossing(&surface->triangles[t], point, outside);
      clear = crossing != INNER_UNCLEAR;
      crossings += crossing == INNER_CROSSES;
    }
    if (clear) return crossings % 2 == 1;
  }
  return false;
}
