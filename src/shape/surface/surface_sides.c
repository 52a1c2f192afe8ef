// Welds the corners of pieces, cuts sides at the corners of others, and pairs them.
#include "surface_sides.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "edge_sides.h"
#include "order.h"

#define CELLS_PER_WELD 1000.0   // tolerances in a cell of the grid: few corners are near its border

// Welded points by cells of a grid: an open table.
typedef struct {
  double cell;   // m
  int count, mask;
  vec3 *points;
  int *slots;   // point, -1: free
} WeldGrid;

static uint64_t cell_hash(const int64_t cell[3])
{
  // splitmix64 of each coordinate in turn (Steele, Lea and Flood 2014)
  uint64_t z = 0;
  for (int k = 0; k < 3; k++) {
    z = (z ^ (uint64_t)cell[k]) + 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    z ^= z >> 31;
  }
  return z;
}

static void cell_of(double cell, vec3 x, int64_t out[3])
{
  out[0] = (int64_t)floor(x.x / cell);
  out[1] = (int64_t)floor(x.y / cell);
  out[2] = (int64_t)floor(x.z / cell);
}

// The first point of one cell within the tolerance, or -1.
static int find_in_cell(const WeldGrid *grid, const int64_t cell[3], vec3 x, double tolerance)
{
  for (uint64_t h = cell_hash(cell);; h++) {
    const int point = grid->slots[h & (uint64_t)grid->mask];
    if (point < 0) return -1;
    if (vec3_norm(vec3_sub(grid->points[point], x)) <= tolerance) return point;
  }
}

static int weld_point(WeldGrid *grid, vec3 x, double tolerance)
{
  int64_t low[3], high[3], own[3];
  const vec3 reach = {tolerance, tolerance, tolerance};
  cell_of(grid->cell, vec3_sub(x, reach), low);
  cell_of(grid->cell, vec3_add(x, reach), high);
  cell_of(grid->cell, x, own);
  int found = -1;
  for (int64_t i = low[0]; i <= high[0]; i++) {
    for (int64_t j = low[1]; j <= high[1]; j++) {
      for (int64_t k = low[2]; k <= high[2]; k++) {
        const int point = find_in_cell(grid, (const int64_t[3]){i, j, k}, x, tolerance);
        if (point >= 0 && (found < 0 || point < found)) found = point;
      }
    }
  }
  if (found >= 0) return found;
  uint64_t h = cell_hash(own);
  while (grid->slots[h & (uint64_t)grid->mask] >= 0) h++;
  grid->slots[h & (uint64_t)grid->mask] = grid->count;
  grid->points[grid->count] = x;
  return grid->count++;
}

static double extent_of(const vec3 *points, int count)
{
  assert(count > 0 && "a surface has corners");
  vec3 low = points[0], high = points[0];
  for (int i = 1; i < count; i++) {
    low = vec3_min(low, points[i]);
    high = vec3_max(high, points[i]);
  }
  const vec3 size = vec3_sub(high, low);
  return larger_of(size.x, larger_of(size.y, size.z));
}

// Numbers of the points of all corners. Fills points and point_count.
static int *weld_corners(const SurfacePieces *pieces, SurfaceSides *sides, Arena *arena)
{
  const int corners = pieces->start[pieces->count];
  int size = 16;
  while (size < 2 * corners) size *= 2;
  const double tolerance = SURFACE_WELD * sides->extent;
  WeldGrid grid = {.cell = CELLS_PER_WELD * tolerance,
                   .mask = size - 1,
                   .points = arena_allocate(arena, (size_t)corners * sizeof(vec3)),
                   .slots = arena_allocate(arena, (size_t)size * sizeof(int))};
  for (int i = 0; i < size; i++) grid.slots[i] = -1;
  int *point = arena_allocate(arena, (size_t)corners * sizeof *point);
  for (int i = 0; i < corners; i++) point[i] = weld_point(&grid, pieces->corners[i], tolerance);
  sides->points = grid.points;
  sides->point_count = grid.count;
  return point;
}

