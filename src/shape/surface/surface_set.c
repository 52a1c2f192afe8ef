// Base surfaces of shapes, made when they are first needed.
#include "surface_set.h"

#include <assert.h>
#include <string.h>

#include "memory.h"

SurfaceSet surface_set_new(ShapeSet *shapes, double dilation, const SurfaceBase *const *given)
{
  assert(shapes != NULL && dilation > 0 && "surfaces are moved inwards");
  bool spheres = false;
  for (int i = 0; i < shapes->count; i++) spheres = spheres || shapes->recipes[i].radius > 0;
  return (SurfaceSet){.shapes = shapes,
                      .spheres = spheres,
                      .dilation = dilation,
                      .count = shapes->count,
                      .given = given,
                      .built = memory_allocate_zero((size_t)shapes->count, sizeof(SurfaceBase *)),
                      .sharp = memory_allocate_zero((size_t)shapes->count, sizeof(SurfaceBase *)),
                      .arena = arena_new()};
}

void surface_set_destroy(SurfaceSet *set)
{
  memory_free(set->built);
  memory_free(set->sharp);
  arena_destroy(&set->arena);
  *set = (SurfaceSet){0};
}

static void *keep(const void *items, int count, size_t bytes, Arena *arena)
{
  assert(count >= 0 && (items != NULL || count == 0) && "items are given");
  void *kept = arena_allocate(arena, (size_t)count * bytes);
  if (count > 0) memcpy(kept, items, (size_t)count * bytes);
  return kept;
}

// A complex in memory of its own.
static SurfaceComplex keep_complex(const SurfaceComplex *c, Arena *arena)
{
  assert(c->vertex_count > 0 && c->face_count > 0 && "a surface has vertices and faces");
  const SurfaceVertex *last = &c->vertices[c->vertex_count - 1];
  const int directions = last->direction_start + last->direction_count;
  const int faces = last->face_start + last->face_count;
  SurfaceComplex kept = *c;
  kept.vertices = keep(c->vertices, c->vertex_count, sizeof *c->vertices, arena);
  kept.edges = keep(c->edges, c->edge_count, sizeof *c->edges, arena);
  kept.faces = keep(c->faces, c->face_count, sizeof *c->faces, arena);
  kept.sides = keep(c->sides, c->side_count, sizeof *c->sides, arena);
  kept.directions = keep(c->directions, directions, sizeof *c->directions, arena);
  kept.shell_edges = keep(c->shell_edges, c->shell_count, sizeof *c->shell_edges, arena);
  // rounds of faces about a vertex have room for repeated ones
  kept.vertex_faces = keep(c->vertex_faces, faces, sizeof *c->vertex_faces, arena);
  return kept;
}

SurfaceBase *surface_set_copy(const SurfaceBase *surface, Arena *arena)
{
  assert(surface->tree.count > 0 && "a surface has a tree");
  SurfaceBase *copy = arena_allocate(arena, sizeof *copy);
  *copy = *surface;
  copy->sharp = keep_complex(&surface->sharp, arena);
  copy->base = keep_complex(&surface->base, arena);
  const SurfaceTree *tree = &surface->tree;
  copy->tree.quads = keep(tree->quads, tree->quad_count, sizeof *tree->quads, arena);
  return copy;
}

// What a build leaves beside the surface is several times as large, and goes with its arena.
static SurfaceBase *build_surface(SurfaceSet *set, const Shape *shape, double dilation)
{
  assert(dilation >= 0 && "surfaces are moved inwards");
  Arena scratch = arena_new();
  SurfaceBase built;
  const SurfacePieces pieces = surface_pieces_of_shape(shape, &scratch);
  const SurfaceBaseResult result = surface_base_build(&pieces, dilation, &scratch, &built);
  assert(result.status == SURFACE_BASE_OK && "surfaces were checked when the case was read");
  (void)result;
  SurfaceBase *surface = surface_set_copy(&built, &set->arena);
  arena_destroy(&scratch);
  return surface;
}

const SurfaceBase *surface_set_get(SurfaceSet *set, int index)
{
  assert(index >= 0 && index < set->count && "a shape index of this set");
  const Shape *shape = shape_set_get(set->shapes, index);
  if (shape->part_count == 0 && !shape->surface) return NULL;
  if (set->given && set->given[index]) return set->given[index];
  if (set->built[index] == NULL)
    set->built[index] = build_surface(set, shape, set->dilation * shape->extent);
  return set->built[index];
}

const SurfaceBase *surface_set_get_sharp(SurfaceSet *set, int index)
{
  assert(index >= 0 && index < set->count && "a shape index of this set");
  const Shape *shape = shape_set_get(set->shapes, index);
  if (!shape->surface) return NULL;
  if (set->sharp[index] == NULL) set->sharp[index] = build_surface(set, shape, 0);
  return set->sharp[index];
}
