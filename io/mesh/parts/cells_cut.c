// Cuts cells by a plane, so that they still fit together.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "check.h"
#include "hash.h"

#define CUT_LONGEST 4096   // corners of one face

// What a cutting plane does to points and edges.
typedef struct {
  Cells *cells;
  Plane plane;
  signed char *side;   // [points] -1 below, 0 in it, 1 above; of points of the group
  int edge_room;       // power of two
  int edge_count;
  int (*edges)[3];   // low, high, new point; low -1: free
} Cut;

static int *edge_slot(const Cut *cut, int a, int b)
{
  assert_debug(a >= 0 && b >= 0 && "an edge has two ends");
  const int low = a < b ? a : b, high = a < b ? b : a;
  const uint64_t mask = (uint64_t)cut->edge_room - 1;
  uint64_t i = hash_mix((uint64_t)low, (uint64_t)high) & mask;
  while (cut->edges[i][0] >= 0 && (cut->edges[i][0] != low || cut->edges[i][1] != high))
    i = (i + 1) & mask;
  return cut->edges[i];
}

// Which side each corner of the group lies on.
static void cut_measure(Cut *cut, int group, Arena *scratch)
{
  Cells *cells = cut->cells;
  const double snap = CELL_SNAP * cells->extent;
  cut->side = arena_allocate_zero(scratch, (size_t)cells->point_count, sizeof *cut->side);
  int corners = 0;
  for (int c = 0; c < cells->cell_count; c++) {
    if (cells->cells[c].group != group) continue;
    for (int i = 0; i < cells->cells[c].count; i++) {
      const CellFace *face = &cells->faces[cells->cells[c].faces[i]];
      corners += face->count;
      for (int k = 0; k < face->count; k++) {
        const int p = cells->loops[face->first + k];
        const double height = vec3_dot(cut->plane.normal, cells->points[p]) - cut->plane.offset;
        cut->side[p] = (signed char)((height > snap) - (height < -snap));
      }
    }
  }
  cut->edge_room = 64;
  while (cut->edge_room < 2 * corners) cut->edge_room *= 2;
  cut->edges = arena_allocate(scratch, (size_t)cut->edge_room * sizeof *cut->edges);
  for (int i = 0; i < cut->edge_room; i++) cut->edges[i][0] = -1;
}

// The new point where an edge passes through the plane: the same from both ends.
static int cut_edge(Cut *cut, int a, int b)
{
  assert(cut->edge_count < cut->edge_room && "edges have room");
  assert(cut->side[a] * cut->side[b] < 0 && "the edge passes through the plane");
  int *slot = edge_slot(cut, a, b);
  if (slot[0] >= 0) return slot[2];
  Cells *cells = cut->cells;
  const int low = a < b ? a : b, high = a < b ? b : a;
  const vec3 from = cells->points[low], to = cells->points[high];
  const double s = vec3_dot(cut->plane.normal, from) - cut->plane.offset;
  const double t = vec3_dot(cut->plane.normal, to) - cut->plane.offset;
  const vec3 point = vec3_axpy(s / (s - t), vec3_sub(to, from), from);
  slot[0] = low;
  slot[1] = high;
  slot[2] = cells_add_point(cells, point);
  cut->edge_count++;
  return slot[2];
}

static int side_of(const Cut *cut, int point, int old_points)
{
  return point < old_points ? cut->side[point] : 0;
}

// Puts the new points into the loops of all faces, those of other groups too.
static bool cut_loops(Cut *cut)
{
  Cells *cells = cut->cells;
  int loop[CUT_LONGEST];
  for (int f = 0; f < cells->face_count; f++) {
    CellFace *face = &cells->faces[f];
    if (2 * face->count > CUT_LONGEST) return false;
    int count = 0;
    for (int k = 0; k < face->count; k++) {
      const int a = cells->loops[face->first + k];
      const int b = cells->loops[face->first + (k + 1) % face->count];
      const int *slot = edge_slot(cut, a, b);
      loop[count++] = a;
      if (slot[0] >= 0) loop[count++] = slot[2];
    }
    if (count == face->count) continue;
    face->first = cells_add_loop(cells, loop, count);
    cells->faces[f].count = count;
  }
  return true;
}

