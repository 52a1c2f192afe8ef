// Limit analysis: blocks whose limits are known, random assemblies whose bounds meet, and loads
// that nothing carries or nothing limits.
#include "limit.h"

#include <math.h>

#include "harness.h"
#include "random_numbers.h"
#include "vec3.h"

enum { MOST_POINTS = 4000, MOST_BODIES = 400 };

typedef struct {
  LimitProblem problem;
  LimitPoint points[MOST_POINTS];
  LimitLoad dead[MOST_BODIES], live[MOST_BODIES];
  double extent[MOST_BODIES];
  vec3 wanted[MOST_POINTS], centre[MOST_BODIES];
} Scene;

static Scene scene;

static void scene_begin(void)
{
  scene.problem = (LimitProblem){
      .points = scene.points, .dead = scene.dead, .live = scene.live, .extent = scene.extent};
}

static int add_body(vec3 centre, double extent, vec3 weight, vec3 live)
{
  const int b = scene.problem.body_count++;
  scene.extent[b] = extent;
  scene.centre[b] = centre;
  scene.dead[b] = (LimitLoad){weight, {0, 0, 0}};
  scene.live[b] = (LimitLoad){live, {0, 0, 0}};
  return b;
}

// axes: normal into the low body, and a tangent
static void add_point(int low, int high, vec3 at, mat3 basis, double friction)
{
  const vec3 none = {0, 0, 0};
  scene.points[scene.problem.point_count++] =
      (LimitPoint){.low = low,
                   .high = high,
                   .basis = basis,
                   .low_arm = low >= 0 ? vec3_sub(at, scene.centre[low]) : none,
                   .high_arm = high >= 0 ? vec3_sub(at, scene.centre[high]) : none,
                   .friction = friction};
}

static const mat3 upright = {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};

// the four corners of a rectangle below a body
static void add_base(int low, int high, vec3 middle, vec3 half, double friction)
{
  for (int i = 0; i < 4; i++)
    add_point(low, high,
              (vec3){middle.x + (i & 1 ? 1 : -1) * half.x, middle.y + (i & 2 ? 1 : -1) * half.y,
                     middle.z},
              upright, friction);
}

static LimitResult solve(Arena *arena)
{
  const LimitResult result = limit_solve(&scene.problem, 1e-9, arena);
  if (result.status != LIMIT_FOUND) return result;
  CHECK(result.balance < 1e-9);
  CHECK(result.low <= result.high + 1e-9);
  CHECK(result.high - result.low < 1e-7 * (1 + fabs(result.high)));
  for (int i = 0; i < scene.problem.point_count; i++) {
    const vec3 r = result.forces[i];
    CHECK(sqrt(r.y * r.y + r.z * r.z) <= scene.points[i].friction * r.x + 1e-12 * (1 + fabs(r.x)));
  }
  return result;
}

// Pushed sideways by its weight a block slides or overturns, whichever is first.
static void test_block(void)
{
  static const double frictions[] = {0.3, 0.7, 1e6, 0};
  static const double limits[] = {0.3, 0.5, 0.5, 0};
  for (int k = 0; k < 4; k++) {
    Arena arena = arena_new();
    scene_begin();
    const int b = add_body((vec3){3, 2, 1}, 2, (vec3){0, 0, -5000}, (vec3){5000, 0, 0});
    add_base(b, -1, (vec3){3, 2, 0}, (vec3){0.5, 0.5, 0}, frictions[k]);
    const LimitResult result = solve(&arena);
    CHECK(result.status == LIMIT_FOUND);
    CHECK_NEAR(result.low, limits[k], 1e-7);
    CHECK_NEAR(result.high, limits[k], 1e-7);
    // the mechanism slides, or turns about the edge in front
    if (k == 0) CHECK(fabs(result.motions[b].spin.y) < 1e-4);
    if (k == 1) CHECK_NEAR(result.motions[b].velocity.x / result.motions[b].spin.y, 1, 1e-4);
    arena_destroy(&arena);
  }
}

// A row of blocks on each other, pushed at an angle.
static void test_stack(void)
{
  Arena arena = arena_new();
  scene_begin();
  const double angle = 0.3, half = 0.2, height = 0.5;
  for (int i = 0; i < 20; i++) {
    const int b = add_body((vec3){0, 0, (i + 0.5) * height}, 0.5, (vec3){0, 0, -1},
                           (vec3){cos(angle), sin(angle), 0});
    add_base(b, b - 1, (vec3){0, 0, i * height}, (vec3){half, half, 0}, 0.9);
  }
  const LimitResult result = solve(&arena);
  CHECK(result.status == LIMIT_FOUND);
  // a tower of 20 turns about a side of its base
  CHECK_NEAR(result.low, half / (10 * height) / cos(angle), 1e-7);
  arena_destroy(&arena);
}

