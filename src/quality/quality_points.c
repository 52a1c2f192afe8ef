// Asks one of the contact models for the contact points of two bodies.
#include "quality_points.h"

#include <assert.h>

static QualityPoints find_by_model(const QualityFinder *finder, int low, int high, Arena *arena)
{
  const ModelFinder *own = (const ModelFinder *)finder;
  const QualitySetup *setup = own->setup;
  const QualityRule *rule = own->rule;
  assert(rule->model < CONTACT_MODEL_COUNT && !(setup->step < 0) &&
         "a contact model that there is");
  const bool mirrored = setup->mirrored;
  const PosedBody *a = &own->bodies[mirrored ? high : low];
  const PosedBody *b = &own->bodies[mirrored ? low : high];
  const ModelPair pair = {.a = a,
                          .b = b,
                          .parameters = &rule->parameters,
                          .turn = CONTACT_TURN,
                          .reach = setup->step * vec3_norm(vec3_sub(a->velocity, b->velocity))};
  const PatchSet set = model_find(rule->model, &pair, arena);
  QualityPoints found = {.failed = set.failed};
  for (int i = 0; i < set.patch_count; i++) found.count += set.patches[i].point_count;
  found.points = arena_allocate(arena, (size_t)found.count * sizeof *found.points);
  QualityPoint *next = found.points;
  for (int i = 0; i < set.patch_count; i++) {
    // normals of the models look from the second body into the first
    const Patch *patch = &set.patches[i];
    const vec3 normal = mirrored ? patch->normal : vec3_neg(patch->normal);
    for (int k = 0; k < patch->point_count; k++) {
      const PatchPoint *point = &patch->points[k];
      *next++ = (QualityPoint){point->point, normal, point->gap, point->area};
    }
  }
  return found;
}

ModelFinder quality_points_finder(const PosedBody *bodies, const QualitySetup *setup,
                                  const QualityRule *rule)
{
  assert(bodies != NULL && "a model looks at bodies");
  return (ModelFinder){{find_by_model}, bodies, setup, rule};
}
