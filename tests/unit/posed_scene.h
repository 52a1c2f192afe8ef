#pragma once
// Bodies for the tests of contact geometry: shapes from corner lists, put somewhere, with a
// velocity.
#include <assert.h>

#include "arena.h"
#include "patch.h"
#include "random_numbers.h"
#include "shape.h"

// A shape of one or several parts; corners are copied.
typedef struct {
  int part_count;
  int corner_count[64];
  vec3 corners[64][24];
} Solid;

static inline mat3 rotation_about(vec3 axis, double angle)
{
  const double c = cos(angle / 2), s = sin(angle / 2);
  return quat_to_mat3(quat_normalize((quat){c, s * axis.x, s * axis.y, s * axis.z}));
}

static inline void solid_add_part(Solid *solid, const vec3 *corners, int count)
{
  assert(solid->part_count < 64 && count <= 24 && "room in a test solid");
  for (int i = 0; i < count; i++) solid->corners[solid->part_count][i] = corners[i];
  solid->corner_count[solid->part_count++] = count;
}

static inline void solid_add_box(Solid *solid, vec3 low, vec3 high)
{
  vec3 corners[8];
  for (int i = 0; i < 8; i++) {
    corners[i] = vec3_new(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
  }
  solid_add_part(solid, corners, 8);
}

static inline Solid solid_box(vec3 low, vec3 high)
{
  Solid solid = {0};
  solid_add_box(&solid, low, high);
  return solid;
}

static inline ShapeResult solid_build(const Solid *solid, Arena *arena, Shape *shape)
{
  PartRecipe parts[64];
  vec3 corners[64][24];
  for (int p = 0; p < solid->part_count; p++) {
    for (int i = 0; i < solid->corner_count[p]; i++) corners[p][i] = solid->corners[p][i];
    parts[p] = (PartRecipe){.count = solid->corner_count[p], .points = corners[p]};
  }
  return shape_build(&(ShapeRecipe){.part_count = solid->part_count, .parts = parts}, arena, shape);
}

// The body whose body frame is turned by rotation and then moved by translation.
static inline PosedBody body_place(const Shape *shape, mat3 rotation, vec3 translation,
                                   vec3 velocity, Arena *arena)
{
  Polyhedron *parts = arena_allocate(arena, (size_t)shape->part_count * sizeof *parts);
  for (int p = 0; p < shape->part_count; p++) {
    parts[p] = polyhedron_place(&shape->parts[p].hull, rotation, vec3_new(0, 0, 0), arena);
  }
  return (PosedBody){.shape = shape,
                     .parts = parts,
                     .rotation = rotation,
                     .center = vec3_add(mat3_mul(rotation, shape->center), translation),
                     .velocity = velocity};
}

static inline PosedBody body_from_solid(const Solid *solid, mat3 rotation, vec3 translation,
                                        vec3 velocity, Arena *arena)
{
  Shape *shape = arena_allocate(arena, sizeof *shape);
  const ShapeResult result = solid_build(solid, arena, shape);
  assert(result.status == SHAPE_OK && "test solids are sound");
  (void)result;
  return body_place(shape, rotation, translation, velocity, arena);
}

// A slab of 10 x 10 x 1 m whose upper side is z = 0.
static inline PosedBody body_floor(Arena *arena)
{
  const Solid slab = solid_box(vec3_new(-5, -5, -1), vec3_new(5, 5, 0));
  return body_from_solid(&slab, mat3_diagonal(1, 1, 1), vec3_new(0, 0, 0), vec3_new(0, 0, 0),
                         arena);
}

static inline double patch_set_least_gap(const PatchSet *set)
{
  double least = INFINITY;
  for (int i = 0; i < set->patch_count; i++)
    for (int k = 0; k < set->patches[i].point_count; k++)
      least = fmin(least, set->patches[i].points[k].gap);
  return least;
}
