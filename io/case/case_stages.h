#pragma once
// Stages of a run: what each has in place of the keys of the case.
#include "case.h"
#include "case_value.h"

// Local. Reads the list of stages, once all other keys are known.
void case_stages_read(CaseReader *reader, Case *c);
