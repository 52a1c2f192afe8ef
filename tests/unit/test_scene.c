// Generators and numbering: walls, arches, grids, groups, tables of gravity, ranges of ids.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "hash.h"
#include "id_range.h"
#include "memory.h"
#include "recipe.h"
#include "scene.h"

#define PI 3.14159265358979323846

static Case scene_of(Arena *arena, int count, BodyGroup *groups)
{
  for (int i = 0; i < count; i++) {
    if (!groups[i].name) groups[i].name = "";
    if (groups[i].turn.w == 0) groups[i].turn = quat_identity();
  }
  return (Case){.path = "a.yaml", .group_count = count, .groups = groups, .arena = arena};
}

// Corners of a part of one body in the world.
static vec3 corner(const Case *c, BodyRecipe body, int point)
{
  const PartRecipe *part = &c->shapes[body.shape].parts[0];
  return vec3_add(body.origin, mat3_mul(quat_to_mat3(body.turn), part->points[point]));
}

static vec3 size_of_box(const ShapeRecipe *shape)
{
  vec3 low = shape->parts[0].points[0], high = low;
  for (int i = 1; i < shape->parts[0].count; i++) {
    low = vec3_min(low, shape->parts[0].points[i]);
    high = vec3_max(high, shape->parts[0].points[i]);
  }
  return vec3_sub(high, low);
}

// 20 courses of 10 bricks 0.4 x 0.2 x 0.2, halves at the ends of odd courses, joints of 2 mm.
static void test_wall(Arena *arena)
{
  BodyGroup wall = {
      .kind = GROUP_WALL, .courses = 20, .bricks = 10, .brick = {0.4, 0.2, 0.2}, .joint = 0.002};
  Case c = scene_of(arena, 1, &wall);
  if (!CHECK(scene_prepare(&c) == NULL)) return;
  CHECK(c.body_count == 210 && c.shape_count == 2);

  uint64_t id = 0;
  for (int course = 0; course < 20; course++) {
    const double z = (2 * course + 1) / 10.0;   // middle of the course, m
    const int bricks = course % 2 ? 11 : 10;
    for (int i = 0; i < bricks; i++, id++) {
      double x = (4 * i + 2) / 10.0, length = 0.398;
      if (course % 2) {
        x = 4 * i / 10.0;
        if (i == 0 || i == 10) length = 0.198;
        if (i == 0) x = 0.1;
        if (i == 10) x = 3.9;
      }
      const BodyRecipe body = scene_body(&c, id);
      const vec3 size = size_of_box(&c.shapes[body.shape]);
      CHECK_NEAR(body.origin.x, x, 1e-15);
      CHECK_NEAR(body.origin.y, 0, 0);
      CHECK_NEAR(body.origin.z, z, 1e-15);
      CHECK_NEAR(size.x, length, 1e-15);
      CHECK(size.y == 0.2 && size.z == 0.2 && body.drive == DRIVE_DYNAMIC);
    }
  }
  CHECK(id == c.body_count);
}

static void test_small_walls(Arena *arena)
{
  BodyGroup groups[2] = {
      {.kind = GROUP_WALL, .courses = 1, .bricks = 1, .brick = {2, 1, 1}},
      {.kind = GROUP_WALL,
       .courses = 2,
       .bricks = 1,
       .brick = {2, 1, 1},
       .fixed = true,
       .velocity = {1, 1, 1}},
  };
  Case c = scene_of(arena, 2, groups);
  if (!CHECK(scene_prepare(&c) == NULL)) return;
  CHECK(c.body_count == 4 && c.shape_count == 3);
  CHECK(groups[0].shape_count == 1 && groups[1].first_shape == 1 && groups[1].shape_count == 2);
  CHECK(scene_body(&c, 1).shape == 1 && scene_body(&c, 2).shape == 2);
  CHECK(scene_body(&c, 2).origin.x == 0.5 && scene_body(&c, 3).origin.x == 1.5);
  CHECK(scene_body(&c, 2).drive == DRIVE_FIXED && scene_body(&c, 2).velocity.x == 0);
}

