#pragma once
// Wheels of a case file: where they are, and what of the ground they touch.
#include "case_selection.h"

// As local as the reader of records is. What a node says of a wheel (case's arena); on: the bodies
// it may stand on, NULL: all. c->step and c->end are known.
const LoadWheel *case_wheel_read(BodySelector *selector, const CaseNode *node, const CaseNode *on,
                                 const Case *c);
