// Where open surfaces have their holes, and the hulls that open and crossing surfaces have.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "mesh_damage.h"
#include "mesh_results.h"
#include "random_numbers.h"

static const MeshFrame AS_IT_IS = {.scale = 1, .up = 2, .flat = MESH_AS_IT_IS};
static const MeshFrame AS_HULL = {.scale = 1, .up = 2, .hull = true};

static void check_refused(const Sketch *s, MeshFrame mesh_frame, const char *words)
{
  Result r = mesh_blocks_of(s, mesh_frame);
  CHECK(!r.sound);
  if (!CHECK(strstr(r.error, words) != NULL)) printf("no '%s' in: %s\n", words, r.error);
  arena_destroy(&r.arena);
}

// A plate of cells of unit squares with a lid and walls, of which cells of the lid are left out.
static Sketch *lid_without(const int (*holes)[2], int count, int size, Arena *arena)
{
  Sketch *s = sketch_new(arena);
  for (int z = 0; z < 2; z++)
    for (int y = 0; y <= size; y++)
      for (int x = 0; x <= size; x++) (void)sketch_point(s, x, y, z);
  const int row = size + 1, layer = row * row;
  for (int y = 0; y < size; y++) {
    for (int x = 0; x < size; x++) {
      const int a = y * row + x;
      const int below[4] = {a, a + row, a + row + 1, a + 1};
      sketch_face(s, below, 4);
      bool left_out = false;
      for (int i = 0; i < count; i++) left_out = left_out || (holes[i][0] == x && holes[i][1] == y);
      const int top = a + layer, above[4] = {top, top + 1, top + row + 1, top + row};
      if (!left_out) sketch_face(s, above, 4);
    }
  }
  for (int i = 0; i < size; i++) {
    const int south[4] = {i, i + 1, i + 1 + layer, i + layer};
    const int n = size * row + i, north[4] = {n + 1, n, n + layer, n + 1 + layer};
    const int w = i * row, west[4] = {w + row, w, w + layer, w + row + layer};
    const int e = w + size, east[4] = {e, e + row, e + row + layer, e + layer};
    sketch_face(s, south, 4);
    sketch_face(s, north, 4);
    sketch_face(s, west, 4);
    sketch_face(s, east, 4);
  }
  return s;
}

static void check_holes(Arena *arena)
{
  static const int holes[][2] = {{1, 1}, {3, 1}, {3, 2}, {1, 4}, {5, 5}, {4, 5}, {3, 5}};
  Result whole = mesh_blocks_of(lid_without(holes, 0, 7, arena), AS_IT_IS);
  CHECK(whole.sound && whole.mesh_blocks.count == 1);
  if (whole.sound) CHECK_NEAR(whole.mesh_blocks.of[0].volume, 49, 1e-12);
  arena_destroy(&whole.arena);
  check_refused(lid_without(holes, 1, 7, arena), AS_IT_IS,
                "; 1 hole about (1.5, 1.5, 1) with 4 edges");
  check_refused(lid_without(holes, 2, 7, arena), AS_IT_IS,
                "; 2 holes, the largest about (1.5, 1.5, 1) with 4 edges, about (3.5, 1.5, 1) "
                "with 4 edges");
  // the longest rims, and no more than three of them
  check_refused(lid_without(holes, 7, 7, arena), AS_IT_IS,
                "; 4 holes, the largest about (4.5, 5.5, 1) with 8 edges, about (3.5, 2, 1) with 6 "
                "edges, about (1.5, 1.5, 1) with 4 edges");
  // places are those of the file
  const MeshFrame turned = {.scale = 0.001, .up = 0};
  check_refused(lid_without(holes, 1, 7, arena), turned,
                "; 1 hole about (1.5, 1.5, 1) with 4 edges");
}

static void check_hull(const Sketch *s, int count, double volume)
{
  Result r = mesh_blocks_of(s, AS_HULL);
  if (!CHECK(r.sound)) printf("%s\n", r.error);
  CHECK(r.mesh_blocks.count == count);
  for (int i = 0; i < r.mesh_blocks.count; i++) {
    const MeshBlock *b = &r.mesh_blocks.of[i];
    CHECK(b->convex && b->repairs.hulled);
    CHECK_NEAR(b->volume, volume, 1e-12 * volume);
  }
  arena_destroy(&r.arena);
}

