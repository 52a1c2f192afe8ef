// Overlapping boxes: the search, and each of its routes alone, against testing all pairs, on scenes
// that are hard for one or the other reason.
// test: timeout 600
#include <stdbool.h>
#include <string.h>

#include "arena.h"
#include "box_overlap.h"
#include "box_overlap_inside.h"
#include "harness.h"
#include "memory.h"
#include "overlap_scenarios.h"
#include "random_numbers.h"

static Box box_about(vec3 center, vec3 half)
{
  return (Box){vec3_sub(center, half), vec3_add(center, half)};
}

static vec3 cube(double half) { return (vec3){half, half, half}; }

static void compare(BoxPairs found, BoxPairs expected)
{
  if (CHECK(found.count == expected.count) && found.count > 0)
    CHECK(memcmp(found.pairs, expected.pairs, (size_t)found.count * sizeof(BoxPair)) == 0);
}

// How much the grids did in all checks: boxes that they took, boxes that they left to recursion.
static int64_t gridded, left_over;

// Recursion alone; and grids even for few boxes, with recursion for what they leave.
static void check_routes(const Box *boxes, int count, BoxPairs expected)
{
  for (int route = 0; route < 2; route++) {
    Arena arena = arena_new();
    BoxPairList list = box_overlap_pairs_new(count);
    BoxSet set = box_set_new(boxes, count, &arena);
    const int valid = set.count;
    while (route == 1 && set.count > 1 && box_overlap_grid(&set, &list, &arena)) continue;
    if (route == 1) {
      gridded += valid - set.count;
      left_over += set.count;
    }
    box_overlap_tree(&set, &list, &arena);
    compare(box_overlap_pairs_sort(&list, &arena), expected);
    box_overlap_pairs_destroy(&list);
    arena_destroy(&arena);
  }
}

// Compares with all pairs; returns the number of pairs.
static int64_t check_boxes(const Box *boxes, int count)
{
  Arena arena = arena_new();
  const BoxPairs found = box_overlap_find(boxes, count, &arena);
  const BoxPairs expected = box_overlap_brute_force(boxes, count, &arena);
  compare(found, expected);
  check_routes(boxes, count, expected);
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

// Thin and long along any axis, as cut by planes; some are points.
static void check_needles(Random *random, int count)
{
  Box *boxes = memory_allocate((size_t)count * sizeof(Box));
  for (int i = 0; i < count; i++) {
    vec3 half = {1e-9, 1e-9, 1e-9};
    const int axis = random_below(random, 4);
    if (axis == 0) half.x = 0.7;
    if (axis == 1) half.y = 0.7;
    if (axis == 2) half.z = 0.7;
    // on a lattice, so that needles cross
    vec3 center = random_in_cube(random, 1);
    center = (vec3){round(8 * center.x) / 8, round(8 * center.y) / 8, round(8 * center.z) / 8};
    boxes[i] = box_about(center, half);
  }
  CHECK(check_boxes(boxes, count) > 0);
  memory_free(boxes);
}

// Most boxes in a small place, a few very far away: cells of one size fit one part alone.
static void check_clusters(Random *random, int count, double spread)
{
  Box *boxes = memory_allocate((size_t)count * sizeof(Box));
  for (int i = 0; i < count; i++) {
    const double size = i % 10 ? 1 : spread;
    const vec3 center = vec3_scale(size, random_in_cube(random, 1));
    boxes[i] = box_about(center, cube(0.05 * pow(size, random_between(random, 0, 1))));
  }
  CHECK(check_boxes(boxes, count) > 0);
  memory_free(boxes);
}

// A curved sheet of boxes in a room that is mostly empty.
static void check_sheet(Random *random, int count)
{
  Box *boxes = memory_allocate((size_t)count * sizeof(Box));
  for (int i = 0; i < count; i++) {
    const vec3 p = random_in_cube(random, 1);
    boxes[i] = box_about((vec3){p.x, p.y, p.x * p.x - p.y}, cube(0.02));
  }
  CHECK(check_boxes(boxes, count) > 0);
  memory_free(boxes);
}

// The scenarios of drystone bench overlap.
static void check_loads(void)
{
  enum { COUNT = 10000 };
  Box *boxes = memory_allocate(COUNT * sizeof(Box));
  for (int k = 0; k < OVERLAP_SCENARIOS; k++) {
    overlap_scenario_fill(k, boxes, COUNT);
    CHECK(check_boxes(boxes, COUNT) > 3 * COUNT);
  }
  memory_free(boxes);
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
  for (int axis = 0; axis < 3; axis++) check_needles(&random, 1000 + 1000 * axis);
  for (double spread = 10; spread < 1e8; spread *= 10) check_clusters(&random, 3000, spread);
  check_clusters(&random, 3000, 1e14);
  check_sheet(&random, 10000);
  check_loads();
  CHECK(gridded > 100000 && left_over > 1000);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
