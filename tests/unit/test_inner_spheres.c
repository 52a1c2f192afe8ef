// Inner spheres: how much of a body they fill, that they cross nothing, and what two bodies of them
// share.
#include "inner_spheres.h"

#include <string.h>

#include "check.h"
#include "common_find.h"
#include "common_inner.h"
#include "harness.h"
#include "inner_sites.h"
#include "posed_scene.h"

static const vec3 zero = {0, 0, 0};
static const mat3 unit = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static Shape shape_of(const Solid *solid, Arena *arena)
{
  Shape shape;
  CHECK(solid_build(solid, arena, &shape).status == SHAPE_OK);
  return shape;
}

// No sphere crosses another one or a triangle of the surface, and all centres are inside.
static void check_apart(const Shape *shape, const InnerSpheres *inner, Arena *arena)
{
  const InnerSurface surface = inner_sites_of_shape(shape, arena);
  double least = INFINITY, volume = 0;
  int inside = 0;
  for (int i = 0; i < inner->count; i++) {
    const InnerSphere p = inner->spheres[i];
    for (int k = 0; k < i; k++) {
      const InnerSphere q = inner->spheres[k];
      least = smaller_of(least, vec3_norm(vec3_sub(p.center, q.center)) - p.radius - q.radius);
    }
    for (int t = 0; t < surface.count; t++) {
      const vec3 nearest = inner_sites_nearest(&surface.triangles[t], p.center);
      least = smaller_of(least, vec3_norm(vec3_sub(p.center, nearest)) - p.radius);
    }
    inside += inner_sites_hold(&surface, p.center);
    volume += 4 * acos(-1) / 3 * pow(p.radius, 3);
  }
  CHECK(least >= 0);
  CHECK(inside == inner->count);
  CHECK_NEAR(volume / inner->volume, 1, 1e-12);
}

// The promise for a cube, and how soon it is near.
static void test_cube(Arena *arena)
{
  const Solid cube = solid_box((vec3){0, 0, 0}, (vec3){1, 1, 1});
  const Shape shape = shape_of(&cube, arena);
  const int counts[3] = {100, 1000, CHECK_ON ? 1000 : 10000};
  const double shares[3] = {0.72, 0.82, CHECK_ON ? 0.82 : 0.87};
  for (int k = 0; k < 3; k++) {
    const InnerSpheres inner = inner_spheres_fill(&shape, counts[k], arena);
    CHECK(inner.count == counts[k]);
    CHECK(inner.volume >= shares[k] && inner.volume < 1);
    if (counts[k] <= 1000) check_apart(&shape, &inner, arena);
  }
}

// Faces between parts are no walls: a bar in three slabs, an L, and a ring.
static void test_parts(Arena *arena)
{
  Solid bar = solid_box((vec3){0, 0, 0}, (vec3){0.3, 1, 1});
  solid_add_box(&bar, (vec3){0.3, 0, 0}, (vec3){0.6, 1, 1});
  solid_add_box(&bar, (vec3){0.6, 0, 0}, (vec3){2, 1, 1});
  const Shape slabs = shape_of(&bar, arena);
  const InnerSpheres of_bar = inner_spheres_fill(&slabs, 500, arena);
  double largest = 0;
  for (int i = 0; i < of_bar.count; i++) largest = larger_of(largest, of_bar.spheres[i].radius);
  CHECK_NEAR(largest, 0.5, 1e-3);
  CHECK(of_bar.volume > 0.75 * 2);
  check_apart(&slabs, &of_bar, arena);

  Solid ell = solid_box((vec3){0, 0, 0}, (vec3){3, 1, 1});
  solid_add_box(&ell, (vec3){0, 1, 0}, (vec3){1, 3, 1});
  const Shape bent = shape_of(&ell, arena);
  const InnerSpheres of_ell = inner_spheres_fill(&bent, 1000, arena);
  CHECK(of_ell.volume > 0.75 * 5 && of_ell.volume < 5);
  check_apart(&bent, &of_ell, arena);

  Solid ring = solid_box((vec3){0, 0, 0}, (vec3){3, 1, 0.7});
  solid_add_box(&ring, (vec3){0, 2, 0}, (vec3){3, 3, 0.7});
  solid_add_box(&ring, (vec3){0, 1, 0}, (vec3){1, 2, 0.7});
  solid_add_box(&ring, (vec3){2, 1, 0}, (vec3){3, 2, 0.7});
  const Shape hole = shape_of(&ring, arena);
  const InnerSpheres of_ring = inner_spheres_fill(&hole, 1000, arena);
  CHECK(of_ring.volume > 0.7 * hole.volume && of_ring.volume < hole.volume);
  check_apart(&hole, &of_ring, arena);
}

