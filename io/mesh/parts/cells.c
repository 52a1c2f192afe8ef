// Keeps convex cells that fill a solid and fit together face to face.
#include "cells.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "edge_sides.h"
#include "tetra_faces.h"

typedef struct {
  double area;
  int face;
} FaceSeed;

int cells_add_point(Cells *cells, vec3 point)
{
  assert_debug(vec3_is_finite(point) && "cells have finite corners");
  cells->points = arena_grow(cells->arena, cells->points, cells->point_count + 1,
                             &cells->point_capacity, sizeof *cells->points);
  cells->points[cells->point_count] = point;
  return cells->point_count++;
}

int cells_add_plane(Cells *cells, Plane plane)
{
  assert_debug(vec3_is_finite(plane.normal) && isfinite(plane.offset) && "planes are finite");
  cells->planes = arena_grow(cells->arena, cells->planes, cells->plane_count + 1,
                             &cells->plane_capacity, sizeof *cells->planes);
  cells->planes[cells->plane_count] = plane;
  return cells->plane_count++;
}

int cells_add_loop(Cells *cells, const int *corners, int count)
{
  assert(count >= 3 && "a face has three corners");
  const int first = cells->loop_count;
  for (int k = 0; k < count; k++) {
    cells->loops = arena_grow(cells->arena, cells->loops, cells->loop_count + 1,
                              &cells->loop_capacity, sizeof *cells->loops);
    cells->loops[cells->loop_count++] = corners[k];
  }
  return first;
}

int cells_add_face(Cells *cells, CellFace face)
{
  assert(face.count >= 3 && face.plane >= 0 && "a face has corners and a plane");
  assert(face.cell[0] >= 0 && face.cell[1] >= -1 && "a face belongs to a cell");
  cells->faces = arena_grow(cells->arena, cells->faces, cells->face_count + 1,
                            &cells->face_capacity, sizeof *cells->faces);
  cells->faces[cells->face_count] = face;
  return cells->face_count++;
}

int cells_add_cell(Cells *cells, Cell cell)
{
  assert(cell.faces != NULL && cell.count >= 0 && "a cell has room for faces");
  cells->cells = arena_grow(cells->arena, cells->cells, cells->cell_count + 1,
                            &cells->cell_capacity, sizeof *cells->cells);
  cells->cells[cells->cell_count] = cell;
  return cells->cell_count++;
}

vec3 cells_face_area(const Cells *cells, int face)
{
  assert_debug(face >= 0 && face < cells->face_count && "a face has a number");
  const CellFace *f = &cells->faces[face];
  const int *loop = cells->loops + f->first;
  const vec3 from = cells->points[loop[0]];
  vec3 sum = {0, 0, 0};
  for (int k = 1; k + 1 < f->count; k++) {
    sum = vec3_add(sum, vec3_cross(vec3_sub(cells->points[loop[k]], from),
                                   vec3_sub(cells->points[loop[k + 1]], from)));
  }
  return vec3_scale(0.5, sum);
}

static int compare_face_seeds(const void *p, const void *q)
{
  const FaceSeed *a = p, *b = q;
  if (a->area != b->area) return a->area > b->area ? -1 : 1;
  return (a->face > b->face) - (a->face < b->face);
}

// Sides 3 face + k of surface triangles, from corner k on, that meet; -1 where not just two do.
static int *surface_mates(const Cells *cells, Arena *scratch)
{
  int *mates = arena_allocate(scratch, 3 * (size_t)cells->face_count * sizeof *mates);
  EdgeSide *sides = arena_allocate(scratch, 3 * (size_t)cells->face_count * sizeof *sides);
  int count = 0;
  for (int f = 0; f < cells->face_count; f++) {
    if (cells->faces[f].cell[1] >= 0) continue;
    for (int k = 0; k < 3; k++) {
      const int *loop = cells->loops + cells->faces[f].first;
      sides[count++] = edge_side(loop[k], loop[(k + 1) % 3], 3 * f + k);
    }
  }
  edge_sides_mate(sides, count, mates);
  return mates;
}