// Signed distance of a point beyond the joint plane at an angle from +z, positive away from the
// top.
static double beyond(vec3 p, double angle, double side)
{
  return side * (p.x * cos(angle) - side * p.z * sin(angle));
}

static void check_arch(Arena *arena, int count, double embrace)
{
  const double radius = 10, thickness = 1.12, width = 5;
  BodyGroup arch = {.kind = GROUP_ARCH,
                    .voussoirs = count,
                    .radius = radius,
                    .thickness = thickness,
                    .width = width,
                    .embrace = embrace,
                    .supports = true};
  Case c = scene_of(arena, 1, &arch);
  if (!CHECK(scene_prepare(&c) == NULL)) return;
  CHECK(c.body_count == (uint64_t)count + 2 && c.shape_count == 2);

  // neighbours share the corners of their joint: points with bit 0 lie at +x, the rest at -x
  for (int k = 0; k + 1 < count; k++) {
    const BodyRecipe a = scene_body(&c, (uint64_t)k), b = scene_body(&c, (uint64_t)k + 1);
    for (int i = 0; i < 8; i += 2)
      CHECK_NEAR(vec3_norm(vec3_sub(corner(&c, a, i + 1), corner(&c, b, i))), 0, 1e-14);
    CHECK(a.drive == DRIVE_DYNAMIC && a.shape == 0);
  }

  // each is the mirror image of its partner, bit for bit
  for (int k = 0; k < count; k++) {
    const BodyRecipe a = scene_body(&c, (uint64_t)k), b = scene_body(&c, (uint64_t)(count - 1 - k));
    for (int i = 0; i < 8; i += 2) {
      const vec3 p = corner(&c, a, i), q = corner(&c, b, i + 1);
      CHECK(p.x == -q.x && p.y == q.y && p.z == q.z);
    }
  }

  // radii of the corners, and the angle of the first joint
  const BodyRecipe first = scene_body(&c, 0);
  for (int i = 0; i < 8; i += 2) {
    const vec3 p = corner(&c, first, i);
    CHECK_NEAR(sqrt(p.x * p.x + p.z * p.z), radius + (i & 4 ? 0.5 : -0.5) * thickness, 1e-14);
    CHECK_NEAR(fabs(p.y), 0.5 * width, 0);
    CHECK_NEAR(beyond(p, embrace / 2, -1), 0, 1e-13);
  }

  // springers: the whole joint lies on one face, half a thickness inside; nothing above that face
  for (int s = 0; s < 2; s++) {
    const double side = s ? 1 : -1;
    const BodyRecipe body = scene_body(&c, (uint64_t)(count + s));
    CHECK(body.drive == DRIVE_FIXED && body.shape == 1);
    int on_joint = 0;
    for (int i = 0; i < 8; i++) {
      const vec3 p = corner(&c, body, i);
      const double depth = beyond(p, embrace / 2, side);
      CHECK(depth > -1e-13 && depth < thickness + 1e-13);
      if (fabs(depth) > 1e-13) continue;
      on_joint++;
      const double along = side * p.x * sin(embrace / 2) + p.z * cos(embrace / 2);
      CHECK_NEAR(fabs(along - radius), thickness, 1e-13);
      CHECK_NEAR(fabs(p.y), 0.5 * (width + thickness), 1e-13);
    }
    CHECK(on_joint == 4);
  }
}

static void test_arch(Arena *arena)
{
  check_arch(arena, 27, PI);
  check_arch(arena, 16, PI);
  check_arch(arena, 3, 2);
  check_arch(arena, 9, 1.5 * PI);
  check_arch(arena, 1, 0.5);

  BodyGroup bare = {.kind = GROUP_ARCH,
                    .voussoirs = 5,
                    .radius = 3,
                    .thickness = 1,
                    .width = 1,
                    .embrace = 2,
                    .fixed = true};
  Case c = scene_of(arena, 1, &bare);
  CHECK(scene_prepare(&c) == NULL);
  CHECK(c.body_count == 5 && c.shape_count == 1 && scene_body(&c, 2).drive == DRIVE_FIXED);
  const quat q = scene_body(&c, 2).turn, one = {1, 0, 0, 0};
  CHECK(memcmp(&q, &one, sizeof q) == 0);   // the keystone is not turned at all
}

