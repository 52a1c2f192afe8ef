#pragma once
// The keys of the ground: a base that is shaken, and a tilt.
#include "case.h"
#include "case_tree.h"

// As local as the reader of records is. Reads both, once the step is known.
void case_ground_read(CaseReader *reader, Case *c);