// Largest and smallest height of the corners of a face above a plane, m.
static double face_height(const Cells *cells, const CellFace *face, Plane plane, double *lowest)
{
  assert_debug(face->count >= 3 && "a face has three corners");
  double highest = -INFINITY;
  *lowest = INFINITY;
  for (int k = 0; k < face->count; k++) {
    const double height =
        vec3_dot(plane.normal, cells->points[cells->loops[face->first + k]]) - plane.offset;
    if (height > highest) highest = height;
    if (height < *lowest) *lowest = height;
  }
  return highest;
}

// Large surface triangles give their plane to the neighbours that lie in it, so that slivers
// without a good plane of their own never make one.
static void share_surface_planes(Cells *cells, Arena *scratch)
{
  const ArenaMark mark = arena_mark(scratch);
  const int *mates = surface_mates(cells, scratch);
  FaceSeed *seeds = arena_allocate(scratch, (size_t)cells->face_count * sizeof *seeds);
  int *stack = arena_allocate(scratch, (size_t)cells->face_count * sizeof *stack);
  bool *taken = arena_allocate_zero(scratch, (size_t)cells->face_count, sizeof *taken);
  int count = 0;
  for (int f = 0; f < cells->face_count; f++) {
    if (cells->faces[f].cell[1] < 0)
      seeds[count++] = (FaceSeed){vec3_norm(cells_face_area(cells, f)), f};
  }
  qsort(seeds, (size_t)count, sizeof *seeds, compare_face_seeds);
  for (int s = 0; s < count; s++) {
    if (taken[seeds[s].face]) continue;
    const int shared = cells->faces[seeds[s].face].plane;
    const Plane plane = cells->planes[shared];
    int depth = 0;
    taken[seeds[s].face] = true;
    stack[depth++] = seeds[s].face;
    while (depth > 0) {
      const int f = stack[--depth];
      cells->faces[f].plane = shared;
      for (int k = 0; k < 3; k++) {
        const int mate = mates[3 * f + k], other = mate / 3;
        double lowest;
        if (mate < 0 || taken[other]) continue;
        if (face_height(cells, &cells->faces[other], plane, &lowest) > CELL_SNAP * cells->extent ||
            lowest < -CELL_SNAP * cells->extent ||
            vec3_dot(cells_face_area(cells, other), plane.normal) <= 0)
          continue;
        taken[other] = true;
        stack[depth++] = other;
      }
    }
  }
  arena_release(scratch, mark);
}

static void take_points(Cells *cells, const Tetrahedra *filling)
{
  assert(filling->tetra_count > 0 && "a filling has tetrahedra");
  vec3 low = filling->points[filling->tetra[0][0]], high = low;
  for (int t = 0; t < filling->tetra_count; t++) {
    for (int k = 0; k < 4; k++) {
      low = vec3_min(low, filling->points[filling->tetra[t][k]]);
      high = vec3_max(high, filling->points[filling->tetra[t][k]]);
    }
  }
  const vec3 size = vec3_sub(high, low);
  cells->extent = fmax(size.x, fmax(size.y, size.z));
  cells->center = vec3_scale(0.5, vec3_add(low, high));
  cells->given = filling->point_count;
  for (int i = 0; i < filling->point_count; i++) {
    cells_add_point(cells, vec3_sub(filling->points[i], cells->center));
  }
}

