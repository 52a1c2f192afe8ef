// Which contacts sparsification removes, on sets whose answer is known, and that the order they
// come in does not matter.
#include "sparsify.h"

#include <string.h>

#include "harness.h"
#include "model.h"
#include "posed_scene.h"

static const vec3 zero = {0, 0, 0};

// Contacts of a made-up pair: patches of one point each on part i of a and part 0 of b.
typedef struct {
  int part;
  double x, area, gap;
} Spot;

static PatchSet set_of(const Spot *spots, int count, Arena *arena)
{
  PatchSet set = {.patch_count = count};
  set.patches = arena_allocate(arena, (size_t)count * sizeof *set.patches);
  for (int i = 0; i < count; i++) {
    PatchPoint *p = arena_allocate(arena, sizeof *p);
    *p = (PatchPoint){.point = {spots[i].x, 0, 0},
                      .gap = spots[i].gap,
                      .area = spots[i].area,
                      .part_a = spots[i].part,
                      .feature_a = (uint32_t)spots[i].part,
                      .axis_a = AXIS_NONE,
                      .axis_b = AXIS_NONE};
    set.patches[i] = (Patch){.part_a = spots[i].part,
                             .normal = {0, 0, 1},
                             .area = spots[i].area,
                             .separation = spots[i].gap,
                             .point_count = 1,
                             .points = p};
  }
  return set;
}

// Bit i: the contact on part i is still there.
static unsigned parts_left(const PatchSet *set)
{
  unsigned left = 0;
  for (int i = 0; i < set->patch_count; i++) {
    CHECK(set->patches[i].point_count == 1);
    left |= 1U << set->patches[i].points[0].part_a;
  }
  return left;
}

// Six cubes in a row along x, each sharing a face with the next.
static void build_row(Arena *arena, Shape *row)
{
  Solid solid = {0};
  for (int i = 0; i < 6; i++) solid_add_box(&solid, vec3_new(i, 0, 0), vec3_new(i + 1, 1, 1));
  CHECK(solid_build(&solid, arena, row).status == SHAPE_OK);
}

static void build_slab(Arena *arena, Shape *slab)
{
  const Solid solid = solid_box(vec3_new(-9, -9, -1), vec3_new(9, 9, 0));
  CHECK(solid_build(&solid, arena, slab).status == SHAPE_OK);
}

static void test_adjacency(Arena *arena)
{
  Shape row;
  build_row(arena, &row);
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 6; k++) {
      if (i != k) CHECK(sparsify_parts_adjacent(&row, i, k) == (i - k == 1 || k - i == 1));
    }
  }
  // along an edge, at a corner, beside each other in one plane, half a face, apart by little
  Solid solid = {0};
  solid_add_box(&solid, zero, vec3_new(1, 1, 1));
  solid_add_box(&solid, vec3_new(1, 1, 0), vec3_new(2, 2, 1));
  solid_add_box(&solid, vec3_new(-1, -1, -1), zero);
  solid_add_box(&solid, vec3_new(0.5, 0.2, 1), vec3_new(3, 0.8, 2));
  solid_add_box(&solid, vec3_new(0, -2, 0), vec3_new(1, -1e-3, 1));
  Shape pieces;
  CHECK(solid_build(&solid, arena, &pieces).status == SHAPE_OK);
  for (int k = 1; k < 5; k++) {
    CHECK(sparsify_parts_adjacent(&pieces, 0, k) == (k == 3));
    CHECK(sparsify_parts_adjacent(&pieces, k, 0) == (k == 3));
  }
}

static void check_left(const SparsifyParameters *parameters, const Spot *spots, int count,
                       unsigned expected, Arena *arena)
{
  Shape row, slab;
  build_row(arena, &row);
  build_slab(arena, &slab);
  // in any order, and a second time nothing goes
  for (int shift = 0; shift < count; shift++) {
    Spot turned[8];
    for (int i = 0; i < count; i++) turned[i] = spots[(i + shift) % count];
    PatchSet set = set_of(turned, count, arena);
    const int removed =
        sparsify_set(&set, (ShapePair){&row, &slab}, parameters, (OldPoints){NULL, {0, 0}}, arena);
    CHECK(parts_left(&set) == expected && removed == count - set.patch_count);
    CHECK(sparsify_set(&set, (ShapePair){&row, &slab}, parameters, (OldPoints){NULL, {0, 0}},
                       arena) == 0);
  }
}

static void test_rules(Arena *arena)
{
  const Spot spots[6] = {{0, 0.5, 1, -1e-3},    {1, 1.5, 0.09, -1e-3}, {2, 2.5, 0.005, -1e-3},
                         {3, 3.5, 0.02, -1e-3}, {4, 4.5, 0.3, -1e-3},  {5, 4.6, 0.3, -2e-3}};
  check_left(&(SparsifyParameters){0}, spots, 6, 0x3f, arena);
  check_left(&(SparsifyParameters){.min_area = 0.02}, spots, 6, 0x3b, arena);
  // 1 goes beside 0; 2 beside 3 stays by the share, since 1, which is much larger, has gone; 3 goes
  // beside 4
  check_left(&(SparsifyParameters){.threshold = 0.1}, spots, 6, 0x35, arena);
  check_left(&(SparsifyParameters){.threshold = 0.01}, spots, 6, 0x3f, arena);
  // of the two with equal areas the deeper one stays
  check_left(&(SparsifyParameters){.min_distance = 0.2}, spots, 6, 0x2f, arena);
  check_left(&(SparsifyParameters){.min_distance = 10}, spots, 6, 0x01, arena);
  check_left(&(SparsifyParameters){.threshold = 0.1, .min_area = 0.01, .min_distance = 0.2}, spots,
             6, 0x21, arena);
  // equal in all: the key decides
  const Spot equal[3] = {{2, 0, 1, 0}, {4, 0, 1, 0}, {1, 0, 1, 0}};
  check_left(&(SparsifyParameters){.min_distance = 1e-9}, equal, 3, 1U << 1, arena);
}

