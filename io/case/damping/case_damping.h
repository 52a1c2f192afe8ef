#pragma once
// Damping of dynamic bodies.
#include "case.h"
#include "case_value.h"

// Local. What the key damping says, of a case whose bodies are known: the share of local damping,
// or a mapping. Without a node there is none.
DampingSettings case_damping_read(CaseReader *reader, const CaseNode *node, const Case *c);