int surface_sides_add(SurfaceSides *sides, int from, int to, int piece, Arena *arena)
{
  assert(from != to && piece >= 0 && "a side has a length");
  if (sides->count == sides->capacity) {
    int *const columns[5] = {sides->from, sides->to, sides->piece, sides->next, sides->twin};
    int **const places[5] = {&sides->from, &sides->to, &sides->piece, &sides->next, &sides->twin};
    const int wanted = sides->count + 1;
    int capacity = 0;
    for (int k = 0; k < 5; k++) {
      capacity = sides->capacity;
      *places[k] = arena_grow(arena, columns[k], wanted, &capacity, sizeof(int));
    }
    sides->capacity = capacity;
  }
  const int side = sides->count++;
  sides->from[side] = from;
  sides->to[side] = to;
  sides->piece[side] = piece;
  sides->next[side] = sides->twin[side] = -1;
  return side;
}

// Sides by their points, then by number.
static EdgeSide *sort_sides(const SurfaceSides *sides, Arena *arena)
{
  EdgeSide *pairs = arena_allocate(arena, (size_t)sides->count * sizeof *pairs);
  for (int s = 0; s < sides->count; s++) pairs[s] = edge_side(sides->from[s], sides->to[s], s);
  edge_sides_sort(pairs, sides->count);
  return pairs;
}

// Does a side run from its lower point to the higher one?
static bool runs_forward(const SurfaceSides *sides, EdgeSide pair)
{
  return sides->from[pair.side] == pair.low;
}

static int group_balance(const SurfaceSides *sides, const EdgeSide *pairs, int first, int end)
{
  int balance = 0;
  for (int i = first; i < end; i++) balance += runs_forward(sides, pairs[i]) ? 1 : -1;
  return balance;
}

// A point on a side: how far along it.
typedef struct {
  double along;   // m
  int point;
} SidePlace;

static int order_side_places(const void *a, const void *b)
{
  return order_f64(((const SidePlace *)a)->along, ((const SidePlace *)b)->along);
}

// Cuts a side at the given points, nearest first.
static void cut_side(SurfaceSides *sides, int side, const SidePlace *places, int count,
                     Arena *arena)
{
  const int end = sides->to[side], after = sides->next[side];
  int last = side;
  for (int i = 0; i < count; i++) {
    sides->to[last] = places[i].point;
    const int next = i + 1 < count ? places[i + 1].point : end;
    const int added = surface_sides_add(sides, places[i].point, next, sides->piece[side], arena);
    sides->next[last] = added;
    last = added;
  }
  sides->to[last] = end;
  sides->next[last] = after;
}

// Points of sides without partners, by their place along x.
static SidePlace *lone_points(const SurfaceSides *sides, const bool *lone, int *count, Arena *arena)
{
  bool *known = arena_allocate_zero(arena, (size_t)sides->point_count, sizeof *known);
  SidePlace *places = arena_allocate(arena, (size_t)sides->point_count * sizeof *places);
  *count = 0;
  for (int s = 0; s < sides->count; s++) {
    const int point = sides->from[s];
    if (!lone[s] || known[point]) continue;
    known[point] = true;
    places[(*count)++] = (SidePlace){sides->points[point].x, point};
  }
  qsort(places, (size_t)*count, sizeof *places, order_side_places);
  return places;
}

