#pragma once
// The numbers of contact points: frames, arms, W_aa and what the law asks for.
#include "problem.h"

// Local. Fills the points of pairs, in their order. contacts[pair_count]: row of a pair's first
// contact; those of its other points follow.
void make_points(const ProblemInput *in, const SolverPair *pairs, const int *contacts,
                 int pair_count, SolverPoint *points);
