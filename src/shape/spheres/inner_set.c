// Inner spheres of shapes, made when they are first needed.
#include "inner_set.h"

#include <assert.h>

#include "memory.h"

InnerSet inner_set_new(ShapeSet *shapes, int wanted, const InnerSpheres *const *given)
{
  assert(shapes != NULL && wanted > 0 && "shapes are filled with spheres");
  return (InnerSet){.shapes = shapes,
                    .wanted = wanted,
                    .given = given,
                    .built = memory_allocate_zero((size_t)shapes->count, sizeof(InnerSpheres *)),
                    .arena = arena_new()};
}

void inner_set_destroy(InnerSet *set)
{
  memory_free(set->built);
  arena_destroy(&set->arena);
  *set = (InnerSet){0};
}

const InnerSpheres *inner_set_get(InnerSet *set, int index)
{
  assert(index >= 0 && index < set->shapes->count && "a shape index of this set");
  if (set->given && set->given[index]) return set->given[index];
  if (set->built[index]) return set->built[index];
  const Shape *shape = shape_set_get(set->shapes, index);
  if (shape->radii.x > 0) return NULL;
  InnerSpheres *inner = arena_allocate(&set->arena, sizeof *inner);
  *inner = inner_spheres_fill(shape, set->wanted, &set->arena);
  set->built[index] = inner;
  return inner;
}
