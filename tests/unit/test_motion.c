// Rotation by the midpoint rule: momentum to rounding, second order, no drift of the quaternion.
#include "harness.h"
#include "motion.h"

static const mat3 INERTIA = {{{1, 0, 0}, {0, 2, 0}, {0, 0, 3.5}}};

typedef struct {
  quat q;
  vec3 w;
} State;

static State run(double step, int steps)
{
  State s = {{1, 0, 0, 0}, {0.7, 2.0, -0.4}};
  const vec3 momentum = motion_angular_momentum(s.q, s.w, INERTIA);
  for (int i = 0; i < steps; i++) {
    s.q = motion_rotate(s.q, s.w, 0.5 * step);
    s.w = motion_spin_of_momentum(quat_to_mat3(s.q), INERTIA, momentum, 0.5 * step, s.w);
    s.q = motion_rotate(s.q, s.w, 0.5 * step);
  }
  return s;
}

static double distance(State a, State b)
{
  const quat d = {a.q.w - b.q.w, a.q.x - b.q.x, a.q.y - b.q.y, a.q.z - b.q.z};
  return sqrt(d.w * d.w + d.x * d.x + d.y * d.y + d.z * d.z) + vec3_norm(vec3_sub(a.w, b.w));
}

int main(void)
{
  // an asymmetric top: after many steps pose and spin still belong to the momentum that torques
  // alone would change
  const State start = run(0, 0), end = run(1e-3, 100000);
  const vec3 before = motion_angular_momentum(start.q, start.w, INERTIA);
  const vec3 after = motion_angular_momentum(end.q, end.w, INERTIA);
  CHECK_NEAR(vec3_norm(vec3_sub(after, before)) / vec3_norm(before), 0, 1e-12);
  CHECK_NEAR(end.q.w * end.q.w + end.q.x * end.q.x + end.q.y * end.q.y + end.q.z * end.q.z, 1,
             1e-15);
  CHECK_NEAR(0.5 * vec3_dot(after, end.w), 0.5 * vec3_dot(before, start.w), 1e-6);

  // halving the step quarters the error
  const State fine = run(1.0 / 12800, 12800);
  const double coarse_error = distance(run(0.02, 50), fine),
               half_error = distance(run(0.01, 100), fine);
  CHECK(coarse_error > 1e-6);
  CHECK_NEAR(coarse_error / half_error, 4, 0.1);

  // a principal axis keeps its spin, bit for bit nearly
  State s = {{1, 0, 0, 0}, {0, 0, 3}};
  const vec3 momentum = motion_angular_momentum(s.q, s.w, INERTIA);
  s.q = motion_rotate(s.q, s.w, 0.05);
  const vec3 w = motion_spin_of_momentum(quat_to_mat3(s.q), INERTIA, momentum, 0.05, s.w);
  CHECK_NEAR(vec3_norm(vec3_sub(w, s.w)), 0, 1e-14);
  return test_report();
}
