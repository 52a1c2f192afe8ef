// Makes sets of boxes, from evenly spread to very uneven, for the benchmark.
#include "overlap_scenarios.h"

#include <assert.h>
#include <stdbool.h>

#include "random.h"

#define SEED 20240501
#define LEAVES 4   // of a wall, one behind the other
#define FLOORS 10
#define DECADES 2         // between the smallest and the largest of polydisperse cubes
#define SMALLEST 0.0304   // of polydisperse cubes, relative to equal ones with as many pairs

enum { RANDOM, POLYDISPERSE, ORDERED_WALL, SHUFFLED_WALL, RANDOM_AND_FLOORS };

const char *overlap_scenario_name(int scenario)
{
  static const char *const names[OVERLAP_SCENARIOS] = {"random", "polydisperse", "ordered wall",
                                                       "shuffled wall", "random and floors"};
  assert(scenario >= 0 && scenario < OVERLAP_SCENARIOS && "one of the scenarios");
  return names[scenario];
}

// Without the library's function, whose last bit depends on the machine.
static double cube_root(double x)
{
  assert(x > 0 && "a volume is above zero");
  double root = x > 1 ? x : 1;
  for (int i = 0; i < 100; i++) root = (2 * root + x / (root * root)) / 3;
  return root;
}

// 10^(DECADES share), share from 0 to 1, by the binary digits of the share.
static double power_of_ten(double share)
{
  assert(share >= 0 && share <= 1 && "a share is of a whole");
  double factor = 1, power = 1;
  for (int i = 0; i < DECADES; i++) power *= 10;
  for (int digit = 0; digit < 53; digit++) {
    power = sqrt(power);
    share *= 2;
    if (share < 1) continue;
    share -= 1;
    factor *= power;
  }
  return factor;
}

static Box random_cube(uint64_t stream, int number, double side)
{
  const uint64_t place = random_stream(stream, (uint64_t)number);
  const vec3 low = {random_uniform(place, 0), random_uniform(place, 1), random_uniform(place, 2)};
  return (Box){low, vec3_add(low, (vec3){side, side, side})};
}

static void fill_cubes(uint64_t stream, bool polydisperse, Box *boxes, int count)
{
  const double side = 1 / cube_root(count);
  for (int i = 0; i < count; i++) {
    const double share = random_uniform(random_stream(stream, (uint64_t)i), 3);
    boxes[i] = random_cube(stream, i, polydisperse ? SMALLEST * side * power_of_ten(share) : side);
  }
}

static void fill_wall(Box *boxes, int count)
{
  const int length = (int)ceil(sqrt(count / (double)LEAVES));
  for (int i = 0; i < count; i++) {
    const int course = i / (LEAVES * length), brick = i % length, leaf = i / length % LEAVES;
    const vec3 low = {brick + 0.5 * (course % 2), 0.5 * leaf, 0.5 * course};
    boxes[i] = (Box){low, vec3_add(low, (vec3){1, 0.5, 0.5})};
  }
}

static void shuffle(uint64_t stream, Box *boxes, int count)
{
  for (int i = count - 1; i > 0; i--) {
    const int other = (int)(random_uniform(stream, (uint64_t)i) * (i + 1));
    const Box swap = boxes[i];
    boxes[i] = boxes[other];
    boxes[other] = swap;
  }
}

static void add_floors(Box *boxes, int count)
{
  const int floors = count < FLOORS ? count : FLOORS;
  const double half = 0.5 / cube_root(count);
  for (int k = 0; k < floors; k++) {
    const double z = (k + 0.5) / floors;
    boxes[count - floors + k] = (Box){{0, 0, z - half}, {1, 1, z + half}};
  }
}

void overlap_scenario_fill(int scenario, Box *boxes, int count)
{
  assert(count >= 1 && "a scenario has a box");
  const uint64_t stream = random_stream(SEED, (uint64_t)scenario);
  switch (scenario) {
  case RANDOM: fill_cubes(stream, false, boxes, count); return;
  case POLYDISPERSE: fill_cubes(stream, true, boxes, count); return;
  case ORDERED_WALL: fill_wall(boxes, count); return;
  case SHUFFLED_WALL:
    fill_wall(boxes, count);
    shuffle(stream, boxes, count);
    return;
  case RANDOM_AND_FLOORS:
    fill_cubes(random_stream(SEED, RANDOM), false, boxes, count);
    add_floors(boxes, count);
    return;
  }
  assert(!"one of the scenarios");
}
