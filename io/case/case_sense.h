#pragma once
// What a case may say and nobody means: a warning each, where it can be told before the first step.
#include "case.h"

// Local. Warns, from rank 0 alone, of a case whose run begins: gravity that points up, steps
// in which bodies fall through what they stand on, frames more often than steps, nothing that can
// move, a name of several entries that are dynamic or not of one drive, joints far away from what
// they hold, bodies inside each other,
// an assembly that floats above what should carry it, and bodies at rest that have nothing below
// them. Returns false on rank 0 where the bodies have too many parts to look at their places.
bool case_sense_warn_of_start(const Case *c);

// Local. The same of any run, restarted ones too: motion that is lost to rounding, and turns in a
// step whose energy is false; the first body of each, and how many entries are like it. Finite
// elements that are next to rigid for the step; the stiffest.
void case_sense_warn_of_motion(const Case *c);