// A grid of 2 x 3 x 4 between two single bodies, turned as a whole.
static void test_groups(Arena *arena)
{
  // the first and the last are of the same parts, as entries that name the same mesh are
  const ShapeRecipe box = recipe_single(recipe_box((vec3){1, 2, 3}, arena), arena);
  const ShapeRecipe other = recipe_single(recipe_box((vec3){1, 2, 3}, arena), arena);
  const vec3 z_axis = {0, 0, 5};
  BodyGroup groups[3] = {
      {.kind = GROUP_BODY, .shape = box, .at = {9, 9, 9}, .material = 2},
      {.kind = GROUP_GRID,
       .shape = other,
       .count = {2, 3, 4},
       .spacing = {1, 10, 100},
       .at = {1000, 2000, 3000},
       .turn = recipe_turn(z_axis, PI / 2),
       .velocity = {1, 2, 3},
       .spin = {4, 5, 6},
       .material = 1},
      {.kind = GROUP_BODY, .shape = box, .fixed = true, .velocity = {7, 7, 7}},
  };
  Case c = scene_of(arena, 3, groups);
  if (!CHECK(scene_prepare(&c) == NULL)) return;
  CHECK(c.body_count == 26 && c.shape_count == 2);
  CHECK(scene_group(&c, 0) == &groups[0] && scene_group(&c, 1) == &groups[1]);
  CHECK(scene_group(&c, 24) == &groups[1] && scene_group(&c, 25) == &groups[2]);

  uint64_t id = 1;
  for (int k = 0; k < 4; k++)
    for (int j = 0; j < 3; j++)
      for (int i = 0; i < 2; i++, id++) {
        const BodyRecipe body = scene_body(&c, id);
        // a quarter turn about z takes x to y and y to -x
        CHECK_NEAR(body.origin.x, 1000 - 10 * j, 1e-12);
        CHECK_NEAR(body.origin.y, 2000 + i, 1e-12);
        CHECK_NEAR(body.origin.z, 3000 + 100 * k, 1e-12);
        CHECK_NEAR(body.turn.w, sqrt(0.5), 1e-15);
        CHECK_NEAR(body.turn.z, sqrt(0.5), 1e-15);
        CHECK(body.shape == 1 && body.material == 1 && body.velocity.y == 2 && body.spin.z == 6);
      }
  CHECK(scene_body(&c, 0).origin.x == 9 && scene_body(&c, 0).material == 2);
  CHECK(scene_body(&c, 0).shape == 0 && scene_body(&c, 25).shape == 0);
  CHECK(scene_body(&c, 25).velocity.x == 0);
}

static void test_many_groups(Arena *arena)
{
  enum { COUNT = 1000 };
  BodyGroup *groups = arena_allocate_zero(arena, COUNT, sizeof *groups);
  uint64_t bodies = 0;
  for (int i = 0; i < COUNT; i++) {
    groups[i] = (BodyGroup){.kind = GROUP_GRID,
                            .shape = recipe_single(recipe_box((vec3){1, 1, 1}, arena), arena),
                            .spacing = {1, 1, 1},
                            .count = {1 + (int)(hash_mix((uint64_t)i, 5) % 7), 1, 1}};
    bodies += (uint64_t)groups[i].count[0];
  }
  Case c = scene_of(arena, COUNT, groups);
  if (!CHECK(scene_prepare(&c) == NULL)) return;
  CHECK(c.body_count == bodies);
  uint64_t id = 0;
  for (int i = 0; i < COUNT; i++)
    for (int k = 0; k < groups[i].count[0]; k++, id++) {
      const BodyRecipe body = scene_body(&c, id);
      CHECK(scene_group(&c, id) == &groups[i] && body.shape == i && body.origin.x == k);
    }
}

static void check_refusal(Arena *arena, BodyGroup group, const char *expected)
{
  group.line = 7;
  BodyGroup groups[2] = {{.kind = GROUP_BODY}, group};
  Case c = scene_of(arena, 2, groups);
  const char *message = scene_prepare(&c);
  if (!CHECK(message && strcmp(message, expected) == 0))
    printf("  found    %s\n  expected %s\n", message ? message : "nothing", expected);
}

