// Points of a body that move: measures follow, and surfaces that would cross, fold or vanish stay.
#include "mesh_body.h"

#include <string.h>

#include "harness.h"
#include "memory.h"
#include "mesh_soups.h"

#define HAIR 1e-6   // m

// A unit cube whose upper side has a facet along the edge from corner 4 to 5, as thin as a hair:
// its third corner is the point 8. Arena.
static MeshBlock cube_with_hair(Arena *arena)
{
  static const int faces[5][4] = {
      {3, 2, 1, 0}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  static const int upper[4][3] = {{4, 5, 8}, {5, 6, 8}, {6, 7, 8}, {7, 4, 8}};
  Sketch *s = sketch_new(arena);
  for (int i = 0; i < 8; i++) (void)sketch_point(s, i % 4 == 1 || i % 4 == 2, i % 4 >= 2, i >= 4);
  (void)sketch_point(s, 0.5, HAIR, 1);
  for (int f = 0; f < 5; f++) sketch_face(s, faces[f], 4);
  for (int f = 0; f < 4; f++) sketch_face(s, upper[f], 3);
  MeshBlocks blocks = {0};
  char error[512] = "";
  const MeshFrame as_it_is = {.scale = 1, .up = 2, .flat = MESH_AS_IT_IS};
  const bool sound =
      mesh_block_make(&s->soup, as_it_is, arena, &blocks, (ErrorText){error, sizeof error});
  CHECK(sound && blocks.count == 1 && blocks.of[0].point_count == 9);
  return blocks.of[0];
}

// Whether the body takes that place of its point 8; where it does not, it is as it was.
static bool takes(vec3 place, double volume)
{
  Arena arena = arena_new();
  MeshBlock body = cube_with_hair(&arena);
  const MeshBlock before = body;
  vec3 old[9], points[9];
  memcpy(old, body.points, sizeof old);
  memcpy(points, body.points, sizeof points);
  points[8] = place;
  const bool moved = mesh_body_move(&body, points, &arena);
  CHECK(memcmp(body.points, moved ? points : old, sizeof old) == 0);
  if (moved) CHECK_NEAR(body.volume, volume, 1e-15);
  else CHECK(memcmp(&body, &before, sizeof body) == 0);
  arena_destroy(&arena);
  return moved;
}

int main(void)
{
  CHECK(takes((vec3){0.5, 2 * HAIR, 1}, 1));
  CHECK(takes((vec3){0.5, 0.5, 1.25}, 1 + 0.25 / 3));
  CHECK(takes((vec3){0.5, 0.5, 0.25}, 1 - 0.75 / 3));
  // folded over the edge, by less than a crossing shows
  CHECK(!takes((vec3){0.5, -HAIR, 1}, 1));
  CHECK(!takes((vec3){0.5, -HAIR, 1 + 1e-9}, 1));
  CHECK(!takes((vec3){0.5, -HAIR, 1 - 1e-9}, 1));
  // through the lower side, and into it
  CHECK(!takes((vec3){0.5, 0.5, -0.25}, 1));
  CHECK(!takes((vec3){0.5, 0.5, 0}, 1));
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
