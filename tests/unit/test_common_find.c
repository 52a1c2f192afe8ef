// Rows of two bodies: what pieces add up to, and which row a piece without surface joins.
// test: needs tetgen
#include "common_find.h"

#include <stdlib.h>

#include "harness.h"
#include "intersection.h"
#include "mesh_solids.h"
#include "part_surface.h"
#include "posed_scene.h"
#include "tetgen.h"

static const vec3 zero = {0, 0, 0};
static const CommonAsked PARTS = {.faces = true}, POOLED = {.pooled = true};

static void check_near(vec3 value, vec3 expected, double tolerance)
{
  CHECK_NEAR(vec3_norm(vec3_sub(value, expected)), 0, tolerance);
}

// All of a set as one solid.
static CommonSolid sum_of(const CommonSet *set)
{
  CommonSolid sum = {0};
  for (int r = 0; r < set->row_count; r++) sum = common_solid_sum(&sum, &set->rows[r].solid);
  return sum;
}

// All measures to 1e-12 of the power of the length, areas to that and what is left out, m2.
static void check_solid(const CommonSolid *value, const CommonSolid *expected, double length,
                        double left_out)
{
  const double l2 = length * length, l3 = l2 * length;
  CHECK_NEAR(value->volume, expected->volume, 1e-12 * l3);
  check_near(vec3_scale(expected->volume, vec3_sub(value->centroid, expected->centroid)), zero,
             1e-12 * l3 * length);
  for (int i = 0; i < 3; i++)
    check_near(value->second.row[i], expected->second.row[i], 1e-12 * l3 * l2);
  for (int side = 0; side < 2; side++) {
    check_near(value->area[side], expected->area[side], 1e-12 * l2 + left_out);
    CHECK_NEAR(value->size[side], expected->size[side], 1e-12 * l2 + left_out);
  }
}

// Surface of the solids of parts that are no more than rounding, which are none, m2. (Their volume
// is below 1e-14 of a part's extent cubed; that of a corner has 1e-9 of its square as surface.)
static double left_out(const ModelPair *pair, Arena *arena)
{
  double surface = 0;
  for (int i = 0; i < pair->a->shape->part_count; i++) {
    for (int k = 0; k < pair->b->shape->part_count; k++) {
      const PartOverlap parts = part_surface_overlap(pair->a, i, pair->b, k, arena);
      const Intersection common = intersection_clip(&parts.hull_a, &parts.hull_b, 0, arena);
      if (common.status == INTERSECTION_DEGENERATE) surface += common.surface;
    }
  }
  CHECK(surface < 1e-8);
  return surface;
}

// The faces of a shape of one part as triangles, in the frame of its description.
static MeshBlock block_of(const Shape *shape, Arena *arena)
{
  const Polyhedron *hull = &shape->parts[0].hull;
  MeshBlock block = {.name = "stone", .point_count = hull->vertex_count};
  block.points = arena_allocate(arena, (size_t)hull->vertex_count * sizeof(vec3));
  for (int i = 0; i < hull->vertex_count; i++)
    block.points[i] = vec3_add(hull->vertices[i], shape->center);
  block.triangles = arena_allocate(arena, 2 * (size_t)hull->edge_count * sizeof(int[3]));
  for (int f = 0; f < hull->face_count; f++) {
    const int *loop = hull->face_vertices + hull->face_start[f];
    const int count = hull->face_start[f + 1] - hull->face_start[f];
    for (int k = 1; k + 1 < count; k++) {
      const int triangle[3] = {loop[0], loop[k], loop[k + 1]};
      memcpy(block.triangles[block.triangle_count++], triangle, sizeof triangle);
    }
  }
  block.volume = mesh_block_volume(&block);
  return block;
}

static Shape *shape_of_recipe(const ShapeRecipe *recipe, Arena *arena)
{
  Shape *shape = arena_allocate(arena, sizeof *shape);
  CHECK(shape_build(recipe, arena, shape).status == SHAPE_OK);
  return shape;
}

// Is a face of a tetrahedron a triangle of the surface?
static bool on_surface(const MeshBlock *block, const int face[3])
{
  for (int t = 0; t < block->triangle_count; t++) {
    int shared = 0;
    for (int k = 0; k < 9; k++) shared += block->triangles[t][k / 3] == face[k % 3];
    if (shared == 3) return true;
  }
  return false;
}

