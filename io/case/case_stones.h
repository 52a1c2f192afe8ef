#pragma once
// Groups of stones in case files: their shapes, sizes and places.
#include "case.h"
#include "case_value.h"

// Local. Fills a group from the mapping under its key 'stones'.
void case_read_stones(CaseReader *reader, const CaseNode *node, BodyGroup *group);
