#include "peer_scenarios.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box_overlap.h"
#include "intersection.h"
#include "lmd_search.h"
#include "memory.h"
#include "overlap_scenarios.h"
#include "pair_scenarios.h"
#include "spread.h"
#include "surface_base.h"
#include "surface_scenarios.h"

struct PeerBatch {
  Arena arena, scratch;   // of the scenario; of the pairs in place
  PairScenario scenario;
  SolidPair *pairs;
  int count;   // in place
};

double peer_clock(void) { return spread_clock(); }

PeerSpread peer_spread(double *values, int count)
{
  const Spread s = spread_of(values, count);
  return (PeerSpread){s.median, s.low, s.high};
}

int peer_option(int count, char **words, const char *option, int fallback)
{
  for (int i = 1; i < count; i++) {
    if (strcmp(words[i], option) != 0) continue;
    char *end = NULL;
    const long value = i + 1 < count ? strtol(words[i + 1], &end, 10) : 0;
    if (i + 1 < count && end != words[i + 1] && *end == 0 && value >= 1 && value <= 100000000)
      return (int)value;
    fprintf(stderr, "option %s: expected a whole number from 1 to 100000000\n", option);
    exit(2);
  }
  return fallback;
}

// -- boxes ----------------------------------------------------------------------------------------

int peer_box_scenario_count(void) { return OVERLAP_SCENARIOS; }
const char *peer_box_scenario_name(int scenario) { return overlap_scenario_name(scenario); }

_Static_assert(sizeof(Box) == 6 * sizeof(double), "a box is six numbers");
_Static_assert(sizeof(BoxPair) == 2 * sizeof(int32_t), "a pair is two numbers");

double *peer_boxes(int scenario, int count)
{
  Box *boxes = memory_allocate((size_t)count * sizeof *boxes);
  overlap_scenario_fill(scenario, boxes, count);
  return &boxes->low.x;
}

int32_t *peer_box_pairs(const double *boxes, int count, int64_t *pair_count, double *seconds)
{
  Arena arena = arena_new();
  const double begin = spread_clock();
  const BoxPairs found = box_overlap_find((const Box *)boxes, count, &arena);
  *seconds = spread_clock() - begin;
  *pair_count = found.count;
  int32_t *pairs = memory_allocate((size_t)found.count * sizeof(BoxPair));
  if (found.count > 0) memcpy(pairs, found.pairs, (size_t)found.count * sizeof(BoxPair));
  arena_destroy(&arena);
  return pairs;
}

void peer_free(void *memory) { memory_free(memory); }

// -- solids ---------------------------------------------------------------------------------------

int peer_pair_scenario_count(void) { return PAIR_SCENARIOS; }
const char *peer_pair_scenario_name(int scenario) { return pair_scenario_name(scenario); }

PeerBatch *peer_batch_new(int scenario, int pair_count)
{
  PeerBatch *batch = memory_allocate_zero(1, sizeof *batch);
  batch->arena = arena_new();
  batch->scratch = arena_new();
  batch->scenario = pair_scenario_new(scenario, pair_count, &batch->arena);
  return batch;
}

void peer_batch_destroy(PeerBatch *batch)
{
  arena_destroy(&batch->arena);
  arena_destroy(&batch->scratch);
  memory_free(batch);
}

static void find_box(const Polyhedron *p, vec3 *low, vec3 *high)
{
  *low = *high = p->vertices[0];
  for (int i = 1; i < p->vertex_count; i++) {
    *low = vec3_min(*low, p->vertices[i]);
    *high = vec3_max(*high, p->vertices[i]);
  }
}

static PeerPair describe_pair(const SolidPair *pair, Arena *arena)
{
  const Polyhedron *solids[2] = {&pair->solid_a, &pair->solid_b};
  vec3 low[2], high[2];
  for (int s = 0; s < 2; s++) find_box(solids[s], &low[s], &high[s]);
  const vec3 from = vec3_max(low[0], low[1]), to = vec3_min(high[0], high[1]);
  const vec3 middle = vec3_scale(0.5, vec3_add(from, to));
  const vec3 half = vec3_scale(0.5, vec3_sub(to, from));
  const int count = solids[0]->face_count + solids[1]->face_count;
  double *planes = arena_allocate(arena, 4 * (size_t)count * sizeof *planes), *next = planes;
  for (int s = 0; s < 2; s++) {
    for (int f = 0; f < solids[s]->face_count; f++, next += 4) {
      const Plane plane = solids[s]->planes[f];
      memcpy(next, &plane.normal, sizeof(vec3));
      next[3] = plane.offset - vec3_dot(plane.normal, middle);
    }
  }
  return (PeerPair){.plane_count = count, .planes = planes, .half = {half.x, half.y, half.z}};
}

