// Turns tetrahedra into few convex parts, by merging alone and by cuts before it.
#include "convex_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "cell_hull.h"
#include "cell_merge.h"
#include "cells.h"
#include "notches.h"
#include "numbers.h"

#define PARTS_TRY_CELLS 20000   // larger ones in one order alone
#define PARTS_THIN 1e-6         // of the extent: a part thinner than this is a sliver

typedef struct {
  const Cells *cells;
  CellParts parts;
  int slivers;
} Decomposition;

// Parts whose volume is small for their surface: a third of an edge of the cube that has both.
static int count_slivers(const Cells *cells, const CellParts *parts, Arena *scratch)
{
  assert(parts->count > 0 && parts->count <= cells->cell_count && "every part has a cell");
  const ArenaMark mark = arena_mark(scratch);
  double *volume = arena_allocate_zero(scratch, (size_t)parts->count, sizeof *volume);
  double *area = arena_allocate_zero(scratch, (size_t)parts->count, sizeof *area);
  for (int c = 0; c < cells->cell_count; c++) volume[parts->part[c]] += cells->cells[c].volume;
  for (int f = 0; f < cells->face_count; f++) {
    const CellFace *face = &cells->faces[f];
    const int p = parts->part[face->cell[0]];
    const int q = face->cell[1] < 0 ? -1 : parts->part[face->cell[1]];
    if (p == q) continue;
    const double size = vec3_norm(cells_face_area(cells, f));
    area[p] += size;
    if (q >= 0) area[q] += size;
  }
  int slivers = 0;
  for (int p = 0; p < parts->count; p++) {
    slivers += 2 * volume[p] < PARTS_THIN * cells->extent * area[p];
  }
  arena_release(scratch, mark);
  return slivers;
}

// Keeps the decomposition with fewer slivers, then with fewer parts, then the one that was first.
static void keep_better(Decomposition *best, const Cells *cells, MergeOrder order, Arena *arena)
{
  assert(order < MERGE_ORDERS && "an order says which neighbours come first");
  Decomposition now = {.cells = cells, .parts = cell_merge_all(cells, order, arena)};
  now.slivers = count_slivers(cells, &now.parts, arena);
  const bool better = best->cells == NULL || now.slivers < best->slivers ||
                      (now.slivers == best->slivers && now.parts.count < best->parts.count);
  if (better) *best = now;
}

// Merged as they are, and, where that leaves several parts, cut along reentrant edges first: inner
// points and sides that lie badly then make no more parts.
static Decomposition decompose(Cells *whole, Cells *cut, Arena *scratch)
{
  assert(whole != cut && whole->cell_count == cut->cell_count && "the cut begins with a copy");
  Decomposition best = {0};
  for (int c = 0; c < whole->cell_count; c++) whole->cells[c].group = NOTCH_LONE;
  const int orders = whole->cell_count > PARTS_TRY_CELLS ? 1 : MERGE_ORDERS;
  for (int order = 0; order < orders && best.parts.count != 1; order++) {
    keep_better(&best, whole, (MergeOrder)order, scratch);
  }
  if (best.parts.count == 1) return best;
  // pieces may merge again, but not all of them
  if (notches_cut(cut, 2 * best.parts.count) < 0) return best;
  for (int order = 0; order < orders; order++) {
    keep_better(&best, cut, (MergeOrder)order, scratch);
  }
  return best;
}

static double corner_area(const Cells *cells, int a, int b, int c)
{
  const vec3 from = cells->points[a];
  return vec3_norm(vec3_cross(vec3_sub(cells->points[b], from), vec3_sub(cells->points[c], from)));
}

// A convex polygon, which may have corners on straight lines, as triangles with area: the corner
// goes first whose triangle and whose rest are largest.
static int polygon_triangles(const Cells *cells, const CellFace *face, int (*triangles)[3],
                             Arena *scratch)
{
  assert(face->count >= 3 && "a face has three corners");
  const ArenaMark mark = arena_mark(scratch);
  int *loop = arena_allocate(scratch, (size_t)face->count * sizeof *loop);
  memcpy(loop, cells->loops + face->first, (size_t)face->count * sizeof *loop);
  int found = 0;
  for (int count = face->count; count > 3; count--) {
    double total = 0, best_least = -1;
    int best = 0;
    for (int k = 1; k + 1 < count; k++) {
      total += corner_area(cells, loop[0], loop[k], loop[k + 1]);
    }
    for (int k = 0; k < count; k++) {
      const double ear =
          corner_area(cells, loop[(k + count - 1) % count], loop[k], loop[(k + 1) % count]);
      const double least = fmin(ear, total - ear);
      if (least <= best_least) continue;
      best = k;
      best_least = least;
    }
    const int ear[3] = {loop[(best + count - 1) % count], loop[best], loop[(best + 1) % count]};
    memcpy(triangles[found++], ear, sizeof ear);
    memmove(loop + best, loop + best + 1, (size_t)(count - 1 - best) * sizeof *loop);
  }
  memcpy(triangles[found++], loop, sizeof *triangles);
  arena_release(scratch, mark);
  return found;
}

