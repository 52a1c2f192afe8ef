#pragma once
// The door of contact models: what two bodies near each other become, as patches of points.
#include "contact_settings.h"
#include "generator.h"

// Local. The contacts of a pair. Spheres and ellipsoids touch in points in every model.
PatchSet model_find(ContactModel model, const ModelPair *pair, Arena *arena);

// Local. The word of a case file for a model: "patch".
const char *model_word(ContactModel model);
