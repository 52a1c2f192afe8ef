// Keeps reference data of bodies that deform by shape and material.
#include "elastic.h"

#include <assert.h>

struct ElasticEntry {
  int material;
  Affine affine;
  ElasticEntry *next;   // of the same shape
};

ElasticSet elastic_new(const ElasticSet *like)
{
  assert(like->shapes != NULL && like->step > 0 && "a set has shapes and a step");
  ElasticSet set = *like;
  set.arena = arena_new();
  set.of_shape =
      arena_allocate_zero(&set.arena, (size_t)set.shapes->count + 1, sizeof(ElasticEntry *));
  return set;
}

void elastic_destroy(ElasticSet *set)
{
  arena_destroy(&set->arena);
  set->of_shape = NULL;
}

const Affine *elastic_affine(ElasticSet *set, int shape, int material)
{
  assert(shape >= 0 && shape < set->shapes->count && material >= 0 && "a shape of a material");
  for (ElasticEntry *entry = set->of_shape[shape]; entry; entry = entry->next)
    if (entry->material == material) return &entry->affine;
  const Shape *reference = shape_set_get(set->shapes, shape);
  const double density = set->densities[material];
  ElasticEntry *entry = arena_allocate(&set->arena, sizeof *entry);
  *entry = (ElasticEntry){
      .material = material,
      .affine = affine_new(&(AffineInput){.mass = density * reference->volume,
                                          .volume = reference->volume,
                                          .inertia = mat3_scale(density, reference->inertia),
                                          .law = set->laws[material],
                                          .step = set->step,
                                          .high_frequency_ratio = set->high_frequency_ratio}),
      .next = set->of_shape[shape]};
  set->of_shape[shape] = entry;
  return &entry->affine;
}
