#pragma once
// Rooms that stones fill, in case files.
#include "case.h"
#include "case_value.h"

// Local. What the key fill says. mesh: the node of its mesh, whose surface becomes the room by
// case_fill_surface; NULL where the room is a box or a cylinder.
Fill *case_read_fill(CaseReader *reader, const CaseNode *node, const CaseNode **mesh);

// Local. The room of a fill is what a closed surface holds.
void case_fill_surface(Fill *fill, const ShapeRecipe *surface);

// Local. Chooses the stones of a group and packs them; stream: of its random numbers. entry: the
// node of the entry.
void case_fill_pack(CaseReader *reader, const CaseNode *entry, BodyGroup *group, uint64_t stream);
