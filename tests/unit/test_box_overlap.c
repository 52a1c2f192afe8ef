// Overlapping boxes: the fast search against testing all pairs, on scenes that are hard for one or
// the other reason.
#include <stdbool.h>
#include <string.h>

#include "arena.h"
#include "box_overlap.h"
#include "harness.h"
#include "memory.h"
#include "random_numbers.h"

static Box box_about(vec3 center, vec3 half)
{
  return (Box){vec3_sub(center, half), vec3_add(center, half)};
}

static vec3 cube(double half) { return (vec3){half, half, half}; }

// Compares with all pairs; returns the number of pairs.
static int64_t check_boxes(const Box *boxes, int count)
{
  Arena arena = arena_new();
  const BoxPairs found = box_overlap_find(boxes, count, &arena);
  const BoxPairs expected = box_overlap_brute_force(boxes, count, &arena);
  if (CHECK(found.count == expected.count) && found.count > 0) {
    CHECK(memcmp(found.pairs, expected.pairs, (size_t)found.count * sizeof(BoxPair)) == 0);
  }
  const BoxPairs again = box_overlap_find(boxes, count, &arena);
  CHECK(again.count == found.count);
  arena_destroy(&arena);
  return expected.count;
}

static void check_random_boxes(Random *random, int count, double half, double spread)
{
  Box *boxes = memory_allocate((size_t)count * sizeof(Box));
  for (int i = 0; i < count; i++) {
    const double size = half * (spread > 1 ? pow(spread, random_between(random, -1, 1)) : 1);
    boxes[i] = box_about(random_in_cube(random, 1), cube(size));
  }
  check_boxes(boxes, count);
  memory_free(boxes);
}

// Sheets, beams and blocks of any proportion: long along one or two axes.
static void check_mixed_shapes(Random *random, int count)
{
  Box *boxes = memory_allocate((size_t)count * sizeof(Box));
  for (int i = 0; i < count; i++) {
    double half[3];
    for (int k = 0; k < 3; k++) half[k] = random_below(random, 4) == 0 ? 1 : 0.02;
    boxes[i] = box_about(random_in_cube(random, 1), (vec3){half[0], half[1], half[2]});
  }
  CHECK(check_boxes(boxes, count) > 0);
  memory_free(boxes);
}

// A running bond: all neighbours touch exactly, and all bricks share the axis of thickness.
static void check_wall(Random *random, int courses, int bricks, bool shuffled)
{
  const int count = courses * bricks;
  Box *boxes = memory_allocate((size_t)count * sizeof(Box));
  for (int i = 0; i < count; i++) {
    const double x = i % bricks + 0.5 * (i / bricks % 2), z = 0.5 * (i / bricks);
    boxes[i] = (Box){{x, 0, z}, {x + 1, 0.5, z + 0.5}};
  }
  for (int i = 0; shuffled && i < count; i++) {
    const int other = random_below(random, count);
    const Box swap = boxes[i];
    boxes[i] = boxes[other];
    boxes[other] = swap;
  }
  // neighbours along a course, and two bricks below, but for the ends
  const int64_t along = (int64_t)courses * (bricks - 1),
                below = (int64_t)(courses - 1) * (2 * bricks - 1);
  CHECK(check_boxes(boxes, count) == along + below);
  memory_free(boxes);
}

// A grid of cubes that share faces, edges and corners, with coordinates that round differently on
// both sides of a grid.
static void check_touching_grid(int side, double step, double offset)
{
  const int count = side * side * side;
  Box *boxes = memory_allocate((size_t)count * sizeof(Box));
  for (int i = 0; i < count; i++) {
    const int x = i % side, y = i / side % side, z = i / side / side;
    boxes[i] = (Box){{offset + step * x, step * y, step * z},
                     {offset + step * (x + 1), step * (y + 1), step * (z + 1)}};
  }
  // each cube has up to 26 neighbours
  const int64_t all = (int64_t)(3 * side - 2) * (3 * side - 2) * (3 * side - 2);
  CHECK(check_boxes(boxes, count) == (all - count) / 2);
  memory_free(boxes);
}

static void check_special_sets(void)
{
  Random random = {8};
  enum { COUNT = 500 };
  Box boxes[COUNT] = {0};
  const Box one = {{0, 0, 0}, {1, 1, 1}};
  CHECK(check_boxes(boxes, 0) == 0);
  boxes[0] = one;
  CHECK(check_boxes(boxes, 1) == 0);
  for (int i = 0; i < COUNT; i++) boxes[i] = one;
  CHECK(check_boxes(boxes, COUNT) == COUNT * (COUNT - 1) / 2);

  // points, all in one place and on a line
  for (int i = 0; i < COUNT; i++) boxes[i] = (Box){one.low, one.low};
  CHECK(check_boxes(boxes, COUNT) == COUNT * (COUNT - 1) / 2);
  for (int i = 0; i < COUNT; i++) boxes[i] = box_about((vec3){i / 2, 0, 0}, cube(0));
  CHECK(check_boxes(boxes, COUNT) == COUNT / 2);

  // ends that differ by the last digit only, far from the origin of a wide scene
  for (int i = 0; i < COUNT; i++) {
    const double x = 1e3 + (i % 7) * 0x1p-43;
    boxes[i] = (Box){{x - 1, -1, -1}, {x, 1, 1}};
    if (i % 2) boxes[i] = (Box){{x, -1, -1}, {x + 1, 1, 1}};
  }
  boxes[0] = box_about((vec3){-1e6, 0, 0}, cube(1));
  CHECK(check_boxes(boxes, COUNT) > COUNT);

  // floors under everything, the first and the last one, and one without end
  for (int i = 0; i < COUNT; i++) boxes[i] = box_about(random_in_cube(&random, 1), cube(0.03));
  boxes[0] = box_about((vec3){0, 0, 0}, (vec3){5, 5, 1});
  boxes[COUNT - 1] = box_about((vec3){0, 0, 0}, (vec3){1, 1, 0.2});
  boxes[7] = (Box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, 0}};
  CHECK(check_boxes(boxes, COUNT) > COUNT);

  // boxes that are no boxes overlap nothing
  boxes[3].low.y = NAN;
  boxes[4].high.x = NAN;
  boxes[5].high.x = -2;
  CHECK(check_boxes(boxes, COUNT) > COUNT);
  for (int i = 0; i < COUNT; i++) boxes[i].high.x = boxes[i].low.x - 1;
  CHECK(check_boxes(boxes, COUNT) == 0);
}

int main(void)
{
  Random random = {42};
  check_special_sets();
  for (int n = 0; n < 200; n++) {
    check_random_boxes(&random, 1 + random_below(&random, 60), random_between(&random, 0.01, 0.5),
                       1);
    check_random_boxes(&random, 1 + random_below(&random, 300), 0.1, 10);
  }
  check_random_boxes(&random, 12000, 0.04, 1);
  check_random_boxes(&random, 6000, 0.3, 1);
  check_random_boxes(&random, 12000, 0.02, 10);
  check_random_boxes(&random, 8000, 0.02, 100);
  check_mixed_shapes(&random, 3000);
  check_wall(&random, 60, 150, false);
  check_wall(&random, 60, 150, true);
  check_wall(&random, 1, 5000, true);
  check_touching_grid(20, 0.1, 0);
  check_touching_grid(16, 1.0 / 3, 0.7);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
