#pragma once
// Contact patches between two bodies made of convex parts: which points, along which normal, with
// which gap and area.
#include <stdbool.h>

#include "generator.h"

typedef struct {
  const PosedBody *a, *b;
  const PatchParameters *parameters;
  double reach;   // m, >= 0: added to the margin's gap filter, how far the pair can close within
                  // the step; it changes no normal and no gap
  const KeptAxis *kept;   // [kept_count] axes of the last step, in any order
  int kept_count;
  PatchHints hints;
  bool whole_search;   // leave out nothing that has no influence: the slow reference of the tests
} PatchQuery;

// Local. All patches between two bodies. Where two parts had an axis in the last step they keep it
// while it is near the best, and a line or point between their edges stays a contact, which between
// other parts it is only while they approach. Hints are brought up to date.
PatchSet patch_search(const PatchQuery *query, Arena *arena);

// Local. The same of bodies that had no contact in the last step. For benchmarks and tests.
PatchSet patch_find(const PosedBody *a, const PosedBody *b, const PatchParameters *parameters,
                    double reach, Arena *arena);
