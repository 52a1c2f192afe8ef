// Where geometry leaves the normal open the motion decides: of all directions that part tips and
// ridges the one along which they are least inside each other at the end of the step; and once
// chosen it is kept while it parts them.
#include "contacts.h"
#include "tips_scene.h"

// Tips and ridges of all kinds, a little apart or overlapped, velocities and spins at random.
static void test_least_violated(bool spinning, Arena *arena)
{
  Random random = {spinning ? 3 : 2};
  const double step = 1e-3;
  int looked = 0, worse = 0, missing = 0;
  for (int trial = 0; trial < 1500; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const int lower = trial % 3, upper = trial / 3 % 3;
    const double off = trial % 4 == 0 ? 0 : 1e-5;
    const vec3 place = vec3_scale(off, random_direction(&random));
    PosedBody a = lower_body(lower, arena);
    // ridges along each other, too
    const double yaw = trial % 5 == 0 ? 0 : random_between(&random, 0, 3);
    PosedBody b = upper_body(upper, yaw, place, arena);
    if (spinning) {
      b.velocity = vec3_new(0, 0, -0.5);
      b.spin = vec3_scale(3, random_direction(&random));
      if (trial & 1) a.spin = vec3_scale(2, random_direction(&random));
    } else {
      b.velocity = vec3_scale(2, random_direction(&random));
      if (trial & 1) a.velocity = random_direction(&random);
    }
    const vec3 velocity = velocity_at_touch(&a, &b);
    // they approach along every direction that parts them, or the touch decides nothing
    const vec3 travel = vec3_scale(step, velocity);
    const double speed = vec3_norm(velocity);
    const double best = best_at_end(&a, &b, travel, 0);
    if (best < -0.1 * step * speed) {
      looked++;
      const PatchSet set = patch_find(&a, &b, &usual, reach_of(&a, &b, step), arena);
      if (set.patch_count != 1) missing++;
      for (int i = 0; i < set.patch_count; i++) {
        const vec3 n = vec3_neg(set.patches[i].normal);
        const double at_end = separation_along(&a, &b, n) + vec3_dot(travel, n);
        if (at_end < best - 1e-2 * step * speed) worse++;
      }
    }
    arena_release(arena, mark);
  }
  CHECK(looked > 200);
  CHECK(missing == 0);
  CHECK(worse == 0);
}

// Rolling: the bodies turn about the touch, which hardly moves. How far they could go by turning
// says nothing there: the normal is the one of largest separation, whatever noise the velocity has.
// (An edge axis that hardly separates more than a face's beside it goes after that one.)
static void test_rolling(Arena *arena)
{
  Random random = {5};
  const double step = 1e-3;
  int worse = 0, found = 0;
  for (int trial = 0; trial < 600; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const vec3 place = vec3_scale(2e-5, random_direction(&random));
    const PosedBody a = lower_body(trial % 3, arena);
    PosedBody b = upper_body(trial / 3 % 3, random_between(&random, 0, 3), place, arena);
    b.spin = vec3_scale(random_between(&random, 2, 8), random_direction(&random));
    const vec3 noise = vec3_scale(1e-13, random_direction(&random));
    b.velocity = vec3_add(vec3_cross(b.spin, b.center), noise);
    const double best = best_at_end(&a, &b, zero, margin_of(&a, &b));
    const PatchSet set = patch_find(&a, &b, &usual, reach_of(&a, &b, step), arena);
    for (int i = 0; i < set.patch_count; i++) {
      found++;
      if (separation_along(&a, &b, vec3_neg(set.patches[i].normal)) < best - 1e-7) worse++;
    }
    arena_release(arena, mark);
  }
  CHECK(found > 100 && worse == 0);
}

static KeptAxis axis_of(const PatchSet *set)
{
  const PatchPoint *p = &set->patches[0].points[0];
  return (KeptAxis){p->part_a, p->part_b, p->axis_a, p->axis_b};
}

// Straight onto each other no direction is better than another: any that parts them, the same one
// always, and with the bodies in the other order as well one that parts them.
static void test_straight_fall(Arena *arena)
{
  for (int trial = 0; trial < 90; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const int lower = trial % 3, upper = trial / 3 % 3;
    const double off = trial < 45 ? 0 : 1e-9;
    const PosedBody a = lower_body(lower, arena);
    PosedBody b = upper_body(upper, 0.1 * (trial / 9), vec3_new(0, 0, -off), arena);
    b.velocity = vec3_new(0, 0, -1);
    const PatchSet set = patch_find(&a, &b, &usual, 1e-3, arena);
    const PatchSet again = patch_find(&a, &b, &usual, 1e-3, arena);
    const PatchSet swapped = patch_find(&b, &a, &usual, 1e-3, arena);
    if (CHECK(set.patch_count == 1 && again.patch_count == 1 && swapped.patch_count == 1)) {
      const vec3 n = set.patches[0].normal, m = swapped.patches[0].normal;
      CHECK(n.x == again.patches[0].normal.x && n.y == again.patches[0].normal.y);
      for (int k = 0; k < set.patches[0].point_count; k++)
        CHECK_NEAR(set.patches[0].points[k].gap, -off * fabs(n.z), 1e-12);
      for (int k = 0; k < swapped.patches[0].point_count; k++)
        CHECK_NEAR(swapped.patches[0].points[k].gap, -off * fabs(m.z), 1e-12);
      // equally good: neither is chosen for what is not there
      CHECK_NEAR(n.z, -m.z, lower == upper ? 1e-9 : 1);
    }
    arena_release(arena, mark);
  }
}