// Splits a face whose corners lie on both sides: it keeps what is below, the new face (returned) is
// what is above. -1: the corners do not change sides exactly twice.
static int cut_face(Cut *cut, int f, int old_points)
{
  assert(f >= 0 && f < cut->cells->face_count && "a face has a number");
  Cells *cells = cut->cells;
  const CellFace face = cells->faces[f];
  int below[CUT_LONGEST], above[CUT_LONGEST], below_count = 0, above_count = 0, rise = -1,
                                              changes = 0;
  for (int k = 0, last = 0; k < 2 * face.count; k++) {
    const int side = side_of(cut, cells->loops[face.first + k % face.count], old_points);
    if (side == 0) continue;
    if (k >= face.count && last != 0 && side != last) changes++;
    // the first corner above after one below
    if (last < 0 && side > 0) rise = k % face.count;
    last = side;
  }
  if (changes > 2 || rise < 0) return -1;
  // from the corner before the rise, which lies in the plane, on
  int k = 0;
  const int start = (rise + face.count - 1) % face.count;
  above[above_count++] = cells->loops[face.first + start];
  for (k = 1; k < face.count; k++) {
    const int p = cells->loops[face.first + (start + k) % face.count];
    above[above_count++] = p;
    if (side_of(cut, p, old_points) <= 0) break;
  }
  for (; k <= face.count; k++) {
    below[below_count++] = cells->loops[face.first + (start + k) % face.count];
  }
  for (int i = 0; i < below_count; i++) {
    if (side_of(cut, below[i], old_points) > 0) return -1;
  }
  if (side_of(cut, above[0], old_points) != 0 ||
      side_of(cut, above[above_count - 1], old_points) != 0 || above_count < 3 || below_count < 3)
    return -1;
  cells->faces[f].first = cells_add_loop(cells, below, below_count);
  cells->faces[f].count = below_count;
  CellFace upper = face;
  upper.first = cells_add_loop(cells, above, above_count);
  upper.count = above_count;
  return cells_add_face(cells, upper);
}

static void replace_face(Cells *cells, int cell, const int *faces, int count)
{
  assert(cell >= 0 && cell < cells->cell_count && count > 0 && "a cell has faces");
  Cell *c = &cells->cells[cell];
  c->faces = arena_allocate(cells->arena, (size_t)count * sizeof *c->faces);
  memcpy(c->faces, faces, (size_t)count * sizeof *faces);
  c->count = count;
}

// Adds the upper pieces of split faces to the lists of the cells they bound.
static bool cut_lists(Cells *cells, const int *upper, int old_faces)
{
  int faces[CUT_LONGEST];
  for (int c = 0; c < cells->cell_count; c++) {
    const Cell *cell = &cells->cells[c];
    int count = 0;
    if (2 * cell->count > CUT_LONGEST) return false;
    for (int i = 0; i < cell->count; i++) {
      const int f = cell->faces[i];
      faces[count++] = f;
      if (f < old_faces && upper[f] >= 0) faces[count++] = upper[f];
    }
    if (count > cell->count) replace_face(cells, c, faces, count);
  }
  return true;
}

static int face_side(const Cut *cut, int f, int old_points)
{
  assert_debug(f >= 0 && f < cut->cells->face_count && "a face has a number");
  const CellFace *face = &cut->cells->faces[f];
  for (int k = 0; k < face->count; k++) {
    const int side = side_of(cut, cut->cells->loops[face->first + k], old_points);
    if (side != 0) return side;
  }
  return 0;
}

static double cell_volume(const Cells *cells, int c)
{
  assert(c >= 0 && c < cells->cell_count && cells->cells[c].count > 0 && "a cell has faces");
  const Cell *cell = &cells->cells[c];
  const vec3 from = cells->points[cells->loops[cells->faces[cell->faces[0]].first]];
  double sixfold = 0;
  for (int i = 0; i < cell->count; i++) {
    const CellFace *face = &cells->faces[cell->faces[i]];
    const int *loop = cells->loops + face->first;
    const double sign = face->cell[0] == c ? 1 : -1;
    const vec3 a = vec3_sub(cells->points[loop[0]], from);
    for (int k = 1; k + 1 < face->count; k++) {
      const vec3 b = vec3_sub(cells->points[loop[k]], from);
      const vec3 d = vec3_sub(cells->points[loop[k + 1]], from);
      sixfold += sign * vec3_dot(a, vec3_cross(b, d));
    }
  }
  return sixfold / 6;
}

typedef struct {
  int from, to;
} DirectedEdge;

// The outline of the lower faces of a cell: the loop of the face that closes them, seen from above.
// Returns its number of corners, 0 when it is no single loop.
static int cap_loop(const Cells *cells, int c, const int *lower, int lower_count, int *loop)
{
  assert(lower_count >= 0 && lower_count < CUT_LONGEST && "faces below the plane have room");
  DirectedEdge open[CUT_LONGEST];
  int count = 0;
  for (int i = 0; i < lower_count; i++) {
    const CellFace *face = &cells->faces[lower[i]];
    for (int k = 0; k < face->count; k++) {
      const int a = cells->loops[face->first + k];
      const int b = cells->loops[face->first + (k + 1) % face->count];
      // the cap runs against the faces it closes
      const DirectedEdge edge = face->cell[0] == c ? (DirectedEdge){b, a} : (DirectedEdge){a, b};
      int twin = 0;
      while (twin < count && (open[twin].from != edge.to || open[twin].to != edge.from)) twin++;
      if (twin < count) open[twin] = open[--count];
      else if (count == CUT_LONGEST) return 0;
      else open[count++] = edge;
    }
  }
  int length = 0;
  if (count < 3) return 0;
  for (int at = open[0].from; length < count;) {
    loop[length++] = at;
    int next = 0;
    while (next < count && open[next].from != at) next++;
    if (next == count) return 0;
    at = open[next].to;
    if (at == open[0].from) break;
  }
  return length == count ? length : 0;
}

