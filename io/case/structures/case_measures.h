#pragma once
// What several structures have in common in case files: words, counts, rings, refusals.
#include "case.h"
#include "case_value.h"
#include "ring.h"
#include "structure.h"

// All functions are Local.

// The index of the word that a node is, or the fallback without a node.
int case_measures_word(CaseReader *reader, const CaseNode *node, const char *const *words,
                       int fallback);

// The node of a key that has two names; one of them is required where the flag says so.
const CaseNode *case_measures_either(CaseReader *reader, const CaseNode *mapping,
                                     const char *const names[2], bool required);

// A length above zero under a key that must be there.
double case_measures_length(CaseReader *reader, const CaseNode *mapping, const char *key);

// A whole number from 1 to a million under a key that must be there.
int case_measures_count(CaseReader *reader, const CaseNode *mapping, const char *key);

// The keys rise, thickness, form, and voussoirs or n; span is known.
RingMeasures case_measures_ring(CaseReader *reader, const CaseNode *mapping, double span);

// Refuses a mapping by the key at fault.
void case_measures_refuse(CaseReader *reader, const CaseNode *mapping, StructureFault fault);

// The stones of a structure become the bodies of the group.
void case_measures_take(const Structure *structure, BodyGroup *group);
