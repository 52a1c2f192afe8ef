// Lenses and caps of spheres: against sums over disks, the whole sphere, solids of many faces and
// figures of a prototype.
#include "common_sphere.h"

#include "common_find.h"
#include "harness.h"
#include "posed_scene.h"
#include "trig.h"

static const vec3 zero = {0, 0, 0};

static double relative(double value, double expected) { return value / expected - 1; }

// Integrals over t of polynomials of degree 4 in t, by three points of Gauss, which is exact.
static SphereCap cap_by_disks(double radius, double height)
{
  const double node[3] = {-sqrt(0.6), 0, sqrt(0.6)}, weight[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  SphereCap cap = {.disk = TRIG_PI * height * (2 * radius - height)};
  double first = 0, second = 0;
  for (int i = 0; i < 3; i++) {
    const double t = height * (1 + node[i]) / 2, square = t * (2 * radius - t);
    const double disk = TRIG_PI * square * weight[i] * height / 2;
    cap.volume += disk;
    first += disk * t;
    second += disk * t * t;
    cap.across += disk * square / 4;
  }
  cap.depth = first / cap.volume;
  cap.along = second - first * cap.depth;
  return cap;
}

static void test_caps(void)
{
  for (int i = 1; i <= 40; i++) {
    const double radius = 0.7, height = radius * i / 20;
    const SphereCap cap = common_sphere_cap(radius, height);
    const SphereCap sum = cap_by_disks(radius, height);
    CHECK_NEAR(relative(cap.volume, sum.volume), 0, 1e-14);
    CHECK_NEAR(relative(cap.depth, sum.depth), 0, 1e-14);
    CHECK_NEAR(relative(cap.along, sum.along), 0, 2e-14);
    CHECK_NEAR(relative(cap.across, sum.across), 0, 1e-13);
    // with the rest of the sphere it is the sphere
    if (i == 40) {
      CHECK_NEAR(relative(cap.volume, 4 * TRIG_PI / 3 * pow(radius, 3)), 0, 1e-15);
      CHECK_NEAR(relative(cap.along, 4 * TRIG_PI / 15 * pow(radius, 5)), 0, 1e-14);
      CHECK_NEAR(relative(cap.across, 4 * TRIG_PI / 15 * pow(radius, 5)), 0, 1e-14);
      CHECK_NEAR(cap.depth, radius, 1e-15);
    }
  }
  // a sphere of 1 kg on k = 1e6 N/m3 with g = 9.81: depth, J, r_g
  const SphereCap rest = common_sphere_cap(0.5, 2.50113391e-3);
  CHECK_NEAR(relative(rest.volume, 9.81e-6), 0, 1e-8);
  CHECK_NEAR(relative(rest.across, 4.0808317e-9), 0, 1e-7);
  CHECK_NEAR(relative(sqrt(2 * rest.across / rest.volume), 0.02884396), 0, 2e-7);
}

static void check_near(vec3 value, vec3 expected, double tolerance)
{
  CHECK_NEAR(vec3_norm(vec3_sub(value, expected)), 0, tolerance);
}

// Lenses are the same from both sides, are the limit of solids with many faces, and end as the
// smaller sphere.
static void test_lenses(void)
{
  Random random = {5};
  for (int n = 0; n < 200; n++) {
    const double a = random_between(&random, 0.2, 1), b = random_between(&random, 0.2, 1);
    const vec3 at = vec3_scale(random_between(&random, 0, 1) * (a + b), random_direction(&random));
    const CommonSolid lens = common_sphere_lens(a, b, at);
    const CommonSolid back = common_sphere_lens(b, a, vec3_neg(at));
    CHECK(lens.volume > 0);
    CHECK_NEAR(relative(back.volume, lens.volume), 0, 1e-13);
    check_near(vec3_add(back.centroid, at), lens.centroid, 1e-14);
    for (int i = 0; i < 3; i++) check_near(back.second.row[i], lens.second.row[i], 1e-14);
    check_near(back.area[0], lens.area[1], 1e-14);
    check_near(vec3_add(lens.area[0], lens.area[1]), zero, 1e-15);

    // the gradient of the volume is the area: what moves b by x away loses volume
    const double distance = vec3_norm(at), step = 1e-6;
    if (distance < fabs(a - b) + 0.01 || distance > a + b - 0.01) continue;
    const vec3 axis = vec3_scale(1 / distance, at);
    const double far = common_sphere_lens(a, b, vec3_axpy(step, axis, at)).volume;
    const double near = common_sphere_lens(a, b, vec3_axpy(-step, axis, at)).volume;
    CHECK_NEAR((near - far) / (2 * step), vec3_dot(lens.area[0], axis), 1e-8);
  }
  const CommonSolid inside = common_sphere_lens(1, 0.3, (vec3){0.4, 0, 0});
  CHECK_NEAR(relative(inside.volume, 4 * TRIG_PI / 3 * 0.027), 0, 1e-15);
  CHECK(inside.centroid.x == 0.4 && inside.size[0] == 0 && inside.size[1] > 0);
  CHECK(vec3_norm(inside.area[1]) == 0);
  const CommonSolid around = common_sphere_lens(0.3, 1, (vec3){0.4, 0, 0});
  CHECK(around.centroid.x == 0 && around.size[0] > 0 && around.size[1] == 0);
  CHECK(common_sphere_lens(1, 0.5, (vec3){1.5, 0, 0}).volume == 0);
  CHECK(common_sphere_lens(1, 0.5, (vec3){2, 0, 0}).volume == 0);
}

// The work of a lens is the integral of its volume over the depth, for spheres of any sizes; where
// the closed form takes over from the series they agree.
static void test_work(void)
{
  const double node[3] = {-sqrt(0.6), 0, sqrt(0.6)}, weight[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  const double radii[][2] = {{0.5, 0.5}, {0.7, 0.3}, {0.3, 0.7}, {1, 0.99}, {0.02, 1}};
  for (int n = 0; n < 5; n++) {
    const double a = radii[n][0], b = radii[n][1], most = 1.9 * fmin(a, b);
    for (int i = 1; i <= 10; i++) {
      const double depth = most * i / 10;
      double sum = 0;
      for (int k = 0; k < 200; k++) {
        for (int g = 0; g < 3; g++) {
          const double d = depth * (k + 0.5 * (1 + node[g])) / 200;
          const double volume = common_sphere_lens(a, b, (vec3){a + b - d, 0, 0}).volume;
          sum += 0.5 * weight[g] * depth / 200 * volume;
        }
      }
      CHECK_NEAR(relative(common_sphere_work(a, b, depth), sum), 0, 1e-9);
    }
    const vec3 at = {0, 0, a + b - most / 3};
    const CommonSolid lens = common_sphere_lens(a, b, at);
    const double height = vec3_norm(vec3_sub(lens.middle[0], lens.centroid));
    CHECK_NEAR(relative(height * lens.volume, common_sphere_work(a, b, most / 3)), 0, 1e-10);
  }
  const double sum = 1, depth = 0.5 * sum;
  const double below = common_sphere_work(0.4, 0.6, depth * (1 - 1e-15));
  CHECK_NEAR(relative(common_sphere_work(0.4, 0.6, depth * (1 + 1e-15)), below), 0, 1e-13);
}

static PosedBody sphere_at(double radius, vec3 at, Arena *arena)
{
  Shape *shape = arena_allocate_zero(arena, 1, sizeof *shape);
  shape->sphere_radius = shape->radius = radius;
  shape->extent = 2 * radius;
  return (PosedBody){.shape = shape, .rotation = mat3_diagonal(1, 1, 1), .center = at};
}

// On a floor, off its edge, on its edge, and as either of the two bodies.
static void test_floor(Arena *arena)
{
  const Solid slab = solid_box(vec3_new(-5, -5, -1), vec3_new(5, 5, 0));
  Random random = {3};
  for (int n = 0; n < 20; n++) {
    const mat3 turn = random_rotation(&random);
    const vec3 move = random_in_cube(&random, 10);
    const PosedBody floor = body_from_solid(&slab, turn, move, zero, arena);
    const double depth = 0.01 * (n + 1);
    const vec3 place = vec3_new(1, -2, 0.5 - depth), up = mat3_mul(turn, vec3_new(0, 0, 1));
    const PosedBody ball = sphere_at(0.5, vec3_add(mat3_mul(turn, place), move), arena);
    const ModelPair pair = {.a = &ball, .b = &floor}, other = {.a = &floor, .b = &ball};
    const CommonSet set = common_find(&pair, (CommonAsked){.pooled = false}, arena);
    if (!CHECK(set.row_count == 1 && set.failed == 0)) continue;
    const CommonSolid *solid = &set.rows[0].solid;
    const SphereCap cap = common_sphere_cap(0.5, depth);
    CHECK_NEAR(relative(solid->volume, cap.volume), 0, 1e-11);
    check_near(solid->area[0], vec3_scale(-cap.disk, up), 1e-12);
    check_near(solid->area[1], vec3_scale(cap.disk, up), 1e-12);
    check_near(solid->centroid, vec3_scale(cap.depth - 0.5, up), 1e-13);
    CHECK_NEAR(vec3_dot(up, mat3_mul(solid->second, up)), cap.along, 1e-15);
    const CommonSet back = common_find(&other, (CommonAsked){.pooled = false}, arena);
    if (!CHECK(back.row_count == 1)) continue;
    check_near(back.rows[0].solid.area[0], solid->area[1], 1e-15);
    check_near(vec3_add(back.rows[0].solid.centroid, floor.center),
               vec3_add(solid->centroid, ball.center), 1e-14);
  }
  // beside the edge there is nothing, over it another solid than a cap, inside all of the ball
  const PosedBody floor = body_from_solid(&slab, mat3_diagonal(1, 1, 1), zero, zero, arena);
  const vec3 places[] = {{5.4, 0, 0.4}, {4.95, 0, 0.4}, {0, 0, 0.6}, {0, 0, -0.5}, {0, 0, -1.2}};
  const int failed[] = {0, 1, 0, 1, 0}, rows[] = {0, 0, 0, 0, 1};
  for (int i = 0; i < 5; i++) {
    const PosedBody ball = sphere_at(0.5, places[i], arena);
    const ModelPair pair = {.a = &floor, .b = &ball};
    const CommonSet set = common_find(&pair, (CommonAsked){.pooled = false}, arena);
    CHECK(set.failed == failed[i] && set.row_count == rows[i]);
  }
}

int main(void)
{
  Arena arena = arena_new();
  test_caps();
  test_lenses();
  test_work();
  test_floor(&arena);
  arena_destroy(&arena);
  return test_report();
}
