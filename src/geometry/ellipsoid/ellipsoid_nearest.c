// Finds the place of an ellipsoid that is nearest to a point.
//
// In the axes of the ellipsoid the nearest place x to y has y - x = t x_i / a_i^2 in all i, so that
// x_i = a_i^2 y_i / (a_i^2 + t), with the largest t that puts it on the surface: G(t) = sum (a_i
// y_i / (a_i^2 + t))^2 = 1. Newton on 1/sqrt(G), which is nearly straight, climbs to it from below
// (as Reinsch 1971 and More and Sorensen 1983 do for the secular equation).
#include <assert.h>

#include "ellipsoid.h"

#define MOST_STEPS 100
#define LEAST 1e-100   // of the radius: on a plane of symmetry inside, one of two places is taken

// The outward normal, not yet unit, at the place of an ellipse or ellipsoid with radii[count] that
// is nearest to the point y, in its own axes.
static void nearest_normal(int count, const double *radii, const double *y, double *normal)
{
  double least = radii[0], start = 0;
  for (int i = 1; i < count; i++) least = smaller_of(least, radii[i]);

  // distances of t from the poles at -a_i^2; t is counted from the last one
  double pole[3], weight[3];
  for (int i = 0; i < count; i++) {
    const double height = larger_of(fabs(y[i]), LEAST * radii[i]);
    pole[i] = (radii[i] - least) * (radii[i] + least);
    weight[i] = radii[i] * height;
    start = larger_of(start, weight[i] - pole[i]);
  }
  double t = start;
  for (int k = 0; k < MOST_STEPS; k++) {
    double g = 0, h = 0;
    for (int i = 0; i < count; i++) {
      const double inverse = 1 / (pole[i] + t), term = weight[i] * inverse;
      g += term * term;
      h += term * term * inverse;
    }
    const double next = t + g * (sqrt(g) - 1) / h;
    if (!(next > t)) break;
    t = next;
  }
  for (int i = 0; i < count; i++) {
    const double size = weight[i] / radii[i] / (pole[i] + t);
    normal[i] = y[i] < 0 ? -size : size;
  }
}

// diag(a) Q' v: no digits are lost in a sum of its squares, as they are in v.S v where v is along
// the shortest axis.
static vec3 stretch(const Ellipsoid *e, vec3 v)
{
  const vec3 own = mat3_mul_transposed(e->rotation, v);
  return (vec3){e->radii.x * own.x, e->radii.y * own.y, e->radii.z * own.z};
}

// The place with an outward normal of any length.
static EllipsoidPlace place_of(const Ellipsoid *e, vec3 normal, vec3 point)
{
  const vec3 n = vec3_scale(1 / vec3_norm(normal), normal), own = stretch(e, n);
  const double reach = vec3_norm(own), inverse = 1 / reach;
  const vec3 place = {inverse * e->radii.x * own.x, inverse * e->radii.y * own.y,
                      inverse * e->radii.z * own.z};
  return (EllipsoidPlace){
      .place = mat3_mul(e->rotation, place), .normal = n, .distance = vec3_dot(n, point) - reach};
}

EllipsoidPlace ellipsoid_nearest(const Ellipsoid *e, vec3 point)
{
  assert(e->radii.x > 0 && "an ellipsoid has radii");
  const vec3 own = mat3_mul_transposed(e->rotation, point);
  vec3 normal;
  nearest_normal(3, &e->radii.x, &own.x, &normal.x);
  // lengths that are small or large have squares beyond numbers
  const double size = larger_of(fabs(normal.x), larger_of(fabs(normal.y), fabs(normal.z)));
  return place_of(e, mat3_mul(e->rotation, vec3_scale(1 / size, normal)), point);
}

EllipsoidPlace ellipsoid_nearest_shadow(const Ellipsoid *e, vec3 along, vec3 point)
{
  assert(e->radii.x > 0 && "an ellipsoid has radii");
  vec3 t, u;
  ellipsoid_tangents(along, &t, &u);
  const vec3 st = stretch(e, t), su = stretch(e, u);
  const double tt = vec3_dot(st, st), tu = vec3_dot(st, su), uu = vec3_dot(su, su);

  // the axes of the shadow, longer one first
  const double half = 0.5 * (tt - uu), size = sqrt(half * half + tu * tu);
  double c = 1, s = 0;
  if (size > 0 && half >= 0) {
    c = sqrt(0.5 * (1 + half / size));
    s = 0.5 * tu / (size * c);
  } else if (size > 0) {
    s = sqrt(0.5 * (1 - half / size));
    c = 0.5 * tu / (size * s);
  }
  const vec3 first = vec3_axpy(c, t, vec3_scale(s, u)), second = vec3_axpy(c, u, vec3_scale(-s, t));
  const double radii[2] = {vec3_norm(stretch(e, first)), vec3_norm(stretch(e, second))};
  const double y[2] = {vec3_dot(first, point), vec3_dot(second, point)};
  double normal[2];
  nearest_normal(2, radii, y, normal);
  const double most = larger_of(fabs(normal[0]), fabs(normal[1]));
  return place_of(e, vec3_axpy(normal[0] / most, first, vec3_scale(normal[1] / most, second)),
                  point);
}
