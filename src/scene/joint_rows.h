#pragma once
// From the joints of the case file to the rows of the table of joints.
#include "case.h"

// Local. Fills rows, rules and passes of the case, whose bodies are numbered and whose shapes are
// made. Returns NULL, or a message (arena) that names line, joint and reason, the same on all
// ranks.
const char *joint_rows_make(Case *c);
