// One point for two surfaces that are deeper in each other than both dilations.
#include "lmd_deep.h"

#include <assert.h>
#include <math.h>

#include "contacts.h"
#include "lmd_pair.h"

PatchSet lmd_deep_find(const LmdQuery *query, Arena *arena)
{
  assert(query->a->surface != NULL && query->b->surface != NULL && "two surfaces");
  LmdQuery crossings = *query;
  crossings.list_crossings = true;
  const LmdSet set = lmd_search_trees(&crossings, arena);
  const LmdPair pair = lmd_pair_new(query);
  // faces of b look into a where these cross, those of a away
  vec3 normal = {0, 0, 0}, middle = {0, 0, 0};
  for (int i = 0; i < set.crossing_count; i++) {
    const LmdCrossing *crossing = &set.crossings[i];
    normal = vec3_add(normal, crossing->normal);
    middle = vec3_axpy(1.0 / set.crossing_count, crossing->at, middle);
  }
  const vec3 between = vec3_sub(query->a->center, query->b->center);
  if (set.crossing_count == 0) {
    normal = between;
    middle = vec3_scale(-0.5, between);
  }
  double length = vec3_norm(normal);
  if (!(length > 0)) {
    normal = vec3_norm(between) > 0 ? between : vec3_new(0, 0, 1);
    length = vec3_norm(normal);
  }
  normal = vec3_scale(1 / length, normal);

  PatchSet deep = {.patches = arena_allocate(arena, sizeof *deep.patches), .patch_count = 1};
  PatchPoint *point = arena_allocate(arena, sizeof *point);
  const double gap = -(pair.a.surface->dilation + pair.b.surface->dilation);
  *point = (PatchPoint){.point = middle,
                        .gap = gap,
                        .feature_a = feature_new(FEATURE_FACE, 0),
                        .feature_b = feature_new(FEATURE_FACE, 0),
                        .axis_a = AXIS_NONE,
                        .axis_b = AXIS_NONE};
  deep.patches[0] = (Patch){.normal = normal,
                            .axis_a = AXIS_NONE,
                            .axis_b = AXIS_NONE,
                            .separation = gap,
                            .point_count = 1,
                            .points = point};
  return deep;
}
