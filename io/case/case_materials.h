#pragma once
// Materials of a case file and what holds where two of them touch.
#include "case.h"
#include "case_value.h"

// Local. Fills the materials from the root of the tree.
void case_read_materials(CaseReader *reader, Case *c);

// Local. The index of the material a node names.
int case_read_material_name(CaseReader *reader, const CaseNode *node, const Case *c);

// Local. Fills the surface pairs, after the bodies: materials of bodies that can touch must have
// one.
void case_read_contacts(CaseReader *reader, Case *c);
