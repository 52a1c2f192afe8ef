#include "patch.h"

#include "contacts.h"
#include "gjk.h"
#include "harness.h"
#include "posed_scene.h"

static const vec3 zero = {0, 0, 0};
static const PatchParameters usual = {.margin = 1e-3, .feature_width = 2e-3, .max_points = 8};

static mat3 straight(void) { return mat3_diagonal(1, 1, 1); }

// A brick 0.4 x 0.2 x 0.2 m, lower corner at the origin of its coordinate frame.
static Solid brick(void) { return solid_box(zero, vec3_new(0.4, 0.2, 0.2)); }

static PosedBody brick_at(double x, double y, double z, Arena *arena)
{
  const Solid solid = brick();
  return body_from_solid(&solid, straight(), vec3_new(x, y, z), zero, arena);
}

// What holds for every result.
static void check_set(const PatchSet *set, double limit)
{
  for (int i = 0; i < set->patch_count; i++) {
    const Patch *patch = &set->patches[i];
    double area = 0;
    CHECK(patch->point_count > 0);
    CHECK_NEAR(vec3_norm(patch->normal), 1, 1e-12);
    for (int k = 0; k < patch->point_count; k++) {
      const PatchPoint *p = &patch->points[k];
      area += p->area;
      CHECK(p->gap <= limit && p->area >= 0);
      for (int l = 0; l < i + 1; l++) {
        const Patch *other = &set->patches[l];
        for (int m = 0; m < (l == i ? k : other->point_count); m++) {
          const PatchPoint *q = &other->points[m];
          CHECK(p->part_a != q->part_a || p->part_b != q->part_b || p->feature_a != q->feature_a ||
                p->feature_b != q->feature_b);
        }
      }
    }
    CHECK_NEAR(area, patch->area, 1e-12 * (patch->area + 1e-300));
  }
}

static PatchSet find(const PosedBody *a, const PosedBody *b, double reach, Arena *arena)
{
  const PatchSet set = patch_find(a, b, &usual, reach, arena);
  check_set(&set, usual.margin * fmin(a->shape->extent, b->shape->extent) + reach + 1e-15);
  return set;
}

static double least_gap(const PatchSet *set)
{
  double least = INFINITY;
  for (int i = 0; i < set->patch_count; i++) {
    for (int k = 0; k < set->patches[i].point_count; k++)
      least = fmin(least, set->patches[i].points[k].gap);
  }
  return least;
}

// Is there a point at that place, relative to a's centre?
static const PatchPoint *point_at(const Patch *patch, vec3 place, double tolerance)
{
  for (int k = 0; k < patch->point_count; k++) {
    if (vec3_norm(vec3_sub(patch->points[k].point, place)) <= tolerance) return &patch->points[k];
  }
  return NULL;
}

// A rectangle of contact in a horizontal plane: four corners, equal areas, exact normal.
static void check_rectangle(const PatchSet *set, const PosedBody *a, vec3 low, vec3 high,
                            double gap, double tolerance)
{
  if (!CHECK(set->patch_count == 1 && set->failed == 0 && set->patches[0].point_count == 4)) return;
  const Patch *patch = &set->patches[0];
  const double area = (high.x - low.x) * (high.y - low.y);
  CHECK(patch->normal.x == 0 && patch->normal.y == 0 && patch->normal.z == -1);
  CHECK_NEAR(patch->area, area, 1e-12 * area);
  CHECK_NEAR(patch->separation, gap, tolerance);
  for (int i = 0; i < 4; i++) {
    const vec3 place = {i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, low.z};
    const PatchPoint *p = point_at(patch, vec3_sub(place, a->center), 1e-9 + fabs(gap));
    if (!CHECK(p != NULL)) continue;
    CHECK_NEAR(p->gap, gap, tolerance);
    CHECK_NEAR(p->area, area / 4, 1e-12 * area);
  }
}

