// Rotation by the midpoint rule: momentum to rounding, second order, no drift of the quaternion.
#include "harness.h"
#include "motion.h"
#include "rotation.h"

static const mat3 INERTIA = {{{1, 0, 0}, {0, 2, 0}, {0, 0, 3.5}}};

typedef struct {
  quat q;
  vec3 w;
} Spinning;

static Spinning run(double step, int steps)
{
  Spinning s = {{1, 0, 0, 0}, {0.7, 2.0, -0.4}};
  const vec3 momentum = rotation_momentum(s.q, s.w, INERTIA);
  for (int i = 0; i < steps; i++) {
    s.q = rotation_apply(s.q, s.w, 0.5 * step);
    s.w = rotation_spin_of_momentum(quat_to_mat3(s.q), INERTIA, momentum, 0.5 * step, s.w);
    s.q = rotation_apply(s.q, s.w, 0.5 * step);
  }
  return s;
}

static double distance(Spinning a, Spinning b)
{
  const quat d = {a.q.w - b.q.w, a.q.x - b.q.x, a.q.y - b.q.y, a.q.z - b.q.z};
  return sqrt(d.w * d.w + d.x * d.x + d.y * d.y + d.z * d.z) + vec3_norm(vec3_sub(a.w, b.w));
}

// A sphere's spin is its momentum over its inertia however fast it turns, and turning is no motion
// of its surface.
static void test_spheres(void)
{
  Arena arena = arena_new();
  Shape sphere, box;
  vec3 corners[8];
  for (int i = 0; i < 8; i++) corners[i] = vec3_new(i & 1, (i >> 1) & 1, (i >> 2) & 1);
  PartRecipe part = {.count = 8, .points = corners};
  CHECK(shape_build(&(ShapeRecipe){.radius = 0.5}, &arena, &sphere).status == SHAPE_OK);
  CHECK(shape_build(&(ShapeRecipe){.part_count = 1, .parts = &part}, &arena, &box).status ==
        SHAPE_OK);
  const double moment = sphere.inertia.row[0].x;
  const vec3 spin = {3000, -4000, 1500};
  const quat turned = rotation_apply(quat_identity(), spin, 5e-4);
  const vec3 found =
      rotation_spin_of_momentum(quat_to_mat3(turned), sphere.inertia, vec3_scale(moment, spin),
                                5e-4, vec3_scale(1 + 1e-9, spin));
  CHECK_NEAR(vec3_norm(vec3_sub(found, spin)) / vec3_norm(spin), 0, 1e-14);

  Bodies bodies = {0};
  bodies_begin(&bodies);
  table_reserve(&bodies.table, 1);
  bodies.spin[0] = spin;
  bodies.velocity[0] = vec3_new(0, 249, 0);
  CHECK(!motion_is_large(&bodies, 0, &sphere, 1e-3));
  CHECK(motion_is_large(&bodies, 0, &box, 1e-3));
  bodies.velocity[0].y = 251;
  CHECK(motion_is_large(&bodies, 0, &sphere, 1e-3));
  bodies.spin[0] = vec3_new(0, 0, 0);
  bodies.velocity[0].y = 249;
  CHECK(!motion_is_large(&bodies, 0, &box, 1e-3));
  bodies_end(&bodies);
  arena_destroy(&arena);
}

int main(void)
{
  // an asymmetric top: after many steps pose and spin still belong to the momentum that torques
  // alone would change
  const Spinning start = run(0, 0), end = run(1e-3, 100000);
  const vec3 before = rotation_momentum(start.q, start.w, INERTIA);
  const vec3 after = rotation_momentum(end.q, end.w, INERTIA);
  CHECK_NEAR(vec3_norm(vec3_sub(after, before)) / vec3_norm(before), 0, 1e-12);
  CHECK_NEAR(end.q.w * end.q.w + end.q.x * end.q.x + end.q.y * end.q.y + end.q.z * end.q.z, 1,
             1e-15);
  CHECK_NEAR(0.5 * vec3_dot(after, end.w), 0.5 * vec3_dot(before, start.w), 1e-6);

  // halving the step quarters the error
  const Spinning fine = run(1.0 / 12800, 12800);
  const double coarse_error = distance(run(0.02, 50), fine),
               half_error = distance(run(0.01, 100), fine);
  CHECK(coarse_error > 1e-6);
  CHECK_NEAR(coarse_error / half_error, 4, 0.1);

  // a principal axis keeps its spin, bit for bit nearly
  Spinning s = {{1, 0, 0, 0}, {0, 0, 3}};
  const vec3 momentum = rotation_momentum(s.q, s.w, INERTIA);
  s.q = rotation_apply(s.q, s.w, 0.05);
  const vec3 w = rotation_spin_of_momentum(quat_to_mat3(s.q), INERTIA, momentum, 0.05, s.w);
  CHECK_NEAR(vec3_norm(vec3_sub(w, s.w)), 0, 1e-14);
  test_spheres();
  return test_report();
}
