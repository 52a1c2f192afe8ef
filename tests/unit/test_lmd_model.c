// Patches of the model lmd: areas of any outline, keys that differ, reduction, and what is too
// deep.
#include <stdio.h>

#include "memory.h"
#include "surface_scene.h"

static const vec3 zero = {0, 0, 0};
static const PatchParameters usual = {.margin = 1e-3, .feature_width = 2e-3, .max_points = 8};

static PosedBody body_of(const Solid *solid, mat3 rotation, vec3 at, Arena *arena)
{
  return body_with_surface(body_from_solid(solid, rotation, at, zero, arena), arena);
}

static PatchSet find(const PosedBody *a, const PosedBody *b, const PatchParameters *parameters,
                     Arena *arena)
{
  const ModelPair pair = {.a = a, .b = b, .parameters = parameters, .turn = CONTACT_TURN};
  const PatchSet set = model_find(CONTACT_MODEL_LMD, &pair, arena);
  for (int i = 0; i < set.patch_count; i++) {
    double area = 0;
    for (int k = 0; k < set.patches[i].point_count; k++) {
      const PatchPoint *p = &set.patches[i].points[k];
      area += p->area;
      for (int j = 0; j <= i; j++) {
        for (int l = 0; l < (j < i ? set.patches[j].point_count : k); l++) {
          const PatchPoint *q = &set.patches[j].points[l];
          CHECK(p->feature_a != q->feature_a || p->feature_b != q->feature_b);
        }
      }
    }
    CHECK_NEAR(area, set.patches[i].area, 1e-12);
    CHECK_NEAR(vec3_norm(set.patches[i].normal), 1, 1e-12);
  }
  return set;
}

static double area_of(const PatchSet *set)
{
  double area = 0;
  for (int i = 0; i < set->patch_count; i++) area += set->patches[i].area;
  return area;
}

static int points_of(const PatchSet *set)
{
  int points = 0;
  for (int i = 0; i < set->patch_count; i++) points += set->patches[i].point_count;
  return points;
}

// Shared areas of boxes, an L and a frame, on a floor of one box and of four, in any turn.
static void test_areas(Arena *arena)
{
  const Solid floor = solid_box(vec3_new(-9, -9, -1), vec3_new(9, 9, 0));
  Solid tiles = {0};
  for (int k = 0; k < 4; k++) {
    const vec3 low = {k & 1 ? 0 : -9, k & 2 ? 0 : -9, -1};
    solid_add_box(&tiles, low, vec3_add(low, vec3_new(9, 9, 1)));
  }
  Solid brick = solid_box(vec3_new(-1, -0.5, 0), vec3_new(1, 0.5, 1)), corner = {0}, frame = {0};
  solid_add_box(&corner, vec3_new(0, 0, 0), vec3_new(2, 1, 1));
  solid_add_box(&corner, vec3_new(0, 1, 0), vec3_new(1, 2, 1));
  solid_add_box(&frame, vec3_new(-2, -2, 0), vec3_new(2, -1, 1));
  solid_add_box(&frame, vec3_new(-2, 1, 0), vec3_new(2, 2, 1));
  solid_add_box(&frame, vec3_new(-2, -1, 0), vec3_new(-1, 1, 1));
  solid_add_box(&frame, vec3_new(1, -1, 0), vec3_new(2, 1, 1));
  const struct {
    const Solid *solid;
    double area;
    int points;
  } cases[] = {{&brick, 2, 4}, {&corner, 3, 5}, {&frame, 12, 4}};
  Random random = {41};
  for (int i = 0; i < 60; i++) {
    const ArenaMark mark = arena_mark(arena);
    const int c = i % 3;
    const mat3 scene = i < 6 ? mat3_diagonal(1, 1, 1) : random_rotation(&random);
    const mat3 about = rotation_about(vec3_new(0, 0, 1), i < 6 ? 0 : random_between(&random, 0, 6));
    const double gap = i % 2 ? -1e-4 : 0;
    const vec3 at = {random_between(&random, -3, 3), random_between(&random, -3, 3), gap};
    const PosedBody low = body_of(i % 4 < 2 ? &floor : &tiles, scene, vec3_new(0, 0, 0), arena);
    const PosedBody high =
        body_of(cases[c].solid, mat3_mul_mat(scene, about), mat3_mul(scene, at), arena);
    const PatchSet set = find(&low, &high, &usual, arena);
    const PatchSet mirrored = find(&high, &low, &usual, arena);
    CHECK(set.failed == 0 && mirrored.failed == 0);
    CHECK(points_of(&set) == cases[c].points && points_of(&mirrored) == cases[c].points);
    CHECK_NEAR(area_of(&set), cases[c].area, 1e-9);
    CHECK_NEAR(area_of(&mirrored), cases[c].area, 1e-9);
    if (CHECK(set.patch_count == 1)) {
      const vec3 down = mat3_mul(scene, vec3_new(0, 0, -1));
      CHECK_NEAR(vec3_norm(vec3_sub(set.patches[0].normal, down)), 0, 1e-12);
      CHECK_NEAR(set.patches[0].separation, gap, 1e-13);
    }
    arena_release(arena, mark);
  }
}

// The most points of a patch are those of the case, and hold the same area.
static void test_most_points(Arena *arena)
{
  Solid prism = {0};
  vec3 corners[24];
  for (int k = 0; k < 12; k++) {
    const double angle = 6.283185307179586 * k / 12;
    corners[k] = vec3_new(cos(angle), sin(angle), 0);
    corners[12 + k] = vec3_new(cos(angle), sin(angle), 1);
  }
  solid_add_part(&prism, corners, 24);
  const Solid floor = solid_box(vec3_new(-3, -3, -1), vec3_new(3, 3, 0));
  const PosedBody low = body_of(&floor, mat3_diagonal(1, 1, 1), zero, arena);
  const PosedBody high = body_of(&prism, mat3_diagonal(1, 1, 1), zero, arena);
  for (int most = 3; most <= 16; most++) {
    PatchParameters parameters = usual;
    parameters.max_points = most;
    const PatchSet set = find(&low, &high, &parameters, arena);
    CHECK(set.patch_count == 1 && points_of(&set) == (most < 12 ? most : 12));
    CHECK_NEAR(area_of(&set), 3, 1e-12);
  }
}

// Deeper than both dilations: counted, and held by the points of the volumetric model.
static void test_depth(Arena *arena)
{
  const Solid floor = solid_box(vec3_new(-1, -1, -1), vec3_new(1, 1, 0));
  const Solid cube = solid_box(vec3_new(-0.5, -0.5, 0), vec3_new(0.5, 0.5, 1));
  const double both = CONTACT_DILATION * 3;
  const PosedBody low = body_of(&floor, mat3_diagonal(1, 1, 1), zero, arena);
  for (int i = 0; i < 4; i++) {
    const double depth = both * (i < 2 ? 0.99 : 1.01) * (i % 2 ? 1 : 0.99);
    const PosedBody high =
        body_of(&cube, mat3_diagonal(1, 1, 1), vec3_new(0.1, 0.2, -depth), arena);
    const PatchSet set = find(&low, &high, &usual, arena);
    const bool deep = depth > both;
    CHECK(set.failed == (deep ? 1 : 0) && points_of(&set) == (deep ? 1 : 4));
    CHECK_NEAR(set.patches[0].separation, -depth, 1e-3 * depth);
    CHECK_NEAR(set.patches[0].normal.z, -1, 1e-12);
  }
}

int main(void)
{
  Arena arena = arena_new();
  test_areas(&arena);
  test_most_points(&arena);
  test_depth(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
