// Where a body is notched along a seam between two parts, each part ends at the other: what touches
// the end of the notch touches features of both that the other part covers.
#include <string.h>

#include "harness.h"
#include "patch.h"
#include "posed_scene.h"

static const PatchParameters parameters = {.margin = 1e-3, .feature_width = 2e-3, .max_points = 8};
static const vec3 zero = {0, 0, 0};

// The stone of jobs/rubble/hook.obj: an L that tapers upwards.
static Solid hook(double size)
{
  const vec3 outline[12] = {{0, 0, 0},           {1, 0.1, 0},          {0.95, 0.5, 0},
                            {0.5, 0.45, 0},      {0.45, 1, 0},         {0, 0.9, 0},
                            {0.075, 0.075, 0.6}, {0.825, 0.15, 0.6},   {0.7875, 0.45, 0.6},
                            {0.45, 0.4125, 0.6}, {0.4125, 0.825, 0.6}, {0.075, 0.75, 0.6}};
  const int arms[2][8] = {{0, 1, 2, 3, 6, 7, 8, 9}, {0, 3, 4, 5, 6, 9, 10, 11}};
  Solid solid = {0};
  for (int k = 0; k < 2; k++) {
    vec3 corners[8];
    for (int i = 0; i < 8; i++) corners[i] = vec3_scale(size, outline[arms[k][i]]);
    solid_add_part(&solid, corners, 8);
  }
  return solid;
}

// Two hooks of a heap at rest, whose sizes, poses and motions are those of a step: an edge of the
// second lies in the notch of the first and leaves it over its upper end.
#define SIZE_A 0x1.02ef1dbda46abp-3
#define SIZE_B 0x1.cf2451463b9a5p-4
static const mat3 turn_a = {{{0x1.a0295aa6864d6p-2, 0x1.cc408874f459fp-1, -0x1.4f02264e4326cp-3},
                             {-0x1.aaf85d8e4342bp-1, 0x1.c09b58df0714ep-2, 0x1.57ad46f129ca4p-2},
                             {0x1.7e52e0b269d6ap-2, 0x1.b010d211c8p-17, 0x1.daf991e9c5ac4p-1}}};
static const mat3 turn_b = {{{-0x1.382d73a13a7dp-1, 0x1.9dd7ab1247148p-2, 0x1.5d1a530e92882p-1},
                             {0x1.b15c85ef8481p-3, -0x1.7df6cbd78ea1ap-1, 0x1.4347a1700c09ep-1},
                             {0x1.87171799bb516p-1, 0x1.0efb4f8134f62p-1, 0x1.7a36ae0b035e6p-2}}};
static const vec3 center_a = {0x1.123ba78ca1d3ap-1, -0x1.3121b9200281cp-1, 0x1.989fd6c3b6de1p-5};
static const vec3 center_b = {0x1.34020a2e1f6f6p-1, -0x1.3727d1596a3a3p-1, 0x1.4b42a16de5b7ap-4};
static const vec3 velocity_a = {0x1.39bbd0ep-34, -0x1.5b02f1f4p-32, -0x1.41743ec821091p-7};
static const vec3 velocity_b = {0x1.15a62fcp-32, -0x1.fc05642p-33, -0x1.41743eb312c1bp-7};
static const vec3 spin_a = {0x1.ea6fb85cc20d2p-29, 0x1.47ad0df181bf1p-29, -0x1.b29b38d9621f5p-28};
static const vec3 spin_b = {0x1.f59e3b5c5e218p-32, -0x1.25503426da795p-31, 0x1.0adc10fcd96a6p-28};
#define REACH 0x1.5fe229698189cp-40

typedef struct {
  PosedBody a, b;
} Hooks;

