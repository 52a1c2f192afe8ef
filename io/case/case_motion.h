#pragma once
// Prescribed motion in an entry of the list of bodies.
#include "case.h"
#include "case_value.h"

// Local. The motion of an entry, whose other keys the group has been given; NULL where it has none.
const Motion *case_read_motion(CaseReader *reader, const CaseNode *entry, const Case *c,
                               const BodyGroup *group);
