#pragma once
// The list of joints of a case file.
#include "case.h"
#include "case_names.h"
#include "case_value.h"

// Local. Reads the joints, once bodies are known.
void case_read_joints(CaseReader *reader, Case *c);

// Local. The only body that a node names, by its group and its number there; names: of the entries.
JointEnd case_joints_body(CaseReader *reader, const CaseNode *node, const Case *c,
                          const BodyNames *names);

// Local. The key of a kind, which a direction shares with a roller.
const char *case_joints_word(JointKind kind);