static Hooks hooks_new(double scale, Arena *arena)
{
  const Solid first = hook(SIZE_A * scale), second = hook(SIZE_B * scale);
  Hooks hooks = {body_from_solid(&first, turn_a, zero, vec3_scale(scale, velocity_a), arena),
                 body_from_solid(&second, turn_b, zero, vec3_scale(scale, velocity_b), arena)};
  hooks.a.center = vec3_scale(scale, center_a);
  hooks.b.center = vec3_scale(scale, center_b);
  hooks.a.spin = spin_a;
  hooks.b.spin = spin_b;
  return hooks;
}

static PatchSet hooks_find(const Hooks *hooks, bool turned, double reach, const KeptAxis *kept,
                           int kept_count, bool whole, Arena *arena)
{
  const PatchQuery query = {.a = turned ? &hooks->b : &hooks->a,
                            .b = turned ? &hooks->a : &hooks->b,
                            .parameters = &parameters,
                            .reach = reach,
                            .kept = kept,
                            .kept_count = kept_count,
                            .whole_search = whole};
  return patch_search(&query, arena);
}

// Is there a point on part_a that pushes that way, as deep as the hooks overlap?
static bool is_held(const PatchSet *set, int part_a, vec3 normal)
{
  for (int i = 0; i < set->patch_count; i++) {
    const Patch *patch = &set->patches[i];
    if (patch->part_a == part_a && patch->part_b == 0 && vec3_dot(patch->normal, normal) > 0.999 &&
        patch->point_count == 1 && fabs(patch->points[0].gap + 1.1e-6) < 1e-7) {
      return true;
    }
  }
  return false;
}

// Are the patches, in sizes that are a power of two larger, those in the other order?
static bool are_same(const PatchSet *x, const PatchSet *y, double scale, bool turned, vec3 shift)
{
  if (x->patch_count != y->patch_count || x->failed != y->failed) return false;
  for (int i = 0; i < x->patch_count; i++) {
    const Patch *p = &x->patches[i], *q = &y->patches[i];
    const vec3 normal = turned ? vec3_neg(q->normal) : q->normal;
    if (p->point_count != q->point_count || memcmp(&p->normal, &normal, sizeof normal) != 0 ||
        p->part_a != (turned ? q->part_b : q->part_a)) {
      return false;
    }
    for (int k = 0; k < p->point_count; k++) {
      const vec3 place = vec3_add(vec3_scale(scale, p->points[k].point), turned ? shift : zero);
      const vec3 off = vec3_sub(place, q->points[k].point);
      if (scale * p->points[k].gap - q->points[k].gap != 0 && !turned) return false;
      if (turned && fabs(p->points[k].gap - q->points[k].gap) > 1e-15) return false;
      if (turned ? vec3_norm(off) > 1e-15 : vec3_norm(off) != 0) return false;
    }
  }
  return true;
}

// Out of both arms, by their walls in the notch.
static void test_notch(Arena *arena)
{
  const vec3 outward[2] = {{-0.6818, -0.6314, -0.3693}, {-0.4693, 0.7573, -0.4542}};
  const Hooks hooks = hooks_new(1, arena);
  PatchSet set = hooks_find(&hooks, false, REACH, NULL, 0, false, arena);
  CHECK(set.failed == 0);
  CHECK(set.patch_count == 2);
  CHECK(is_held(&set, 0, outward[0]) && is_held(&set, 1, outward[1]));

  // so it stays: with the axes of the last step, of features or of volumetric points
  KeptAxis kept[2] = {{0, 0, AXIS_NONE, AXIS_NONE}, {1, 0, AXIS_NONE, AXIS_NONE}};
  for (int round = 0; round < 3; round++) {
    const PatchSet next = hooks_find(&hooks, false, REACH, kept, 2, false, arena);
    CHECK(are_same(&set, &next, 1, false, zero));
    for (int i = 0; i < 2 && next.patch_count == 2; i++) {
      const Patch *patch = &next.patches[i];
      kept[i] = (KeptAxis){patch->part_a, patch->part_b, patch->axis_a, patch->axis_b};
    }
  }
  // for the whole search, in the other order, in other sizes
  const PatchSet whole = hooks_find(&hooks, false, REACH, NULL, 0, true, arena);
  CHECK(are_same(&set, &whole, 1, false, zero));
  const PatchSet turned = hooks_find(&hooks, true, REACH, NULL, 0, false, arena);
  CHECK(are_same(&set, &turned, 1, true, vec3_sub(hooks.a.center, hooks.b.center)));
  const double scales[2] = {1.0 / 64, 1024};
  for (int i = 0; i < 2; i++) {
    const Hooks other = hooks_new(scales[i], arena);
    const PatchSet scaled = hooks_find(&other, false, scales[i] * REACH, NULL, 0, false, arena);
    CHECK(are_same(&set, &scaled, scales[i], false, zero));
  }
}

