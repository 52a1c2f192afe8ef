#pragma once
// The cone x_1 >= |(x_2, x_3)| and its algebra: what interior-point methods for second-order cones
// need (Alizadeh and Goldfarb 2003; scaling of Nesterov and Todd 1997). Local.
#include <math.h>

#include "check.h"
#include "vec3.h"

// x_1^2 - x_2^2 - x_3^2, positive inside
static inline double lorentz_det(vec3 x)
{
  const double size = sqrt(x.y * x.y + x.z * x.z);
  return (x.x - size) * (x.x + size);
}

// How far x_1 is above the cone; negative outside.
static inline double lorentz_height(vec3 x) { return x.x - sqrt(x.y * x.y + x.z * x.z); }

// Jordan's product.
static inline vec3 lorentz_product(vec3 a, vec3 b)
{
  return (vec3){vec3_dot(a, b), a.x * b.y + b.x * a.y, a.x * b.z + b.x * a.z};
}

// z with a o z = b, a inside.
static inline vec3 lorentz_divide(vec3 a, vec3 b)
{
  const double det = lorentz_det(a), along = a.y * b.y + a.z * b.z;
  const double factor = (along / a.x - b.x) / det;
  return (vec3){(a.x * b.x - along) / det, factor * a.y + b.y / a.x, factor * a.z + b.z / a.x};
}

// The symmetric S with S w = S^-1 y, for y and w inside, and that vector.
typedef struct {
  mat3 of, inverse;
  vec3 lambda;
} LorentzScaling;

static inline LorentzScaling lorentz_scaling(vec3 y, vec3 w)
{
  const double dy = sqrt(lorentz_det(y)), dw = sqrt(lorentz_det(w));
  assert_debug(dy > 0 && dw > 0 && "both are inside");
  const vec3 a = vec3_scale(1 / dy, y), b = vec3_scale(1 / dw, w);
  const double gamma = sqrt((1 + vec3_dot(a, b)) / 2);
  const vec3 middle = {(a.x + b.x) / (2 * gamma), (a.y - b.y) / (2 * gamma),
                       (a.z - b.z) / (2 * gamma)};
  const double root = sqrt(2 * (middle.x + 1));
  const vec3 v = {(middle.x + 1) / root, middle.y / root, middle.z / root};
  // 2 v v' - J, and J (2 v v' - J) J for its inverse
  const mat3 turn = {{{2 * v.x * v.x - 1, 2 * v.x * v.y, 2 * v.x * v.z},
                      {2 * v.y * v.x, 2 * v.y * v.y + 1, 2 * v.y * v.z},
                      {2 * v.z * v.x, 2 * v.z * v.y, 2 * v.z * v.z + 1}}};
  const mat3 back = {{{turn.row[0].x, -turn.row[0].y, -turn.row[0].z},
                      {-turn.row[1].x, turn.row[1].y, turn.row[1].z},
                      {-turn.row[2].x, turn.row[2].y, turn.row[2].z}}};
  const double eta = sqrt(dy / dw);
  LorentzScaling s = {mat3_scale(eta, turn), mat3_scale(1 / eta, back), {0, 0, 0}};
  s.lambda = mat3_mul(s.of, w);
  return s;
}

// The largest a for which x + a d is in the cone, x inside; infinite where none is.
static inline double lorentz_reach(vec3 x, vec3 d)
{
  const double a = d.x * d.x - d.y * d.y - d.z * d.z;
  const double b = x.x * d.x - x.y * d.y - x.z * d.z, c = lorentz_det(x);
  const double square = b * b - a * c;
  double reach = d.x < 0 ? -x.x / d.x : INFINITY;
  if (!(square >= 0)) return reach;
  const double root = sqrt(square);
  const double one = c / (root - b), other = c / (-root - b);
  if (one > 0) reach = fmin(reach, one);
  if (other > 0) reach = fmin(reach, other);
  return reach;
}

// The vector along (x_2, x_3), of that size, with these eigenvalues.
static inline vec3 lorentz_with(vec3 x, double size, double up, double down)
{
  const double along = size > 0 ? (up - down) / (2 * size) : 0;
  return (vec3){(up + down) / 2, along * x.y, along * x.z};
}

// Both eigenvalues of x brought into [least, most], none lowered by more than most: what is added.
static inline vec3 lorentz_correction(vec3 x, double least, double most)
{
  const double size = sqrt(x.y * x.y + x.z * x.z), up = x.x + size, down = x.x - size;
  const double to_up = fmax(fmin(fmax(up, least), most) - up, -most);
  const double to_down = fmax(fmin(fmax(down, least), most) - down, -most);
  return lorentz_with(x, size, to_up, to_down);
}

typedef struct {
  vec3 y, w;
} LorentzPair;

// The y and w inside with y - w = z and y o w = (e, 0, 0), e > 0 (Chen and Mangasarian's smoothing
// in this algebra): eigenvalues one by one, the smaller of each pair without cancellation.
static inline LorentzPair lorentz_split(vec3 z, double e)
{
  const double size = sqrt(z.y * z.y + z.z * z.z);
  const double value[2] = {z.x + size, z.x - size};
  double y[2], w[2];
  for (int k = 0; k < 2; k++) {
    const double larger = (fabs(value[k]) + sqrt(value[k] * value[k] + 4 * e)) / 2;
    y[k] = value[k] > 0 ? larger : e / larger;
    w[k] = value[k] > 0 ? e / larger : larger;
  }
  return (LorentzPair){lorentz_with(z, size, y[0], y[1]), lorentz_with(z, size, w[0], w[1])};
}
