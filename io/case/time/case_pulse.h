#pragma once
// Functions of time that have names: a ramp, a smooth step, a sine, a Ricker pulse.
#include "case.h"
#include "case_quantity.h"

// What they are read into, with room for one term of each kind.
typedef struct {
  CaseReader *reader;
  const Case *c;   // step and end are known
  TimeQuantity quantity;
  TimeVector *vector;
} PulseTerms;

// Local. Value of a node: three numbers, or one, which goes to x; zero without a node.
vec3 case_pulse_value(const PulseTerms *terms, const CaseNode *node);

// Local. Adds a constant term.
void case_pulse_constant(PulseTerms *terms, vec3 value);

// Local. Refuses frequencies (rad/s) of less than two steps a period, and angles beyond what the
// run can know.
void case_pulse_check_rate(const PulseTerms *terms, const CaseNode *node, double rate);

// Local. Each adds the terms that the value of its key describes.
void case_pulse_ramp(PulseTerms *terms, const CaseNode *node);
void case_pulse_smooth(PulseTerms *terms, const CaseNode *node);
void case_pulse_sine(PulseTerms *terms, const CaseNode *node);
void case_pulse_ricker(PulseTerms *terms, const CaseNode *node);
