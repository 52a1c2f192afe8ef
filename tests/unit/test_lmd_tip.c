// Tips, ridges and corners by the model lmd: the motion decides the normal as in the model patch,
// without any memory of the last step.
#include "memory.h"
#include "surface_scene.h"
#include "tips_scene.h"

static PatchSet find(const PosedBody *a, const PosedBody *b, double reach, Arena *arena)
{
  const ModelPair pair = {
      .a = a, .b = b, .parameters = &usual, .turn = CONTACT_TURN, .reach = reach};
  return model_find(CONTACT_MODEL_LMD, &pair, arena);
}

// Where a body is and how it moves, each in the frame that is turned.
static PosedBody turned(const PosedBody *body, mat3 turn, Arena *arena)
{
  PosedBody moved = body_place(body->shape, mat3_mul_mat(turn, body->rotation), zero, zero, arena);
  moved.center = mat3_mul(turn, body->center);
  moved.velocity = mat3_mul(turn, body->velocity);
  moved.spin = mat3_mul(turn, body->spin);
  moved.surface = body->surface;
  return moved;
}

// Every patch has a partner with the normal turned, and the other way round where exchanged.
static bool is_turned(const PatchSet *set, const PatchSet *other, mat3 turn, double sign)
{
  if (set->patch_count != other->patch_count) return false;
  for (int i = 0; i < set->patch_count; i++) {
    const vec3 n = vec3_scale(sign, mat3_mul(turn, set->patches[i].normal));
    double least = INFINITY;
    for (int j = 0; j < other->patch_count; j++)
      least = smaller_of(least, vec3_norm(vec3_sub(n, other->patches[j].normal)));
    if (!(least < 1e-9)) return false;
  }
  return true;
}

// Tips and ridges of all kinds, a little apart or overlapped, velocities and spins at random: the
// least overlap at the end of the step, in any turn and with the bodies exchanged.
static void test_least_violated(Arena *arena)
{
  Random random = {4};
  const double step = 1e-3;
  int looked = 0, worse = 0, missing = 0, differ = 0;
  for (int trial = 0; trial < 1500; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const double off = trial % 4 == 0 ? 0 : 1e-5;
    const vec3 place = vec3_scale(off, random_direction(&random));
    PosedBody a = body_with_surface(lower_body(trial % 3, arena), arena);
    const double yaw = trial % 5 == 0 ? 0 : random_between(&random, 0, 3);
    PosedBody b = body_with_surface(upper_body(trial / 3 % 3, yaw, place, arena), arena);
    b.velocity = vec3_scale(2, random_direction(&random));
    if (trial & 1) a.velocity = random_direction(&random);
    if (trial & 2) b.spin = vec3_scale(3, random_direction(&random));
    const vec3 velocity = velocity_at_touch(&a, &b);
    const double speed = vec3_norm(velocity), reach = reach_of(&a, &b, step);
    if (best_at_end(&a, &b, vec3_scale(step, velocity), 0) < -0.1 * step * speed) {
      looked++;
      const PatchSet set = find(&a, &b, reach, arena);
      missing += set.patch_count == 0;
      for (int i = 0; i < set.patch_count; i++) {
        // ridges may part by one normal at each end, where the bodies spin
        const vec3 at = set.patches[i].points[0].point, n = vec3_neg(set.patches[i].normal);
        const vec3 travel = vec3_scale(step, relative_velocity(&a, &b, at));
        const double at_end = separation_along(&a, &b, n) + vec3_dot(travel, n);
        worse += at_end < best_at_end(&a, &b, travel, 0) - 1e-2 * step * speed;
      }
      const mat3 turn = random_rotation(&random);
      const PosedBody c = turned(&a, turn, arena), d = turned(&b, turn, arena);
      const PatchSet moved = find(&c, &d, reach, arena), swapped = find(&b, &a, reach, arena);
      differ += !is_turned(&set, &moved, turn, 1);
      differ += !is_turned(&set, &swapped, straight(), -1);
    }
    arena_release(arena, mark);
  }
  CHECK(looked > 200);
  CHECK(missing == 0);
  CHECK(worse == 0);
  CHECK(differ == 0);
}

