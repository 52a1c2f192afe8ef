// Merges convex cells into few convex parts.
#include "cell_merge.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "cell_hull.h"
#include "check.h"
#include "edge_sides.h"
#include "exact_sum.h"
#include "mesh_union.h"
#include "numbers.h"

typedef struct {
  double key;   // larger first
  int face;
} Choice;

// Parts in the making. A boundary entry is twice a face plus the side (0, 1) whose cell it bounds.
typedef struct {
  const Cells *cells;
  MergeOrder order;
  bool strict;               // unions are judged by their hulls too
  int *parent;               // [cells] of the union-find forest
  double *volume;            // [cells] of the part of a root, m3
  int *head, *tail, *size;   // [cells] boundary entries of the part of a root, -1: none
  int *next;                 // [2 faces]
  int *edge_of;              // [loops] edge that leaves a corner
  int *edge_start;           // [edges + 1] into edge_faces
  int *edge_faces;
  int *edge_seen;      // [edges] last test that looked at it
  int test;            // number of the test
  int *shared, *rim;   // faces between the two parts, edges of these
  int shared_count, rim_count;
  Choice *heap;
  int heap_count;
  bool *queued;   // [faces]
  Arena *scratch;
} Merge;

// -- edges ----------------------------------------------------------------------------------------

static void merge_find_edges(Merge *m)
{
  const Cells *cells = m->cells;
  int count = 0;
  for (int f = 0; f < cells->face_count; f++) count += cells->faces[f].count;
  m->edge_of = arena_allocate(m->scratch, (size_t)cells->loop_count * sizeof *m->edge_of);
  m->edge_start = arena_allocate(m->scratch, ((size_t)count + 1) * sizeof *m->edge_start);
  m->edge_faces = arena_allocate(m->scratch, (size_t)count * sizeof *m->edge_faces);
  m->edge_seen = arena_allocate_zero(m->scratch, (size_t)count, sizeof *m->edge_seen);
  const ArenaMark mark = arena_mark(m->scratch);
  EdgeSide *sides = arena_allocate(m->scratch, (size_t)count * sizeof *sides);
  int *face_of = arena_allocate(m->scratch, (size_t)cells->loop_count * sizeof *face_of);
  count = 0;
  for (int f = 0; f < cells->face_count; f++) {
    const CellFace *face = &cells->faces[f];
    for (int k = 0; k < face->count; k++) {
      const int *loop = cells->loops + face->first;
      sides[count++] = edge_side(loop[k], loop[(k + 1) % face->count], face->first + k);
      face_of[face->first + k] = f;
    }
  }
  edge_sides_sort(sides, count);
  int edges = 0;
  for (int i = 0, end; i < count; i = end, edges++) {
    end = edge_sides_end(sides, count, i);
    m->edge_start[edges] = i;
    for (int k = i; k < end; k++) {
      m->edge_of[sides[k].side] = edges;
      m->edge_faces[k] = face_of[sides[k].side];
    }
  }
  m->edge_start[edges] = count;
  arena_release(m->scratch, mark);
}

// -- parts ----------------------------------------------------------------------------------------

static int part_of(Merge *m, int cell) { return union_root(m->parent, cell); }

static void part_join(Merge *m, int p, int q)
{
  assert(p >= 0 && q >= 0 && p != q && "two parts are joined");
  const int to = p < q ? p : q, from = p < q ? q : p;
  union_join(m->parent, p, q);
  m->volume[to] += m->volume[from];
  if (m->head[from] < 0) return;
  if (m->head[to] < 0) m->head[to] = m->head[from];
  else m->next[m->tail[to]] = m->head[from];
  m->tail[to] = m->tail[from];
  m->size[to] += m->size[from];
}

static void part_add_entry(Merge *m, int p, int entry)
{
  assert_debug(entry >= 0 && entry < 2 * m->cells->face_count && "an entry is a side of a face");
  m->next[entry] = -1;
  if (m->head[p] < 0) m->head[p] = entry;
  else m->next[m->tail[p]] = entry;
  m->tail[p] = entry;
  m->size[p]++;
}

