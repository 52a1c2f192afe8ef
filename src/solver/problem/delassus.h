#pragma once
// W_aa of one contact point from the bodies it acts on, made where it is needed: a column of it
// would take a tenth of a problem's memory.
#include "law.h"
#include "problem.h"

// Local. W_aa of a point in its basis, with these states of its bodies.
sym3 delassus_in_basis(const SolverPoint *point, const MidState *low, const MidState *high);

// Local. By how much |W_aa|_2 is larger than if the bodies did not deform, 1/kg.
double delassus_soft(const SolverPoint *point, const MidState *low, const MidState *high);

// Local. W_aa of a point of pair k, in its basis, whose tangents make S diagonal to rounding; with
// what the point gives, and with the masses of copies where a body is split.
LocalDelassus delassus_of_point(const Problem *problem, int k, int i);

// Local. rho of a point: 1 / |W_aa|_2, kg; 0 where W_aa is zero.
double delassus_rho(const sym3 *w);
