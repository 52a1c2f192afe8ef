#pragma once
// What ends a run before its time: rest, or what counts as failure.
#include "case.h"
#include "case_value.h"

// Local. What the key time.until says; without it nothing ends a run early.
UntilSettings case_read_until(CaseReader *reader, const CaseNode *node);
