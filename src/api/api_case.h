#pragma once
// Cases of callers as runs take them.
#include "drystone.h"

// A case as a run is asked for it; texts are those of the case.
typedef struct {
  const char *path, *text;   // text: NULL of a file
  int override_count;
  const char *const *overrides;   // [override_count]
} ApiCase;

// Local. Valid until the case changes. Needs memory: within a guard.
ApiCase api_case_get(const DrystoneCase *c);

// Local. A key over those of the case, as one text with =, which the reader of the case judges.
int api_case_override(DrystoneCase *c, const char *option);