// -- choices --------------------------------------------------------------------------------------

static bool choice_is_before(Choice a, Choice b)
{
  return a.key != b.key ? a.key > b.key : a.face < b.face;
}

static void heap_push(Merge *m, Choice choice)
{
  assert_debug(m->heap_count < m->cells->face_count && "every face is queued once");
  int i = m->heap_count++;
  for (int up; i > 0; i = up) {
    up = (i - 1) / 2;
    if (!choice_is_before(choice, m->heap[up])) break;
    m->heap[i] = m->heap[up];
  }
  m->heap[i] = choice;
}

static Choice heap_pop(Merge *m)
{
  assert(m->heap_count > 0 && "a face is queued");
  const Choice top = m->heap[0], last = m->heap[--m->heap_count];
  int i = 0;
  for (int down; (down = 2 * i + 1) < m->heap_count; i = down) {
    if (down + 1 < m->heap_count && choice_is_before(m->heap[down + 1], m->heap[down])) down++;
    if (!choice_is_before(m->heap[down], last)) break;
    m->heap[i] = m->heap[down];
  }
  m->heap[i] = last;
  return top;
}

static void push_face(Merge *m, int f)
{
  assert_debug(f >= 0 && f < m->cells->face_count && "a face has a number");
  const CellFace *face = &m->cells->faces[f];
  if (face->cell[1] < 0 || m->queued[f]) return;
  const int p = part_of(m, face->cell[0]), q = part_of(m, face->cell[1]);
  if (p == q) return;
  const double least = fmin(m->volume[p], m->volume[q]), sum = m->volume[p] + m->volume[q];
  const double area = vec3_norm(cells_face_area(m->cells, f));
  double key = 0;
  switch (m->order) {
  case MERGE_BROAD: key = area * area * area / (least * least); break;
  case MERGE_SMALL: key = -sum; break;
  case MERGE_LARGE: key = sum; break;
  case MERGE_ORDERS: break;
  }
  m->queued[f] = true;
  heap_push(m, (Choice){key, f});
}

// -- tests ----------------------------------------------------------------------------------------

// Fills shared and rim: the faces between two parts, and all their edges.
static void find_shared(Merge *m, int p, int q)
{
  assert(p != q && "two parts share faces");
  const Cells *cells = m->cells;
  const int from = m->size[p] <= m->size[q] ? p : q, other = from == p ? q : p;
  m->shared_count = m->rim_count = 0;
  m->test++;
  int last = -1;
  for (int e = m->head[from], next; e >= 0; e = next) {
    next = m->next[e];
    const CellFace *face = &cells->faces[e / 2];
    const int beyond = face->cell[1 - e % 2];
    const int part = beyond < 0 ? -1 : part_of(m, beyond);
    if (part == from) {
      // inner faces leave the boundary for good
      if (last < 0) m->head[from] = next;
      else m->next[last] = next;
      if (next < 0) m->tail[from] = last;
      m->size[from]--;
      continue;
    }
    last = e;
    if (part != other) continue;
    m->shared[m->shared_count++] = e / 2;
    for (int k = 0; k < face->count; k++) {
      const int edge = m->edge_of[face->first + k];
      if (m->edge_seen[edge] == m->test) continue;
      m->edge_seen[edge] = m->test;
      m->rim[m->rim_count++] = edge;
    }
  }
}

// Is the union of two parts convex along an edge of their shared faces? Inner edges are.
static bool edge_joins_convex(Merge *m, int edge, int p, int q)
{
  assert_debug(edge >= 0 && p != q && "two parts meet at an edge");
  int faces[2], owners[2], count = 0;
  for (int i = m->edge_start[edge]; i < m->edge_start[edge + 1]; i++) {
    const int f = m->edge_faces[i];
    bool inside[2] = {false, false};
    for (int side = 0; side < 2; side++) {
      const int c = m->cells->faces[f].cell[side];
      const int part = c < 0 ? -1 : part_of(m, c);
      inside[side] = part == p || part == q;
    }
    if (inside[0] == inside[1]) continue;
    if (count == 2) return false;
    faces[count] = f;
    owners[count++] = m->cells->faces[f].cell[inside[0] ? 0 : 1];
  }
  if (count == 0) return true;
  return count == 2 && cells_edge_is_convex(m->cells, faces[0], owners[0], faces[1], owners[1]);
}

