#pragma once
// The scheme of a case, and what barriers are like where it has them.
#include "case.h"
#include "case_value.h"

// Local. What the keys scheme and barrier say, of a case all of whose other keys are read: with
// barriers, what they do not know is refused. Without that scheme the key barrier does nothing, so
// that one case serves both.
void case_barrier_read(CaseReader *reader, Case *c);

// Local. The distance of a case that gives none: a thousandth of the smallest side of a part's box.
void case_barrier_complete(Case *c);

// Local. False with a message for a shape that has no skin.
bool case_barrier_check(const Case *c, const BodyGroup *group, const Shape *shape, ErrorText error);
