#pragma once
// Loads for box overlap: the scenes that its figures are quoted for. Each fills boxes[count]; the
// same seed gives the same boxes.
#include <math.h>
#include <stdint.h>

#include "box_overlap.h"

// Evenly distributed over 0 .. 2^64 - 1 (SplitMix64, Steele, Lea and Flood 2014).
static inline uint64_t box_load_bits(uint64_t *state)
{
  uint64_t x = *state += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

static inline double box_load_share(uint64_t *state)
{
  return (double)(box_load_bits(state) >> 11) * 0x1p-53;
}

static inline Box box_load_cube(uint64_t *state, double side)
{
  const vec3 low = {box_load_share(state), box_load_share(state), box_load_share(state)};
  return (Box){low, vec3_add(low, (vec3){side, side, side})};
}

// Equal cubes in the unit cube, about 8 neighbours each.
static inline void box_load_random(Box *boxes, int count)
{
  uint64_t state = 1;
  const double side = 1 / cbrt((double)count);
  for (int i = 0; i < count; i++) boxes[i] = box_load_cube(&state, side);
}

// Cubes whose sides are spread over two decades, evenly by logarithm; as many pairs.
static inline void box_load_polydisperse(Box *boxes, int count)
{
  uint64_t state = 2;
  const double side = 0.0304 / cbrt((double)count);
  for (int i = 0; i < count; i++)
    boxes[i] = box_load_cube(&state, side * pow(100, box_load_share(&state)));
}

// A wall of four leaves in running bond, course by course: all neighbours touch.
static inline void box_load_wall(Box *boxes, int count)
{
  const int leaves = 4, length = (int)ceil(sqrt(count / (double)leaves));
  for (int i = 0; i < count; i++) {
    const int course = i / (leaves * length), brick = i % length, leaf = i / length % leaves;
    const double x = brick + 0.5 * (course % 2), y = 0.5 * leaf, z = 0.5 * course;
    boxes[i] = (Box){{x, y, z}, {x + 1, y + 0.5, z + 0.5}};
  }
}

// The same bricks in no order.
static inline void box_load_shuffled_wall(Box *boxes, int count)
{
  uint64_t state = 3;
  box_load_wall(boxes, count);
  for (int i = count - 1; i > 0; i--) {
    const int other = (int)(box_load_bits(&state) % (uint64_t)(i + 1));
    const Box swap = boxes[i];
    boxes[i] = boxes[other];
    boxes[other] = swap;
  }
}

// The random cubes and, last, ten floors through all of them.
static inline void box_load_floors(Box *boxes, int count)
{
  const int floors = count < 10 ? count : 10;
  box_load_random(boxes, count);
  for (int k = 0; k < floors; k++) {
    const double z = (k + 0.5) / floors, half = 0.5 / cbrt((double)count);
    boxes[count - floors + k] = (Box){{0, 0, z - half}, {1, 1, z + half}};
  }
}

typedef struct {
  const char *name;
  void (*fill)(Box *boxes, int count);
} BoxLoad;

static const BoxLoad BOX_LOADS[] = {
    {"random", box_load_random},
    {"polydisperse", box_load_polydisperse},
    {"wall", box_load_wall},
    {"shuffled wall", box_load_shuffled_wall},
    {"random and floors", box_load_floors},
};
enum { BOX_LOAD_COUNT = sizeof BOX_LOADS / sizeof BOX_LOADS[0] };
