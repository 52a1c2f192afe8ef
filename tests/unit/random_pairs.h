#pragma once
// Pairs of posed convex bodies for campaigns: random ones, and degenerate ones of many kinds. A
// pair is a function of seed, kind and index, so that any of them can be made again alone.
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "patch.h"
#include "shape.h"

#define PAIRS_PER_POOL 500   // pairs that share the shapes they are drawn from
#define POOL_SHAPES 24

typedef struct {
  uint64_t seed;
  int64_t number;   // -1: none yet
  bool degenerate;
  Arena arena;
  double scale;   // m
  Shape shapes[POOL_SHAPES];
  double diameters[POOL_SHAPES];   // largest distance of two corners, m
  double surfaces[POOL_SHAPES];    // m2
  double widths[POOL_SHAPES];      // twice the volume over the surface: no width is less, m
} PairPool;

typedef struct {
  const char *family;
  bool one_normal;   // rounding cannot turn the normal: no corners or edges meet, nothing coincides
  int a, b;          // shapes of the pool
  mat3 rotation[2];
  vec3 center[2];
  vec3 velocity[2];
} RandomPair;

PairPool pair_pool_new(uint64_t seed, bool degenerate);
void pair_pool_destroy(PairPool *pool);

// Local. The pair of an index; makes other shapes where it needs them.
RandomPair random_pair(PairPool *pool, int64_t index);
