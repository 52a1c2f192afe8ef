#pragma once
// The door of contact models: what two bodies near each other become, as patches of points.
//
// A generator is a function of two posed bodies A and B. It gets
//   - both as PosedBody, A with the lower id: parts in world axes about the own centre of mass,
//     centres apart (work in differences of them), free velocities, the shape with the true facets
//     of its parts in body frame. Either may be a sphere: a shape with a radius and no parts;
//   - parameters of the case that filter and reduce, and the reach, by which the pair can close
//     within the step;
//   - the axes that the pair used in the last step. They are state and come with every point.
// It must give a PatchSet in the arena, in which
//   - a patch has one unit normal, from B into A, and at least one point; area, gaps, places as
//     patch.h says; the areas of the points add up to that of the patch;
//   - every point names a part and a feature of A and of B, different for every point of the pair:
//     this is the key by which its reaction is found again in the next step;
//   - axis_a and axis_b hold what the generator wants back in the next step, or AXIS_NONE;
//   - failed counts what the generator could not treat as it should, count what it cost.
// The result is a function of the arguments alone, bit for bit: no order of calls, no address, no
// cache that could change it.
#include "patch.h"

typedef enum {
  CONTACT_MODEL_PATCH,        // patch.h: the polygon in which the true surfaces touch
  CONTACT_MODEL_VOLUMETRIC,   // volumetric_model.h: one point per pair of parts that overlap
  CONTACT_MODEL_COUNT
} ContactModel;

// Two bodies near each other and what a generator may know of them.
typedef struct {
  const PosedBody *a, *b;
  const PatchParameters *parameters;
  double reach;           // m, >= 0
  const KeptAxis *kept;   // [kept_count], any order
  int kept_count;
  PatchHints hints;   // what parted them in the last step: a cache that may change no bit
} ModelPair;

// Local. The contacts of a pair. Spheres touch in closed form in every model.
PatchSet model_find(ContactModel model, const ModelPair *pair, Arena *arena);

// Local. The word of a case file for a model: "patch".
const char *model_word(ContactModel model);