// The raw tetrahedra of a filling as parts, which know what of them is surface.
static Shape *shape_of_filling(const MeshBlock *block, const Tetrahedra *filling, Arena *arena)
{
  static const int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  PartRecipe *parts = arena_allocate_zero(arena, (size_t)filling->tetra_count, sizeof *parts);
  for (int t = 0; t < filling->tetra_count; t++) {
    const int *tetra = filling->tetra[t];
    parts[t] = (PartRecipe){.count = 4,
                            .points = arena_allocate(arena, 4 * sizeof(vec3)),
                            .triangles = arena_allocate(arena, 4 * sizeof(int[3]))};
    for (int k = 0; k < 4; k++) parts[t].points[k] = filling->points[tetra[k]];
    for (int f = 0; f < 4; f++) {
      const int *face = faces[f];
      if (!on_surface(block, (int[3]){tetra[face[0]], tetra[face[1]], tetra[face[2]]})) continue;
      memcpy(parts[t].triangles[parts[t].triangle_count++], face, sizeof(int[3]));
    }
  }
  const ShapeRecipe recipe = {
      .part_count = filling->tetra_count, .parts = parts, .surface_known = true};
  return shape_of_recipe(&recipe, arena);
}

// A stone, and the same one filled by tetgen with some points inside.
typedef struct {
  Shape *whole, *cut;
} Stone;

static Stone stone_new(Random *random, Arena *arena)
{
  vec3 *points = arena_allocate(arena, 40 * sizeof *points);
  for (int i = 0; i < 40; i++) {
    const vec3 v = random_direction(random);
    points[i] = (vec3){0.6 * v.x, 0.5 * v.y, 0.4 * v.z};
  }
  PartRecipe part = {.count = 40, .points = points};
  Stone stone = {shape_of_recipe(&(ShapeRecipe){.part_count = 1, .parts = &part}, arena), NULL};
  const MeshBlock block = block_of(stone.whole, arena);
  const TetgenMeshing meshing = {"-pq1.5a0.02YQ", false, 1000};
  Tetrahedra filling;
  char error[1000];
  if (!CHECK(tetgen_mesh(meshing, &block, arena, &filling, (ErrorText){error, sizeof error}))) {
    printf("%s\n", error);
    return stone;
  }
  CHECK(filling.tetra_count > 40 && filling.point_count > block.point_count);
  stone.cut = shape_of_filling(&block, &filling, arena);
  return stone;
}

// Every pair of two stones, whole or cut, has the same sums, at any depth.
static void test_pieces(int rounds)
{
  Random random = {41};
  int met = 0;
  for (int n = 0; n < rounds; n++) {
    Arena arena = arena_new();
    const Stone p = stone_new(&random, &arena), q = stone_new(&random, &arena);
    if (!p.cut || !q.cut) {
      arena_destroy(&arena);
      continue;
    }
    for (int k = 0; k < 5; k++) {
      const mat3 turn_p = random_rotation(&random), turn_q = random_rotation(&random);
      const vec3 at = random_in_cube(&random, 3);
      const vec3 to = vec3_axpy(random_between(&random, 0.1, 1.05), random_direction(&random), at);
      const PosedBody a[2] = {body_place(p.whole, turn_p, at, zero, &arena),
                              body_place(p.cut, turn_p, at, zero, &arena)};
      const PosedBody b[2] = {body_place(q.whole, turn_q, to, zero, &arena),
                              body_place(q.cut, turn_q, to, zero, &arena)};
      CommonSolid sums[2][2];
      for (int i = 0; i < 4; i++) {
        const ModelPair pair = {.a = &a[i / 2], .b = &b[i % 2]};
        const CommonSet rows = common_find(&pair, PARTS, &arena);
        const CommonSet pool = common_find(&pair, POOLED, &arena);
        CHECK(rows.failed == 0 && pool.row_count == (rows.row_count > 0));
        sums[i / 2][i % 2] = sum_of(&rows);
        if (pool.row_count == 1) check_solid(&pool.rows[0].solid, &sums[i / 2][i % 2], 1.2, 0);
        check_solid(&sums[i / 2][i % 2], &sums[0][0], 1.2, left_out(&pair, &arena));
        // each row has surface of both bodies, whatever the cut
        for (int r = 0; r < rows.row_count; r++)
          CHECK(rows.rows[r].solid.size[0] > 0 && rows.rows[r].solid.size[1] > 0);
        for (int r = 1; r < rows.row_count; r++)
          CHECK(rows.rows[r - 1].part_a < rows.rows[r].part_a ||
                (rows.rows[r - 1].part_a == rows.rows[r].part_a &&
                 rows.rows[r - 1].part_b < rows.rows[r].part_b));
      }
      met += sums[0][0].volume > 0;
      const vec3 *area = sums[0][0].area;
      check_near(vec3_add(area[0], area[1]), zero,
                 1e-13 * (sums[0][0].size[0] + sums[0][0].size[1]));
    }
    arena_destroy(&arena);
  }
  CHECK(met > 3 * rounds);
}

