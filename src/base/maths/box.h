#pragma once
// Axis-aligned boxes.
#include "vec3.h"

typedef struct {
  vec3 low, high;
} Box;   // closed: boxes that only touch overlap

static inline int box_is_valid(Box p)
{
  return p.low.x <= p.high.x && p.low.y <= p.high.y && p.low.z <= p.high.z;
}

// For valid boxes.
static inline int box_overlaps(Box p, Box q)
{
  return p.low.x <= q.high.x && q.low.x <= p.high.x && p.low.y <= q.high.y && q.low.y <= p.high.y &&
         p.low.z <= q.high.z && q.low.z <= p.high.z;
}

// Of points[count], count >= 1.
static inline Box box_of_points(const vec3 *points, int count)
{
  Box box = {points[0], points[0]};
  for (int i = 1; i < count; i++) {
    box.low = vec3_min(box.low, points[i]);
    box.high = vec3_max(box.high, points[i]);
  }
  return box;
}

// The least box that holds both.
static inline Box box_join(Box p, Box q)
{
  return (Box){vec3_min(p.low, q.low), vec3_max(p.high, q.high)};
}

static inline double box_longest_side(Box p)
{
  const vec3 size = vec3_sub(p.high, p.low);
  return fmax(size.x, fmax(size.y, size.z));
}

// Grown on all sides.
static inline Box box_grow(Box p, double by)
{
  const vec3 grow = {by, by, by};
  return (Box){vec3_sub(p.low, grow), vec3_add(p.high, grow)};
}
