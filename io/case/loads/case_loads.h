#pragma once
// The list of loads of a case file.
#include "case.h"
#include "case_value.h"

// Local. Reads the loads, once bodies are known, and tells the groups which act on them.
void case_read_loads(CaseReader *reader, Case *c);