// A surface alone is filled like the hull of its points, and a sphere is itself.
static void test_other_shapes(Arena *arena)
{
  Solid box = solid_box((vec3){-1, -2, 0}, (vec3){1, 2, 3});
  static int triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  PartRecipe part = {
      .count = 8, .points = box.corners[0], .triangle_count = 12, .triangles = triangles};
  const ShapeRecipe recipe = {
      .part_count = 1, .parts = &part, .surface_known = true, .surface_alone = true};
  Shape shape;
  CHECK(shape_build(&recipe, arena, &shape).status == SHAPE_OK);
  const InnerSpheres alone = inner_spheres_fill(&shape, 300, arena);
  CHECK(alone.volume > 0.7 * 24);
  check_apart(&shape, &alone, arena);

  CHECK(shape_build(&(ShapeRecipe){.radius = 0.7}, arena, &shape).status == SHAPE_OK);
  const InnerSpheres ball = inner_spheres_fill(&shape, 300, arena);
  CHECK(ball.count == 1);
  CHECK(ball.spheres[0].radius == 0.7 && vec3_norm(ball.spheres[0].center) == 0);
}

// A rocky hull, and a bent body, each filled.
typedef struct {
  Shape shapes[2];
  InnerSpheres inner[2];
} Filled;

static void fill(Filled *filled, int count, Arena *arena)
{
  Random random = {5};
  Solid rock = {0};
  vec3 corners[20];
  for (int i = 0; i < 20; i++) corners[i] = random_direction(&random);
  solid_add_part(&rock, corners, 20);
  Solid bent = solid_box((vec3){0, 0, 0}, (vec3){2, 0.7, 0.7});
  solid_add_box(&bent, (vec3){0, 0.7, 0}, (vec3){0.7, 2, 0.7});
  const Solid solids[2] = {rock, bent};
  for (int k = 0; k < 2; k++) {
    filled->shapes[k] = shape_of(&solids[k], arena);
    filled->inner[k] = inner_spheres_fill(&filled->shapes[k], count, arena);
  }
}

static PosedBody place(const Filled *filled, int k, mat3 turn, vec3 center)
{
  return (PosedBody){
      .shape = &filled->shapes[k], .inner = &filled->inner[k], .rotation = turn, .center = center};
}

// The tree finds what all pairs give, bit for bit; the area vector is the gradient of the volume;
// nothing is larger than the body.
static void test_overlap(Arena *arena)
{
  Filled filled;
  fill(&filled, CHECK_ON ? 500 : 2000, arena);
  Random random = {9};
  int shared = 0;
  int64_t compared = 0, all = 0;
  for (int trial = 0; trial < 24; trial++) {
    const vec3 way = vec3_scale(2.2 * random_between(&random, 0, 1), random_direction(&random));
    const mat3 turn = rotation_about(random_direction(&random), 6 * random_between(&random, 0, 1));
    const vec3 from = {5, -3, 2};
    const PosedBody a =
        place(&filled, trial % 2, rotation_about(random_direction(&random), 1), from);
    PosedBody b = place(&filled, trial / 2 % 2, turn, vec3_add(from, way));
    const ModelPair pair = {.a = &a, .b = &b};
    const CommonInner found = common_inner_find(&pair, arena);
    const CommonInner slow = common_inner_brute_force(&pair);
    CHECK(memcmp(&found.solid, &slow.solid, sizeof found.solid) == 0);
    CHECK(found.lenses == slow.lenses);
    CHECK(found.solid.volume <= smaller_of(a.inner->volume, b.inner->volume));
    compared += found.compared;
    all += slow.compared;
    if (found.lenses < 100) continue;
    shared++;
    const CommonSolid *solid = &found.solid;
    CHECK_NEAR(vec3_norm(vec3_add(solid->area[0], solid->area[1])), 0, 1e-12);
    const double h = 1e-6;
    double change[2];
    for (int side = 0; side < 2; side++) {
      b.center = vec3_axpy(side ? -h : h, (vec3){0.6, 0, 0.8}, vec3_add(from, way));
      change[side] = common_inner_find(&pair, arena).solid.volume;
    }
    const double slope = vec3_dot(solid->area[1], (vec3){0.6, 0, 0.8});
    CHECK_NEAR((change[0] - change[1]) / (2 * h), slope, 1e-6);
  }
  CHECK(shared > 8);
  CHECK(compared < all / 10);
}