static void check_hulls(Arena *arena)
{
  static const int holes[][2] = {{1, 1}, {3, 1}, {2, 2}};
  const Sketch *open = lid_without(holes, 3, 4, arena);
  check_refused(open, AS_IT_IS, "open: 12 edges");
  check_hull(open, 1, 16);

  // a corner through the other side
  Sketch *crossing = sketch_new(arena);
  sketch_unit_cube(crossing);
  for (int i = 0; i < crossing->soup.point_count; i++) {
    const vec3 p = crossing->points[i];
    if (p.x == 1 && p.y == 1 && p.z == 1) crossing->points[i] = (vec3){0.5, 0.5, -3};
  }
  check_refused(crossing, AS_IT_IS, "cross");

  // three faces at an edge
  Sketch *crowded = sketch_new(arena);
  sketch_unit_cube(crowded);
  const int tip = sketch_point(crowded, 0.25, 0.5, 0.5), fin[3] = {0, 1, tip};
  const int back[3] = {1, 0, tip};
  sketch_face(crowded, fin, 3);
  sketch_face(crowded, back, 3);
  sketch_face(crowded, fin, 3);
  check_refused(crowded, AS_IT_IS, "edge");
  check_hull(crowded, 1, 1);

  // a sound surface stays as it is, and two open blocks are two bodies
  Result r = mesh_blocks_of(lid_without(holes, 0, 4, arena), AS_HULL);
  CHECK(r.sound && !r.mesh_blocks.of[0].repairs.hulled);
  arena_destroy(&r.arena);
  Sketch *two = sketch_new(arena);
  for (int i = 0; i < 2; i++) {
    if (i > 0) sketch_block(two, "second");
    const int first = two->soup.point_count;
    for (int k = 0; k < 4; k++) (void)sketch_point(two, k == 1, k == 2, i + (k == 3 ? 0.5 : 0));
    const int faces[3][3] = {{first, first + 2, first + 1},
                             {first, first + 1, first + 3},
                             {first + 1, first + 2, first + 3}};
    for (int f = 0; f < 3; f++) sketch_face(two, faces[f], 3);
  }
  check_hull(two, 2, 1.0 / 12);
}

static void check_no_hulls(Arena *arena)
{
  Sketch *flat = sketch_new(arena);
  for (int k = 0; k < 4; k++) (void)sketch_point(flat, k % 2, k / 2, 1);
  const int faces[2][3] = {{0, 1, 2}, {2, 1, 3}};
  for (int f = 0; f < 2; f++) sketch_face(flat, faces[f], 3);
  check_refused(flat, AS_IT_IS, "open: 4 edges");
  check_refused(flat, AS_HULL,
                "no volume: the hull of an open surface is flat, from triangle 1 on, near (");
  flat->points[3] = (vec3){NAN, 1, 1};
  check_refused(flat, AS_HULL, "a coordinate is not a finite number");
  flat->points[3] = (vec3){1, 1, 1 + 1e-11};
  check_refused(flat, AS_HULL, "no volume");
}

// Whatever is damaged, a hull is convex and holds its points, or there is one message.
static void check_damaged(Arena *arena)
{
  int hulls = 0, sound = 0;
  for (uint64_t round = 0; round < 400; round++) {
    Random random = {.state = round + 7};
    const ArenaMark mark = arena_mark(arena);
    Sketch *s = sketch_new(arena);
    sketch_solid(s, random_below(&random, SKETCH_KINDS));
    for (int n = random_below(&random, 3); n >= 0; n--) sketch_damage(s, &random);
    Result r = mesh_blocks_of(s, AS_HULL);
    CHECK(r.sound || (*r.error != 0 && strchr(r.error, '\n') == NULL));
    for (int i = 0; i < r.mesh_blocks.count && r.sound; i++) {
      const MeshBlock *b = &r.mesh_blocks.of[i];
      sound++;
      hulls += b->repairs.hulled;
      CHECK(b->volume > 0 && isfinite(b->volume) && (b->convex || !b->repairs.hulled));
    }
    arena_destroy(&r.arena);
    arena_release(arena, mark);
  }
  CHECK(hulls > 50 && sound > hulls + 50);
}

int main(void)
{
  Arena arena = arena_new();
  check_holes(&arena);
  check_hulls(&arena);
  check_no_hulls(&arena);
  check_damaged(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
