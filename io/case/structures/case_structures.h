#pragma once
// Structures in case files: walls in bond, arches by span and rise, vaults, domes, columns.
#include "case.h"
#include "case_value.h"
#include "ring.h"
#include "structure.h"

// All functions are Local. Each fills a group from the mapping under its key.
void case_structures_arch(CaseReader *reader, const CaseNode *node, BodyGroup *group);
void case_structures_vault(CaseReader *reader, const CaseNode *node, BodyGroup *group);
void case_structures_dome(CaseReader *reader, const CaseNode *node, BodyGroup *group);
void case_structures_column(CaseReader *reader, const CaseNode *node, BodyGroup *group);
void case_structures_wall(CaseReader *reader, const CaseNode *node, BodyGroup *group);

// Whether the keys of an arch or a wall ask for more than a ring by its radius, or than a single
// leaf in running bond.
bool case_structures_takes_arch(const CaseNode *arch);
bool case_structures_takes_wall(const CaseNode *wall);

// Keys of a prism and of a pipe, ended by NULL, and their shapes.
PartRecipe case_structures_prism(CaseReader *reader, const CaseNode *node);
ShapeRecipe case_structures_pipe(CaseReader *reader, const CaseNode *node);