static void test_bricks(Arena *arena)
{
  const PosedBody lower = brick_at(0, 0, 0, arena);
  const double gaps[5] = {0, 1e-9, -1e-9, 1e-4, -1e-4};
  for (int i = 0; i < 5; i++) {
    const double z = 0.2 + gaps[i];
    // one on the other, half-bond, and a corner on a corner
    const PosedBody upper = brick_at(0, 0, z, arena), half = brick_at(0.2, 0, z, arena);
    const PosedBody corner = brick_at(0.3, 0.05, z, arena), beside = brick_at(0.402, 0, 0, arena);
    PatchSet set = find(&lower, &upper, 0, arena);
    check_rectangle(&set, &lower, vec3_new(0, 0, 0.2), vec3_new(0.4, 0.2, 0.2), gaps[i], 6e-17);
    set = find(&lower, &half, 0, arena);
    check_rectangle(&set, &lower, vec3_new(0.2, 0, 0.2), vec3_new(0.4, 0.2, 0.2), gaps[i], 6e-17);
    set = find(&lower, &corner, 0, arena);
    check_rectangle(&set, &lower, vec3_new(0.3, 0.05, 0.2), vec3_new(0.4, 0.2, 0.2), gaps[i],
                    6e-17);
    // neighbours 2 mm apart do not touch; within reach they do
    CHECK(find(&lower, &beside, 0, arena).patch_count == 0);
    set = find(&lower, &beside, 3e-3, arena);
    CHECK(set.patch_count == 1 && set.patches[0].point_count == 4);
    CHECK_NEAR(least_gap(&set), 2e-3, 1e-15);
  }
  // reach changes neither normal nor gap
  const PosedBody upper = brick_at(0.1, 0, 0.2 + 1e-3, arena);
  CHECK(find(&lower, &upper, 0, arena).patch_count == 0);
  PatchSet set = find(&lower, &upper, 1e-3, arena);
  check_rectangle(&set, &lower, vec3_new(0.1, 0, 0.2), vec3_new(0.4, 0.2, 0.2), 1e-3, 6e-17);

  // a floor fifty times as wide, also far from its centre
  const Solid slab = solid_box(vec3_new(-5, -5, -1), vec3_new(5, 5, 0));
  const PosedBody floor = body_from_solid(&slab, straight(), zero, zero, arena);
  for (int i = 0; i < 5; i++) {
    const double x = i < 3 ? -0.2 : 4.4;
    const PosedBody on_floor = brick_at(x, -0.1, gaps[i], arena);
    set = find(&floor, &on_floor, 0, arena);
    check_rectangle(&set, &floor, vec3_new(x, -0.1, 0), vec3_new(x + 0.4, 0.1, 0), gaps[i], 3e-16);
  }
}

// Bricks that share an edge line touch from outside: points only where they approach.
static void test_diagonal_neighbours(Arena *arena)
{
  const PosedBody first = brick_at(0, 0, 0, arena);
  const double off[3] = {0, 1e-9, -1e-9};
  for (int i = 0; i < 3; i++) {
    PosedBody second = brick_at(0.4 + off[i], 0, 0.2 + off[i], arena);
    CHECK(find(&first, &second, 0, arena).patch_count == 0);
    CHECK(find(&first, &second, 1e-6, arena).patch_count == 0);
    second.velocity = vec3_new(0.2, 0, 0.1);
    CHECK(find(&first, &second, 1e-6, arena).patch_count == 0);
    second.velocity = vec3_new(-0.1, 0, -0.2);
    const PatchSet set = find(&first, &second, 1e-6, arena);
    CHECK(set.patch_count == 1 && set.patches[0].point_count == 2);
    if (set.patch_count != 1) continue;
    // the axis that is closed more slowly separates
    CHECK(set.patches[0].normal.x == -1 && set.patches[0].area == 0);
    // rounding is no approach
    second.velocity = vec3_new(-1e-6, 0, -2e-6);
    CHECK(find(&first, &second, 1e-11, arena).patch_count == 0);
  }
}

