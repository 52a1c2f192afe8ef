#pragma once
// All functions of time that a case has; a stage has its own.
#include "case.h"

// Local. The least mean time between values of one of their tables, s; the largest angular
// frequency, rad/s.
double case_functions_spacing(const Case *c);
double case_functions_rate(const Case *c);
