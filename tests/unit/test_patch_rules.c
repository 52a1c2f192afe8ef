// What a patch promises beyond its corners: areas that act where the contact is, outlines that are
// not convex, few points of many, depth, joints that open, tips that miss each other.
#include <stdlib.h>

#include "harness.h"
#include "patch.h"
#include "posed_scene.h"

static const vec3 zero = {0, 0, 0};
static const PatchParameters usual = {.margin = 1e-3, .feature_width = 2e-3, .max_points = 8};

static mat3 straight(void) { return mat3_diagonal(1, 1, 1); }

static PatchSet find(const PosedBody *a, const PosedBody *b, double reach, Arena *arena)
{
  return patch_find(a, b, &usual, reach, arena);
}

static vec3 area_centroid(const Patch *patch, double *area)
{
  vec3 sum = zero;
  *area = 0;
  for (int k = 0; k < patch->point_count; k++) {
    *area += patch->points[k].area;
    sum = vec3_axpy(patch->points[k].area, patch->points[k].point, sum);
  }
  return vec3_scale(1 / *area, sum);
}

// Areas of points: sum and centroid of the true contact, none negative.
static void check_areas(const Patch *patch, const PosedBody *a, double area, vec3 centroid,
                        double tolerance)
{
  double sum;
  const vec3 place = vec3_add(area_centroid(patch, &sum), a->center);
  CHECK_NEAR(patch->area, area, tolerance);
  CHECK_NEAR(sum, patch->area, 1e-15 * area);
  CHECK_NEAR(place.x, centroid.x, tolerance);
  CHECK_NEAR(place.y, centroid.y, tolerance);
  for (int k = 0; k < patch->point_count; k++) CHECK(patch->points[k].area > 0);
}

static void test_tributary_areas(Arena *arena)
{
  // prisms on a floor whose foot is any convex polygon: its own area and centroid
  const PosedBody floor = body_floor(arena);
  Random random = {31};
  for (int trial = 0; trial < 100; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const int n = 3 + trial % 6;
    vec3 corners[16];
    for (int i = 0; i < n; i++) {
      const double angle = 2 * acos(-1) * (i + random_between(&random, 0, 0.5)) / n;
      corners[i] = vec3_new(cos(angle), 0.6 * sin(angle), 0);
      corners[i + n] = vec3_new(cos(angle), 0.6 * sin(angle), 1);
    }
    double twice = 0;
    vec3 first = zero;
    for (int i = 1; i + 1 < n; i++) {
      const vec3 u = vec3_sub(corners[i], corners[0]), v = vec3_sub(corners[i + 1], corners[0]);
      const double t = u.x * v.y - u.y * v.x;
      twice += t;
      first = vec3_axpy(t / 3, vec3_add(u, v), first);
    }
    Solid solid = {0};
    solid_add_part(&solid, corners, 2 * n);
    const PosedBody prism =
        body_from_solid(&solid, straight(), vec3_new(0.3, 0.2, -1e-5), zero, arena);
    const PatchSet set = find(&floor, &prism, 0, arena);
    if (CHECK(set.patch_count == 1 && set.patches[0].point_count == n)) {
      const vec3 centroid =
          vec3_add(vec3_axpy(1 / twice, first, corners[0]), vec3_new(0.3, 0.2, 0));
      check_areas(&set.patches[0], &floor, 0.5 * twice, centroid, 1e-13);
    }
    arena_release(arena, mark);
  }
}

// Is the place in the convex polygon of a patch's points, seen along z, or within the tolerance?
static bool polygon_holds(const Patch *patch, vec3 x, double tolerance)
{
  for (int k = 0; k < patch->point_count; k++) {
    const vec3 p = patch->points[k].point;
    const vec3 side = vec3_sub(patch->points[(k + 1) % patch->point_count].point, p);
    const vec3 arm = vec3_sub(x, p);
    // counter-clockwise seen against the normal, which points down here
    if (side.x * arm.y - side.y * arm.x < -tolerance * vec3_norm(side)) return false;
  }
  return true;
}