static bool hull_joins_convex(Merge *m, int p, int q)
{
  assert(m->size[p] >= 0 && m->size[q] >= 0 && "boundaries are counted");
  const ArenaMark mark = arena_mark(m->scratch);
  const size_t room = (size_t)m->size[p] + (size_t)m->size[q];
  BoundaryFace *faces = arena_allocate(m->scratch, room * sizeof *faces);
  int count = 0;
  for (int side = 0; side < 2; side++) {
    for (int e = m->head[side ? q : p]; e >= 0; e = m->next[e]) {
      const int *cell = m->cells->faces[e / 2].cell;
      const int part = cell[1 - e % 2] < 0 ? -1 : part_of(m, cell[1 - e % 2]);
      if (part != p && part != q) faces[count++] = (BoundaryFace){e / 2, cell[e % 2]};
    }
  }
  const bool convex =
      cell_hull_boundary_is_convex(m->cells, faces, count, m->volume[p] + m->volume[q], m->scratch);
  arena_release(m->scratch, mark);
  return convex;
}

static bool try_merge(Merge *m, int p, int q)
{
  assert(p != q && "two parts are merged");
  find_shared(m, p, q);
  for (int i = 0; i < m->rim_count; i++) {
    if (!edge_joins_convex(m, m->rim[i], p, q)) return false;
  }
  if (m->strict && !hull_joins_convex(m, p, q)) return false;
  part_join(m, p, q);
  return true;
}

static void merge_all(Merge *m)
{
  for (int f = 0; f < m->cells->face_count; f++) push_face(m, f);
  while (m->heap_count > 0) {
    const int f = heap_pop(m).face;
    m->queued[f] = false;
    const int p = part_of(m, m->cells->faces[f].cell[0]);
    const int q = part_of(m, m->cells->faces[f].cell[1]);
    if (p == q || !try_merge(m, p, q)) continue;
    // what was refused may be right now, but only where something has changed
    for (int i = 0; i < m->rim_count; i++) {
      const int edge = m->rim[i];
      for (int k = m->edge_start[edge]; k < m->edge_start[edge + 1]; k++)
        push_face(m, m->edge_faces[k]);
    }
  }
}

// -- all ------------------------------------------------------------------------------------------

static Merge merge_new(const Cells *cells, MergeOrder order, Arena *scratch)
{
  assert(order < MERGE_ORDERS && "an order says which neighbours come first");
  const size_t cell_count = (size_t)cells->cell_count, faces = (size_t)cells->face_count;
  Merge m = {.cells = cells, .order = order, .scratch = scratch};
  m.parent = arena_allocate(scratch, cell_count * sizeof(int));
  m.volume = arena_allocate(scratch, cell_count * sizeof(double));
  m.head = arena_allocate(scratch, cell_count * sizeof(int));
  m.tail = arena_allocate(scratch, cell_count * sizeof(int));
  m.size = arena_allocate_zero(scratch, cell_count, sizeof(int));
  m.next = arena_allocate(scratch, 2 * faces * sizeof(int));
  m.shared = arena_allocate(scratch, faces * sizeof(int));
  m.heap = arena_allocate(scratch, faces * sizeof(Choice));
  m.queued = arena_allocate_zero(scratch, faces, sizeof(bool));
  merge_find_edges(&m);
  m.rim = arena_allocate(scratch, (size_t)cells->loop_count * sizeof(int));
  return m;
}

