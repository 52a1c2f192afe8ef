#pragma once
// The volumetric law of two materials: keys of an entry of `contacts`, and bodies that it suits.
#include "case.h"
#include "case_value.h"

// Local. Names of the keys that only that law has, NULL at the end.
extern const char *const CASE_VOLUMETRIC_KEYS[];

// Local. Reads 'law' and what belongs to it; law: with the friction, which is the same number for
// all laws. Of another law the keys of this one are refused by name, of this one those of others.
// Returns whether the entry has this law: 'restitution' is then no longer Newton's.
bool case_volumetric_read(CaseReader *reader, const CaseNode *entry, SurfaceLaw *law);

// Local. The key contact.rows, after the laws: are all parts of two bodies one row?
bool case_volumetric_rows(CaseReader *reader, const CaseNode *node, const Case *c);

// Local. The stiffest of the volumetric laws of a material in the case, or in a stage, N/m3; 0: it
// has none.
double case_volumetric_stiffest(const Case *c, int material);

// Local. Does a pair of materials have that law, in the case or in one of its stages?
bool case_volumetric_used(const Case *c);

// Local. False with a message for a group, by number, whose bodies have that shape and a material
// with that law, in the case or in one of its stages, where the shape does not suit the law or is
// too light for its stiffness: the step is to be below sqrt(m / (k A)) for their smallest face.
// Notes the critical steps, by the smallest and the largest face, of the case or of its stages.
bool case_volumetric_check(Case *c, int group, const Shape *shape, ErrorText error);

// Collective. The shortest of all ranks, in each stage; of the case those of all its stages.
void case_volumetric_agree(Case *c);

// Local. Warns where the step of a case, or of a stage, is stable for the smallest faces and not
// for the largest ones, and says whether it does.
bool case_volumetric_warn(const Case *c);
