#include "flatten.h"

#include <string.h>

#include "harness.h"
#include "memory.h"
#include "mesh_solids.h"
#include "posed_scene.h"
#include "tetgen.h"

static FlatReport flatten(MeshBlock *mesh_block, double tolerance, Arena *arena)
{
  FlatSurface surface = {mesh_block->point_count, mesh_block->points, mesh_block->triangle_count,
                         (const int(*)[3])mesh_block->triangles};
  const FlatReport report = flatten_mesh(&surface, tolerance, arena);
  mesh_block->volume = mesh_block_volume(mesh_block);
  return report;
}

// As if written to a file with so many steps per metre.
static void round_points(MeshBlock *mesh_block, double steps)
{
  for (int i = 0; i < mesh_block->point_count; i++) {
    vec3 *p = &mesh_block->points[i];
    *p = vec3_new(floor(p->x * steps + 0.5) / steps, floor(p->y * steps + 0.5) / steps,
                  floor(p->z * steps + 0.5) / steps);
  }
  mesh_block->volume = mesh_block_volume(mesh_block);
}

// What is flat to rounding keeps its bits.
static void test_exact(Arena *arena)
{
  const char *names[] = {"l", "u", "cup", "torus"};
  const int regions[] = {8, 10, 19, 200};
  Random random = {41};
  for (int i = 0; i < 4; i++) {
    for (int turn = 0; turn < 3; turn++) {
      MeshBlock mesh_block = block_read(names[i], arena);
      if (turn > 0) block_place(&mesh_block, random_rotation(&random), vec3_new(2, 7, -5));
      vec3 before[200];
      memcpy(before, mesh_block.points, (size_t)mesh_block.point_count * sizeof *before);
      const FlatReport report = flatten(&mesh_block, 1e-9, arena);
      CHECK(report.moved_points == 0 && report.farthest == 0);
      // two sides of a torus' inner and outer ring lie in one plane as quads do
      CHECK(i == 3 ? report.regions < regions[i] : report.regions == regions[i]);
      CHECK(memcmp(before, mesh_block.points, (size_t)mesh_block.point_count * sizeof *before) ==
            0);
    }
  }
}

// Digits that a file lacks cost no parts: the cup has nine again, its volume but for the digits.
static void test_digits(Arena *arena)
{
  Random random = {43};
  for (int trial = 0; trial < 6; trial++) {
    MeshBlock mesh_block = block_read("cup", arena);
    block_place(&mesh_block, random_rotation(&random), vec3_new(1, -1, 2));
    const double volume = mesh_block.volume, steps = trial < 3 ? 1e6 : 1e8;
    round_points(&mesh_block, steps);
    vec3 before[32];
    memcpy(before, mesh_block.points, sizeof before);
    const FlatReport report = flatten(&mesh_block, 1e-5, arena);
    CHECK(report.regions == 19 && report.moved_points > 16);
    CHECK(report.farthest > 0 && report.farthest < 4 / steps);
    double farthest = 0;
    for (int i = 0; i < 32; i++) {
      farthest = fmax(farthest, vec3_norm(vec3_sub(before[i], mesh_block.points[i])));
    }
    CHECK_NEAR(farthest, report.farthest, 1e-14);
    CHECK_NEAR(mesh_block.volume, volume, 40 / steps);

    Tetrahedra filling;
    TetgenReport found;
    char error[1000] = "";
    if (!CHECK(tetgen_fill(
            &(TetgenTask){.mesh_block = &mesh_block, .mesh_path = "no/such/folder/cup.obj"}, arena,
            &filling, &found, (ErrorText){error, sizeof error})))
      continue;
    const ShapeRecipe recipe = convex_parts(&filling, arena);
    CHECK(recipe.part_count == 9);
    Shape shape;
    if (!CHECK(shape_build(&recipe, arena, &shape).status == SHAPE_OK)) continue;
    CHECK_NEAR(shape.volume, mesh_block.volume, 1e-12 * volume);
  }
}

// What is not flat stays: beyond the tolerance, and where more than three planes meet.
static void test_left_alone(Arena *arena)
{
  Random random = {47};
  MeshBlock mesh_block = block_read("cup", arena);
  block_place(&mesh_block, random_rotation(&random), vec3_new(0, 0, 0));
  round_points(&mesh_block, 1e3);
  FlatReport report = flatten(&mesh_block, 1e-7, arena);
  CHECK(report.regions > 40 && report.farthest < 2e-7 * 6);
  mesh_block = block_read("torus", arena);
  round_points(&mesh_block, 1e4);
  vec3 before[100];
  memcpy(before, mesh_block.points, sizeof before);
  report = flatten(&mesh_block, 1e-6, arena);
  for (int i = 0; i < 100; i++) {
    CHECK(vec3_norm(vec3_sub(before[i], mesh_block.points[i])) <= 2e-6 * 5);
  }
}

int main(void)
{
  Arena arena = arena_new();
  test_exact(&arena);
  test_digits(&arena);
  test_left_alone(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