// What was there in the last step stays, and removes what is new.
static void test_known_points(Arena *arena)
{
  Shape row, slab;
  build_row(arena, &row);
  build_slab(arena, &slab);
  const Spot spots[3] = {{0, 0.5, 1, 0}, {1, 0.6, 0.01, 0}, {2, 2.5, 0.01, 0}};
  const SparsifyParameters parameters = {.threshold = 0.1, .min_area = 0.1, .min_distance = 0.5};
  Contacts old = {0};
  contacts_begin(&old);
  table_reserve(&old.table, 1);
  old.bodies[0] = (IdPair){3, 4};
  old.parts[0] = (IndexPair){1, 0};
  old.features[0] = (IndexPair){1, 0};
  old.table.owned = old.table.count = 1;
  PatchSet set = set_of(spots, 3, arena);
  CHECK(sparsify_set(&set, (ShapePair){&row, &slab}, &parameters, (OldPoints){&old, {0, 1}},
                     arena) == 2);
  CHECK(parts_left(&set) == 2);
  // another feature is another point
  old.features[0].high = 7;
  set = set_of(spots, 3, arena);
  CHECK(sparsify_set(&set, (ShapePair){&row, &slab}, &parameters, (OldPoints){&old, {0, 1}},
                     arena) == 2);
  CHECK(parts_left(&set) == 1);
  contacts_end(&old);
}

// Points of one patch hand on their area; corners of one patch are not compared by area.
static void test_within_patch(Arena *arena)
{
  const Solid brick = solid_box(zero, vec3_new(0.4, 0.2, 0.2));
  const Solid slab = solid_box(vec3_new(-5, -5, -1), vec3_new(5, 5, 0));
  const mat3 straight = mat3_diagonal(1, 1, 1);
  const PosedBody floor = body_from_solid(&slab, straight, zero, zero, arena);
  const PosedBody top = body_from_solid(&brick, straight, vec3_new(0, 0, -1e-4), zero, arena);
  const PatchParameters usual = {.margin = 1e-3, .feature_width = 2e-3, .max_points = 8};
  const ModelPair pair = {.a = &floor, .b = &top, .parameters = &usual};
  for (int i = 0; i < 3; i++) {
    PatchSet set = model_find(CONTACT_MODEL_PATCH, &pair, arena);
    const SparsifyParameters parameters = {.threshold = 1,
                                           .min_area = 0.079,
                                           .min_distance = i == 0   ? 0.19
                                                           : i == 1 ? 0.21
                                                                    : 0.5};
    const int removed = sparsify_set(&set, (ShapePair){floor.shape, top.shape}, &parameters,
                                     (OldPoints){NULL, {0, 0}}, arena);
    const int left = i == 0 ? 4 : i == 1 ? 2 : 1;
    if (!CHECK(removed == 4 - left && set.patch_count == 1)) continue;
    CHECK(set.patches[0].point_count == left);
    double area = 0;
    for (int k = 0; k < left; k++) area += set.patches[0].points[k].area;
    CHECK_NEAR(area, 0.08, 1e-15);
    CHECK_NEAR(set.patches[0].area, 0.08, 1e-15);
  }
}

// A stone of 4 x 3 pieces on a slab of 3 x 2: slivers at the seams go, wide pieces stay.
static void test_many_parts(Arena *arena)
{
  Solid stone = {0}, base = {0};
  for (int i = 0; i < 12; i++) {
    const double x = i % 4, y = i / 4;
    solid_add_box(&stone, vec3_new(x, y, 0), vec3_new(x + 1, y + 1, 1));
  }
  for (int i = 0; i < 6; i++) {
    const double x = 2 * (i % 3) - 1.01, y = 2 * (i / 3) - 0.02;
    solid_add_box(&base, vec3_new(x, y, -1), vec3_new(x + 2, y + 2, 0));
  }
  const mat3 straight = mat3_diagonal(1, 1, 1);
  const PosedBody floor = body_from_solid(&base, straight, zero, zero, arena);
  const PosedBody top = body_from_solid(&stone, straight, vec3_new(0, 0, -1e-4), zero, arena);
  const PatchParameters usual = {.margin = 1e-3, .feature_width = 2e-3, .max_points = 8};
  const ModelPair pair = {.a = &floor, .b = &top, .parameters = &usual};
  PatchSet set = model_find(CONTACT_MODEL_VOLUMETRIC, &pair, arena);
  double before = 0, after = 0;
  for (int i = 0; i < set.patch_count; i++) before += set.patches[i].area;
  const int found = set.patch_count;
  const int removed =
      sparsify_set(&set, (ShapePair){floor.shape, top.shape},
                   &(SparsifyParameters){.threshold = 0.1}, (OldPoints){NULL, {0, 0}}, arena);
  for (int i = 0; i < set.patch_count; i++) {
    after += set.patches[i].area;
    CHECK(set.patches[i].area > 0.9);
  }
  // x is cut at 0.99 and 2.99, y at 1.98: of 6 x 4 pieces 4 x 3 are wide
  CHECK(found == 24 && removed == 12 && set.patch_count == 12);
  CHECK(after > 0.95 * before);
}

int main(void)
{
  Arena arena = arena_new();
  test_adjacency(&arena);
  test_rules(&arena);
  test_known_points(&arena);
  test_within_patch(&arena);
  test_many_parts(&arena);
  arena_destroy(&arena);
  return test_report();
}