bool cells_from_tetrahedra(const Tetrahedra *filling, Arena *arena, Cells *cells)
{
  assert(filling->tetra_count >= 0 && filling->point_count >= 0 && "counts are not below zero");
  *cells = (Cells){.arena = arena};
  TetraFaces faces;
  if (filling->tetra_count == 0 || !tetra_find_faces(filling, arena, &faces)) return false;
  take_points(cells, filling);
  int *room = arena_allocate(arena, 4 * (size_t)filling->tetra_count * sizeof *room);
  for (int t = 0; t < filling->tetra_count; t++) {
    const double volume = tetra_sixfold_volume(filling, t) / 6;
    if (!(volume > 0)) return false;
    cells_add_cell(cells, (Cell){.faces = room + 4 * (size_t)t, .volume = volume});
  }
  for (int i = 0; i < faces.count; i++) {
    const TetraFace *face = &faces.faces[i];
    const int first = cells_add_loop(cells, face->corner, 3);
    const int f = cells_add_face(cells, (CellFace){.first = first,
                                                   .count = 3,
                                                   .plane = i,
                                                   .cell = {face->tetra[0], face->tetra[1]}});
    const vec3 area = cells_face_area(cells, f);
    if (!(vec3_norm(area) > 0)) return false;
    const vec3 normal = vec3_scale(1 / vec3_norm(area), area);
    const double offset = vec3_dot(normal, cells->points[face->corner[0]]);
    cells_add_plane(cells, (Plane){normal, offset});
    for (int k = 0; k < 2; k++) {
      if (face->tetra[k] < 0) continue;
      Cell *cell = &cells->cells[face->tetra[k]];
      cell->faces[cell->count++] = f;
    }
  }
  share_surface_planes(cells, arena);
  return true;
}

static void *copied(const void *items, int count, size_t size, Arena *arena)
{
  assert(count >= 0 && "items are counted");
  void *copy = arena_allocate(arena, (size_t)count * size);
  if (count > 0) memcpy(copy, items, (size_t)count * size);
  return copy;
}

Cells cells_copy(const Cells *cells, Arena *arena)
{
  assert(arena != NULL && "a copy has a place");
  Cells copy = *cells;
  copy.arena = arena;
  copy.points = copied(cells->points, cells->point_count, sizeof *cells->points, arena);
  copy.planes = copied(cells->planes, cells->plane_count, sizeof *cells->planes, arena);
  copy.faces = copied(cells->faces, cells->face_count, sizeof *cells->faces, arena);
  copy.loops = copied(cells->loops, cells->loop_count, sizeof *cells->loops, arena);
  copy.cells = copied(cells->cells, cells->cell_count, sizeof *cells->cells, arena);
  copy.point_capacity = copy.point_count;
  copy.plane_capacity = copy.plane_count;
  copy.face_capacity = copy.face_count;
  copy.loop_capacity = copy.loop_count;
  copy.cell_capacity = copy.cell_count;
  for (int c = 0; c < copy.cell_count; c++) {
    copy.cells[c].faces = copied(cells->cells[c].faces, cells->cells[c].count, sizeof(int), arena);
  }
  return copy;
}

bool cells_edge_is_convex(const Cells *cells, int face_a, int cell_a, int face_b, int cell_b)
{
  assert_debug(face_a >= 0 && face_a < cells->face_count && face_b >= 0 &&
               face_b < cells->face_count && "faces have numbers");
  assert_debug((cells->faces[face_a].cell[0] == cell_a || cells->faces[face_a].cell[1] == cell_a) &&
               "the first face bounds its cell");
  assert_debug((cells->faces[face_b].cell[0] == cell_b || cells->faces[face_b].cell[1] == cell_b) &&
               "the second face bounds its cell");
  const CellFace *a = &cells->faces[face_a], *b = &cells->faces[face_b];
  const Plane plane_a = cells_face_plane(cells, a, cell_a);
  const Plane plane_b = cells_face_plane(cells, b, cell_b);
  const double level = CELL_FLAT * cells->extent, along = vec3_dot(plane_a.normal, plane_b.normal);
  if (a->plane == b->plane) return along > 0;
  double low_a, low_b;
  const double high_b = face_height(cells, b, plane_a, &low_b);
  const double high_a = face_height(cells, a, plane_b, &low_a);
  // faces that look at each other in one plane are a slit, the most reentrant edge of all
  if (along <= 0 && low_a >= -level && low_b >= -level) return false;
  return high_b <= level || high_a <= level;
}