// Splits a cell that has faces on both sides.
static bool cut_cell(Cut *cut, int c, int plane, int old_points)
{
  assert(c >= 0 && c < cut->cells->cell_count && plane >= 0 && plane < cut->cells->plane_count &&
         "a cell and a plane have numbers");
  Cells *cells = cut->cells;
  int lower[CUT_LONGEST], upper[CUT_LONGEST], loop[CUT_LONGEST], lower_count = 0, upper_count = 0;
  if (cells->cells[c].count + 1 > CUT_LONGEST) return false;
  for (int i = 0; i < cells->cells[c].count; i++) {
    const int f = cells->cells[c].faces[i], side = face_side(cut, f, old_points);
    if (side == 0) return false;
    if (side < 0) lower[lower_count++] = f;
    else upper[upper_count++] = f;
  }
  const int length = cap_loop(cells, c, lower, lower_count, loop);
  if (length == 0) return false;
  for (int k = 0; k < length; k++) {
    if (side_of(cut, loop[k], old_points) != 0) return false;
  }
  const int above = cells_add_cell(cells, cells->cells[c]);
  for (int i = 0; i < upper_count; i++) {
    CellFace *face = &cells->faces[upper[i]];
    face->cell[face->cell[0] != c] = above;
  }
  const int first = cells_add_loop(cells, loop, length);
  const int cap = cells_add_face(
      cells, (CellFace){.first = first, .count = length, .plane = plane, .cell = {c, above}});
  lower[lower_count++] = cap;
  upper[upper_count++] = cap;
  replace_face(cells, c, lower, lower_count);
  replace_face(cells, above, upper, upper_count);
  cells->cells[c].volume = cell_volume(cells, c);
  cells->cells[above].volume = cell_volume(cells, above);
  cells->cells[c].side = -1;
  cells->cells[above].side = 1;
  return cells->cells[c].volume > 0 && cells->cells[above].volume > 0;
}

static bool cut_cells(Cut *cut, int group, int old_points)
{
  Cells *cells = cut->cells;
  const int old_cells = cells->cell_count, plane = cells_add_plane(cells, cut->plane);
  for (int c = 0; c < old_cells; c++) {
    if (cells->cells[c].group != group) continue;
    bool below = false, above = false;
    for (int i = 0; i < cells->cells[c].count; i++) {
      const int side = face_side(cut, cells->cells[c].faces[i], old_points);
      below |= side < 0;
      above |= side > 0;
    }
    if (below == above && !(below && cut_cell(cut, c, plane, old_points))) return false;
    if (below != above) cells->cells[c].side = below ? -1 : 1;
  }
  return true;
}

bool cells_cut(Cells *cells, int group, Plane plane)
{
  assert(cells->extent > 0 && "a solid has an extent");
  Arena scratch = arena_new();
  Cut cut = {.cells = cells, .plane = plane};
  const int old_points = cells->point_count, old_faces = cells->face_count;
  cut_measure(&cut, group, &scratch);
  int *upper = arena_allocate(&scratch, (size_t)old_faces * sizeof *upper);
  for (int f = 0; f < old_faces; f++) {
    upper[f] = -1;
    const CellFace face = cells->faces[f];
    if (cells->cells[face.cell[0]].group != group &&
        (face.cell[1] < 0 || cells->cells[face.cell[1]].group != group))
      continue;
    bool below = false, above = false;
    for (int k = 0; k < face.count; k++) {
      const int a = cells->loops[face.first + k];
      const int b = cells->loops[face.first + (k + 1) % face.count];
      below |= cut.side[a] < 0;
      above |= cut.side[a] > 0;
      if (cut.side[a] * cut.side[b] < 0) cut_edge(&cut, a, b);
    }
    if (below && above) upper[f] = 0;
  }
  bool sound = cut.edge_count == 0 || cut_loops(&cut);
  for (int f = 0; f < old_faces && sound; f++) {
    if (upper[f] < 0) continue;
    upper[f] = cut_face(&cut, f, old_points);
    sound = upper[f] >= 0;
  }
  sound = sound && cut_lists(cells, upper, old_faces) && cut_cells(&cut, group, old_points);
  arena_destroy(&scratch);
  return sound;
}
