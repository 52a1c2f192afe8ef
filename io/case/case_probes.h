#pragma once
// The list output.probes of a case file.
#include "case.h"
#include "case_value.h"

// Local. Reads the probes, once bodies are known.
void case_probes_read(CaseReader *reader, Case *c);
