#pragma once
// Gaps between bodies that deform: contacts are found between their shapes as these are without
// deformation, and the displacements at a point open or close it.
#include "contact_places.h"

// Local. Adds n.(d_low - d_high) to the gaps of all rows, d the displacements by which a point's
// places differ from those of a rigid body. Bodies are at the middle of the step. places: in bodies
// of finite elements.
void deformed_gaps_add(const Bodies *bodies, const MidState *mid, const ContactPlaces *places,
                       Contacts *contacts);
