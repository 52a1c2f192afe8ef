// Surfaces as plane polygons: the facets of a shape, the triangles of a mesh.
#include <assert.h>
#include <string.h>

#include "surface_complex.h"

SurfacePieces surface_pieces_of_shape(const Shape *shape, Arena *arena)
{
  if (shape->surface)
    return surface_pieces_of_triangles(shape->surface->points, shape->surface->triangles,
                                       shape->surface->triangle_count, arena);
  assert(shape->part_count > 0 && "spheres and ellipsoids have no facets");
  int count = 0, corners = 0;
  for (int p = 0; p < shape->part_count; p++) {
    count += shape->parts[p].facet_count;
    for (int i = 0; i < shape->parts[p].facet_count; i++)
      corners += shape->parts[p].facets[i].corner_count;
  }
  int *start = arena_allocate(arena, ((size_t)count + 1) * sizeof *start);
  vec3 *places = arena_allocate(arena, (size_t)corners * sizeof *places);
  int at = 0, piece = 0;
  for (int p = 0; p < shape->part_count; p++) {
    for (int i = 0; i < shape->parts[p].facet_count; i++) {
      const Facet *facet = &shape->parts[p].facets[i];
      memcpy(places + at, facet->corners, (size_t)facet->corner_count * sizeof *places);
      start[piece++] = at;
      at += facet->corner_count;
    }
  }
  start[piece] = at;
  return (SurfacePieces){.count = count, .start = start, .corners = places};
}

SurfacePieces surface_pieces_of_triangles(const vec3 *points, const int (*triangles)[3], int count,
                                          Arena *arena)
{
  assert(count > 0 && "a mesh has triangles");
  int *start = arena_allocate(arena, ((size_t)count + 1) * sizeof *start);
  vec3 *places = arena_allocate(arena, 3 * (size_t)count * sizeof *places);
  for (int t = 0; t < count; t++) {
    start[t] = 3 * t;
    for (int k = 0; k < 3; k++) places[3 * t + k] = points[triangles[t][k]];
  }
  start[count] = 3 * count;
  return (SurfacePieces){.count = count, .start = start, .corners = places};
}
