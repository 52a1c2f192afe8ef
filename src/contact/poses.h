#pragma once
// Bodies in world axes, made when they are first needed. Local.
#include "detect.h"

// Speed of the fastest point of a surface by its spin, m/s; turning leaves a sphere where it is.
static inline double poses_turning_speed(const Shape *shape, vec3 spin)
{
  return shape->sphere_radius > 0 ? 0 : vec3_norm(spin) * shape->radius;
}

typedef struct {
  const DetectInput *in;
  const Box *boxes;    // [rows]
  PosedBody *bodies;   // [rows], shape NULL until made
  Arena *arena;
} Poses;

// None is made yet. What is made comes into the arena.
Poses poses_new(const DetectInput *in, const Box *boxes, Arena *arena);

// A row at the middle of the step, with the velocity that it has without contact.
const PosedBody *poses_get(Poses *poses, int row);

// The same with its inner spheres, where these are asked for.
const PosedBody *poses_get_volume(Poses *poses, int row);
