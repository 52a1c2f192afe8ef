#pragma once
// What a run writes and when, and how bodies are shared out.
#include "case.h"
#include "case_value.h"

// Local. What the root of the reader says of output, and of partition.
void case_output_read(CaseReader *reader, Case *c);
void case_output_read_partition(CaseReader *reader, Case *c);
