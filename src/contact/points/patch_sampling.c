// Sampling of patches: pieces by clipping figures, points by their corners.
#include "patch_sampling.h"

#include <assert.h>
#include <math.h>

#include "check.h"

// What two figures have in common, in the arena: places alone.
static Figure common(const Figure *a, const Figure *b, double same, Arena *arena)
{
  const size_t room = (size_t)a->count + (size_t)b->count;
  ClipCorner *work = arena_allocate(arena, 2 * room * sizeof *work);
  ClipPoint *points = arena_allocate(arena, room * sizeof *points);
  PlaneCorner *corners = arena_allocate(arena, room * sizeof *corners);
  const int count = patch_clip_polygon(a, b, same, work, points);
  for (int k = 0; k < count; k++) corners[k] = (PlaneCorner){.u = points[k].u, .v = points[k].v};
  return (Figure){.count = count, .corners = corners};
}

static double distance(double u, double v) { return sqrt(u * u + v * v); }

static double triangle_area(const PlaneCorner *a, const PlaneCorner *b, const PlaneCorner *c)
{
  return 0.5 * ((b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u));
}

typedef struct {
  Sampling *sampling;
  int capacity;
  double same;
  Arena *arena;
} Sampler;

// The point at a corner, a new one where there is none.
static SamplingPoint *point_at(Sampler *sampler, const PlaneCorner *at, const int face[2])
{
  Sampling *s = sampler->sampling;
  for (int k = 0; k < s->count; k++)
    if (distance(s->point[k].u - at->u, s->point[k].v - at->v) <= sampler->same)
      return &s->point[k];
  s->point = arena_grow(sampler->arena, s->point, (int64_t)s->count + 1, &sampler->capacity,
                        sizeof *s->point);
  s->point[s->count] = (SamplingPoint){.u = at->u, .v = at->v, .face = {face[0], face[1]}};
  return &s->point[s->count++];
}

// Corners of a piece take a third of each triangle of a fan about the first: exact for linear
// functions.
static void add_piece(Sampler *sampler, const Figure *piece, const int face[2])
{
  assert_debug(sampler->same >= 0 && "a distance");
  const PlaneCorner *corner = piece->corners;
  double area = 0, round = 0;
  for (int k = 0; k < piece->count; k++) {
    const PlaneCorner *next = &corner[(k + 1) % piece->count];
    round += distance(next->u - corner[k].u, next->v - corner[k].v);
    area += triangle_area(&corner[0], &corner[k], next);
  }
  if (!(area > sampler->same * round)) return;
  for (int k = 2; k < piece->count; k++) {
    const int of[3] = {0, k - 1, k};
    const double third = triangle_area(&corner[0], &corner[k - 1], &corner[k]) / 3;
    for (int c = 0; c < 3; c++) point_at(sampler, &corner[of[c]], face)->area += third;
  }
}

Sampling patch_sampling_new(const Figure *patch, const SamplingFaces sides[2], double same,
                            Arena *arena)
{
  assert(patch->count >= 3 && same >= 0 && "a patch is a polygon");
  Sampling sampling = {0, NULL};
  Sampler sampler = {.sampling = &sampling, .same = same, .arena = arena};
  const bool cut[2] = {sides[0].count > 0, sides[1].count > 0};
  for (int i = 0; i < (cut[0] ? sides[0].count : 1); i++) {
    const Figure half = cut[0] ? common(patch, &sides[0].face[i], same, arena) : *patch;
    if (half.count < 3) continue;
    for (int j = 0; j < (cut[1] ? sides[1].count : 1); j++) {
      const Figure piece = cut[1] ? common(&half, &sides[1].face[j], same, arena) : half;
      if (piece.count >= 3) add_piece(&sampler, &piece, (int[]){cut[0] ? i : -1, cut[1] ? j : -1});
    }
  }
  return sampling;
}
