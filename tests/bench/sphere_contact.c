// Time per contact of spheres: with a sphere, a box, a floor of tiles and a stone, beside the patch
// of two boxes.
#include "sphere_contact.h"
#include "patch.h"

#include <stdio.h>
#include <time.h>

#include "shape.h"

#define ROUNDS 200000
#define MARGIN 1e-3

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static PosedBody place(const ShapeRecipe *recipe, vec3 center, Arena *arena)
{
  Shape *shape = arena_allocate(arena, sizeof *shape);
  shape_build(recipe, arena, shape);
  Polyhedron *parts = arena_allocate(arena, (size_t)shape->part_count * sizeof *parts);
  const mat3 identity = mat3_diagonal(1, 1, 1);
  for (int p = 0; p < shape->part_count; p++)
    parts[p] = polyhedron_place(&shape->parts[p].hull, identity, vec3_new(0, 0, 0), arena);
  return (PosedBody){.shape = shape, .parts = parts, .rotation = identity, .center = center};
}

static void measure(const char *name, const PosedBody *a, PosedBody b, Arena *arena)
{
  const bool round = a->shape->sphere_radius > 0 || b.shape->sphere_radius > 0;
  const PatchParameters parameters = {.margin = MARGIN, .feature_width = 2e-3, .max_points = 8};
  const vec3 center = b.center;
  int64_t points = 0;
  const double begin = now();
  for (int i = 0; i < ROUNDS; i++) {
    const ArenaMark mark = arena_mark(arena);
    b.center = vec3_add(center, vec3_new(1e-6 * (i % 100), 2e-6 * (i % 77), 0));
    const PatchSet set = round ? sphere_contact_find(a, &b, MARGIN, 1e-4, arena)
                               : patch_find(a, &b, &parameters, 1e-4, arena);
    for (int p = 0; p < set.patch_count; p++) points += set.patches[p].point_count;
    arena_release(arena, mark);
  }
  const double seconds = now() - begin;
  printf("%-36s %7.1f ns a pair, %.2f points\n", name, 1e9 * seconds / ROUNDS,
         (double)points / ROUNDS);
}

int main(void)
{
  Arena arena = arena_new();
  vec3 box[8], stone[40], tiles[16][8];
  PartRecipe tile_parts[16];
  for (int i = 0; i < 8; i++) box[i] = vec3_new(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 0.5 : -0.5);
  for (int i = 0; i < 40; i++) {
    // on a spiral over a ball
    const double z = (i + 0.5) / 20 - 1, s = sqrt(1 - z * z), turn = 2.4 * i;
    stone[i] = vec3_new(s * cos(turn), s * sin(turn), z);
  }
  for (int t = 0; t < 16; t++) {
    for (int i = 0; i < 8; i++)
      tiles[t][i] = vec3_new(0.5 * (t % 4) - 1 + (i & 1 ? 0.5 : 0),
                             0.5 * (int)(t / 4) - 1 + (i & 2 ? 0.5 : 0), i & 4 ? 0.5 : -0.5);
    tile_parts[t] = (PartRecipe){.count = 8, .points = tiles[t]};
  }
  PartRecipe box_part = {.count = 8, .points = box}, stone_part = {.count = 40, .points = stone};
  const ShapeRecipe ball = {.radius = 0.2}, of_box = {.part_count = 1, .parts = &box_part};
  const ShapeRecipe of_stone = {.part_count = 1, .parts = &stone_part};
  const ShapeRecipe of_tiles = {.part_count = 16, .parts = tile_parts};

  const vec3 zero = {0, 0, 0};
  const PosedBody other = place(&ball, zero, &arena), floor_box = place(&of_box, zero, &arena);
  const PosedBody floor_tiles = place(&of_tiles, zero, &arena);
  const PosedBody floor_stone = place(&of_stone, zero, &arena);
  measure("sphere, sphere", &other, place(&ball, vec3_new(0, 0, 0.4), &arena), &arena);
  measure("sphere, box: face", &floor_box, place(&ball, vec3_new(0, 0, 0.7), &arena), &arena);
  measure("sphere, box: edge", &floor_box, place(&ball, vec3_new(1.14, 0, 0.64), &arena), &arena);
  measure("sphere, box: vertex", &floor_box, place(&ball, vec3_new(1.1, 1.1, 0.6), &arena), &arena);
  measure("sphere, box: boxes meet, apart", &floor_box,
          place(&ball, vec3_new(1.18, 1.18, 0.68), &arena), &arena);
  measure("sphere, 16 tiles: face", &floor_tiles, place(&ball, vec3_new(0.2, 0.2, 0.7), &arena),
          &arena);
  measure("sphere, stone of 76 faces: vertex", &floor_stone,
          place(&ball, vec3_scale(1.2, stone[30]), &arena), &arena);
  measure("box, box: patch of a face", &floor_box, place(&of_box, vec3_new(0.1, 0.2, 1), &arena),
          &arena);
  arena_destroy(&arena);
  return 0;
}
