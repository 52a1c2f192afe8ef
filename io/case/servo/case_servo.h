#pragma once
// The list of servos of a case file: forces that bodies of a press are to give.
#include "case.h"
#include "case_value.h"

// Local. Reads the servos, once bodies and joints are known; each is a joint, too.
void case_servo_read(CaseReader *reader, Case *c);

// Local. Reads the servos of a stage: forces in place of those that the case gives them.
void case_servo_read_stage(CaseReader *reader, const CaseNode *node, Case *stage);