// A tip that slides off a tip, ridge or corner goes down on one side of it for the whole way.
static void test_slide_off(Arena *arena)
{
  Random random = {7};
  for (int trial = 0; trial < 60; trial++) {
    const int lower = trial % 3, upper = trial / 3 % 3;
    const PosedBody a = lower_body(lower, arena);
    const vec3 start = vec3_scale(1e-5, random_direction(&random));
    PosedBody b = upper_body(upper, random_between(&random, 0, 3), start, arena);
    b.velocity =
        vec3_new(random_between(&random, -0.3, 0.3), random_between(&random, -0.3, 0.3), -1);
    KeptAxis kept = {0};
    vec3 first = zero;
    int steps = 0;
    const double step = 1e-3;
    for (; steps < 300; steps++) {
      const ArenaMark mark = arena_mark(arena);
      const PatchSet set = patch_search(&(PatchQuery){.a = &a,
                                                      .b = &b,
                                                      .parameters = &usual,
                                                      .reach = reach_of(&a, &b, step),
                                                      .kept = &kept,
                                                      .kept_count = steps > 0},
                                        arena);
      if (set.patch_count == 0) break;
      CHECK(set.patch_count == 1 && set.failed == 0);
      const vec3 n = set.patches[0].normal;
      if (steps == 0) first = n;
      CHECK(vec3_norm(vec3_sub(n, first)) < 1e-9);
      kept = axis_of(&set);
      // the motion that the contact leaves: along its plane, no nearer
      const double closing = vec3_dot(n, b.velocity);
      if (closing > 0) b.velocity = vec3_axpy(-closing, n, b.velocity);
      b.center = vec3_axpy(step, b.velocity, b.center);
      arena_release(arena, mark);
    }
    CHECK(steps > 0);
  }
}

// A direction is kept by a hair and let go beyond: the bodies reverse, and pass to the other side.
static void test_letting_go(Arena *arena)
{
  const PosedBody a = lower_body(0, arena);
  const double width = 1e-3;   // margin of a pyramid of 1 m
  PosedBody b = upper_body(0, 0, zero, arena);
  b.velocity = vec3_new(0.2, 0, -2);
  const PatchSet set = patch_find(&a, &b, &usual, 1e-3, arena);
  if (!CHECK(set.patch_count == 1 && set.patches[0].normal.x < -0.5)) return;
  const KeptAxis kept = axis_of(&set);
  const vec3 middle = b.center;
  // the same motion, and its opposite: kept while the other side is better by less than the width
  for (int i = 0; i < 20; i++) {
    const ArenaMark mark = arena_mark(arena);
    const double back = 1e-4 * i;
    b.center = vec3_add(middle, vec3_new(-back, 0, 0));
    b.velocity = vec3_new(-0.2, 0, -2);
    const vec3 n = vec3_neg(set.patches[0].normal);
    const double lost =
        separation_along(&a, &b, vec3_new(-n.x, 0, n.z)) - separation_along(&a, &b, n);
    const PatchSet now = patch_search(
        &(PatchQuery){
            .a = &a, .b = &b, .parameters = &usual, .reach = 1e-3, .kept = &kept, .kept_count = 1},
        arena);
    if (CHECK(now.patch_count == 1) && fabs(lost - width) > 1e-9)
      CHECK((now.patches[0].normal.x < 0) == (lost < width));
    arena_release(arena, mark);
  }
  // features that part nothing any more, or that the shape has not
  b.center = middle;
  const KeptAxis wrong[3] = {{0, 0, feature_new(FEATURE_FACE, 99), AXIS_NONE},
                             {0, 0, feature_new(FEATURE_EDGE, 99), feature_new(FEATURE_EDGE, 0)},
                             {0, 0, AXIS_NONE, AXIS_NONE}};
  b.velocity = vec3_new(0.2, 0, -2);
  for (int i = 0; i < 3; i++) {
    const PatchSet now = patch_search(&(PatchQuery){.a = &a,
                                                    .b = &b,
                                                    .parameters = &usual,
                                                    .reach = 1e-3,
                                                    .kept = &wrong[i],
                                                    .kept_count = 1},
                                      arena);
    CHECK(now.patch_count == 1 && now.patches[0].normal.x < -0.5);
  }
}

int main(void)
{
  Arena arena = arena_new();
  test_least_violated(false, &arena);
  test_least_violated(true, &arena);
  test_rolling(&arena);
  test_straight_fall(&arena);
  test_slide_off(&arena);
  test_letting_go(&arena);
  arena_destroy(&arena);
  return test_report();
}