static void test_refusals(Arena *arena)
{
  const int most = 2147483647;
  check_refusal(arena,
                (BodyGroup){.kind = GROUP_WALL,
                            .name = "w",
                            .courses = 1,
                            .bricks = 1,
                            .brick = {1, 1, 1},
                            .joint = 0.5},
                "a.yaml:7: wall 'w': the joint must be at least 0 and smaller than half the length "
                "of a brick");
  check_refusal(arena,
                (BodyGroup){.kind = GROUP_ARCH,
                            .voussoirs = 3,
                            .radius = 1,
                            .thickness = 2,
                            .width = 1,
                            .embrace = 1},
                "a.yaml:7: arch: an arch may not be thicker than its radius");
  check_refusal(
      arena, (BodyGroup){.kind = GROUP_WALL, .courses = most, .bricks = most, .brick = {1, 1, 1}},
      "a.yaml:7: wall: with it the case has more than 2147483648 bodies");
  check_refusal(arena,
                (BodyGroup){.kind = GROUP_GRID, .count = {most, most, most}, .spacing = {1, 1, 1}},
                "a.yaml:7: grid: with it the case has more than 2147483648 bodies");
  check_refusal(arena,
                (BodyGroup){.kind = GROUP_GRID, .count = {1 << 30, 1, 2}, .spacing = {1, 0, 1}},
                "a.yaml:7: grid: with it the case has more than 2147483648 bodies");

  // one body and 2^31 - 1 more are the most there can be
  BodyGroup groups[2] = {{.kind = GROUP_BODY},
                         {.kind = GROUP_GRID, .count = {1, most, 1}, .spacing = {0, 1, 0}}};
  Case c = scene_of(arena, 2, groups);
  if (CHECK(scene_prepare(&c) == NULL)) {
    CHECK(c.body_count == (uint64_t)1 << 31);
    CHECK(scene_body(&c, c.body_count - 1).origin.y == most - 1);
  }
}

// Volumes of the solids by formulas of their own.
static void test_solids(Arena *arena)
{
  const double angle = 0.3, inner = 9.5, outer = 10.5;
  const struct {
    PartRecipe part;
    double volume;
  } rows[] = {
      {recipe_box((vec3){2, 3, 4}, arena), 24},
      {recipe_wedge((vec3){2, 3, 4}, arena), 12},
      {recipe_voussoir(10, 1, 2, angle, arena),
       0.5 * (outer * outer - inner * inner) * sin(angle) * 2},
  };
  for (int i = 0; i < 3; i++) {
    const ShapeRecipe recipe = recipe_single(rows[i].part, arena);
    Shape shape;
    if (CHECK(shape_build(&recipe, arena, &shape).status == SHAPE_OK))
      CHECK_NEAR(shape.volume, rows[i].volume, 1e-13 * rows[i].volume);
  }

  // a turn is the same for any length of the axis, and turns counter-clockwise
  const quat q = recipe_turn((vec3){0, 1e-3, 0}, PI / 6),
             r = recipe_turn((vec3){0, 1e9, 0}, PI / 6);
  CHECK_NEAR(q.w, cos(PI / 12), 1e-15);
  CHECK_NEAR(q.y, sin(PI / 12), 1e-15);
  CHECK(q.w == r.w && q.y == r.y);
  const vec3 z = mat3_mul(quat_to_mat3(q), (vec3){0, 0, 1});
  CHECK_NEAR(z.x, 0.5, 1e-15);
}