// Cuts sides without partners where points of other such sides lie on them.
static void cut_lone_sides(SurfaceSides *sides, Arena *arena)
{
  // which sides have no partner
  bool *lone = arena_allocate_zero(arena, (size_t)sides->count, sizeof *lone);
  const EdgeSide *pairs = sort_sides(sides, arena);
  bool any = false;
  for (int i = 0; i < sides->count;) {
    const int end = edge_sides_end(pairs, sides->count, i);
    const bool open = group_balance(sides, pairs, i, end) != 0;
    for (; i < end; i++) lone[pairs[i].side] = open;
    any = any || open;
  }
  if (!any) return;

  // the points between the ends of each
  int point_count;
  const SidePlace *points = lone_points(sides, lone, &point_count, arena);
  SidePlace *on = arena_allocate(arena, (size_t)point_count * sizeof *on);
  const double tolerance = SURFACE_WELD * sides->extent;
  const int side_count = sides->count;
  for (int s = 0; s < side_count; s++) {
    if (!lone[s]) continue;
    const vec3 from = sides->points[sides->from[s]], to = sides->points[sides->to[s]];
    const double length = vec3_norm(vec3_sub(to, from));
    const vec3 along = vec3_scale(1 / length, vec3_sub(to, from));
    const double low = smaller_of(from.x, to.x) - tolerance;
    const double high = larger_of(from.x, to.x) + tolerance;
    int first = 0, after = point_count, count = 0;
    while (first < after) {
      const int middle = first + (after - first) / 2;
      if (points[middle].along < low) first = middle + 1;
      else after = middle;
    }
    for (int i = first; i < point_count && points[i].along <= high; i++) {
      const vec3 offset = vec3_sub(sides->points[points[i].point], from);
      const double t = vec3_dot(offset, along);
      if (t <= tolerance || t >= length - tolerance ||
          vec3_norm(vec3_axpy(-t, along, offset)) > tolerance)
        continue;
      on[count++] = (SidePlace){t, points[i].point};
    }
    qsort(on, (size_t)count, sizeof *on, order_side_places);
    cut_side(sides, s, on, count, arena);
  }
}

void surface_sides_measure(SurfaceSides *sides, Arena *arena)
{
  const size_t pieces = (size_t)sides->piece_count;
  sides->normals = arena_allocate_zero(arena, pieces, sizeof *sides->normals);
  sides->offsets = arena_allocate_zero(arena, pieces, sizeof *sides->offsets);
  sides->areas = arena_allocate_zero(arena, pieces, sizeof *sides->areas);
  sides->widths = arena_allocate_zero(arena, pieces, sizeof *sides->widths);
  vec3 *origin = arena_allocate_zero(arena, pieces, sizeof *origin);
  double *reach = arena_allocate_zero(arena, pieces, sizeof *reach);
  int *corners = arena_allocate_zero(arena, pieces, sizeof *corners);

  // area vectors about a corner of each piece
  for (int s = 0; s < sides->count; s++) {
    const int p = sides->piece[s];
    if (corners[p]++ == 0) origin[p] = sides->points[sides->from[s]];
    const vec3 from = vec3_sub(sides->points[sides->from[s]], origin[p]);
    const vec3 to = vec3_sub(sides->points[sides->to[s]], origin[p]);
    sides->normals[p] = vec3_axpy(0.5, vec3_cross(from, to), sides->normals[p]);
    reach[p] = larger_of(reach[p], vec3_norm(to));
  }
  for (int p = 0; p < sides->piece_count; p++) {
    const double area = vec3_norm(sides->normals[p]);
    // a sliver thinner than what is welded has no plane of its own
    const bool flat = area > SURFACE_WELD * sides->extent * reach[p];
    sides->areas[p] = flat ? area : 0;
    sides->widths[p] = flat ? area / reach[p] : 0;
    sides->normals[p] = flat ? vec3_scale(1 / area, sides->normals[p]) : (vec3){0, 0, 0};
  }
  for (int s = 0; s < sides->count; s++) {
    const int p = sides->piece[s];
    sides->offsets[p] +=
        vec3_dot(sides->normals[p], sides->points[sides->from[s]]) / (double)corners[p];
  }
}