// Two spheres are one lens, with the bits of the closed form, and rows of bodies are made of it.
static void test_spheres(Arena *arena)
{
  Shape shape;
  CHECK(shape_build(&(ShapeRecipe){.radius = 1}, arena, &shape).status == SHAPE_OK);
  const InnerSpheres inner = inner_spheres_fill(&shape, 1, arena);
  const PosedBody a = {.shape = &shape, .rotation = unit, .center = zero};
  PosedBody b = a;
  b.center = (vec3){0.3, 1.2, -1.4};
  const CommonSet exact =
      common_find(&(ModelPair){.a = &a, .b = &b}, (CommonAsked){.pooled = false}, arena);
  PosedBody of_a = a, of_b = b;
  of_a.inner = of_b.inner = &inner;
  const ModelPair pair = {.a = &of_a, .b = &of_b};
  const CommonInner lens = common_inner_find(&pair, arena);
  CHECK(lens.lenses == 1);
  CHECK(lens.solid.volume == exact.rows[0].solid.volume);
  for (int side = 0; side < 2; side++)
    CHECK_NEAR(vec3_norm(vec3_sub(lens.solid.middle[side], exact.rows[0].solid.middle[side])), 0,
               1e-15);
  const CommonSet rows = common_find(&pair, (CommonAsked){.pooled = false}, arena);
  CHECK(rows.row_count == 1 &&
        memcmp(&rows.rows[0].solid, &exact.rows[0].solid, sizeof lens.solid) == 0);
}

static void test_bits(Arena *arena)
{
  Filled filled;
  fill(&filled, 300, arena);
  for (int k = 0; k < 2; k++) {
    const InnerSpheres again = inner_spheres_fill(&filled.shapes[k], 300, arena);
    const size_t bytes = (size_t)again.count * sizeof *again.spheres;
    CHECK(again.count == filled.inner[k].count);
    CHECK(memcmp(again.spheres, filled.inner[k].spheres, bytes) == 0);
  }
}

// A plate so thin that no bounded number of cells resolves it has few spheres, or none, and soon.
static void test_thin(Arena *arena)
{
  const Solid plates[2] = {solid_box((vec3){0, 0, 0}, (vec3){1, 1, 2e-6}),
                           solid_box((vec3){0, 0, 0}, (vec3){1, 1, 2e-2})};
  for (int k = 0; k < 2; k++) {
    const Shape shape = shape_of(&plates[k], arena);
    const InnerSpheres inner = inner_spheres_fill(&shape, 20, arena);
    CHECK(inner.count == (k == 0 ? 0 : 20));
    if (inner.count > 0) check_apart(&shape, &inner, arena);
  }
}

int main(void)
{
  Arena arena = arena_new();
  test_cube(&arena);
  test_thin(&arena);
  test_parts(&arena);
  test_other_shapes(&arena);
  test_overlap(&arena);
  test_spheres(&arena);
  test_bits(&arena);
  arena_destroy(&arena);
  return test_report();
}