// Groups that appear at different times; every query against a look at each single body.
static void test_births(Arena *arena)
{
  enum { GROUPS = 5, STEPS = 60 };
  const double h = 1e-3;
  const double births[GROUPS] = {0, 0.02, 1e-9, 0.02, 0.05};
  const int64_t steps[GROUPS] = {0, 20, 1, 20, 50};
  BodyGroup groups[GROUPS] = {0};
  for (int g = 0; g < GROUPS; g++) {
    groups[g].kind = GROUP_GRID;
    for (int k = 0; k < 3; k++) groups[g].count[k] = k == 0 ? g + 1 : 1;
    groups[g].spacing = vec3_new(1, 1, 1);
    groups[g].shape = recipe_single(recipe_box(vec3_new(1, 1, 1), arena), arena);
    groups[g].birth = births[g];
  }
  Case c = scene_of(arena, GROUPS, groups);
  c.step = h;
  if (!CHECK(scene_prepare(&c) == NULL)) return;
  CHECK(scene_changes(&c));

  uint64_t born = 0;
  for (int64_t step = 0; step < STEPS; step++) {
    IdRange ranges[GROUPS];
    const int count = scene_births(&c, step, ranges);
    int64_t next = SCENE_NEVER;
    uint64_t now = 0, id = 0;
    for (int g = 0; g < GROUPS; g++) {
      if (steps[g] >= step && steps[g] < next) next = steps[g];
      for (int i = 0; i <= g; i++, id++) {
        CHECK(scene_birth(&c, id) == steps[g]);
        int holders = 0;
        for (int r = 0; r < count; r++) holders += id >= ranges[r].first && id < ranges[r].end;
        CHECK(holders == (steps[g] == step));
        now += steps[g] == step;
      }
    }
    CHECK(scene_next_birth(&c, step) == next);
    if (step > 0) CHECK(scene_born(&c, step) == born);
    born += now;
  }
  CHECK(born == c.body_count && scene_born(&c, 0) == 1 && scene_born(&c, STEPS) == c.body_count);

  // many steps: a time that is a multiple of the step in decimal belongs to that step
  for (int64_t k = 1; k < 4000000000000; k = 3 * k + 1) {
    groups[4].birth = (double)k * h;
    CHECK(scene_birth(&c, 14) == k);
  }
  groups[4].birth = 0.0500001;
  CHECK(scene_birth(&c, 14) == 51);
  for (int g = 0; g < GROUPS; g++) groups[g].birth = 0;
  CHECK(!scene_changes(&c) && scene_next_birth(&c, 0) == 0 &&
        scene_next_birth(&c, 1) == SCENE_NEVER);
  c.domain.given = true;
  c.domain.low = vec3_new(-1, -2, -3);
  c.domain.high = vec3_new(1, 2, 3);
  CHECK(scene_changes(&c) && scene_contains(&c, c.domain.low) && scene_contains(&c, c.domain.high));
  CHECK(!scene_contains(&c, vec3_new(0, 0, 3.0001)) && !scene_contains(&c, vec3_new(-1.1, 0, 0)));
  CHECK(!scene_contains(&c, vec3_new(0, NAN, 0)));
}

static void test_id_ranges(void)
{
  static const uint64_t counts[] = {1, 2, 7, 100, (uint64_t)1 << 31};
  static const int sizes[] = {1, 2, 3, 7, 64, 1000};
  for (size_t a = 0; a < sizeof counts / sizeof counts[0]; a++)
    for (size_t b = 0; b < sizeof sizes / sizeof sizes[0]; b++) {
      CHECK(id_range_first(counts[a], 0, sizes[b]) == 0);
      CHECK(id_range_first(counts[a], sizes[b], sizes[b]) == counts[a]);
      IdRangeCursor cursor = {.body_count = counts[a], .size = sizes[b]};
      for (uint64_t k = 0; k < 50; k++) {
        const uint64_t id = hash_mix(k / 2, a) % counts[a];
        const int rank = id_range_rank(counts[a], id, sizes[b]);
        CHECK(id_range_find(&cursor, id) == rank);
        CHECK(rank >= 0 && rank < sizes[b] && id_range_first(counts[a], rank, sizes[b]) <= id &&
              id < id_range_first(counts[a], rank + 1, sizes[b]));
      }
    }
}

int main(void)
{
  Arena arena = arena_new();
  test_wall(&arena);
  test_small_walls(&arena);
  test_arch(&arena);
  test_groups(&arena);
  test_many_groups(&arena);
  test_refusals(&arena);
  test_solids(&arena);
  test_births(&arena);
  test_id_ranges();
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