SurfaceSides surface_sides_weld(const SurfacePieces *pieces, Arena *arena)
{
  const int corners = pieces->start[pieces->count];
  SurfaceSides sides = {.piece_count = pieces->count,
                        .extent = extent_of(pieces->corners, corners)};
  if (!(sides.extent > 0)) return sides;
  const int *point = weld_corners(pieces, &sides, arena);
  for (int p = 0; p < pieces->count; p++) {
    int first = -1, last = -1;
    const int start = pieces->start[p], count = pieces->start[p + 1] - start;
    for (int k = 0; k < count; k++) {
      const int from = point[start + k], to = point[start + (k + 1) % count];
      if (from == to) continue;
      const int side = surface_sides_add(&sides, from, to, p, arena);
      if (first < 0) first = side;
      else sides.next[last] = side;
      last = side;
    }
    if (last >= 0) sides.next[last] = first;
  }
  cut_lone_sides(&sides, arena);
  return sides;
}

// How far a direction at right angles to an axis is turned about it, from 0 to 4, growing with the
// angle: no function of libm.
static double turn_about(vec3 direction, vec3 x, vec3 y)
{
  const double u = vec3_dot(direction, x), v = vec3_dot(direction, y);
  const double s = fabs(u) + fabs(v), t = s > 0 ? v / s : 0;
  return u < 0 ? 2 - t : v < 0 ? 4 + t : t;
}

// Sides of more than two pieces between two points: each forward one goes with the one beyond the
// wedge of solid behind its piece.
static void pair_many(SurfaceSides *sides, const EdgeSide *pairs, int first, int end,
                      Arena *scratch)
{
  const int count = end - first;
  const vec3 axis = vec3_sub(sides->points[pairs[first].high], sides->points[pairs[first].low]);
  SidePlace *turns = arena_allocate(scratch, (size_t)count * sizeof *turns);
  vec3 x = {0, 0, 0}, y = {0, 0, 0};
  for (int i = 0; i < count; i++) {
    const EdgeSide pair = pairs[first + i];
    const vec3 along = runs_forward(sides, pair) ? axis : vec3_neg(axis);
    const vec3 into = vec3_cross(sides->normals[sides->piece[pair.side]], along);
    if (i == 0) {
      x = into;
      y = vec3_cross(axis, into);
      x = vec3_scale(vec3_norm(axis), x);
    }
    turns[i] = (SidePlace){turn_about(into, x, y), i};
  }
  qsort(turns, (size_t)count, sizeof *turns, order_side_places);
  for (int i = 0; i < count; i++) {
    const EdgeSide here = pairs[first + turns[i].point];
    if (!runs_forward(sides, here)) continue;
    for (int k = 1; k < count; k++) {
      const EdgeSide there = pairs[first + turns[(i - k + count) % count].point];
      if (runs_forward(sides, there) || sides->twin[there.side] >= 0) continue;
      sides->twin[here.side] = there.side;
      sides->twin[there.side] = here.side;
      break;
    }
  }
}

SurfaceResult surface_sides_pair(SurfaceSides *sides, Arena *scratch)
{
  const ArenaMark mark = arena_mark(scratch);
  const EdgeSide *pairs = sort_sides(sides, scratch);
  SurfaceResult result = {.status = SURFACE_OK};
  for (int i = 0; i < sides->count && result.status == SURFACE_OK;) {
    const int end = edge_sides_end(pairs, sides->count, i), side = pairs[i].side;
    if (group_balance(sides, pairs, i, end) != 0) {
      result = (SurfaceResult){.status = SURFACE_OPEN,
                               .piece = sides->piece[side],
                               .from = sides->points[sides->from[side]],
                               .to = sides->points[sides->to[side]]};
    } else if (end == i + 2) {
      sides->twin[side] = pairs[i + 1].side;
      sides->twin[pairs[i + 1].side] = side;
    } else {
      pair_many(sides, pairs, i, end, scratch);
    }
    i = end;
  }
  arena_release(scratch, mark);
  return result;
}
