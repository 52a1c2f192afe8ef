// Where geometry leaves the normal open the motion decides: of all directions that part tips and
// ridges the one along which they are least inside each other at the end of the step; and once
// chosen it is kept while it parts them.
#include "contacts.h"
#include "harness.h"
#include "patch.h"
#include "patch_pair.h"
#include "posed_scene.h"

static const vec3 zero = {0, 0, 0};
static const PatchParameters usual = {.margin = 1e-3, .feature_width = 2e-3, .max_points = 8};

static mat3 straight(void) { return mat3_diagonal(1, 1, 1); }

// A pyramid with its tip at the origin, a wedge with its ridge along x, a cube on a corner: up +1
// points up.
static Solid spike(double up)
{
  vec3 corners[5] = {{0, 0, 0}};
  for (int i = 0; i < 4; i++)
    corners[i + 1] = vec3_new(i & 1 ? 0.4 : -0.4, i & 2 ? 0.4 : -0.4, -up);
  Solid solid = {0};
  solid_add_part(&solid, corners, 5);
  return solid;
}

static Solid wedge(double up)
{
  vec3 corners[6];
  for (int i = 0; i < 6; i++)
    corners[i] = vec3_new(i & 1 ? 0.5 : -0.5, i < 2 ? 0 : i < 4 ? 0.5 : -0.5, i < 2 ? 0 : -up);
  Solid solid = {0};
  solid_add_part(&solid, corners, 6);
  return solid;
}

static Solid cube_on_corner(double up)
{
  // columns: the directions of the three edges that leave the corner
  const double s = 1 / sqrt(3), c = sqrt(2.0 / 3), h = sqrt(0.5);
  const vec3 edges[3] = {{c, 0, -up * s}, {-0.5 * c, h, -up * s}, {-0.5 * c, -h, -up * s}};
  vec3 corners[8];
  for (int i = 0; i < 8; i++) {
    corners[i] = zero;
    for (int k = 0; k < 3; k++) {
      if (i & (1 << k)) corners[i] = vec3_add(corners[i], edges[k]);
    }
  }
  Solid solid = {0};
  solid_add_part(&solid, corners, 8);
  return solid;
}

static Solid solid_of(int kind, double up)
{
  return kind == 0 ? spike(up) : kind == 1 ? wedge(up) : cube_on_corner(up);
}

// Separation of b from a along n, which looks from a to b.
static double separation_along(const PosedBody *a, const PosedBody *b, vec3 n)
{
  double high = -INFINITY, low = INFINITY;
  const vec3 shift = vec3_sub(b->center, a->center);
  for (int v = 0; v < a->parts[0].vertex_count; v++)
    high = fmax(high, vec3_dot(n, a->parts[0].vertices[v]));
  for (int v = 0; v < b->parts[0].vertex_count; v++)
    low = fmin(low, vec3_dot(n, vec3_add(b->parts[0].vertices[v], shift)));
  return low - high;
}

// Separation along a direction that two edges span, from the edges themselves.
static double edge_separation(const PosedBody *a, int edge_a, const PosedBody *b, int edge_b,
                              vec3 n)
{
  const Polyhedron *p = &a->parts[0], *q = &b->parts[0];
  const vec3 on_b = vec3_add(q->vertices[q->edges[edge_b].vertex[0]], b->center);
  const vec3 on_a = vec3_add(p->vertices[p->edges[edge_a].vertex[0]], a->center);
  return vec3_dot(n, vec3_sub(on_b, on_a));
}

// The face's normal that a direction nearly repeats, and how much the bodies are apart along it;
// false: there is none.
static bool separation_of_near_face(const PosedBody *a, const PosedBody *b, vec3 n,
                                    double *separation)
{
  const Polyhedron *p = &a->parts[0], *q = &b->parts[0];
  double most = cos(PATCH_MERGE_ANGLE);
  bool found = false;
  for (int f = 0; f < p->face_count + q->face_count; f++) {
    const bool of_a = f < p->face_count;
    const vec3 m = of_a ? p->planes[f].normal : vec3_neg(q->planes[f - p->face_count].normal);
    if (vec3_dot(m, n) <= most) continue;
    most = vec3_dot(m, n);
    *separation = separation_along(a, b, m);
    found = true;
  }
  return found;
}

// The least overlap at the end of the step along any face's normal or any cross of edges that are
// the outermost of both along it, by trying all; travel of b relative to a at the touch. A cross
// that nearly repeats a face's normal counts only where it separates more than that by the margin
// (m).
static double best_at_end(const PosedBody *a, const PosedBody *b, vec3 travel, double margin)
{
  const Polyhedron *p = &a->parts[0], *q = &b->parts[0];
  double best = -INFINITY;
  for (int f = 0; f < p->face_count; f++) {
    const vec3 n = p->planes[f].normal;
    best = fmax(best, separation_along(a, b, n) + vec3_dot(travel, n));
  }
  for (int g = 0; g < q->face_count; g++) {
    const vec3 n = vec3_neg(q->planes[g].normal);
    best = fmax(best, separation_along(a, b, n) + vec3_dot(travel, n));
  }
  for (int i = 0; i < p->edge_count; i++) {
    for (int k = 0; k < q->edge_count; k++) {
      const Edge e = p->edges[i], f = q->edges[k];
      vec3 n = vec3_cross(vec3_sub(p->vertices[e.vertex[1]], p->vertices[e.vertex[0]]),
                          vec3_sub(q->vertices[f.vertex[1]], q->vertices[f.vertex[0]]));
      if (vec3_norm(n) < 1e-6) continue;
      n = vec3_scale(1 / vec3_norm(n), n);
      for (int sign = 0; sign < 2; sign++, n = vec3_neg(n)) {
        const double s = separation_along(a, b, n);
        double of_face;
        if (fabs(s - edge_separation(a, i, b, k, n)) >= 1e-12) continue;
        if (separation_of_near_face(a, b, n, &of_face) && s < of_face + margin) continue;
        best = fmax(best, s + vec3_dot(travel, n));
      }
    }
  }
  return best;
}

static double margin_of(const PosedBody *a, const PosedBody *b)
{
  return usual.margin * fmin(a->parts[0].extent, b->parts[0].extent);
}

// The upper body meets the tip or ridge of the lower one at the origin.
static PosedBody upper_body(int kind, double yaw, vec3 place, Arena *arena)
{
  const Solid solid = solid_of(kind, -1);
  return body_from_solid(&solid, rotation_about(vec3_new(0, 0, 1), yaw), place, zero, arena);
}

static PosedBody lower_body(int kind, Arena *arena)
{
  const Solid solid = solid_of(kind, 1);
  return body_from_solid(&solid, straight(), zero, zero, arena);
}

// Velocity b - a at the origin, which is where they touch.
static vec3 velocity_at_touch(const PosedBody *a, const PosedBody *b)
{
  return relative_velocity(a, b, vec3_neg(a->center));
}

// How far any two places of the bodies can come nearer in a step, as detection has it.
static double reach_of(const PosedBody *a, const PosedBody *b, double step)
{
  return step * (vec3_norm(vec3_sub(b->velocity, a->velocity)) +
                 vec3_norm(a->spin) * a->shape->radius + vec3_norm(b->spin) * b->shape->radius);
}

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