// Deeper than rounding they act, approaching or not: overlap is never left alone.
static void test_diagonal_overlap(Arena *arena)
{
  const double margin = usual.margin * 0.4, depths[4] = {1e-9, 1e-6, 0.5 * margin, 2 * margin};
  const PosedBody first = brick_at(0, 0, 0, arena);
  for (int i = 0; i < 4; i++) {
    PosedBody second = brick_at(0.4 - depths[i], 0, 0.2 - depths[i], arena);
    CHECK(find(&first, &second, 0, arena).patch_count == (i > 0));
    second.velocity = vec3_new(0.2, 0.1, 0.1);
    CHECK(find(&first, &second, 1e-6, arena).patch_count == (i > 0));
  }
}

// A bottom that is a little pointed: its corners are within the margin, its apex is deeper.
static void test_shallow_apex(Arena *arena)
{
  vec3 corners[9] = {{0, 0, 0}};
  for (int i = 0; i < 8; i++) {
    corners[i + 1] = vec3_new(i & 1 ? 0.1 : -0.1, i & 2 ? 0.1 : -0.1, i & 4 ? 0.2 : 3e-4);
  }
  Solid solid = {0};
  solid_add_part(&solid, corners, 9);
  const Solid slab = solid_box(vec3_new(-5, -5, -1), vec3_new(5, 5, 0));
  const PosedBody floor = body_from_solid(&slab, straight(), zero, zero, arena);
  const PosedBody top = body_from_solid(&solid, straight(), vec3_new(0, 0, -2e-4), zero, arena);
  const PatchSet set = find(&floor, &top, 0, arena);
  if (!CHECK(set.patch_count == 1 && set.patches[0].point_count == 5)) return;
  CHECK_NEAR(set.patches[0].area, 0.04, 1e-15);
  CHECK_NEAR(least_gap(&set), -2e-4, 1e-15);
  const PatchPoint *apex = point_at(&set.patches[0], vec3_new(0, 0, 0.5), 1e-3);
  CHECK(apex != NULL && apex->area == 0 && apex->gap < 0);
}

// An opening joint keeps the points that the margin holds, each with its own gap.
static void test_opening_joint(Arena *arena)
{
  const Solid solid = brick();
  const PosedBody lower = brick_at(0, 0, 0, arena);
  const double margin = 1e-3 * 0.4;
  const double angles[4] = {1e-7, 0.5 * margin / 0.4, 0.99 * margin / 0.4, 1.5 * margin / 0.4};
  for (int i = 0; i < 4; i++) {
    // about the lower edge at x = 0
    const mat3 turn = rotation_about(vec3_new(0, -1, 0), angles[i]);
    const vec3 fall = {0, 0, -1e-3};
    const PosedBody upper = body_from_solid(&solid, turn, vec3_new(0, 0, 0.2), fall, arena);
    const double rise = 0.4 * sin(angles[i]);
    const PatchSet near = find(&lower, &upper, 0, arena), far = find(&lower, &upper, 1e-3, arena);
    CHECK(near.patch_count == 1 && near.patches[0].point_count == (i < 3 ? 4 : 2));
    CHECK(far.patch_count == 1 && far.patches[0].point_count == 4);
    CHECK_NEAR(least_gap(&near), 0, 1e-15);
    // a hinge stays one while nothing approaches, where a new touch of edges is nothing
    const PosedBody still = body_from_solid(&solid, turn, vec3_new(0, 0, 0.2), zero, arena);
    const PatchPoint *p0 = &far.patches[0].points[0];
    const KeptAxis kept = {0, 0, p0->axis_a, p0->axis_b};
    const PatchSet hinge = patch_search(&(PatchQuery){.a = &lower,
                                                      .b = &still,
                                                      .parameters = &usual,
                                                      .reach = 0,
                                                      .kept = &kept,
                                                      .kept_count = 1},
                                        arena);
    CHECK(hinge.patch_count == 1 && hinge.patches[0].point_count == (i < 3 ? 4 : 2));
    CHECK((find(&lower, &still, 0, arena).patch_count == 1) == (i < 3));
    if (far.patch_count != 1) continue;
    for (int k = 0; k < far.patches[0].point_count; k++) {
      const PatchPoint *p = &far.patches[0].points[k];
      CHECK_NEAR(p->gap, p->point.x < 0 ? 0 : rise, 1e-3 * rise + 1e-15);
    }
  }
}

