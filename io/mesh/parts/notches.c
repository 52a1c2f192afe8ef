// Cuts a solid along planes through its reentrant edges until every piece is convex.
#include "notches.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "edge_sides.h"

#define NOTCH_MOST 5000         // reentrant edges of a solid
#define NOTCH_TRIED 32          // of them, whose planes are tried for one cut
#define NOTCH_SLIVER 1e-6       // of the extent: corners this near a cut leave slivers
#define NOTCH_WORK 1000000000   // heights computed and faces walked, in all

typedef struct {
  int u, v;
  int face[2], cell[2];
} Notch;

// The boundary of one group of cells.
typedef struct {
  int edge_count;
  int (*edges)[2];
  int notch_count;
  Notch *notches;
} Boundary;

// A plane and what it does.
typedef struct {
  Plane plane;
  int gain;       // reentrant edges it resolves, less those it cuts in two
  bool slivers;   // it passes by corners very near
  int crossed;    // edges of the boundary
} Candidate;

// Sides of the faces of the boundary: twice the face, plus which of its cells is of the group.
static Boundary group_boundary(const Cells *cells, int group, Arena *scratch)
{
  int room = 0;
  for (int f = 0; f < cells->face_count; f++) room += cells->faces[f].count;
  EdgeSide *sides = arena_allocate(scratch, (size_t)room * sizeof *sides);
  int count = 0;
  for (int f = 0; f < cells->face_count; f++) {
    const CellFace *face = &cells->faces[f];
    const bool first = cells->cells[face->cell[0]].group == group;
    const bool second = face->cell[1] >= 0 && cells->cells[face->cell[1]].group == group;
    if (first == second) continue;
    for (int k = 0; k < face->count; k++) {
      const int *loop = cells->loops + face->first;
      sides[count++] = edge_side(loop[k], loop[(k + 1) % face->count], 2 * f + !first);
    }
  }
  edge_sides_sort(sides, count);
  Boundary boundary = {.edges = arena_allocate(scratch, (size_t)count * sizeof *boundary.edges),
                       .notches =
                           arena_allocate(scratch, (size_t)count * sizeof *boundary.notches)};
  for (int i = 0, end; i < count; i = end) {
    end = edge_sides_end(sides, count, i);
    boundary.edges[boundary.edge_count][0] = sides[i].low;
    boundary.edges[boundary.edge_count++][1] = sides[i].high;
    // where more than two faces meet, the first two stand for all
    const int f = sides[i].side, g = sides[i + 1].side;
    const Notch notch = {sides[i].low,
                         sides[i].high,
                         {f / 2, g / 2},
                         {cells->faces[f / 2].cell[f % 2], cells->faces[g / 2].cell[g % 2]}};
    if (end - i == 2 &&
        cells_edge_is_convex(cells, notch.face[0], notch.cell[0], notch.face[1], notch.cell[1]))
      continue;
    boundary.notches[boundary.notch_count++] = notch;
  }
  return boundary;
}

// Height of the corner of a face that is farthest from a plane, with its sign.
static double farthest_height(const Cells *cells, int f, Plane plane)
{
  const CellFace *face = &cells->faces[f];
  double farthest = 0;
  for (int k = 0; k < face->count; k++) {
    const double height = plane_height(plane, cells->points[cells->loops[face->first + k]]);
    if (fabs(height) > fabs(farthest)) farthest = height;
  }
  return farthest;
}

static Candidate judge_plane(const Cells *cells, const Boundary *boundary, Plane plane)
{
  const double snap = CELL_SNAP * cells->extent, near = NOTCH_SLIVER * cells->extent;
  Candidate candidate = {.plane = plane};
  bool above = false, below = false;
  for (int e = 0; e < boundary->edge_count; e++) {
    const double a = plane_height(plane, cells->points[boundary->edges[e][0]]);
    const double b = plane_height(plane, cells->points[boundary->edges[e][1]]);
    candidate.slivers |= (fabs(a) > snap && fabs(a) < near) || (fabs(b) > snap && fabs(b) < near);
    candidate.crossed += (a > snap && b < -snap) || (a < -snap && b > snap);
    above |= a > snap || b > snap;
    below |= a < -snap || b < -snap;
  }
  if (!above || !below) return candidate;   // it cuts nothing: a notch as flat as corners snap
  for (int i = 0; i < boundary->notch_count; i++) {
    const Notch *notch = &boundary->notches[i];
    const double u = plane_height(plane, cells->points[notch->u]);
    const double v = plane_height(plane, cells->points[notch->v]);
    if ((u > snap && v < -snap) || (u < -snap && v > snap)) candidate.gain--;
    if (fabs(u) > snap || fabs(v) > snap) continue;
    // the plane parts the two faces, so that neither side keeps more than a half space there
    const double a = farthest_height(cells, notch->face[0], plane);
    const double b = farthest_height(cells, notch->face[1], plane);
    candidate.gain += fabs(a) <= snap || fabs(b) <= snap || (a > 0) != (b > 0);
  }
  return candidate;
}

