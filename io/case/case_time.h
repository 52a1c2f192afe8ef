#pragma once
// Functions of time in a case file: a constant, a table, a cosine, or a sum of them.
#include "case.h"
#include "case_value.h"

// Local. The vector that a node describes: [x, y, z], or a mapping with one of the keys table,
// cosine, sum. The rule is for its components. c->step and c->end are known by then. Without a
// node it is zero.
TimeVector case_read_time_vector(CaseReader *reader, const CaseNode *node, const NumberRule *rule,
                                 const Case *c);

// Local. The same of a number, the x of the vector: constants, rows [t, value], amplitudes.
TimeVector case_read_time_number(CaseReader *reader, const CaseNode *node, const NumberRule *rule,
                                 const Case *c);
