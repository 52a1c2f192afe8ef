#pragma once
// On which side of a triangle or a line a point of a grid lies, without rounding. Local.
#include "arena.h"
#include "check.h"
#include "hull_exact.h"

// Steps of the grid: 2^-58 of the extent's power of two, so that points one extent beyond the
// extent still have differences below 2^60.
#define MESH_GRID_BITS 58

// Local. The points on a grid of their own extent (m); more than 2^-58 of it is never lost. Points
// at equal places stay equal. Scratch.
GridPoint *mesh_exact_grid(const vec3 *points, int count, Arena *scratch);

static inline int exact_sign(Wide value) { return (value > 0) - (value < 0); }

// Sign of the height of p above the triangle a, b, c, counter-clockwise seen from above. A filter
// in doubles decides nearly all (error bound: Shewchuk 1997, Adaptive precision floating-point
// arithmetic, with room).
static inline int exact_side(GridPoint a, GridPoint b, GridPoint c, GridPoint p)
{
  const double ux = (double)(b.x - a.x), uy = (double)(b.y - a.y), uz = (double)(b.z - a.z);
  const double vx = (double)(c.x - a.x), vy = (double)(c.y - a.y), vz = (double)(c.z - a.z);
  const double wx = (double)(p.x - a.x), wy = (double)(p.y - a.y), wz = (double)(p.z - a.z);
  const double height =
      wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx);
  const double most = fabs(wx) * (fabs(uy * vz) + fabs(uz * vy)) +
                      fabs(wy) * (fabs(uz * vx) + fabs(ux * vz)) +
                      fabs(wz) * (fabs(ux * vy) + fabs(uy * vx));
  if (height > 2e-15 * most) return 1;
  if (height < -2e-15 * most) return -1;
  const double exact = exact_height(exact_cross(a, b, c), a, p);
  return (exact > 0) - (exact < 0);
}

// Sign of the turn a, b, c seen against an axis (0 x, 1 y, 2 z), along which it is projected.
static inline int exact_turn(GridPoint a, GridPoint b, GridPoint c, int axis)
{
  assert_debug(axis >= 0 && axis < 3 && "a projection goes along an axis");
  const Wide ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
  const Wide vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
  if (axis == 0) return exact_sign(uy * vz - uz * vy);
  if (axis == 1) return exact_sign(uz * vx - ux * vz);
  return exact_sign(ux * vy - uy * vx);
}

// Axis of the largest component of a vector.
static inline int largest_axis(vec3 v)
{
  const double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
  if (x >= y && x >= z) return 0;
  return y >= z ? 1 : 2;
}
