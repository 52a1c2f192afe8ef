#pragma once
// The list of joints of a case file.
#include "case.h"
#include "case_selection.h"

// Local. Reads the joints, once bodies are known.
void case_read_joints(CaseReader *reader, Case *c);

// Local. The key of a kind, which a direction shares with a roller.
const char *case_joints_word(JointKind kind);
