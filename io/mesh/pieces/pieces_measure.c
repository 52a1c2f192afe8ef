// Compares the surface of pieces with that of the solid.
#include "pieces_measure.h"

#include <assert.h>
#include <math.h>

#include "surface_gap.h"

#define SAME_VOLUME 1e-12   // of the solid's: pieces that are exact, but for rounding

// The facets of a shape as triangles, where the solid is.
static GapTriangles shape_triangles(const Shape *shape, Arena *arena)
{
  int count = 0, kept = 0;
  for (int p = 0; p < shape->part_count; p++)
    for (int f = 0; f < shape->parts[p].facet_count; f++)
      count += shape->parts[p].facets[f].corner_count - 2;
  vec3(*triangles)[3] = arena_allocate(arena, (size_t)count * sizeof *triangles);
  for (int p = 0; p < shape->part_count; p++) {
    for (int f = 0; f < shape->parts[p].facet_count; f++) {
      const Facet *facet = &shape->parts[p].facets[f];
      for (int k = 1; k + 1 < facet->corner_count; k++, kept++) {
        triangles[kept][0] = vec3_add(facet->corners[0], shape->center);
        triangles[kept][1] = vec3_add(facet->corners[k], shape->center);
        triangles[kept][2] = vec3_add(facet->corners[k + 1], shape->center);
      }
    }
  }
  return (GapTriangles){count, (const vec3(*)[3])triangles};
}

static GapTriangles solid_triangles(const MeshBlock *solid, Arena *arena)
{
  const size_t count = (size_t)solid->triangle_count;
  vec3(*triangles)[3] = arena_allocate(arena, count * sizeof *triangles);
  for (int t = 0; t < solid->triangle_count; t++)
    for (int k = 0; k < 3; k++) triangles[t][k] = solid->points[solid->triangles[t][k]];
  return (GapTriangles){solid->triangle_count, (const vec3(*)[3])triangles};
}

PiecesMeasure pieces_measure(const MeshBlock *solid, const Shape *shape)
{
  assert(shape->part_count > 0 && solid->triangle_count > 0 && "pieces of a solid");
  Arena arena = arena_new();
  const GapTriangles pieces = shape_triangles(shape, &arena);
  const GapTriangles surface = solid_triangles(solid, &arena);
  const double excess = shape->volume / solid->volume - 1;
  PiecesMeasure measure = {.volume = shape->volume,
                           .excess = fabs(excess) < SAME_VOLUME ? 0 : excess,
                           .from_surface = surface_gap(&surface, &pieces),
                           .from_pieces = surface_gap(&pieces, &surface)};
  for (int p = 0; p < shape->part_count; p++) measure.corners += shape->parts[p].hull.vertex_count;
  arena_destroy(&arena);
  return measure;
}