const PeerPair *peer_batch_place(PeerBatch *batch, int first, int count)
{
  arena_reset(&batch->scratch);
  batch->count = count;
  batch->pairs = arena_allocate(&batch->scratch, (size_t)count * sizeof *batch->pairs);
  PeerPair *described = arena_allocate(&batch->scratch, (size_t)count * sizeof *described);
  pair_scenario_place(&batch->scenario, first, count, batch->pairs, &batch->scratch);
  for (int i = 0; i < count; i++) described[i] = describe_pair(&batch->pairs[i], &batch->scratch);
  return described;
}

double peer_batch_volumes(PeerBatch *batch, double *volumes)
{
  const ArenaMark mark = arena_mark(&batch->scratch);
  const double begin = spread_clock();
  for (int i = 0; i < batch->count; i++) {
    const SolidPair *pair = &batch->pairs[i];
    volumes[i] = intersection_clip(&pair->solid_a, &pair->solid_b, 0, &batch->scratch).volume;
    arena_release(&batch->scratch, mark);
  }
  return spread_clock() - begin;
}

// -- surfaces -------------------------------------------------------------------------------------

#define DILATION 5e-3   // of the extent, as cases have it
#define TURN 0.02

typedef struct {
  PeerSurfaces seen;   // first, so that it stands for all
  Arena arena;
  SurfaceScenario scenario;
  SurfaceBase surface[2];
} OwnSurfaces;

_Static_assert(sizeof(SurfacePose) == 21 * sizeof(double), "a pose is 21 numbers");

int peer_surface_scenario_count(void) { return SURFACE_SCENARIOS; }
const char *peer_surface_scenario_name(int scenario) { return surface_scenario_name(scenario); }

PeerSurfaces *peer_surfaces_new(int scenario, int pose_count)
{
  OwnSurfaces *own = memory_allocate(sizeof *own);
  *own = (OwnSurfaces){.arena = arena_new()};
  own->scenario = surface_scenario_new(scenario, pose_count, &own->arena);
  own->seen.pose_count = pose_count;
  own->seen.poses = &own->scenario.poses[0].rotation[0].row[0].x;
  for (int k = 0; k < 2; k++) {
    own->seen.triangle_count[k] = own->scenario.pieces[k].count;
    own->seen.corners[k] = &own->scenario.pieces[k].corners[0].x;
    const SurfaceBaseResult built = surface_base_build(
        &own->scenario.pieces[k], DILATION * own->scenario.extent, &own->arena, &own->surface[k]);
    if (built.status != SURFACE_BASE_OK) abort();
  }
  return &own->seen;
}

void peer_surfaces_destroy(PeerSurfaces *surfaces)
{
  OwnSurfaces *own = (OwnSurfaces *)surfaces;
  arena_destroy(&own->arena);
  memory_free(own);
}

double peer_surfaces_search(PeerSurfaces *surfaces, double *gaps)
{
  OwnSurfaces *own = (OwnSurfaces *)surfaces;
  const ArenaMark mark = arena_mark(&own->arena);
  const double begin = spread_clock();
  for (int i = 0; i < own->scenario.pose_count; i++) {
    const SurfacePose *pose = &own->scenario.poses[i];
    const LmdBody a = {&own->surface[0], pose->rotation[0], {0, 0, 0}};
    const LmdBody b = {&own->surface[1], pose->rotation[1], pose->center};
    const LmdQuery query = {.a = &a, .b = &b, .turn = TURN, .limit = own->scenario.limit};
    const LmdSet set = lmd_search(&query, &own->arena);
    gaps[i] = INFINITY;
    for (int k = 0; k < set.count; k++) gaps[i] = smaller_of(gaps[i], set.points[k].gap);
    arena_release(&own->arena, mark);
  }
  return spread_clock() - begin;
}
