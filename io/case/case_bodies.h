#pragma once
// The list of bodies of a case file.
#include "case.h"
#include "case_value.h"
#include "error_text.h"

// Local. Fills the groups from the root of the tree; the materials must be there.
void case_read_bodies(CaseReader *reader, Case *c);

// Local. False with a message where the cells of a group do not suit the shape, or the case.
bool case_check_cells(const Case *c, const BodyGroup *group, const Shape *shape, ErrorText error);
