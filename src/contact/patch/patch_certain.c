// Patches that faces alone decide. Most pairs that touch have touched before, or lie face on face:
// the patch itself then bounds what any other axis can separate, and neither the edges nor the
// common solid need to be looked at. The result is, bit for bit, that of the whole search.
//
// The bound: for any unit vector m, any p in a, q in b the separation s(m) is at most m.(q - p).
//   * one point of a patch, with both places in the parts: s(m) <= |q - p|
//   * a polygon of width W along n, angle t between m and n: s(m) <= H cos t - W sin t up to a
//     right angle, H being the largest height of a q over a p; beyond, with L the lowest height,
//     s(m) <= L cos t - W sin t, and from inner places of the parts D cos t + T sin t, D their
//     distance along n and T across it
#include "patch_axes.h"

#define NEAR_ANGLE 0.0099    // below PATCH_MERGE_ANGLE: edge axes nearer to the face's go after it
#define NEAR_COSINE 0.9997   // of twice that angle and more
#define MOST_SINE 0.5        // beyond a right angle the polygon rules out all axes to this sine
#define MOST_COSINE 0.86     // of that sine, rounded down

bool patch_certain_depth(const PartPair *pair)
{
  return PATCH_DEPTH_FACTOR * pair_depth(pair->separation) <= pair->margin &&
         pair->separation >= -PATCH_MAX_DEPTH * pair->small_extent &&
         bound_slack(pair) < pair->margin;
}

bool patch_certain_axis(const PartPair *pair, const AxisList *list, Axis *axis)
{
  assert_debug(pair->separation > -INFINITY && "axes of faces have been measured");
  if (!patch_certain_depth(pair)) return false;
  double top = -INFINITY;
  for (int i = 0; i < list->count; i++) {
    if (list->items[i].separation > top) top = list->items[i].separation;
  }
  // the first of equals; velocities choose among equals of different directions
  const Axis *first = NULL;
  for (int i = 0; i < list->count; i++) {
    const Axis *item = &list->items[i];
    if (item->separation < top - 2 * pair->tie) continue;
    if (first == NULL && item->separation >= top - pair->tie) first = item;
    if (first == NULL) return false;
    const vec3 turn = vec3_sub(item->n, first->n);
    if (vec3_dot(turn, turn) > PATCH_SAME_NORMAL * PATCH_SAME_NORMAL) return false;
  }
  if (first != NULL) *axis = *first;
  return first != NULL;
}

static vec3 mean_vertex(const Polyhedron *hull)
{
  assert_debug(hull->vertex_count > 0 && "a part has vertices");
  vec3 sum = {0, 0, 0};
  for (int i = 0; i < hull->vertex_count; i++) sum = vec3_add(sum, hull->vertices[i]);
  return vec3_scale(1.0 / hull->vertex_count, sum);
}

// Does every axis that would be tried before a face's, or with it, separate less than level?
static bool edges_stay_below(const PartPair *pair, const Axis *axis, double level, double area,
                             const Footprint *f)
{
  assert_debug(area > 0 && f->span > 0 && "a polygon has a width");
  // a convex polygon's area is at most its width times the largest distance in it
  const double width = area / f->span;
  const double high = f->high_b - f->low_a, low = f->low_b - f->high_a;
  const double at_least = (high > 0 ? high : 0.9999 * high) - NEAR_ANGLE * 0.99 * width;
  if (!(at_least < level) || !(-width < level)) return false;

  // the other way round
  const double most = low < 0 ? -low : 0;
  const double sine = (most + fabs(level)) / width;
  if (!(sine < MOST_SINE)) return false;
  const vec3 arm = vec3_sub(mean_vertex(&pair->hull_b), mean_vertex(&pair->hull_a));
  const double along = vec3_dot(arm, axis->n);
  return along > 0 && sine * vec3_norm(arm) - MOST_COSINE * along < level;
}

// no axis separates more than this
static double most_separation(const PartPair *pair, const Footprint *footprint)
{
  return footprint->least_distance + bound_slack(pair);
}

bool patch_certain_kept(const PartPair *pair, const Axis *axis, const Footprint *footprint)
{
  assert_debug(footprint != NULL && "a patch has a footprint");
  if (!footprint->settled) return false;
  const double most = most_separation(pair, footprint);
  return most <= pair->margin + pair->reach && axis->separation >= most - pair->margin;
}

bool patch_certain_new(const PartPair *pair, const AxisList *list, const Axis *axis,
                       const PairPatch *patch, const Footprint *footprint)
{
  assert_debug(patch->count > 0 && "a patch has points");
  if (!patch_certain_kept(pair, axis, footprint)) return false;
  if (!footprint->facets || !(patch->area > 0)) return false;
  const double slack = bound_slack(pair), most = most_separation(pair, footprint);
  // edge axes near a face go after it, unless they separate more by the margin
  for (int i = 0; i < list->count; i++) {
    const Axis *item = &list->items[i];
    if (vec3_dot(item->n, axis->n) > NEAR_COSINE && !(item->separation > most - pair->margin)) {
      return false;
    }
  }
  return edges_stay_below(pair, axis, axis->separation - slack, patch->area, footprint);
}
