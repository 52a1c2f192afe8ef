#pragma once
// The list of bodies of a case file.
#include "case.h"
#include "case_value.h"

// Local. Fills the groups from the root of the tree; the materials must be there.
void case_read_bodies(CaseReader *reader, Case *c);
