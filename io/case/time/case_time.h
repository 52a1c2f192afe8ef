#pragma once
// Functions of time in a case file: a constant, a table, a record in a file, named functions, or a
// sum of them.
#include "case.h"
#include "case_record.h"
#include "case_value.h"

// Local, unless records are read by more than this rank. The vector that a node describes: three
// numbers, or a mapping with one of the keys of README.md; of a temperature one number, in x.
// c->step and c->end are known by then. Without a node it is zero.
TimeVector case_time_read(CaseReader *reader, const CaseNode *node, TimeQuantity quantity,
                          const Case *c);