// Outlines that are not convex: corners of the hull alone, every turn strict; the true area and
// centroid; all true corners inside, so that the forces that are possible are those of the outline.
static void check_outline(const Solid *solid, int corner_count, const vec3 *outline,
                          int outline_count, double area, vec3 centroid, Arena *arena)
{
  Random random = {33};
  const PosedBody floor = body_floor(arena);
  for (int trial = 0; trial < 4; trial++) {
    const mat3 turn = rotation_about(vec3_new(0, 0, 1), trial * random_between(&random, 0.1, 2));
    const vec3 place = {0.3 * trial, 0.2, -1e-5 * trial};
    const PosedBody body = body_from_solid(solid, turn, place, zero, arena);
    const PatchSet set = find(&floor, &body, 0, arena);
    if (!CHECK(set.patch_count == 1 && set.patches[0].point_count == corner_count)) continue;
    const Patch *patch = &set.patches[0];
    const vec3 moved = vec3_add(mat3_mul(turn, centroid), place);
    check_areas(patch, &floor, area, moved, 1e-12);
    for (int k = 0; k < patch->point_count; k++) {
      const vec3 p = patch->points[k].point;
      const vec3 q = patch->points[(k + 1) % patch->point_count].point;
      const vec3 r = patch->points[(k + 2) % patch->point_count].point;
      const vec3 u = vec3_sub(q, p), v = vec3_sub(r, q);
      CHECK(u.x * v.y - u.y * v.x > 1e-3 * vec3_norm(u) * vec3_norm(v));
    }
    for (int i = 0; i < outline_count; i++) {
      const vec3 corner = vec3_sub(vec3_add(mat3_mul(turn, outline[i]), place), floor.center);
      CHECK(polygon_holds(patch, corner, 1e-12));
    }
  }
}

