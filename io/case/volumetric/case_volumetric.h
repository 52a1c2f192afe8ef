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

// Local. c: as a stage has it, where there are stages. False with a message for a group whose
// bodies have a material with that law and a shape that it does not suit, or are too light for its
// stiffness: the step is to be below sqrt(m / (k A)) for their smallest face.
bool case_volumetric_check(const Case *c, const BodyGroup *group, const Shape *shape,
                           ErrorText error);

// Local. Notes the critical steps of a group whose bodies have that shape, by the smallest and the
// largest face, where they are shorter than those that the case knows.
void case_volumetric_note(Case *c, const BodyGroup *group, const Shape *shape);

// Collective. The shortest of all ranks.
void case_volumetric_agree(Case *c);

// Local. Warns where a step is stable for the smallest faces and not for the largest ones.
void case_volumetric_warn(const Case *c);
