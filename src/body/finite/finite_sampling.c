// Sampling of patches: convex polygons cut by convex polygons (Sutherland and Hodgman 1974).
#include "finite_sampling.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "check.h"

// Twice the area on the left of a line, positive to its left.
static double side_of(PlaneSpot from, PlaneSpot to, PlaneSpot p)
{
  return (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x);
}

static double distance(PlaneSpot a, PlaneSpot b)
{
  return sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
}

static double area_of(const PlaneSpot *corner, int count)
{
  double sum = 0;
  for (int k = 2; k < count; k++) sum += 0.5 * side_of(corner[0], corner[k - 1], corner[k]);
  return sum;
}

// What of a polygon lies to the left of a line, or nearer to it than [same]; there is room for one
// corner more than it has. An edge along the line is not cut.
static int cut_by_line(const PlanePolygon *of, const PlaneSpot line[2], double same,
                       PlaneSpot *left)
{
  const double room = same * distance(line[0], line[1]);
  int kept = 0;
  for (int k = 0; k < of->count; k++) {
    const PlaneSpot here = of->corner[k], next = of->corner[(k + 1) % of->count];
    const double a = side_of(line[0], line[1], here), b = side_of(line[0], line[1], next);
    if (a >= -room) left[kept++] = here;
    if ((a > room && b < -room) || (a < -room && b > room)) {
      const double t = a / (a - b);
      left[kept++] = (PlaneSpot){here.x + t * (next.x - here.x), here.y + t * (next.y - here.y)};
    }
  }
  return kept;
}

// The overlap of two polygons, in the arena.
static PlanePolygon overlap(const PlanePolygon *a, const PlanePolygon *b, double same, Arena *arena)
{
  const size_t most = (size_t)a->count + (size_t)b->count;
  PlaneSpot *now = arena_allocate(arena, most * sizeof *now);
  PlaneSpot *next = arena_allocate(arena, most * sizeof *next);
  int count = a->count;
  for (int k = 0; k < count; k++) now[k] = a->corner[k];
  for (int k = 0; k < b->count && count > 0; k++) {
    const PlaneSpot line[2] = {b->corner[k], b->corner[(k + 1) % b->count]};
    count = cut_by_line(&(PlanePolygon){count, now}, line, same, next);
    PlaneSpot *old = now;
    now = next;
    next = old;
  }
  return (PlanePolygon){count, now};
}

typedef struct {
  Sampling *sampling;
  int capacity;
  double same;
  Arena *arena;
} Sampler;

// The point at a place, a new one where there is none.
static SamplingPoint *point_at(Sampler *sampler, PlaneSpot at, const int face[2])
{
  Sampling *s = sampler->sampling;
  for (int k = 0; k < s->count; k++)
    if (distance(s->point[k].at, at) <= sampler->same) return &s->point[k];
  s->point = arena_grow(sampler->arena, s->point, (int64_t)s->count + 1, &sampler->capacity,
                        sizeof *s->point);
  s->point[s->count] = (SamplingPoint){.at = at, .face = {face[0], face[1]}};
  return &s->point[s->count++];
}

// Corners of a piece take a third of each triangle of a fan about the first: exact for linear
// functions.
static void add_piece(Sampler *sampler, const PlanePolygon *piece, const int face[2])
{
  assert_debug(sampler->same >= 0 && "a distance");
  if (piece->count < 3) return;
  double round = 0;
  for (int k = 0; k < piece->count; k++)
    round += distance(piece->corner[k], piece->corner[(k + 1) % piece->count]);
  if (!(area_of(piece->corner, piece->count) > sampler->same * round)) return;
  for (int k = 2; k < piece->count; k++) {
    const int of[3] = {0, k - 1, k};
    const double area = 0.5 * side_of(piece->corner[0], piece->corner[k - 1], piece->corner[k]);
    for (int c = 0; c < 3; c++) point_at(sampler, piece->corner[of[c]], face)->area += area / 3;
  }
}

Sampling finite_sampling_new(const PlanePolygon *patch, const PlaneFaces sides[2], double same,
                             Arena *arena)
{
  assert(patch->count >= 3 && same >= 0 && "a patch is a polygon");
  Sampling sampling = {0, NULL};
  Sampler sampler = {.sampling = &sampling, .same = same, .arena = arena};
  const int first = sides[0].count > 0 ? sides[0].count : 1;
  const int second = sides[1].count > 0 ? sides[1].count : 1;
  for (int i = 0; i < first; i++) {
    const bool cut = sides[0].count > 0;
    const PlanePolygon half = cut ? overlap(patch, &sides[0].face[i], same, arena) : *patch;
    if (half.count < 3) continue;
    for (int j = 0; j < second; j++) {
      const bool again = sides[1].count > 0;
      const PlanePolygon piece = again ? overlap(&half, &sides[1].face[j], same, arena) : half;
      add_piece(&sampler, &piece, (int[]){cut ? i : -1, again ? j : -1});
    }
  }
  return sampling;
}