// Parts as they begin: first[cell] is the lowest cell of its part.
static void merge_begin(Merge *m, const int *first)
{
  const Cells *cells = m->cells;
  for (int c = 0; c < cells->cell_count; c++) {
    m->parent[c] = c;
    m->volume[c] = cells->cells[c].volume;
    m->head[c] = m->tail[c] = -1;
    m->size[c] = 0;
  }
  for (int c = 0; c < cells->cell_count; c++) {
    if (first[c] != c) part_join(m, first[c], c);
  }
  for (int f = 0; f < cells->face_count; f++) {
    const CellFace *face = &cells->faces[f];
    const int p = first[face->cell[0]], q = face->cell[1] < 0 ? -1 : first[face->cell[1]];
    if (p == q) continue;
    part_add_entry(m, p, 2 * f);
    if (q >= 0) part_add_entry(m, q, 2 * f + 1);
  }
}

// Takes parts apart that are not convex as a whole. first: the lowest cell of the part of each
// cell. Returns how many were taken apart.
static int check_parts(const Cells *cells, int *first, Arena *scratch)
{
  const ArenaMark mark = arena_mark(scratch);
  const NumberGroups groups = numbers_group(first, cells->cell_count, cells->cell_count, scratch);
  BoundaryFace *faces = arena_allocate(scratch, 2 * (size_t)cells->face_count * sizeof *faces);
  int failed = 0;
  for (int p = 0; p < cells->cell_count; p++) {
    const int count = groups.start[p + 1] - groups.start[p];
    const int *part = groups.members + groups.start[p];
    if (count < 2) continue;
    ExactSum volume = exact_sum_new();
    for (int i = 0; i < count; i++) exact_sum_add(&volume, cells->cells[part[i]].volume);
    const int found = cell_hull_list_boundary(cells, part, count, first, faces);
    if (cell_hull_boundary_is_convex(cells, faces, found, exact_sum_value(&volume), scratch))
      continue;
    for (int i = 0; i < count; i++) first[part[i]] = part[i];
    failed++;
  }
  arena_release(scratch, mark);
  return failed;
}

// The lowest cell of each group, and each lone cell itself.
static void first_of_groups(const Cells *cells, int *first, Arena *scratch)
{
  int groups = 0;
  for (int c = 0; c < cells->cell_count; c++) {
    if (cells->cells[c].group >= groups) groups = cells->cells[c].group + 1;
  }
  const ArenaMark mark = arena_mark(scratch);
  int *lowest = arena_allocate(scratch, (size_t)groups * sizeof *lowest);
  for (int g = 0; g < groups; g++) lowest[g] = -1;
  for (int c = 0; c < cells->cell_count; c++) {
    const int group = cells->cells[c].group;
    first[c] = c;
    if (group < 0) continue;
    if (lowest[group] < 0) lowest[group] = c;
    first[c] = lowest[group];
  }
  arena_release(scratch, mark);
}

CellParts cell_merge_all(const Cells *cells, MergeOrder order, Arena *arena)
{
  assert(cells->cell_count > 0 && cells->face_count > 0 && "a solid has cells");
  Arena scratch = arena_new();
  CellParts parts = {.part = arena_allocate(arena, (size_t)cells->cell_count * sizeof(int))};
  int *first = arena_allocate(&scratch, (size_t)cells->cell_count * sizeof *first);
  first_of_groups(cells, first, &scratch);
  check_parts(cells, first, &scratch);
  Merge m = merge_new(cells, order, &scratch);
  // a second time with hulls where edges alone were too lenient, as on dents of rounding's depth
  for (int failed = 1; failed > 0;) {
    merge_begin(&m, first);
    merge_all(&m);
    for (int c = 0; c < cells->cell_count; c++) first[c] = part_of(&m, c);
    failed = m.strict ? 0 : check_parts(cells, first, &scratch);
    m.strict = true;
  }
  // roots are the lowest cells of their parts
  for (int c = 0; c < cells->cell_count; c++) {
    assert(first[c] >= 0 && first[c] <= c && "a part begins with its lowest cell");
    parts.part[c] = first[c] == c ? parts.count++ : parts.part[first[c]];
  }
  arena_destroy(&scratch);
  return parts;
}