static void test_hexagons_and_cliff(Arena *arena)
{
  Solid solid = {0};
  vec3 corners[12];
  for (int i = 0; i < 12; i++) {
    const double angle = (i % 6) * acos(-1) / 3;
    corners[i] = vec3_new(0.2 * cos(angle), 0.2 * sin(angle), i < 6 ? 0 : 0.5);
  }
  solid_add_part(&solid, corners, 12);
  const PosedBody a = body_from_solid(&solid, straight(), zero, zero, arena);
  const PosedBody b = body_from_solid(&solid, straight(), vec3_new(0, 0, 0.5), zero, arena);
  PatchSet set = find(&a, &b, 0, arena);
  CHECK(set.patch_count == 1 && set.patches[0].point_count == 6);
  CHECK_NEAR(set.patches[0].area, 1.5 * sqrt(3) * 0.04, 1e-15);
  for (int k = 0; k < 6; k++) CHECK_NEAR(set.patches[0].points[k].area, sqrt(3) / 4 * 0.04, 1e-15);

  // twisted by half a sector: twelve corners, of which the eight that hold most area stay
  const PosedBody c = body_from_solid(&solid, rotation_about(vec3_new(0, 0, 1), acos(-1) / 6),
                                      vec3_new(0, 0, 0.5), zero, arena);
  set = find(&a, &c, 0, arena);
  CHECK(set.patch_count == 1 && set.patches[0].point_count == 8);
  CHECK_NEAR(set.patches[0].area, 12 * tan(acos(-1) / 12) * 0.03, 1e-12);

  // a ledge: the other body's own face ends the contact, whatever the margin
  const double margins[3] = {1e-8, 1e-4, 1e-2};
  const PosedBody lower = brick_at(0, 0, 0, arena), ledge = brick_at(0.3, 0.1, 0.2, arena);
  for (int i = 0; i < 3; i++) {
    const PatchParameters parameters = {
        .margin = margins[i], .feature_width = 2e-3, .max_points = 8};
    set = patch_find(&lower, &ledge, &parameters, 0, arena);
    check_rectangle(&set, &lower, vec3_new(0.3, 0.1, 0.2), vec3_new(0.4, 0.2, 0.2), 0, 6e-17);
  }
}

// Sliding off a ledge while a little overlapped: the side comes nearer than the top, the kept axis
// holds the top.
static void test_kept_axis(Arena *arena)
{
  const PosedBody lower = brick_at(0, 0, 0, arena);
  PosedBody upper = brick_at(0.3995, 0, 0.199, arena);
  upper.velocity = vec3_new(-1, 0, -1);
  PatchSet set = find(&lower, &upper, 0, arena);
  CHECK(set.patch_count == 1 && set.patches[0].normal.x == -1);
  const PosedBody earlier = brick_at(0.35, 0, 0.199, arena);
  set = find(&lower, &earlier, 0, arena);
  if (!CHECK(set.patch_count == 1 && set.patches[0].normal.z == -1)) return;
  const PatchPoint *p = &set.patches[0].points[0];
  const KeptAxis kept[2] = {{3, 4, p->axis_a, p->axis_b},
                            {p->part_a, p->part_b, p->axis_a, p->axis_b}};
  set = patch_search(&(PatchQuery){.a = &lower,
                                   .b = &upper,
                                   .parameters = &usual,
                                   .reach = 0,
                                   .kept = kept,
                                   .kept_count = 2},
                     arena);
  CHECK(set.patch_count == 1 && set.patches[0].normal.z == -1);
  // an axis far from the best is not kept
  const PosedBody side = brick_at(0.3999, 0, 0.15, arena);
  set = patch_search(
      &(PatchQuery){
          .a = &lower, .b = &side, .parameters = &usual, .reach = 0, .kept = kept, .kept_count = 2},
      arena);
  CHECK(set.patch_count == 1 && set.patches[0].normal.x == -1);
}

