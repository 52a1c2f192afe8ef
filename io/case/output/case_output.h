#pragma once
// What a run writes and when, and how bodies are shared out.
#include "case.h"
#include "case_value.h"

// Local. What the root of the reader says of output and partition.
void case_output_read(CaseReader *reader, Case *c);
