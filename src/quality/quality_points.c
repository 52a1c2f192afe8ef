#include "quality_points.h"

QualityPoints quality_points_find(const PosedBody *low, const PosedBody *high, bool mirrored,
                                  ContactModel model, const PatchParameters *parameters,
                                  double step, Arena *arena)
{
  const PosedBody *a = mirrored ? high : low, *b = mirrored ? low : high;
  const ModelPair pair = {.a = a,
                          .b = b,
                          .parameters = parameters,
                          .reach = step * vec3_norm(vec3_sub(a->velocity, b->velocity))};
  const PatchSet set = model_find(model, &pair, arena);
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