// Two ridges crossed at an angle: one point, the normal at right angles to both, kept by its edges.
static void test_crossed_ridges(Arena *arena)
{
  const vec3 up[6] = {{-1, 0, 0},    {1, 0, 0},     {-1, -0.5, -1},
                      {1, -0.5, -1}, {-1, 0.5, -1}, {1, 0.5, -1}};
  vec3 down[6];
  for (int i = 0; i < 6; i++) down[i] = vec3_new(up[i].x, up[i].y, -up[i].z);
  Solid lower_solid = {0}, upper_solid = {0};
  solid_add_part(&lower_solid, up, 6);
  solid_add_part(&upper_solid, down, 6);
  const PosedBody lower = body_from_solid(&lower_solid, straight(), zero, zero, arena);
  for (int i = 1; i < 15; i++) {
    const mat3 turn = rotation_about(vec3_new(0, 0, 1), 0.1 * i);
    for (int k = 0; k < 4; k++) {
      const double depth = k == 0 ? 0 : k == 1 ? -1e-4 : 1e-4 * k * k;
      const PosedBody upper =
          body_from_solid(&upper_solid, turn, vec3_new(0, 0, -depth), vec3_new(0, 0, -1), arena);
      const PatchSet set = find(&lower, &upper, 0, arena);
      if (!CHECK(set.patch_count == 1 && set.patches[0].point_count == 1)) continue;
      CHECK_NEAR(set.patches[0].normal.z, -1, 1e-12);
      CHECK_NEAR(set.patches[0].points[0].gap, -depth, 1e-12);
      const PatchPoint *p = &set.patches[0].points[0];
      CHECK(feature_kind(p->axis_a) == FEATURE_EDGE && feature_kind(p->axis_b) == FEATURE_EDGE);
      const KeptAxis kept = {0, 0, p->axis_a, p->axis_b};
      const PatchSet again = patch_search(&(PatchQuery){.a = &lower,
                                                        .b = &upper,
                                                        .parameters = &usual,
                                                        .reach = 0,
                                                        .kept = &kept,
                                                        .kept_count = 1},
                                          arena);
      CHECK(again.patch_count == 1 && again.patches[0].axis_a == p->axis_a);
      CHECK_NEAR(vec3_norm(vec3_sub(again.patches[0].normal, set.patches[0].normal)), 0, 1e-15);
    }
  }
}

// Too deep for a patch: counted, and one point that pushes the way out.
static void test_deep(Arena *arena)
{
  const PosedBody lower = brick_at(0, 0, 0, arena), upper = brick_at(0.05, 0.02, 0.15, arena);
  PatchSet set = find(&lower, &upper, 0, arena);
  if (!CHECK(set.failed == 1 && set.patch_count == 1 && set.patches[0].point_count == 1)) return;
  CHECK(set.patches[0].normal.z < -0.99);
  CHECK_NEAR(set.patches[0].points[0].gap, -0.05, 5e-3);
  CHECK(set.patches[0].area > 0 && set.patches[0].axis_a == AXIS_NONE &&
        set.patches[0].axis_b == AXIS_NONE);
  // one inside the other
  const Solid pebble = solid_box(vec3_new(0.19, 0.09, 0.15), vec3_new(0.21, 0.11, 0.17));
  const PosedBody inside = body_from_solid(&pebble, straight(), zero, zero, arena);
  set = find(&lower, &inside, 0, arena);
  CHECK(set.failed == 1 && set.patch_count == 1);
  CHECK_NEAR(set.patches[0].normal.z, -1, 1e-12);
  CHECK_NEAR(set.patches[0].points[0].gap, -0.05, 1e-12);
}

