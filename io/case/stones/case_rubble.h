#pragma once
// Walls of rubble in case files.
#include "case_value.h"
#include "rubble.h"

// Local. What the key rubble says.
const Rubble *case_read_rubble(CaseReader *reader, const CaseNode *node);
