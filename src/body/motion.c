#include "motion.h"

#include "trig.h"

#define LARGE_TURN 0.2       // rad in one step
#define SPIN_ITERATIONS 50   // more than a rotation of 1 rad in half a step takes

// sin(x)/x, by its series where the quotient loses digits
static double sine_cardinal(double x) { return x * x < 1e-8 ? 1 - x * x / 6 : trig_sin(x) / x; }

quat motion_rotate(quat orientation, vec3 spin, double time)
{
  const vec3 half = vec3_scale(0.5 * time, spin);
  const double angle = vec3_norm(half);
  if (angle == 0) return orientation;
  const double s = sine_cardinal(angle);
  const quat turn = {trig_cos(angle), s * half.x, s * half.y, s * half.z};
  return quat_normalize(quat_mul(turn, orientation));
}

vec3 motion_angular_momentum(quat orientation, vec3 spin, mat3 inertia)
{
  const mat3 r = quat_to_mat3(orientation);
  return mat3_mul(r, mat3_mul(inertia, mat3_mul_transposed(r, spin)));
}

// exp(v) applied to x (Rodrigues)
static vec3 rotate_by(vec3 v, vec3 x)
{
  const double angle = vec3_norm(v);
  const double a = sine_cardinal(angle), s = sine_cardinal(0.5 * angle);
  const vec3 vx = vec3_cross(v, x);
  return vec3_axpy(0.5 * s * s, vec3_cross(v, vx), vec3_axpy(a, vx, x));
}

vec3 motion_spin_of_momentum(mat3 rotation, mat3 inertia, vec3 momentum, double half_step,
                             vec3 guess)
{
  const vec3 p = mat3_mul_transposed(rotation, momentum);
  if (p.x == 0 && p.y == 0 && p.z == 0) return (vec3){0, 0, 0};
  vec3 w = mat3_mul_transposed(rotation, guess);
  double last = INFINITY;
  for (int i = 0; i < SPIN_ITERATIONS; i++) {
    // Newton on J W - exp(-h/2 W) p = 0 with d/dW [exp(-h/2 W) p] ~ h/2 [exp(-h/2 W) p]x
    const vec3 turned = rotate_by(vec3_scale(-half_step, w), p);
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

mat3 motion_inertia(const Bodies *bodies, int row, ShapeSet *shapes, const double *densities)
{
  return mat3_scale(densities[bodies->material[row]],
                    shape_set_get(shapes, bodies->shape[row])->inertia);
}

void motion_first_half(Bodies *bodies, ShapeSet *shapes, const double *densities, double step,
                       MidState *mid)
{
  const double half = 0.5 * step;
  for (int i = 0; i < bodies->table.count; i++) {
    if (bodies->kind[i] != BODY_DYNAMIC) {
      mid[i] = (MidState){.rotation = quat_to_mat3(bodies->orientation[i])};
      continue;
    }
    const mat3 inertia = motion_inertia(bodies, i, shapes, densities);
    bodies->position[i] = vec3_axpy(half, bodies->velocity[i], bodies->position[i]);
    bodies->orientation[i] = motion_rotate(bodies->orientation[i], bodies->spin[i], half);
    const mat3 r = quat_to_mat3(bodies->orientation[i]);
    mid[i] = (MidState){
        .rotation = r,
        .inverse_mass = 1 / bodies->mass[i],
        .inverse_inertia = mat3_mul_mat(r, mat3_mul_mat(mat3_inverse(inertia), mat3_transpose(r))),
    };
  }
}

void motion_second_half(Bodies *bodies, double step)
{
  const double half = 0.5 * step;
  for (int i = 0; i < bodies->table.owned; i++) {
    if (bodies->kind[i] != BODY_DYNAMIC) continue;
    bodies->position[i] = vec3_axpy(half, bodies->velocity[i], bodies->position[i]);
    bodies->orientation[i] = motion_rotate(bodies->orientation[i], bodies->spin[i], half);
  }
}

bool motion_is_large(const Bodies *bodies, int row, const Shape *shape, double step)
{
  const double move = step * vec3_norm(bodies->velocity[row]),
               turn = step * vec3_norm(bodies->spin[row]);
  return move > 0.5 * shape->inradius || (shape->sphere_radius <= 0 && turn > LARGE_TURN);
}
