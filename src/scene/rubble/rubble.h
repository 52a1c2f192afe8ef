#pragma once
// Walls of rubble: a box filled with convex stones that fit each other.
#include <stdint.h>

#include "arena.h"
#include "shape.h"
#include "vec3.h"

#define RUBBLE_MOST_STONES 100000
#define RUBBLE_MOST_RELAXATIONS 20
#define RUBBLE_FLATTEST 10.0   // a stone over its height, or the other way round

typedef struct {
  vec3 size;         // of the box along x, y, z, m
  int stones;        // 1 to RUBBLE_MOST_STONES
  double flatness;   // length and thickness of a mean stone over its height
  double jitter;     // random displacement of a seed, share of its room, 0 to 1
  int relaxations;   // times that seeds move to the centres of mass of their cells
  double joint;      // between two stones, m
} Rubble;

typedef enum {
  RUBBLE_OK,
  RUBBLE_VANISHED,   // joints leave nothing of a stone
  RUBBLE_BROKEN      // cells could not be cut
} RubbleStatus;

typedef struct {
  RubbleStatus status;
  int stone;   // at fault
} RubbleResult;

// Local. Stones of a mean size (m) that fill a box: its volume over the size cubed, at least one.
// RUBBLE_MOST_STONES + 1 stands for any larger number.
int rubble_count(vec3 box, double size);

// Local. The seeds of the stones, in their order: course by course, y, x. Memory from the arena.
// For the tests.
vec3 *rubble_seeds(const Rubble *rubble, uint64_t stream, Arena *arena);

// Local. The stones where they stand: the box is 0 <= x <= size.x, |y| <= size.y / 2 and
// 0 <= z <= size.z. Without joints stones that touch have the same corners to the bit; joints are
// cut from both stones alike, and sides of the box stay where they are. shapes[stones], memory
// from the arena.
RubbleResult rubble_make(const Rubble *rubble, uint64_t stream, Arena *arena, ShapeRecipe *shapes);
