#include "shape_mesh.h"

#include <stdint.h>
#include <stdlib.h>

#include "memory.h"

typedef struct {
  vec3 at;
  int order;
} Corner;

// Every corner of every facet, in the order of parts and facets.
typedef struct {
  int cell_count, loop_count;
  Corner *corners;   // [loop_count]
  int *cell_start, *cell_part;
} Soup;

static Soup soup_of(const Shape *shape, Arena *arena)
{
  Soup soup = {0};
  for (int p = 0; p < shape->part_count; p++) {
    soup.cell_count += shape->parts[p].facet_count;
    for (int f = 0; f < shape->parts[p].facet_count; f++)
      soup.loop_count += shape->parts[p].facets[f].corner_count;
  }
  soup.corners = arena_allocate(arena, (size_t)soup.loop_count * sizeof *soup.corners);
  soup.cell_start = arena_allocate(arena, ((size_t)soup.cell_count + 1) * sizeof *soup.cell_start);
  soup.cell_part = arena_allocate(arena, (size_t)soup.cell_count * sizeof *soup.cell_part);
  int cell = 0, corner = 0;
  for (int p = 0; p < shape->part_count; p++) {
    for (int f = 0; f < shape->parts[p].facet_count; f++) {
      const Facet *facet = &shape->parts[p].facets[f];
      soup.cell_start[cell] = corner;
      soup.cell_part[cell++] = p;
      for (int k = 0; k < facet->corner_count; k++, corner++)
        soup.corners[corner] = (Corner){facet->corners[k], corner};
    }
  }
  soup.cell_start[cell] = corner;
  return soup;
}

static int compare_places(vec3 p, vec3 q)
{
  if (p.x != q.x) return p.x < q.x ? -1 : 1;
  if (p.y != q.y) return p.y < q.y ? -1 : 1;
  if (p.z != q.z) return p.z < q.z ? -1 : 1;
  return 0;
}

static int compare_corners(const void *a, const void *b)
{
  const Corner *p = a, *q = b;
  const int order = compare_places(p->at, q->at);
  return order != 0 ? order : (p->order > q->order) - (p->order < q->order);
}

// Corners at the very same place become one point, numbered by first use.
static ShapeMesh *mesh_build(const Shape *shape, Arena *arena)
{
  const Soup soup = soup_of(shape, arena);
  const size_t count = (size_t)soup.loop_count;
  int *first =
      arena_allocate(arena, count * sizeof *first);   // the first corner at the place of each
  vec3 *points = arena_allocate(arena, count * sizeof *points);
  int *loops = arena_allocate(arena, count * sizeof *loops);
  vec3 *place = arena_allocate(arena, count * sizeof *place);
  for (size_t i = 0; i < count; i++) place[i] = soup.corners[i].at;

  if (count > 0) qsort(soup.corners, count, sizeof *soup.corners, compare_corners);
  for (size_t i = 0, begin = 0; i < count; i++) {
    if (compare_places(soup.corners[begin].at, soup.corners[i].at) != 0) begin = i;
    first[soup.corners[i].order] = soup.corners[begin].order;
  }

  int point_count = 0;
  for (size_t i = 0; i < count; i++) {
    if (first[i] == (int)i) {
      loops[i] = point_count;
      points[point_count++] = place[i];
    } else {
      loops[i] = loops[first[i]];
    }
  }
  ShapeMesh *mesh = arena_allocate(arena, sizeof *mesh);
  *mesh = (ShapeMesh){point_count, soup.cell_count, soup.loop_count, points,
                      loops,       soup.cell_start, soup.cell_part};
  return mesh;
}

MeshSet mesh_set_new(ShapeSet *shapes)
{
  return (MeshSet){.shapes = shapes,
                   .built = memory_allocate_zero((size_t)shapes->count, sizeof(ShapeMesh *)),
                   .arena = arena_new()};
}

void mesh_set_destroy(MeshSet *set)
{
  memory_free(set->built);
  arena_destroy(&set->arena);
  *set = (MeshSet){0};
}

const ShapeMesh *mesh_set_get(MeshSet *set, int shape)
{
  if (!set->built[shape])
    set->built[shape] = mesh_build(shape_set_get(set->shapes, shape), &set->arena);
  return set->built[shape];
}
