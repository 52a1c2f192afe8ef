#pragma once
// The list of bodies of a case file.
#include "case.h"
#include "case_value.h"
#include "error_text.h"

// Largest (h c / L)^2 of finite elements (affine_stiffness_ratio) for which time is stepped. Above
// AFFINE_SURE_STIFF there is a warning.
#define CASE_CELLS_MOST_STIFF 2e6

// Local. Fills the groups from the root of the tree; the materials must be there.
void case_read_bodies(CaseReader *reader, Case *c);

// Local. The largest side of the smallest body of a group, m: that of its half bricks in a wall.
double case_least_extent(const Case *c, const BodyGroup *group);