// A peg in a hole of four walls, each a part: tight on all sides it has four rows and no force as a
// whole, and moved by less than the interference still four.
static void test_peg(Arena *arena)
{
  Solid frame = {0};
  solid_add_box(&frame, vec3_new(-2, -2, -1), vec3_new(-1, 2, 1));
  solid_add_box(&frame, vec3_new(1, -2, -1), vec3_new(2, 2, 1));
  solid_add_box(&frame, vec3_new(-1, -2, -1), vec3_new(1, -1, 1));
  solid_add_box(&frame, vec3_new(-1, 1, -1), vec3_new(1, 2, 1));
  const double c = 1e-3;
  const Solid peg = solid_box(vec3_new(-1 - c, -1 - c, -3), vec3_new(1 + c, 1 + c, 3));
  const PosedBody a = body_from_solid(&frame, mat3_diagonal(1, 1, 1), zero, zero, arena);
  const PosedBody b =
      body_from_solid(&peg, mat3_diagonal(1, 1, 1), vec3_new(c / 2, 0, 0), zero, arena);
  const CommonSet set = common_find(&(ModelPair){.a = &a, .b = &b}, PARTS, arena);
  if (!CHECK(set.row_count == 4 && set.failed == 0)) return;
  vec3 push = zero;
  for (int r = 0; r < 4; r++) {
    const CommonSolid *solid = &set.rows[r].solid;
    const vec3 n = vec3_sub(solid->area[1], solid->area[0]);
    push = vec3_axpy(solid->volume / vec3_norm(n), n, push);
  }
  // (the walls' corners lie in the walls along x: their rows are wider by the interference)
  CHECK_NEAR(push.x / (2 * c / 2 * 2 * (2 + 2 * c)), 1, 1e-9);
  CHECK_NEAR(push.y, 0, 1e-15);
  const CommonSet pool = common_find(&(ModelPair){.a = &a, .b = &b}, POOLED, arena);
  CHECK(pool.row_count == 1);
  check_near(pool.rows[0].solid.area[0], zero, 1e-14);
}

// Two stacked layers: a piece of the upper layer, which has no surface of both, joins the row below
// it and no other, and pieces behind it join by it.
static void test_joining(Arena *arena)
{
  Solid layers = {0};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++)
      solid_add_box(&layers, vec3_new(i, 0, 0.1 * k), vec3_new(i + 1, 1, 0.1 * (k + 1)));
  const Solid floor = solid_box(vec3_new(-5, -5, -1), vec3_new(5, 5, 0));
  // sunk by two layers and a half of the third
  const PosedBody a =
      body_from_solid(&layers, mat3_diagonal(1, 1, 1), vec3_new(0.25, 0.3, -0.25), zero, arena);
  const PosedBody b = body_from_solid(&floor, mat3_diagonal(1, 1, 1), zero, zero, arena);
  const CommonSet set = common_find(&(ModelPair){.a = &a, .b = &b}, PARTS, arena);
  // the top pieces have the floor's surface and their own sides: rows of their own; the middle
  // ones have sides alone, and join a neighbour
  if (!CHECK(set.row_count == 2 && set.failed == 0)) return;
  for (int r = 0; r < 2; r++) {
    CHECK(set.rows[r].part_a == 3 * r + 2 && set.rows[r].part_b == 0);
    CHECK_NEAR(set.rows[r].solid.volume, 0.25, 1e-14);
    CHECK_NEAR(set.rows[r].solid.centroid.z + a.center.z, -0.125, 1e-14);
    CHECK_NEAR(set.rows[r].solid.area[0].z, -1, 1e-14);
    CHECK_NEAR(set.rows[r].solid.area[1].z, 1, 1e-14);
  }
  // a body inside of another has no surface of it, and one row
  const Solid core = solid_box(vec3_new(-4, -4, -0.9), vec3_new(4, 4, -0.1));
  const PosedBody inner = body_from_solid(&core, mat3_diagonal(1, 1, 1), zero, zero, arena);
  const CommonSet deep = common_find(&(ModelPair){.a = &inner, .b = &b}, PARTS, arena);
  CHECK(deep.row_count == 1 && deep.rows[0].solid.size[1] == 0);
}

int main(void)
{
  setenv(TETGEN_VARIABLE, "tetgen", 1);
  Arena arena = arena_new();
  test_peg(&arena);
  test_joining(&arena);
  test_pieces(8);
  arena_destroy(&arena);
  return test_report();
}
