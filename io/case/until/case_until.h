#pragma once
// What ends a run or a stage before its time: rest, or what counts as failure.
#include "case.h"
#include "case_value.h"

// Local. What the key until says, of a stage or of the case; without it nothing ends either early.
// What it says of bodies, opening and force, is read once these are known.
UntilSettings case_read_until(CaseReader *reader, const CaseNode *node, bool stage);

// Local. Whose displacement counts, by the same node, once bodies are read.
void case_until_name(CaseReader *reader, const CaseNode *node, Case *c);
