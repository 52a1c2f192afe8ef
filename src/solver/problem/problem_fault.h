#pragma once
// Are the points of a contact problem what problem.h promises?
#include "problem.h"

// Local. NULL, or a phrase for the first promise that a point breaks: bases of unit vectors that
// stand on each other, values that are finite, friction and rho not below zero, velocities of all
// rows that are finite.
const char *problem_fault(const Problem *problem);