// A stone over the seam of a body of two parts: one patch, with the true area; also astride an L.
static void test_seams(Arena *arena)
{
  Solid halves = {0};
  solid_add_box(&halves, vec3_new(-1, -1, -1), vec3_new(0, 1, 0));
  solid_add_box(&halves, vec3_new(0, -1, -1), vec3_new(1, 1, 0));
  const PosedBody base = body_from_solid(&halves, straight(), zero, zero, arena);
  const Solid solid = brick();
  const double depths[3] = {0, 1e-9, 1e-4};
  for (int i = 0; i < 3; i++) {
    const PosedBody over =
        body_from_solid(&solid, straight(), vec3_new(-0.1, -0.1, -depths[i]), zero, arena);
    PatchSet set = find(&base, &over, 0, arena);
    check_rectangle(&set, &base, vec3_new(-0.1, -0.1, 0), vec3_new(0.3, 0.1, 0), -depths[i], 3e-16);
    // its side flush with the seam
    const PosedBody flush =
        body_from_solid(&solid, straight(), vec3_new(0, -0.1, -depths[i]), zero, arena);
    set = find(&base, &flush, 0, arena);
    check_rectangle(&set, &base, vec3_new(0, -0.1, 0), vec3_new(0.4, 0.1, 0), -depths[i], 3e-16);
  }
  // in the corner of an L: two patches, one on each leg
  Solid corner = {0};
  solid_add_box(&corner, vec3_new(-1, -1, -1), vec3_new(1, 1, 0));
  solid_add_box(&corner, vec3_new(-1, -1, 0), vec3_new(0, 1, 1));
  const PosedBody ell = body_from_solid(&corner, straight(), zero, zero, arena);
  for (int i = 0; i < 3; i++) {
    const PosedBody stone =
        body_from_solid(&solid, straight(), vec3_new(-depths[i], -0.1, -depths[i]), zero, arena);
    const PatchSet set = find(&ell, &stone, 0, arena);
    CHECK(set.patch_count == 2 && set.failed == 0);
    double floor_area = 0, wall_area = 0;
    for (int k = 0; k < set.patch_count; k++) {
      CHECK(set.patches[k].point_count == 4);
      if (set.patches[k].normal.z < -0.999) floor_area += set.patches[k].area;
      if (set.patches[k].normal.x < -0.999) wall_area += set.patches[k].area;
    }
    CHECK_NEAR(floor_area, 0.08, 1e-4 * 2);
    CHECK_NEAR(wall_area, 0.04, 1e-4 * 2);
  }
}

// An L laid flat: its two parts touch as one patch, with the area of the L and the corners of its
// hull.
static void test_pooled_area(Arena *arena)
{
  Solid flat = {0};
  solid_add_box(&flat, vec3_new(-1, -1, 0), vec3_new(1, 0, 0.2));
  solid_add_box(&flat, vec3_new(-1, 0, 0), vec3_new(0, 1, 0.2));
  const Solid slab = solid_box(vec3_new(-5, -5, -1), vec3_new(5, 5, 0));
  const PosedBody floor = body_from_solid(&slab, straight(), zero, zero, arena);
  const PosedBody ell = body_from_solid(&flat, straight(), zero, zero, arena);
  const PatchSet set = find(&floor, &ell, 0, arena);
  if (!CHECK(set.patch_count == 1 && set.patches[0].point_count == 5)) return;
  CHECK_NEAR(set.patches[0].area, 3, 1e-14);
  // points name the parts that made them
  int of_second = 0;
  for (int k = 0; k < 5; k++) of_second += set.patches[0].points[k].part_b == 1;
  CHECK(of_second == 2);
}

// Legs that lie in one plane but do not adjoin stay patches of their own, with their own areas.
static void test_table(Arena *arena)
{
  Solid table = {0};
  solid_add_box(&table, vec3_new(-1, -1, 0.5), vec3_new(1, 1, 0.6));
  for (int i = 0; i < 4; i++) {
    const double x = i & 1 ? 0.8 : -1, y = i & 2 ? 0.8 : -1;
    solid_add_box(&table, vec3_new(x, y, 0), vec3_new(x + 0.2, y + 0.2, 0.5));
  }
  const Solid slab = solid_box(vec3_new(-5, -5, -1), vec3_new(5, 5, 0));
  const PosedBody floor = body_from_solid(&slab, straight(), zero, zero, arena);
  const PosedBody on_floor = body_from_solid(&table, straight(), zero, zero, arena);
  const PatchSet set = find(&floor, &on_floor, 0, arena);
  CHECK(set.patch_count == 4 && set.failed == 0);
  for (int i = 0; i < set.patch_count; i++) {
    CHECK(set.patches[i].point_count == 4);
    CHECK_NEAR(set.patches[i].area, 0.04, 1e-14);
  }
}

