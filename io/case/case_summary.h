#pragma once
// What a case amounts to, in a few lines for the user.
#include "case.h"

// Local. Title, bodies, materials, mass, bounding box, shapes and steps of a case, a line
// each; in the case's arena. The work grows with shapes, voussoirs of arches and, up to a million
// of a group, stones alone.
const char *case_summary_text(const Case *c);
