// Sends each pair of near bodies to the generator of its contact model.
#include "model.h"

#include <assert.h>

#include "check.h"
#include "ellipsoid_contact.h"
#include "lmd_model.h"
#include "patch.h"
#include "sphere_contact.h"
#include "volumetric_model.h"

typedef struct {
  const char *word;
  PatchSet (*find)(const ModelPair *pair, Arena *arena);
} Generator;

static PatchSet find_patches(const ModelPair *pair, Arena *arena)
{
  const PatchQuery query = {.a = pair->a,
                            .b = pair->b,
                            .parameters = pair->parameters,
                            .reach = pair->reach,
                            .kept = pair->kept,
                            .kept_count = pair->kept_count,
                            .hints = pair->hints};
  return patch_search(&query, arena);
}

// by ContactModel
static const Generator GENERATORS[CONTACT_MODEL_COUNT] = {
    [CONTACT_MODEL_PATCH] = {"patch", find_patches},
    [CONTACT_MODEL_VOLUMETRIC] = {"volumetric", volumetric_find},
    [CONTACT_MODEL_LMD] = {"lmd", lmd_model_find},
};

PatchSet model_find(ContactModel model, const ModelPair *pair, Arena *arena)
{
  assert_debug(pair->a != NULL && pair->b != NULL && pair->parameters != NULL &&
               "two bodies and what to look for");
  assert_debug(pair->kept_count >= 0 && pair->hints.count >= 0 && "axes and hints are counted");
  assert(model < CONTACT_MODEL_COUNT && "a contact model that there is");
  const double margin = pair->parameters->margin;
  if (pair->a->shape->radii.x > 0 || pair->b->shape->radii.x > 0)
    return ellipsoid_contact_find(pair->a, pair->b, margin, pair->reach, arena);
  if (pair->a->shape->sphere_radius > 0 || pair->b->shape->sphere_radius > 0)
    return sphere_contact_find(pair->a, pair->b, margin, pair->reach, arena);
  return GENERATORS[model].find(pair, arena);
}

const char *model_word(ContactModel model)
{
  assert(model < CONTACT_MODEL_COUNT && "a contact model that there is");
  return GENERATORS[model].word;
}