static void check_mirrored(const PatchSet *ab, const PatchSet *ba, vec3 shift)
{
  if (!CHECK(ab->patch_count == ba->patch_count && ab->failed == ba->failed)) return;
  for (int i = 0; i < ab->patch_count; i++) {
    const Patch *p = &ab->patches[i], *q = &ba->patches[i];
    if (!CHECK(p->point_count == q->point_count)) continue;
    CHECK_NEAR(vec3_norm(vec3_add(p->normal, q->normal)), 0, 1e-9);
    CHECK_NEAR(p->area, q->area, 1e-9);
    for (int k = 0; k < p->point_count; k++) {
      const PatchPoint *twin = point_at(q, vec3_sub(p->points[k].point, shift), 1e-9);
      if (CHECK(twin != NULL)) CHECK_NEAR(twin->gap, p->points[k].gap, 1e-9);
    }
  }
}

// Turning and moving the scene turns and moves the result; swapping the bodies mirrors it.
static void test_symmetries(Arena *arena)
{
  Random random = {5};
  const Solid solid = brick();
  for (int trial = 0; trial < 50; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const vec3 place = {random_between(&random, -0.35, 0.35), random_between(&random, -0.15, 0.15),
                        0.2 - 1e-5};
    const mat3 tilt = rotation_about(random_direction(&random), random_between(&random, 0, 1e-4));
    const mat3 turn = random_rotation(&random);
    const vec3 move = vec3_scale(100, random_direction(&random)), down = {0, 0, -0.01};
    const PosedBody a = body_from_solid(&solid, straight(), zero, zero, arena);
    const PosedBody b = body_from_solid(&solid, tilt, place, down, arena);
    const PosedBody turned_a = body_from_solid(&solid, turn, move, zero, arena);
    const PosedBody turned_b =
        body_from_solid(&solid, mat3_mul_mat(turn, tilt), vec3_add(move, mat3_mul(turn, place)),
                        mat3_mul(turn, down), arena);
    const PatchSet plain = find(&a, &b, 0, arena), turned = find(&turned_a, &turned_b, 0, arena);
    CHECK(plain.patch_count == 1 && turned.patch_count == 1);
    if (plain.patch_count == 1 && turned.patch_count == 1) {
      const Patch *p = &plain.patches[0], *q = &turned.patches[0];
      CHECK(p->point_count == q->point_count);
      CHECK_NEAR(vec3_norm(vec3_sub(mat3_mul(turn, p->normal), q->normal)), 0, 1e-12);
      CHECK_NEAR(q->area / p->area, 1, 1e-10);
      for (int k = 0; k < p->point_count; k++) {
        const PatchPoint *twin = point_at(q, mat3_mul(turn, p->points[k].point), 1e-10);
        if (CHECK(twin != NULL)) CHECK_NEAR(twin->gap, p->points[k].gap, 1e-12);
      }
    }
    const PatchSet swapped = find(&b, &a, 0, arena);
    check_mirrored(&plain, &swapped, vec3_sub(b.center, a.center));
    arena_release(arena, mark);
  }
}