static bool candidate_is_better(Candidate a, Candidate b)
{
  if (a.slivers != b.slivers) return !a.slivers;
  if (a.gain != b.gain) return a.gain > b.gain;
  return a.crossed < b.crossed;
}

// The plane that halves a notch.
static bool halving_plane(const Cells *cells, const Notch *notch, Plane *plane)
{
  vec3 sum = {0, 0, 0};
  for (int k = 0; k < 2; k++) {
    const Plane face = cells_face_plane(cells, &cells->faces[notch->face[k]], notch->cell[k]);
    sum = vec3_add(sum, face.normal);
  }
  const vec3 u = cells->points[notch->u], v = cells->points[notch->v];
  const vec3 normal = vec3_cross(vec3_sub(v, u), sum);
  const double length = vec3_norm(normal);
  if (!(length > 1e-6 * vec3_norm(vec3_sub(v, u)))) return false;
  plane->normal = vec3_scale(1 / length, normal);
  plane->offset = 0.5 * (vec3_dot(plane->normal, u) + vec3_dot(plane->normal, v));
  return true;
}

// The best plane through a notch: the two faces prolonged, then the one that halves it.
static bool choose_plane(const Cells *cells, const Boundary *boundary, Plane *plane, int64_t *work)
{
  assert(boundary->notch_count > 0 && "a plane goes through a notch");
  const int step = (boundary->notch_count + NOTCH_TRIED - 1) / NOTCH_TRIED;
  Candidate best = {.gain = 0};
  bool found = false;
  for (int i = 0; i < boundary->notch_count; i += step) {
    const Notch *notch = &boundary->notches[i];
    for (int kind = 0; kind < 3; kind++) {
      Plane trial;
      if (kind < 2) trial = cells->planes[cells->faces[notch->face[kind]].plane];
      else if (!halving_plane(cells, notch, &trial)) continue;
      const Candidate candidate = judge_plane(cells, boundary, trial);
      *work += 2 * boundary->edge_count + 8 * boundary->notch_count;
      if (candidate.gain <= 0 || (found && !candidate_is_better(candidate, best))) continue;
      best = candidate;
      found = true;
    }
  }
  *plane = best.plane;
  return found;
}

// After a cut: connected cells on one side of it become a group each. The first keeps the number.
static int separate_group(Cells *cells, int group, int next_group, Arena *scratch)
{
  assert(group >= 0 && group < next_group && "a group has a number");
  int *stack = arena_allocate(scratch, (size_t)cells->cell_count * sizeof *stack);
  bool *seen = arena_allocate_zero(scratch, (size_t)cells->cell_count, sizeof *seen);
  bool first = true;
  for (int seed = 0; seed < cells->cell_count; seed++) {
    if (cells->cells[seed].group != group || seen[seed]) continue;
    const int name = first ? group : next_group++;
    first = false;
    int depth = 0;
    stack[depth++] = seed;
    seen[seed] = true;
    while (depth > 0) {
      const int c = stack[--depth];
      const Cell *cell = &cells->cells[c];
      for (int i = 0; i < cell->count; i++) {
        const int other = cells_across(&cells->faces[cell->faces[i]], c);
        if (other < 0 || seen[other] || cells->cells[other].group != group ||
            cells->cells[other].side != cell->side)
          continue;
        seen[other] = true;
        stack[depth++] = other;
      }
      cells->cells[c].group = name;
    }
  }
  return next_group;
}

static void release_group(Cells *cells, int group)
{
  assert(group >= 0 && "a group has a number");
  for (int c = 0; c < cells->cell_count; c++) {
    if (cells->cells[c].group == group) cells->cells[c].group = NOTCH_LONE;
  }
}

int notches_cut(Cells *cells, int most)
{
  assert(most >= 0 && cells->cell_count > 0 && "a solid has cells");
  Arena scratch = arena_new();
  int groups = 1;
  int64_t work = 0;
  bool sound = true;
  for (int group = 0; group < groups && sound;) {
    const ArenaMark mark = arena_mark(&scratch);
    const Boundary boundary = group_boundary(cells, group, &scratch);
    work += 8 * (int64_t)cells->face_count;
    Plane plane;
    if (boundary.notch_count == 0) {
      group++;
    } else if (boundary.notch_count > NOTCH_MOST || work > NOTCH_WORK) {
      sound = false;
    } else if (!choose_plane(cells, &boundary, &plane, &work)) {
      release_group(cells, group);
      group++;
    } else {
      const int before = groups;
      sound = cells_cut(cells, group, plane);
      if (sound) groups = separate_group(cells, group, groups, &scratch);
      sound = sound && groups > before && groups <= most;
    }
    arena_release(&scratch, mark);
  }
  arena_destroy(&scratch);
  return sound ? groups : -1;
}
