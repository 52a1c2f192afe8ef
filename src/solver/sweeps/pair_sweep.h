#pragma once
// Gauss-Seidel on the points of one pair, one after another, through the kinds of its bodies: the
// reference of batches, and what pairs get that go in none.
#include "problem.h"

// Local. Solves each point of pair k with the velocities that the points before it left, in one
// pass, and in more where the pair has several; r: impulses, [points]. Velocities of both bodies,
// or their copies, are up to date after it.
void pair_sweep(Problem *problem, int k, int more_passes, vec3 *r);