// A tip of the second hook on a stone of the first, in both cases an arm's length away, takes
// nothing of that.
static void test_other_contact(Arena *arena)
{
  const Hooks bare = hooks_new(1, arena);
  const vec3 corner =
      vec3_new(0.2, 0.2, 0.2);   // of the stone, in the coordinate frame of the first hook
  Solid first = hook(SIZE_A), second = hook(SIZE_B);
  solid_add_box(&first, vec3_sub(corner, vec3_new(0.1, 0.1, 0.1)), corner);
  const vec3 tip[4] = {
      {-0.05, -0.05, -1e-6}, {-0.07, -0.05, 0.03}, {-0.03, -0.04, 0.03}, {-0.05, -0.03, 0.03}};
  vec3 corners[4];
  for (int i = 0; i < 4; i++) {
    const vec3 of_a = vec3_sub(vec3_add(corner, tip[i]), bare.a.shape->center);
    const vec3 place = vec3_sub(vec3_add(mat3_mul(turn_a, of_a), center_a), center_b);
    corners[i] = vec3_add(mat3_mul_transposed(turn_b, place), bare.b.shape->center);
  }
  solid_add_part(&second, corners, 4);
  const vec3 origin_a = vec3_sub(center_a, mat3_mul(turn_a, bare.a.shape->center));
  const vec3 origin_b = vec3_sub(center_b, mat3_mul(turn_b, bare.b.shape->center));
  const Hooks both = {body_from_solid(&first, turn_a, origin_a, velocity_a, arena),
                      body_from_solid(&second, turn_b, origin_b, velocity_b, arena)};
  const PatchSet set = hooks_find(&both, false, REACH, NULL, 0, false, arena);
  CHECK(set.failed == 0);
  CHECK(set.patch_count == 3);
}

// A beam of two stones that stands on a long edge and on one end of that: the seam is below the
// floor too, and left to the stone that has the end.
static void test_covered(Arena *arena)
{
  Solid beam = solid_box(vec3_new(0, 0, 0), vec3_new(1, 1, 1));
  solid_add_box(&beam, vec3_new(1, 0, 0), vec3_new(2, 1, 1));
  const PosedBody floor = body_floor(arena);
  const mat3 lean =
      mat3_mul_mat(rotation_about(vec3_new(0, 1, 0), 0.01), rotation_about(vec3_new(1, 0, 0), 0.8));
  const PosedBody body = body_from_solid(&beam, lean, vec3_new(0, 0, 1e-3), zero, arena);
  const PatchSet set = patch_find(&floor, &body, &parameters, 0, arena);
  CHECK(set.failed == 0);
  CHECK(set.patch_count == 1 && set.patches[0].part_b == 1);
  double lowest = INFINITY;
  for (int v = 0; v < body.parts[0].vertex_count; v++)
    lowest = fmin(lowest, body.parts[0].vertices[v].z + body.center.z);
  CHECK(lowest < -5e-3);
}

int main(void)
{
  Arena arena = arena_new();
  test_covered(&arena);
  test_notch(&arena);
  test_other_contact(&arena);
  arena_destroy(&arena);
  return test_report();
}
