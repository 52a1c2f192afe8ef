// Base surfaces of shapes, made when they are first needed.
#include "surface_set.h"

#include <assert.h>

#include "memory.h"

SurfaceSet surface_set_new(ShapeSet *shapes, double dilation)
{
  assert(shapes != NULL && dilation > 0 && "surfaces are moved inwards");
  return (SurfaceSet){.shapes = shapes,
                      .dilation = dilation,
                      .count = shapes->count,
                      .built = memory_allocate_zero((size_t)shapes->count, sizeof(SurfaceBase *)),
                      .arena = arena_new()};
}

void surface_set_destroy(SurfaceSet *set)
{
  memory_free(set->built);
  arena_destroy(&set->arena);
  *set = (SurfaceSet){0};
}

const SurfaceBase *surface_set_get(SurfaceSet *set, int index)
{
  assert(index >= 0 && index < set->count && "a shape index of this set");
  const Shape *shape = shape_set_get(set->shapes, index);
  if (shape->part_count == 0) return NULL;
  if (set->built[index] == NULL) {
    SurfaceBase *surface = arena_allocate(&set->arena, sizeof *surface);
    const SurfacePieces pieces = surface_pieces_of_shape(shape, &set->arena);
    const SurfaceBaseResult result =
        surface_base_build(&pieces, set->dilation * shape->extent, &set->arena, surface);
    assert(result.status == SURFACE_BASE_OK && "surfaces were checked when the case was read");
    (void)result;
    set->built[index] = surface;
  }
  return set->built[index];
}