// What one part needs of all cells.
typedef struct {
  const Cells *cells;
  const vec3 *given;
  int *points, *marks, *place;   // [points] list of a part, who has it, where it stands there
  BoundaryFace *boundary;        // room for that of a part
  int (*triangles)[3];           // likewise
} RecipeWriter;

// The points of the boundary of a part, ascending. Returns how many.
static int list_points(RecipeWriter *w, const int *part, const int *members, int count)
{
  assert(count > 0 && "a part has cells");
  const Cells *cells = w->cells;
  const int token = part[members[0]] + 1;
  const int face_count = cell_hull_list_boundary(cells, members, count, part, w->boundary);
  int found = 0;
  for (int i = 0; i < face_count; i++) {
    const CellFace *face = &cells->faces[w->boundary[i].face];
    for (int k = 0; k < face->count; k++) {
      const int p = cells->loops[face->first + k];
      if (w->marks[p] == token) continue;
      w->marks[p] = token;
      w->points[found++] = p;
    }
  }
  numbers_sort(w->points, found);
  return found;
}

static PartRecipe write_part(RecipeWriter *w, const int *part, const int *members, int count,
                             Arena *scratch, Arena *arena)
{
  assert(count > 0 && "a part has cells");
  const Cells *cells = w->cells;
  const int point_count = list_points(w, part, members, count);
  int triangle_count = 0;
  for (int i = 0; i < count; i++) {
    const Cell *cell = &cells->cells[members[i]];
    for (int k = 0; k < cell->count; k++) {
      const CellFace *face = &cells->faces[cell->faces[k]];
      if (face->cell[1] >= 0) continue;
      triangle_count += polygon_triangles(cells, face, w->triangles + triangle_count, scratch);
    }
  }
  PartRecipe recipe = {
      .count = point_count,
      .points = arena_allocate(arena, (size_t)point_count * sizeof *recipe.points),
      .triangle_count = triangle_count,
      .triangles = arena_allocate(arena, (size_t)triangle_count * sizeof *recipe.triangles)};
  for (int i = 0; i < point_count; i++) {
    const int p = w->points[i];
    w->place[p] = i;
    // points of the mesh are exact, those of cuts come back from the coordinate frame of the cells
    recipe.points[i] = p < cells->given ? w->given[p] : vec3_add(cells->points[p], cells->center);
  }
  for (int t = 0; t < triangle_count; t++) {
    for (int k = 0; k < 3; k++) recipe.triangles[t][k] = w->place[w->triangles[t][k]];
  }
  return recipe;
}

static ShapeRecipe write_recipe(const Decomposition *d, const vec3 *given, Arena *scratch,
                                Arena *arena)
{
  assert(d->cells != NULL && d->parts.count > 0 && "a solid has a part");
  const Cells *cells = d->cells;
  const size_t points = (size_t)cells->point_count;
  ShapeRecipe recipe = {.part_count = d->parts.count, .surface_known = true};
  recipe.parts = arena_allocate(arena, (size_t)recipe.part_count * sizeof *recipe.parts);
  int corners = 0;
  for (int f = 0; f < cells->face_count; f++) corners += cells->faces[f].count;
  RecipeWriter writer = {
      .cells = cells,
      .given = given,
      .points = arena_allocate(scratch, points * sizeof(int)),
      .marks = arena_allocate_zero(scratch, points, sizeof(int)),
      .place = arena_allocate(scratch, points * sizeof(int)),
      .boundary = arena_allocate(scratch, 2 * (size_t)cells->face_count * sizeof(BoundaryFace)),
      .triangles = arena_allocate(scratch, (size_t)corners * sizeof(int[3]))};
  const NumberGroups groups =
      numbers_group(d->parts.part, cells->cell_count, recipe.part_count, scratch);
  for (int p = 0; p < recipe.part_count; p++) {
    recipe.parts[p] = write_part(&writer, d->parts.part, groups.members + groups.start[p],
                                 groups.start[p + 1] - groups.start[p], scratch, arena);
  }
  return recipe;
}

ShapeRecipe convex_parts(const Tetrahedra *filling, Arena *arena)
{
  assert(filling->tetra_count >= 0 && filling->point_count >= 0 && "counts are not below zero");
  Arena scratch = arena_new();
  Cells whole, cut;
  if (!cells_from_tetrahedra(filling, &scratch, &whole)) {
    arena_destroy(&scratch);
    return (ShapeRecipe){0};
  }
  cut = cells_copy(&whole, &scratch);
  const Decomposition best = decompose(&whole, &cut, &scratch);
  const ShapeRecipe recipe = write_recipe(&best, filling->points, &scratch, arena);
  arena_destroy(&scratch);
  return recipe;
}
