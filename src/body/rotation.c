// Rotations by the exponential map, and the spin that conserves angular momentum.
#include "rotation.h"

#include "check.h"
#include "trig.h"

#define SPIN_ITERATIONS 50   // more than a rotation of 1 rad in half a step takes
#define UNIT_ERROR 1e-9      // of the square of an orientation's length, far above rounding

static inline double quat_square(quat q) { return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z; }

// sin(x)/x, by its series where the quotient loses digits
static double sine_cardinal(double x) { return x * x < 1e-8 ? 1 - x * x / 6 : trig_sin(x) / x; }

quat rotation_apply(quat orientation, vec3 spin, double time)
{
  assert_debug(!(fabs(quat_square(orientation) - 1) > UNIT_ERROR) &&
               "orientations are unit quaternions");
  const vec3 half = vec3_scale(0.5 * time, spin);
  const double angle = vec3_norm(half);
  if (angle == 0) return orientation;
  const double s = sine_cardinal(angle);
  const quat turn = {trig_cos(angle), s * half.x, s * half.y, s * half.z};
  return quat_normalize(quat_mul(turn, orientation));
}

vec3 rotation_momentum(quat orientation, vec3 spin, mat3 inertia)
{
  assert_debug(!(fabs(quat_square(orientation) - 1) > UNIT_ERROR) &&
               "orientations are unit quaternions");
  const mat3 r = quat_to_mat3(orientation);
  return mat3_mul(r, mat3_mul(inertia, mat3_mul_transposed(r, spin)));
}

// (Rodrigues)
vec3 rotation_turn(vec3 v, vec3 x)
{
  assert_debug(!(vec3_dot(v, v) < 0) && "a turn has a size");
  const double angle = vec3_norm(v);
  const double a = sine_cardinal(angle), s = sine_cardinal(0.5 * angle);
  const vec3 vx = vec3_cross(v, x);
  return vec3_axpy(0.5 * s * s, vec3_cross(v, vx), vec3_axpy(a, vx, x));
}

vec3 rotation_spin_of_momentum(mat3 rotation, mat3 inertia, vec3 momentum, double half_step,
                               vec3 guess)
{
  assert_debug(!(half_step < 0) && "time goes on");
  assert_debug(!(inertia.row[0].x <= 0) && !(inertia.row[1].y <= 0) && !(inertia.row[2].z <= 0) &&
               "every axis has inertia");
  const vec3 p = mat3_mul_transposed(rotation, momentum);
  if (p.x == 0 && p.y == 0 && p.z == 0) return (vec3){0, 0, 0};
  vec3 w = mat3_mul_transposed(rotation, guess);
  double last = INFINITY;
  for (int i = 0; i < SPIN_ITERATIONS; i++) {
    // Newton on J W - exp(-h/2 W) p = 0 with d/dW [exp(-h/2 W) p] ~ h/2 [exp(-h/2 W) p]x
    const vec3 turned = rotation_turn(vec3_scale(-half_step, w), p);
    const vec3 miss = vec3_sub(turned, mat3_mul(inertia, w));
    const mat3 slope = mat3_add(inertia, mat3_scale(-half_step, mat3_skew(turned)));
    const vec3 change = mat3_mul(mat3_inverse(slope), miss);
    const double size = vec3_norm(change);
    if (!(size < last) || size == 0) break;
    w = vec3_add(w, change);
    last = size;
  }
  return mat3_mul(rotation, w);
}