// Straight onto each other: where no normal is better, half way between all, for both orders of the
// bodies. Apart, and overlapped by less than rounding, a tip that leaves has no contact.
static void test_straight_fall(Arena *arena)
{
  for (int trial = 0; trial < 90; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const int lower = trial % 3, upper = trial / 3 % 3;
    const double off = trial < 45 ? 0 : 1e-5;
    const PosedBody a = body_with_surface(lower_body(lower, arena), arena);
    PosedBody b = upper_body(upper, 0.1 * (trial / 9 % 5), vec3_new(0, 0, -off), arena);
    b = body_with_surface(b, arena);
    b.velocity = vec3_new(0, 0, -1);
    const PatchSet set = find(&a, &b, 1e-3, arena), swapped = find(&b, &a, 1e-3, arena);
    CHECK(set.patch_count > 0 && is_turned(&set, &swapped, straight(), -1));
    for (int i = 0; i < set.patch_count; i++) {
      const vec3 n = set.patches[i].normal;
      for (int k = 0; k < set.patches[i].point_count; k++)
        CHECK_NEAR(set.patches[i].points[k].gap, -off * fabs(n.z), 1e-12);
      if (lower == upper && trial % 45 < 9) CHECK_NEAR(n.z, -1, 1e-9);
    }
    b.velocity = vec3_new(0, 0, 1);
    // (ridges that cross have one normal, and a contact wherever they go)
    const bool ridges = lower == 1 && upper == 1 && trial % 45 >= 9;
    CHECK((find(&a, &b, 1e-3, arena).patch_count > 0) == (off > 0 || ridges));
    arena_release(arena, mark);
  }
}

// A tip that slides off a tip, ridge or corner goes down on one side of it for the whole way,
// without being told which one it took in the last step.
static void test_slide_off(Arena *arena)
{
  Random random = {7};
  for (int trial = 0; trial < 60; trial++) {
    const int lower = trial % 3, upper = trial / 3 % 3;
    const PosedBody a = body_with_surface(lower_body(lower, arena), arena);
    const vec3 start = vec3_scale(1e-5, random_direction(&random));
    PosedBody b = upper_body(upper, random_between(&random, 0, 3), start, arena);
    b = body_with_surface(b, arena);
    b.velocity =
        vec3_new(random_between(&random, -0.3, 0.3), random_between(&random, -0.3, 0.3), -1);
    vec3 first = zero;
    int steps = 0;
    const double step = 1e-3;
    for (; steps < 300; steps++) {
      const ArenaMark mark = arena_mark(arena);
      const PatchSet set = find(&a, &b, reach_of(&a, &b, step), arena);
      if (set.patch_count == 0) break;
      // the deepest; others open beside it
      int deepest = 0;
      for (int i = 1; i < set.patch_count; i++) {
        if (set.patches[i].separation < set.patches[deepest].separation) deepest = i;
      }
      const vec3 n = vec3_neg(set.patches[deepest].normal);
      if (steps == 0) first = n;
      CHECK(set.failed == 0 && fabs(set.patches[deepest].separation) < 1.1e-5);
      CHECK(vec3_norm(vec3_sub(n, first)) < 1e-9);
      // the motion that the contact leaves: along its plane, no nearer
      const double leaving = vec3_dot(n, b.velocity);
      if (leaving < 0) b.velocity = vec3_axpy(-leaving, n, b.velocity);
      b.center = vec3_axpy(step, b.velocity, b.center);
      arena_release(arena, mark);
    }
    CHECK(steps > 0);
  }
}

int main(void)
{
  Arena arena = arena_new();
  test_least_violated(&arena);
  test_straight_fall(&arena);
  test_slide_off(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
