#pragma once
// Containers in case files: boxes and drums of walls, floor and lid.
#include "case_value.h"
#include "shape.h"

// Local. The shape of a container.
ShapeRecipe case_read_container(CaseReader *reader, const CaseNode *node);
