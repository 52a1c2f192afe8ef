#pragma once
// Motion by component in an entry of the list of bodies: what is prescribed, free and locked.
#include "case.h"
#include "case_value.h"

// Local. Whether the motion of an entry is told by component.
bool case_guide_takes(const CaseNode *entry);

// Local. What a motion that has been read holds of its bodies, bits of guided.h: all, where it is
// told as a whole.
unsigned case_guide_held(const CaseNode *motion);

// Local. Reads it into the group, whose other keys are known: a guide, or a motion where no
// component is free.
void case_guide_read(CaseReader *reader, const CaseNode *entry, const Case *c, BodyGroup *group);
