#pragma once
// Points of the contact problem from contacts: bases, arms, W_aa, offsets, limits, first guesses.
#include "problem.h"

// Local. Fills the columns of all points, pairs one after another, four points at once.
// For the tests.
void make_points(const ProblemInput *in, Problem *problem);
