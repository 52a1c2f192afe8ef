#pragma once
// Points on a grid fine enough for doubles, and on which side of a triangle a point lies without
// rounding. Local.
#include <stdint.h>

#include "check.h"
#include "vec3.h"

// Coordinates are multiples of the extent's power of two times 2^-60: differences stay below 2^60.
#define GRID_BITS 60

typedef struct {
  int64_t x, y, z;
} GridPoint;

__extension__ typedef __int128 Wide;

typedef struct {
  Wide x, y, z;
} WideVector;   // cross products of differences, below 2^123

// Whether the difference of two points is one that exact products have room for.
static inline bool grid_is_near(GridPoint a, GridPoint b)
{
  const Wide most = (Wide)1 << GRID_BITS;
  const Wide x = (Wide)b.x - a.x, y = (Wide)b.y - a.y, z = (Wide)b.z - a.z;
  return x <= most && -x <= most && y <= most && -y <= most && z <= most && -z <= most;
}

// (b - a) x (c - a)
static inline WideVector exact_cross(GridPoint a, GridPoint b, GridPoint c)
{
  assert_debug(grid_is_near(a, b) && grid_is_near(a, c) && "differences stay below 2^60");
  const Wide ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
  const Wide vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
  return (WideVector){uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx};
}

// normal.(p - a), rounded, but with the exact sign and zero for zero alone. The normal is split at
// 2^60, so that all products fit.
static inline double exact_height(WideVector normal, GridPoint a, GridPoint p)
{
  assert_debug(grid_is_near(a, p) && "differences stay below 2^60");
  const Wide mask = ((Wide)1 << GRID_BITS) - 1;
  const Wide dx = p.x - a.x, dy = p.y - a.y, dz = p.z - a.z;
  Wide low = (normal.x & mask) * dx + (normal.y & mask) * dy + (normal.z & mask) * dz;
  Wide high =
      (normal.x >> GRID_BITS) * dx + (normal.y >> GRID_BITS) * dy + (normal.z >> GRID_BITS) * dz;
  high += low >> GRID_BITS;
  low &= mask;
  if (high == -1) return (double)(low - mask - 1);
  return (double)high * (double)(mask + 1) + (double)low;
}

static inline vec3 exact_round(WideVector v)
{
  return (vec3){(double)v.x, (double)v.y, (double)v.z};
}