// Separation by all faces and all pairs of edges: the slow reference.
static double brute_separation(const PosedBody *a, const PosedBody *b)
{
  const Polyhedron *p = &a->parts[0], *q = &b->parts[0];
  const vec3 shift = vec3_sub(b->center, a->center);
  double best = -INFINITY;
  for (int i = -(p->face_count + q->face_count); i < p->edge_count * q->edge_count; i++) {
    vec3 n;
    if (i < -q->face_count) n = p->planes[i + p->face_count + q->face_count].normal;
    else if (i < 0) n = vec3_neg(q->planes[i + q->face_count].normal);
    else {
      const Edge e = p->edges[i / q->edge_count], f = q->edges[i % q->edge_count];
      n = vec3_cross(vec3_sub(p->vertices[e.vertex[1]], p->vertices[e.vertex[0]]),
                     vec3_sub(q->vertices[f.vertex[1]], q->vertices[f.vertex[0]]));
      if (vec3_norm(n) < 1e-9) continue;
      n = vec3_scale(1 / vec3_norm(n), n);
    }
    double p_low = INFINITY, p_high = -INFINITY, q_low = INFINITY, q_high = -INFINITY;
    for (int v = 0; v < p->vertex_count; v++) {
      p_low = fmin(p_low, vec3_dot(n, p->vertices[v]));
      p_high = fmax(p_high, vec3_dot(n, p->vertices[v]));
    }
    for (int v = 0; v < q->vertex_count; v++) {
      q_low = fmin(q_low, vec3_dot(n, vec3_add(q->vertices[v], shift)));
      q_high = fmax(q_high, vec3_dot(n, vec3_add(q->vertices[v], shift)));
    }
    best = fmax(best, fmax(q_low - p_high, p_low - q_high));
  }
  return best;
}

static Solid random_solid(Random *random, int count)
{
  vec3 corners[24];
  for (int i = 0; i < count; i++) corners[i] = random_direction(random);
  Solid solid = {0};
  solid_add_part(&solid, corners, count);
  return solid;
}

// Hulls in random positions: overlap always gives a point, and the smallest gap is the separation;
// where a face goes before an edge axis that nearly repeats it, it may be less by part of the
// margin.
static void test_random_hulls(Arena *arena)
{
  Random random = {17};
  int lost = 0, wrong = 0, inexact = 0, failed = 0, spurious = 0, touching = 0;
  for (int trial = 0; trial < 1000; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const Solid first = random_solid(&random, trial % 10 ? 8 + trial % 5 : 24);
    const Solid second = trial % 3 ? random_solid(&random, 8 + trial % 7)
                                   : solid_box(vec3_new(-5, -5, -5), vec3_new(5, 5, 5));
    const vec3 along = random_direction(&random);
    const PosedBody a = body_from_solid(&first, straight(), zero, zero, arena);
    PosedBody b = body_from_solid(&second, straight(), zero, vec3_neg(along), arena);
    // bisection along a random line to a wanted separation
    const double wanted = random_between(&random, -1e-2, 1e-3);
    double near = 0, far = 20;
    for (int i = 0; i < 25; i++) {
      b.center = vec3_scale(0.5 * (near + far), along);
      if (brute_separation(&a, &b) > wanted) far = 0.5 * (near + far);
      else near = 0.5 * (near + far);
    }
    const double separation = brute_separation(&a, &b);
    const PatchSet set = find(&a, &b, 0, arena);
    failed += set.failed;
    const double margin = usual.margin * fmin(a.shape->extent, b.shape->extent);
    if (separation < 0 && set.patch_count == 0) lost++;
    if (separation > 1.01 * margin && set.patch_count > 0) spurious++;
    if (set.patch_count > 0) {
      touching++;
      const double error = least_gap(&set) - separation;
      if (fabs(error) > 1e-9) inexact++;
      if (error > 0.11 * margin || error < -margin) wrong++;
    }
    arena_release(arena, mark);
  }
  CHECK(touching > 900 && lost == 0 && wrong == 0 && spurious == 0 && failed == 0);
  CHECK(inexact < 10);
}

int main(void)
{
  Arena arena = arena_new();
  test_bricks(&arena);
  test_diagonal_neighbours(&arena);
  test_diagonal_overlap(&arena);
  test_shallow_apex(&arena);
  test_opening_joint(&arena);
  test_hexagons_and_cliff(&arena);
  test_kept_axis(&arena);
  test_crossed_ridges(&arena);
  test_deep(&arena);
  test_seams(&arena);
  test_pooled_area(&arena);
  test_table(&arena);
  test_symmetries(&arena);
  test_random_hulls(&arena);
  arena_destroy(&arena);
  return test_report();
}
