// Makes the surface of one shape as ParaView shows it: polygons over shared corners.
#include "shape_mesh.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

static Soup soup_of_surface(const ShapeSurface *surface, Arena *arena)
{
  const size_t cells = (size_t)surface->triangle_count;
  Soup soup = {.cell_count = surface->triangle_count, .loop_count = 3 * surface->triangle_count};
  soup.corners = arena_allocate(arena, 3 * cells * sizeof *soup.corners);
  soup.cell_start = arena_allocate(arena, (cells + 1) * sizeof *soup.cell_start);
  soup.cell_part = arena_allocate_zero(arena, cells, sizeof *soup.cell_part);
  for (int t = 0; t <= surface->triangle_count; t++) soup.cell_start[t] = 3 * t;
  for (int i = 0; i < soup.loop_count; i++)
    soup.corners[i] = (Corner){surface->points[surface->triangles[i / 3][i % 3]], i};
  return soup;
}

static Soup soup_of(const Shape *shape, Arena *arena)
{
  if (shape->surface) return soup_of_surface(shape->surface, arena);
  assert(shape->part_count > 0 && "a shape has a part");
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

// A sphere becomes an icosahedron whose faces are cut in four.
enum {
  SPHERE_CORNERS = 12,
  SPHERE_SIDES = 30,
  SPHERE_FACES = 20,
  SPHERE_POINTS = SPHERE_CORNERS + SPHERE_SIDES,
  SPHERE_CELLS = 4 * SPHERE_FACES
};

// Corners are (0, +-1, +-golden) and their cyclic exchanges; counter-clockwise seen from outside.
static const int icosahedron[SPHERE_FACES][3] = {
    {0, 1, 4},   {0, 6, 1},   {0, 4, 8}, {0, 9, 6},  {0, 8, 9}, {1, 10, 4}, {1, 6, 11},
    {1, 11, 10}, {2, 5, 3},   {2, 3, 7}, {2, 8, 5},  {2, 7, 9}, {2, 9, 8},  {3, 5, 10},
    {3, 11, 7},  {3, 10, 11}, {4, 5, 8}, {4, 10, 5}, {6, 9, 7}, {6, 7, 11}};

// The point of the sphere between two corners: made where a side is met first, found again later.
static int middle_point(int from, int to, double radius, vec3 *points, int *point_count,
                        int (*sides)[2])
{
  assert(from != to && radius > 0 && "a side has two ends");
  const int low = from < to ? from : to, high = from < to ? to : from;
  for (int k = SPHERE_CORNERS; k < *point_count; k++)
    if (sides[k][0] == low && sides[k][1] == high) return k;
  assert(*point_count < SPHERE_POINTS && "points have room");
  const vec3 sum = vec3_add(points[low], points[high]);
  sides[*point_count][0] = low;
  sides[*point_count][1] = high;
  points[*point_count] = vec3_scale(radius / vec3_norm(sum), sum);
  return (*point_count)++;
}

static ShapeMesh *mesh_sphere(double radius, Arena *arena)
{
  assert(radius > 0 && "a sphere has a radius");
  vec3 *points = arena_allocate(arena, SPHERE_POINTS * sizeof *points);
  int *loops = arena_allocate(arena, (size_t)3 * SPHERE_CELLS * sizeof *loops);
  int *cell_start = arena_allocate(arena, ((size_t)SPHERE_CELLS + 1) * sizeof *cell_start);
  int *cell_part = arena_allocate_zero(arena, SPHERE_CELLS, sizeof *cell_part);
  const double golden = 0.5 * (1 + sqrt(5.0)), scale = radius / sqrt(1 + golden * golden);
  for (int i = 0; i < SPHERE_CORNERS; i++) {
    const double one = i & 1 ? -scale : scale, two = (i & 2 ? -golden : golden) * scale;
    points[i] = i < 4   ? vec3_new(0, one, two)
                : i < 8 ? vec3_new(two, 0, one)
                        : vec3_new(one, two, 0);
  }

  int sides[SPHERE_POINTS][2], point_count = SPHERE_CORNERS, loop = 0;
  for (int f = 0; f < SPHERE_FACES; f++) {
    const int *corner = icosahedron[f];
    int middle[3];
    for (int k = 0; k < 3; k++)
      middle[k] = middle_point(corner[k], corner[(k + 1) % 3], radius, points, &point_count, sides);
    for (int k = 0; k < 3; k++) {
      const int cell[3] = {corner[k], middle[k], middle[(k + 2) % 3]};
      memcpy(loops + loop, cell, sizeof cell);
      loop += 3;
    }
    memcpy(loops + loop, middle, sizeof middle);
    loop += 3;
  }
  assert(point_count == SPHERE_POINTS && loop == 3 * SPHERE_CELLS && "an icosahedron");
  for (int c = 0; c <= SPHERE_CELLS; c++) cell_start[c] = 3 * c;
  ShapeMesh *mesh = arena_allocate(arena, sizeof *mesh);
  *mesh = (ShapeMesh){point_count, SPHERE_CELLS, loop, points, loops, cell_start, cell_part};
  return mesh;
}

// The mesh of the unit sphere, stretched.
static ShapeMesh *mesh_ellipsoid(vec3 radii, Arena *arena)
{
  ShapeMesh *mesh = mesh_sphere(1, arena);
  vec3 *points = arena_allocate(arena, (size_t)mesh->point_count * sizeof *points);
  for (int i = 0; i < mesh->point_count; i++) {
    const vec3 p = mesh->points[i];
    points[i] = (vec3){radii.x * p.x, radii.y * p.y, radii.z * p.z};
  }
  mesh->points = points;
  return mesh;
}

static ShapeMesh *mesh_make(const Shape *shape, Arena *arena)
{
  if (shape->sphere_radius > 0) return mesh_sphere(shape->sphere_radius, arena);
  if (shape->radii.x > 0) return mesh_ellipsoid(shape->radii, arena);
  return mesh_build(shape, arena);
}

MeshSet shape_mesh_set_new(ShapeSet *shapes)
{
  assert(shapes != NULL && shapes->count >= 0 && "meshes are those of shapes");
  return (MeshSet){.shapes = shapes,
                   .built = memory_allocate_zero((size_t)shapes->count, sizeof(ShapeMesh *)),
                   .arena = arena_new()};
}

void shape_mesh_set_destroy(MeshSet *set)
{
  memory_free(set->built);
  arena_destroy(&set->arena);
  *set = (MeshSet){0};
}

const ShapeMesh *shape_mesh_set_get(MeshSet *set, int shape)
{
  assert(shape >= 0 && shape < set->shapes->count && "a shape has a number");
  if (!set->built[shape]) {
    const Shape *source = shape_set_get(set->shapes, shape);
    set->built[shape] = mesh_make(source, &set->arena);
  }
  return set->built[shape];
}