static void test_concave_outlines(Arena *arena)
{
  Solid ell = {0}, tee = {0}, hollow = {0};
  solid_add_box(&ell, vec3_new(-1, -1, 0), vec3_new(1, 0, 0.4));
  solid_add_box(&ell, vec3_new(-1, 0, 0), vec3_new(0, 1, 0.4));
  const vec3 of_ell[6] = {{-1, -1, 0}, {1, -1, 0}, {1, 0, 0}, {0, 0, 0}, {0, 1, 0}, {-1, 1, 0}};
  check_outline(&ell, 5, of_ell, 6, 3, vec3_new(-0.5 / 3, -0.5 / 3, 0), arena);

  solid_add_box(&tee, vec3_new(-1, 0, 0), vec3_new(1, 0.5, 0.4));
  solid_add_box(&tee, vec3_new(-0.25, -1.5, 0), vec3_new(0.25, 0, 0.4));
  const vec3 of_tee[6] = {{-1, 0, 0}, {-1, 0.5, 0},    {1, 0.5, 0},
                          {1, 0, 0},  {0.25, -1.5, 0}, {-0.25, -1.5, 0}};
  check_outline(&tee, 6, of_tee, 6, 1.75, vec3_new(0, (0.25 - 0.75 * 0.75) / 1.75, 0), arena);

  // a square ring, thicker on one side
  solid_add_box(&hollow, vec3_new(-1, -1, 0), vec3_new(1, -0.2, 0.4));
  solid_add_box(&hollow, vec3_new(-1, 0.8, 0), vec3_new(1, 1, 0.4));
  solid_add_box(&hollow, vec3_new(-1, -0.2, 0), vec3_new(-0.8, 0.8, 0.4));
  solid_add_box(&hollow, vec3_new(0.8, -0.2, 0), vec3_new(1, 0.8, 0.4));
  const vec3 of_hollow[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  const double area = 1.6 + 0.4 + 0.4;
  check_outline(&hollow, 4, of_hollow, 4, area,
                vec3_new(0, (-1.6 * 0.6 + 0.4 * 0.9 + 0.4 * 0.3) / area, 0), arena);
}

// A prism with that many sides, its corners on an ellipse.
static Solid prism_solid(int sides, double wide, Random *random)
{
  vec3 corners[24];
  for (int i = 0; i < sides; i++) {
    const double angle = 2 * acos(-1) * (i + random_between(random, 0, 0.6)) / sides;
    corners[i] = vec3_new(wide * cos(angle), sin(angle), 0);
    corners[i + sides] = vec3_new(wide * cos(angle), sin(angle), 1);
  }
  Solid solid = {0};
  solid_add_part(&solid, corners, 2 * sides);
  return solid;
}

static double corner_area(const vec3 *corners, const int *chosen, int count)
{
  double twice = 0;
  for (int i = 1; i + 1 < count; i++) {
    const vec3 u = vec3_sub(corners[chosen[i]], corners[chosen[0]]);
    const vec3 v = vec3_sub(corners[chosen[i + 1]], corners[chosen[0]]);
    twice += u.x * v.y - u.y * v.x;
  }
  return 0.5 * twice;
}

// The largest area that so many of n corners can hold, by trying all.
static double best_area(const vec3 *corners, int n, int keep)
{
  double best = 0;
  for (unsigned set = 0; set < 1U << n; set++) {
    int chosen[16], count = 0;
    for (int i = 0; i < n; i++) {
      if (set & (1U << i)) chosen[count++] = i;
    }
    if (count == keep) best = fmax(best, corner_area(corners, chosen, count));
  }
  return best;
}

// max_points: so many at most, the area of the whole, shares with its centroid; the corners left
// hold nearly as much as the best choice could.
static void test_max_points(Arena *arena)
{
  const PosedBody floor = body_floor(arena);
  Random random = {35};
  double worst = 1;
  for (int trial = 0; trial < 40; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const int sides = 7 + trial % 5;
    const Solid solid = prism_solid(sides, trial % 2 ? 1 : 2, &random);
    const PosedBody body = body_from_solid(&solid, straight(), zero, zero, arena);
    int all[16];
    for (int i = 0; i < sides; i++) all[i] = i;
    const double whole = corner_area(solid.corners[0], all, sides);
    for (int most = 3; most <= 12; most++) {
      const PatchParameters parameters = {.margin = 1e-3, .feature_width = 0, .max_points = most};
      const PatchSet set = patch_find(&floor, &body, &parameters, 0, arena);
      if (!CHECK(set.patch_count == 1)) continue;
      const Patch *patch = &set.patches[0];
      CHECK(patch->point_count == (most < sides ? most : sides));
      CHECK_NEAR(patch->area, whole, 1e-13 * whole);
      double sum;
      area_centroid(patch, &sum);
      CHECK_NEAR(sum, whole, 1e-13 * whole);
      double held = 0;
      for (int k = 1; k + 1 < patch->point_count; k++) {
        const vec3 u = vec3_sub(patch->points[k].point, patch->points[0].point);
        const vec3 v = vec3_sub(patch->points[k + 1].point, patch->points[0].point);
        held += 0.5 * (u.x * v.y - u.y * v.x);
      }
      const double ratio = held / best_area(solid.corners[0], sides, patch->point_count);
      CHECK(ratio < 1 + 1e-12);
      worst = fmin(worst, most > 3 ? ratio : ratio + 0.15);
    }
    arena_release(arena, mark);
  }
  // a triangle is the hardest: 0.75 of the largest one
  CHECK(worst > 0.9);
  // the limit of the type: a foot of 12 corners seen with 32
  const Solid solid = prism_solid(12, 1, &random);
  const PosedBody body = body_from_solid(&solid, straight(), zero, zero, arena);
  const PatchParameters most = {.margin = 1e-3, .feature_width = 0, .max_points = 32};
  const PatchSet set = patch_find(&floor, &body, &most, 0, arena);
  CHECK(set.patch_count == 1 && set.patches[0].point_count == 12);
}

// Pressed in deeper and deeper, straight and turned: the same normal and gap on both sides of the
// limit, beyond which one point is left and the pair is named; and the same on the way out.
static void test_depth(Arena *arena)
{
  const PosedBody floor = body_floor(arena);
  const Solid brick = solid_box(vec3_new(-0.2, -0.1, 0), vec3_new(0.2, 0.1, 0.2));
  const double limit = 0.1 * 0.4;
  for (int turned = 0; turned < 2; turned++) {
    const mat3 turn = turned ? rotation_about(vec3_new(0.6, 0.8, 0), 0.02) : mat3_diagonal(1, 1, 1);
    PosedBody body = body_from_solid(&brick, turn, zero, zero, arena);
    double lowest = INFINITY;
    for (int v = 0; v < 8; v++) lowest = fmin(lowest, body.parts[0].vertices[v].z);
    KeptAxis kept = {0};
    bool known = false;
    for (int step = 0; step <= 400; step++) {
      const ArenaMark mark = arena_mark(arena);
      const double depth = 1e-3 * limit * (step <= 200 ? 900 + step : 1300 - step);
      body.center.z = -lowest - depth;
      const PatchSet set = patch_search(&(PatchQuery){.a = &floor,
                                                      .b = &body,
                                                      .parameters = &usual,
                                                      .reach = 0,
                                                      .kept = known ? &kept : NULL,
                                                      .kept_count = known ? 1 : 0},
                                        arena);
      const bool deep = depth > limit * (1 + 1e-12);
      if (fabs(depth / limit - 1) < 1e-9) {
        arena_release(arena, mark);
        continue;
      }
      CHECK(set.failed == (deep ? 1 : 0) && set.patch_count == 1);
      CHECK_NEAR(patch_set_least_gap(&set), -depth, turned && deep ? 2e-3 : 1e-12);
      CHECK(set.patches[0].normal.z < -0.98 && set.patches[0].point_count >= 1);
      if (!turned) CHECK(set.patches[0].normal.z < -1 + 1e-14);
      const PatchPoint *p = &set.patches[0].points[0];
      kept = (KeptAxis){p->part_a, p->part_b, p->axis_a, p->axis_b};
      known = true;
      arena_release(arena, mark);
    }
  }
}

// A stone that tilts about an edge: one normal that follows without jumps, gaps that grow with the
// angle, the area of the foot while all corners are within margin and reach.
static void test_opening_joint(Arena *arena)
{
  const PosedBody floor = body_floor(arena);
  const Solid brick = solid_box(zero, vec3_new(0.4, 0.2, 0.2));
  const double reaches[2] = {0, 2e-3}, margin = 1e-3 * 0.4;
  for (int r = 0; r < 2; r++) {
    vec3 last = {0, 0, -1};
    KeptAxis kept = {0};
    for (int step = 0; step <= 200; step++) {
      const ArenaMark mark = arena_mark(arena);
      const double limit = margin + reaches[r], angle = 1.2 * limit / 0.4 * step / 200;
      const PosedBody body =
          body_from_solid(&brick, rotation_about(vec3_new(0, -1, 0), angle), zero, zero, arena);
      const PatchSet set = patch_search(&(PatchQuery){.a = &floor,
                                                      .b = &body,
                                                      .parameters = &usual,
                                                      .reach = reaches[r],
                                                      .kept = &kept,
                                                      .kept_count = step > 0},
                                        arena);
      if (!CHECK(set.patch_count == 1)) continue;
      const Patch *patch = &set.patches[0];
      CHECK(vec3_norm(vec3_sub(patch->normal, last)) < 1e-12);
      last = patch->normal;
      const double rise = 0.4 * sin(angle);
      const bool held = rise < limit * (1 - 1e-6);
      if (!held && rise < limit * (1 + 1e-6)) continue;
      // two corners leave together where they are farther than any pair can close
      CHECK(patch->point_count == (held ? 4 : 2));
      CHECK_NEAR(patch->area, held ? 0.08 * cos(angle) : 0, 1e-15);
      for (int k = 0; k < patch->point_count; k++) {
        const PatchPoint *p = &patch->points[k];
        CHECK_NEAR(p->gap, p->point.x + floor.center.x < 0.2 ? 0 : rise, 1e-14);
        if (held) CHECK_NEAR(p->area, patch->area / 4, 1e-14);
      }
      kept = (KeptAxis){0, 0, patch->points[0].axis_a, patch->points[0].axis_b};
      arena_release(arena, mark);
    }
  }
}

// A stone that rocks about the middle of its foot: two corners sink, two rise, through zero.
static void test_gaps_of_both_signs(Arena *arena)
{
  const PosedBody floor = body_floor(arena);
  const Solid brick = solid_box(vec3_new(-0.2, -0.1, 0), vec3_new(0.2, 0.1, 0.2));
  for (int step = -50; step <= 50; step++) {
    const ArenaMark mark = arena_mark(arena);
    const double angle = step * 4e-5;
    const PosedBody body =
        body_from_solid(&brick, rotation_about(vec3_new(0, -1, 0), angle), zero, zero, arena);
    const PatchSet set = find(&floor, &body, 0, arena);
    if (CHECK(set.patch_count == 1 && set.patches[0].point_count == 4)) {
      for (int k = 0; k < 4; k++) {
        const PatchPoint *p = &set.patches[0].points[k];
        CHECK_NEAR(p->gap, p->point.x > 0 ? 0.2 * sin(angle) : -0.2 * sin(angle), 1e-14);
      }
      CHECK_NEAR(set.patches[0].area, 0.08 * cos(angle), 1e-14);
    }
    arena_release(arena, mark);
  }
}

// A stone over the seams of a base of several parts, tilted: one patch with the true corners, each
// gap as deep as the whole base makes it.
static void test_tilted_over_seams(Arena *arena)
{
  Random random = {45};
  const Solid whole = solid_box(vec3_new(-1, -1, -1), vec3_new(1, 1, 0));
  Solid cut = {0};
  for (int i = 0; i < 9; i++) {
    const double x = -1 + 0.6 * (i % 3), y = -1 + 0.7 * (i / 3);
    solid_add_box(&cut, vec3_new(x, y, -1),
                  vec3_new(i % 3 < 2 ? x + 0.6 : 1, i / 3 < 2 ? y + 0.7 : 1, 0));
  }
  const Solid brick = solid_box(vec3_new(-0.6, -0.5, 0), vec3_new(0.6, 0.5, 0.4));
  const PosedBody base = body_from_solid(&whole, straight(), zero, zero, arena);
  const PosedBody pieces = body_from_solid(&cut, straight(), zero, zero, arena);
  int wrong = 0;
  for (int trial = 0; trial < 300; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const double angle = trial % 3 == 0 ? 1e-7 : trial % 3 == 1 ? 1e-5 : 3e-4;
    const mat3 yaw = rotation_about(vec3_new(0, 0, 1), random_between(&random, 0, 3));
    const mat3 tilt = rotation_about(random_direction(&random), angle);
    const vec3 place = {random_between(&random, -0.1, 0.1), random_between(&random, -0.1, 0.1), 0};
    const PosedBody top = body_from_solid(&brick, mat3_mul_mat(tilt, yaw), place, zero, arena);
    const PatchSet one = find(&base, &top, 0, arena), many = find(&pieces, &top, 0, arena);
    bool same = one.patch_count == 1 && many.patch_count == 1 && many.failed == 0 &&
                one.patches[0].point_count == 4 && many.patches[0].point_count == 4 &&
                fabs(one.patches[0].area - many.patches[0].area) < 1e-3 * angle + 1e-12;
    for (int k = 0; same && k < 4; k++) {
      const PatchPoint *p = &one.patches[0].points[k];
      bool found = false;
      for (int i = 0; i < 4; i++) {
        const PatchPoint *q = &many.patches[0].points[i];
        const vec3 apart =
            vec3_sub(vec3_add(p->point, base.center), vec3_add(q->point, pieces.center));
        if (vec3_norm(apart) < 1e-3 * angle + 1e-12 && fabs(p->gap - q->gap) < 1e-3 * angle + 1e-12)
          found = true;
      }
      same = found;
    }
    if (!same) wrong++;
    arena_release(arena, mark);
  }
  CHECK(wrong == 0);
}

// A saddle z = (|x| - |y|) / 2, a valley along x between ridges along y, as two or four parts.
static Solid saddle(int parts)
{
  Solid solid = {0};
  for (int half = -1; half <= 1; half += 2) {
    if (parts == 2) {
      vec3 corners[10];
      int count = 0;
      for (int side = -1; side <= 1; side++) {
        corners[count++] = vec3_new(0, side, -0.5 * abs(side));
        corners[count++] = vec3_new(half, side, 0.5 - 0.5 * abs(side));
      }
      for (int i = 0; i < 4; i++) corners[count++] = vec3_new(i & 1 ? half : 0, i & 2 ? 1 : -1, -2);
      solid_add_part(&solid, corners, count);
      continue;
    }
    for (int side = -1; side <= 1; side += 2) {
      vec3 corners[8];
      for (int i = 0; i < 8; i++) {
        const double x = i & 1 ? half : 0, y = i & 2 ? side : 0;
        corners[i] = vec3_new(x, y, i & 4 ? 0.5 * (fabs(x) - fabs(y)) : -2);
      }
      solid_add_part(&solid, corners, 8);
    }
  }
  return solid;
}

// A tip in the middle of a saddle: the two faces of the side it goes to hold it, as in a crack;
// both halves of the valley, whichever way the saddle is cut.
static void test_saddle(Arena *arena)
{
  vec3 corners[5] = {{0, 0, 0}};
  for (int i = 0; i < 4; i++)
    corners[i + 1] = vec3_new(i & 1 ? 0.1 : -0.1, i & 2 ? 0.1 : -0.1, 0.8);
  Solid tip = {0};
  solid_add_part(&tip, corners, 5);
  Random random = {41};
  const double s = 1 / sqrt(1.5);
  for (int trial = 0; trial < 40; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const mat3 turn = trial % 4 ? random_rotation(&random) : straight();
    const double toward = trial & 1 ? 1 : -1;
    const vec3 velocity = mat3_mul(turn, vec3_new(0, toward, -1));
    const Solid ground = saddle(trial & 2 ? 2 : 4);
    const PosedBody a = body_from_solid(&ground, turn, zero, zero, arena);
    const double depth = trial & 4 ? 1e-4 : 0;
    const PosedBody b =
        body_from_solid(&tip, turn, mat3_mul(turn, vec3_new(0, 0, -depth)), velocity, arena);
    const PatchSet set = find(&a, &b, 1e-3, arena);
    CHECK(set.failed == 0 && set.patch_count >= 2);
    bool left = false, right = false;
    for (int i = 0; i < set.patch_count; i++) {
      const vec3 n = mat3_mul_transposed(turn, vec3_neg(set.patches[i].normal));
      CHECK_NEAR(fabs(n.x), 0.5 * s, 1e-9);
      CHECK_NEAR(fabs(n.y), 0.5 * s, 1e-9);
      CHECK_NEAR(n.z, s, 1e-9);
      CHECK(set.patches[i].point_count == 1);
      if (n.y * toward > 0 && n.x < 0) left = true;
      if (n.y * toward > 0 && n.x > 0) right = true;
    }
    CHECK(left && right);
    if (trial & 2) CHECK(set.patch_count == 2);
    arena_release(arena, mark);
  }
}

// Tips that miss each other by a turn of 1e-3 about the upper one's middle: one point, at the tips.
static void test_missing_tips(Arena *arena)
{
  vec3 corners[5] = {{0, 0, 0}};
  Solid lower = {0}, upper = {0};
  for (int i = 0; i < 4; i++)
    corners[i + 1] = vec3_new(i & 1 ? 0.8 : -0.8, -2.4, i & 2 ? 0.8 : -0.8);
  solid_add_part(&lower, corners, 5);
  for (int i = 1; i < 5; i++) corners[i].y = 2.4;
  solid_add_part(&upper, corners, 5);
  const PatchParameters parameters = {.margin = 2e-3, .feature_width = 2e-3, .max_points = 8};
  Random random = {43};
  const vec3 velocity = {-1.2, -4.8, 0}, expected = {3 / sqrt(10), -1 / sqrt(10), 0};
  int several = 0, wrong = 0;
  for (int trial = 0; trial < 1000; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const double overlap = trial % 2 ? 2.4e-3 : 0, turned = trial % 3 ? 1e-3 : 1e-4;
    const mat3 scene = random_rotation(&random);
    const mat3 tilt = rotation_about(random_direction(&random), turned);
    const PosedBody a = body_from_solid(&lower, scene, zero, zero, arena);
    PosedBody b =
        body_from_solid(&upper, mat3_mul_mat(scene, tilt), zero, mat3_mul(scene, velocity), arena);
    b.center = mat3_mul(scene, vec3_add(b.shape->center, vec3_new(0, -overlap, 0)));
    const PatchSet set = patch_find(&a, &b, &parameters, 0.01 * vec3_norm(velocity), arena);
    int points = 0;
    for (int i = 0; i < set.patch_count; i++) {
      points += set.patches[i].point_count;
      const vec3 error = vec3_sub(set.patches[i].normal, mat3_mul(scene, expected));
      if (vec3_norm(error) > 2.5 * turned) wrong++;
      for (int k = 0; k < set.patches[i].point_count; k++) {
        const vec3 place = vec3_add(set.patches[i].points[k].point, a.center);
        if (vec3_norm(place) > 2 * turned + overlap) wrong++;
      }
    }
    if (points != 1 || set.failed > 0) several++;
    arena_release(arena, mark);
  }
  CHECK(several == 0);
  CHECK(wrong == 0);
}

// A stone whose foot bends along its middle, by less than a tenth of the margin, stands on the bend
// however deep it is pressed in: places that bear do not come and go with the depth.
static void test_bent_foot(Arena *arena)
{
  const double bend = 5e-5;
  const PosedBody floor = body_floor(arena);
  Solid solid = {0};
  vec3 corners[10] = {{0, -0.4, 0}, {0, 0.4, 0}};
  for (int i = 0; i < 8; i++) {
    const double z = i & 4 ? 1 : bend;
    corners[i + 2] = vec3_new(i & 1 ? 0.5 : -0.5, i & 2 ? 0.4 : -0.4, z);
  }
  solid_add_part(&solid, corners, 10);
  for (int k = 0; k < 40; k++) {
    const ArenaMark mark = arena_mark(arena);
    const double height = 1e-5 - 5e-6 * k, tilt = 1e-6 * (k % 5);
    const mat3 turn = rotation_about(vec3_new(1, 0, 0), tilt);
    PosedBody stone = body_from_solid(&solid, turn, zero, zero, arena);
    stone.center.z += height;
    const PatchSet set = find(&floor, &stone, 0, arena);
    int on_bend = 0;
    if (CHECK(set.patch_count == 1)) {
      const Patch *patch = &set.patches[0];
      CHECK(patch->point_count == 6);
      for (int i = 0; i < patch->point_count; i++) {
        const vec3 place = vec3_add(patch->points[i].point, floor.center);
        if (fabs(place.x) > 1e-6) continue;
        on_bend++;
        CHECK_NEAR(patch->points[i].gap, height, 2e-6);
      }
    }
    CHECK(on_bend == 2);
    arena_release(arena, mark);
  }
}

int main(void)
{
  Arena arena = arena_new();
  test_tributary_areas(&arena);
  test_concave_outlines(&arena);
  test_max_points(&arena);
  test_depth(&arena);
  test_opening_joint(&arena);
  test_gaps_of_both_signs(&arena);
  test_tilted_over_seams(&arena);
  test_saddle(&arena);
  test_missing_tips(&arena);
  test_bent_foot(&arena);
  arena_destroy(&arena);
  return test_report();
}
