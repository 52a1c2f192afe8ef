#pragma once
// Inner spheres of bodies with the volumetric law: keys of `contact`, and shapes that they fill.
#include "case.h"
#include "case_value.h"

// Local. The keys contact.geometry and contact.spheres, after the laws and contact.rows.
void case_inner_read(CaseReader *reader, const CaseNode *contact, Case *c);

// Local. Do laws of a case, or of one of its stages, integrate friction over faces, which inner
// spheres do not have?
bool case_inner_lacks_faces(const Case *c);

// Local. Fills the shape of a group with spheres where the case asks for that and the group has the
// law, once for all groups; kept in the case. False with a message for a shape that they do not
// fill by half.
bool case_inner_fill(Case *c, int number, const BodyGroup *group, const Shape *shape,
                     ErrorText error);