// Nothing holds a block on a slope that is too steep.
static void test_none(void)
{
  Arena arena = arena_new();
  scene_begin();
  const int b = add_body((vec3){0, 0, 1}, 1, (vec3){3, 0, -5}, (vec3){0, 1, 0});
  add_base(b, -1, (vec3){0, 0, 0}, (vec3){5, 5, 0}, 0.5);
  const LimitResult result = solve(&arena);
  CHECK(result.status == LIMIT_NONE);
  CHECK(result.motions[b].velocity.x > 0);
  arena_destroy(&arena);
}

// A load that presses a block on the ground within its friction is carried whatever its size; that
// of a wall on both sides is, too.
static void test_unbounded(void)
{
  Arena arena = arena_new();
  scene_begin();
  int b = add_body((vec3){0, 0, 1}, 1, (vec3){0, 0, -5}, (vec3){0.2, 0, -1});
  add_base(b, -1, (vec3){0, 0, 0}, (vec3){5, 5, 0}, 0.5);
  CHECK(solve(&arena).status == LIMIT_UNBOUNDED);

  scene_begin();
  b = add_body((vec3){0, 0, 1}, 1, (vec3){0, 0, -5}, (vec3){0, 0, 0});
  add_base(b, -1, (vec3){0, 0, 0}, (vec3){1, 1, 0}, 0.5);
  const mat3 from_left = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const mat3 from_right = {{{-1, 0, 0}, {0, 0, 1}, {0, 1, 0}}};
  add_point(b, -1, (vec3){-1, 0, 1}, from_left, 0.5);
  add_point(b, -1, (vec3){1, 0, 1}, from_right, 0.5);
  scene.problem.live = NULL;
  scene.problem.wanted = scene.wanted;
  for (int i = 0; i < MOST_POINTS; i++) scene.wanted[i] = (vec3){0, 0, 0};
  scene.wanted[4] = (vec3){1, 0, 0};
  CHECK(solve(&arena).status == LIMIT_UNBOUNDED);
  // the least is nothing
  scene.wanted[4] = (vec3){-1, 0, 0};
  const LimitResult result = solve(&arena);
  CHECK(result.status == LIMIT_FOUND);
  CHECK_NEAR(result.high, 0, 1e-6);
  arena_destroy(&arena);
}

// Of all forces below a block that leans on one point the largest and the least are known.
static void test_reaction(void)
{
  Arena arena = arena_new();
  for (int sign = -1; sign < 2; sign += 2) {
    scene_begin();
    const int b = add_body((vec3){0, 0, 1}, 1, (vec3){0, 0, -8}, (vec3){0, 0, 0});
    add_base(b, -1, (vec3){0, 0, 0}, (vec3){1, 1, 0}, 0.5);
    scene.problem.live = NULL;
    scene.problem.wanted = scene.wanted;
    for (int i = 0; i < 4; i++) scene.wanted[i] = (vec3){0, 0, 0};
    scene.wanted[0] = (vec3){sign, 0, 0};
    const LimitResult result = solve(&arena);
    CHECK(result.status == LIMIT_FOUND);
    // two diagonals share the weight in any way
    CHECK_NEAR(result.low, sign < 0 ? 0 : 4, 1e-6);
  }
  arena_destroy(&arena);
}

// Walls of bricks with random sizes and friction, pushed anywhere: both bounds meet.
static void test_walls(void)
{
  Random random = {5};
  int found = 0;
  for (int round = 0; round < 20; round++) {
    Arena arena = arena_new();
    scene_begin();
    const int courses = 3 + (int)random_below(&random, 10),
              length = 3 + (int)random_below(&random, 8);
    const double scale = pow(10, random_between(&random, -3, 3));
    for (int i = 0; i < courses; i++)
      for (int j = 0; j < length; j++) {
        const vec3 centre = {scale * (j + 0.5 * (i % 2)), 0, scale * (i + 0.5)};
        const double weight = scale * scale * scale * random_between(&random, 1, 3);
        const vec3 push = {random_between(&random, -1, 1), random_between(&random, -1, 1),
                           random_between(&random, -1, 1)};
        const int b = add_body(centre, scale, (vec3){0, 0, -weight}, vec3_scale(weight, push));
        const double friction = random_between(&random, 0, 1.5);
        const vec3 half = {0.28 * scale, 0.4 * scale, 0};
        for (int k = 0; k < 2; k++) {
          const vec3 middle = {centre.x + (k - 0.5) * 0.5 * scale, 0, scale * i};
          int below = j + (i % 2 ? k : k - 1);   // of the course below
          if (i == 0) below = -1;
          else if (below < 0 || below >= length) continue;
          else below += (i - 1) * length;
          add_base(b, below, middle, half, friction);
        }
      }
    const LimitResult result = solve(&arena);
    CHECK(result.status == LIMIT_FOUND || result.status == LIMIT_UNBOUNDED ||
          result.status == LIMIT_NONE);
    found += result.status == LIMIT_FOUND && result.high > 1e-3;
    arena_destroy(&arena);
  }
  CHECK(found >= 15);
}

int main(void)
{
  test_block();
  test_stack();
  test_none();
  test_unbounded();
  test_reaction();
  test_walls();
  return test_report();
}
