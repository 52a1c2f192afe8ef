// Takes the hull of a lump and leaves out corners that hardly stand out.
#include "lump_hull.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hull_triangles.h"
#include "mesh_exact.h"

#define IN_PLANE 1e-9   // of the largest coordinate: a point this near lies in a cutting plane
#define RIM_SHARE 0.5   // of the tolerance, along rims
enum { MOST_ROUNDS = 64, ATTEMPTS = 4 };

// Points of which some are corners of the part.
typedef struct {
  int count;
  const vec3 *points;
  bool *chosen;   // [count]
} Choice;

// -- rims along cutting planes --------------------------------------------------------------------

// A point of a plane, seen along the axis that the plane looks along most: both sides of a cut see
// the same.
typedef struct {
  double u, v;   // m
  int index;
} RimPoint;

static int compare_rim(const void *p, const void *q)
{
  const RimPoint *a = p, *b = q;
  if (a->u != b->u) return a->u < b->u ? -1 : 1;
  if (a->v != b->v) return a->v < b->v ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

static double turn(RimPoint a, RimPoint b, RimPoint c)
{
  return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

// Of sorted points from first to last the chain of the hull on one side (sign), as far as it stands
// out over the chord by more than the tolerance (Douglas and Peucker 1973).
static void choose_chain(Choice *choice, const RimPoint *rim, int first, int last, double sign,
                         double tolerance)
{
  const double du = rim[last].u - rim[first].u, dv = rim[last].v - rim[first].v;
  const double length = sqrt(du * du + dv * dv);
  int farthest = -1;
  double height = tolerance * length;
  for (int i = first + 1; i < last; i++) {
    const double above = sign * turn(rim[first], rim[last], rim[i]);
    if (above > height) height = above, farthest = i;
  }
  if (farthest < 0) return;
  choice->chosen[rim[farthest].index] = true;
  choose_chain(choice, rim, first, farthest, sign, tolerance);
  choose_chain(choice, rim, farthest, last, sign, tolerance);
}

// Of the points in a cutting plane those that stand out.
static void choose_rim(Choice *choice, Plane plane, double tolerance, RimPoint *rim)
{
  const int axis = largest_axis(plane.normal);
  int count = 0;
  for (int i = 0; i < choice->count; i++) {
    const vec3 p = choice->points[i];
    const double size = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
    if (fabs(plane_height(plane, p)) > IN_PLANE * size) continue;
    rim[count++] = (RimPoint){(&p.x)[(axis + 1) % 3], (&p.x)[(axis + 2) % 3], i};
  }
  if (count == 0) return;
  qsort(rim, (size_t)count, sizeof *rim, compare_rim);
  choice->chosen[rim[0].index] = choice->chosen[rim[count - 1].index] = true;
  choose_chain(choice, rim, 0, count - 1, 1, tolerance);
  choose_chain(choice, rim, 0, count - 1, -1, tolerance);
}

// -- the rest -------------------------------------------------------------------------------------

// The farthest points along the axes and the diagonals of a cube.
static void choose_farthest(Choice *choice)
{
  for (int d = 0; d < 26; d++) {
    const int code = d < 13 ? d : d + 1;   // 13 is no direction
    const vec3 along = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
    int best = 0;
    for (int i = 1; i < choice->count; i++)
      if (vec3_dot(along, choice->points[i]) > vec3_dot(along, choice->points[best])) best = i;
    choice->chosen[best] = true;
  }
}

// Over each face of the hull of the chosen points the farthest other one that is above it by more
// than the tolerance. Returns how many were chosen; -1: all chosen points lie in one plane.
static int choose_above(Choice *choice, double tolerance, Arena *scratch)
{
  const size_t count = (size_t)choice->count;
  const GridPoint *grid = mesh_exact_grid(choice->points, choice->count, scratch);
  bool *skipped = arena_allocate(scratch, count * sizeof *skipped);
  for (int i = 0; i < choice->count; i++) skipped[i] = !choice->chosen[i];
  HullTriangles hull;
  if (!hull_triangulate(grid, choice->count, skipped, scratch, &hull)) return -1;
  const size_t faces = (size_t)hull.count;
  Plane *planes = arena_allocate(scratch, faces * sizeof *planes);
  int *farthest = arena_allocate(scratch, faces * sizeof *farthest);
  double *heights = arena_allocate(scratch, faces * sizeof *heights);
  for (int f = 0; f < hull.count; f++) {
    const int *v = hull.triangles[f].vertex;
    const vec3 a = choice->points[v[0]];
    const vec3 cross =
        vec3_cross(vec3_sub(choice->points[v[1]], a), vec3_sub(choice->points[v[2]], a));
    const double length = vec3_norm(cross);
    const vec3 normal = length > 0 ? vec3_scale(1 / length, cross) : (vec3){0, 0, 0};
    planes[f] = (Plane){normal, vec3_dot(normal, a)};
    farthest[f] = -1;
    heights[f] = tolerance;
  }
  for (int i = 0; i < choice->count; i++) {
    if (choice->chosen[i]) continue;
    int face = 0;
    double height = -INFINITY;
    for (int f = 0; f < hull.count; f++) {
      const double above = plane_height(planes[f], choice->points[i]);
      if (above > height) height = above, face = f;
    }
    if (height > heights[face]) heights[face] = height, farthest[face] = i;
  }
  int added = 0;
  for (int f = 0; f < hull.count; f++) {
    if (farthest[f] < 0) continue;
    choice->chosen[farthest[f]] = true;
    added++;
  }
  return added;
}

// All corners of the hull, in the order of the lump.
static Choice hull_corners(const Lump *lump, Arena *scratch)
{
  int count;
  vec3 *points = lump_hull_points(lump, &count, scratch);
  bool *vertex = arena_allocate(scratch, (size_t)count * sizeof *vertex);
  (void)lump_hull_measure(points, count, vertex, scratch);
  Choice choice = {.points = points};
  for (int i = 0; i < count; i++)
    if (vertex[i]) points[choice.count++] = points[i];
  choice.chosen = arena_allocate_zero(scratch, (size_t)choice.count, sizeof *choice.chosen);
  return choice;
}

// Chooses corners until none stands out; false: too many rounds, or chosen points in one plane.
static bool choose(Choice *choice, const Lump *lump, double tolerance, Arena *scratch)
{
  const ArenaMark mark = arena_mark(scratch);
  memset(choice->chosen, 0, (size_t)choice->count * sizeof *choice->chosen);
  RimPoint *rim = arena_allocate(scratch, (size_t)choice->count * sizeof *rim);
  for (int i = 0; i < lump->plane_count; i++)
    choose_rim(choice, lump->planes[i], RIM_SHARE * tolerance, rim);
  choose_farthest(choice);
  int added = 1;
  for (int round = 0; round < MOST_ROUNDS && added > 0; round++) {
    const ArenaMark before = arena_mark(scratch);
    added = choose_above(choice, tolerance, scratch);
    arena_release(scratch, before);
  }
  arena_release(scratch, mark);
  return added == 0;
}

PartRecipe lump_hull_take(const Lump *lump, double tolerance, Arena *arena)
{
  assert(lump->hull.volume > 0 && tolerance > 0 && "a lump has a hull");
  Arena scratch = arena_new();
  Choice choice = hull_corners(lump, &scratch);
  PartRecipe part = {0};
  part.points = arena_allocate(arena, (size_t)choice.count * sizeof *part.points);
  // points that nearly lie in a face may spoil it: then fewer of them
  bool sound = false;
  for (int attempt = 0; attempt < ATTEMPTS && !sound; attempt++, tolerance *= 2) {
    const bool chosen = choose(&choice, lump, tolerance, &scratch);
    part.count = 0;
    for (int i = 0; i < choice.count; i++)
      if (!chosen || choice.chosen[i]) part.points[part.count++] = choice.points[i];
    Polyhedron hull;
    sound = hull_build(part.points, part.count, &scratch, &hull) == HULL_OK;
  }
  arena_destroy(&scratch);
  return part;
}
