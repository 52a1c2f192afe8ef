// Fits a box of any direction to a set of points, however flat or slim.
#include "fitted_box.h"

#include <assert.h>
#include <stddef.h>

static vec3 across(vec3 x, vec3 unit) { return vec3_axpy(-vec3_dot(x, unit), unit, x); }

// The longest of the points without their parts along the first axes.
static vec3 longest_across(const vec3 *points, int count, const vec3 *axes, int axis_count)
{
  assert(count > 0 && axis_count >= 0 && "there are points and axes");
  vec3 longest = {0, 0, 0};
  for (int i = 0; i < count; i++) {
    vec3 x = points[i];
    for (int k = 0; k < axis_count; k++) x = across(x, axes[k]);
    if (vec3_dot(x, x) > vec3_dot(longest, longest)) longest = x;
  }
  return longest;
}

bool fitted_box(const vec3 *points, int count, FittedBox *box)
{
  assert(count > 0 && points != NULL && "a box fits some points");
  assert(box != NULL && "the box has a place");
  vec3 *axes = box->axes.row;
  for (int k = 0; k < 2; k++) {
    const vec3 longest = longest_across(points, count, axes, k);
    const double length = vec3_norm(longest);
    if (!(length > 0)) return false;
    axes[k] = vec3_scale(1 / length, longest);
  }
  axes[1] = across(axes[1], axes[0]);
  axes[1] = vec3_scale(1 / vec3_norm(axes[1]), axes[1]);
  axes[2] = vec3_cross(axes[0], axes[1]);
  for (int k = 0; k < 3; k++) {
    box->sides[k] = 0;
    for (int i = 0; i < count; i++) {
      box->sides[k] = fmax(box->sides[k], fabs(vec3_dot(axes[k], points[i])));
    }
    if (!(box->sides[k] > 0)) return false;
  }
  return true;
}
