#pragma once
// Random numbers, vectors and rotations for tests of properties; the same in every run.
#include <stdint.h>

#include "vec3.h"

typedef struct {
  uint64_t state;
} Random;

static inline uint64_t random_bits(Random *random)
{
  // splitmix64 (Steele, Lea and Flood 2014)
  uint64_t z = random->state += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

static inline double random_between(Random *random, double low, double high)
{
  return low + (high - low) * ((double)(random_bits(random) >> 11) * 0x1p-53);
}

static inline int random_below(Random *random, int count)
{
  return (int)(random_bits(random) % (uint64_t)count);
}

// In the cube of half width r about 0.
static inline vec3 random_in_cube(Random *random, double r)
{
  const double x = random_between(random, -r, r), y = random_between(random, -r, r);
  return (vec3){x, y, random_between(random, -r, r)};
}

static inline vec3 random_direction(Random *random)
{
  for (;;) {
    const vec3 v = random_in_cube(random, 1);
    const double norm = vec3_norm(v);
    if (norm > 0.1 && norm <= 1) return vec3_scale(1 / norm, v);
  }
}

static inline mat3 random_rotation(Random *random)
{
  for (;;) {
    const double w = random_between(random, -1, 1), x = random_between(random, -1, 1);
    const double y = random_between(random, -1, 1), z = random_between(random, -1, 1);
    const double square = w * w + x * x + y * y + z * z;
    if (square > 0.01 && square <= 1) return quat_to_mat3(quat_normalize((quat){w, x, y, z}));
  }
}
