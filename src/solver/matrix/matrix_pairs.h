#pragma once
// Which contacts of a problem given as matrices lie between the same two bodies. Local.
#include "matrix_problem.h"

// How many pairs of bodies there are: contacts that act on the same velocities (global form, those
// that M couples taken together), or that are coupled with the same contacts (local form), count as
// one. A pair whose bodies touch nothing else may be taken for another one.
int matrix_pairs_count(const MatrixProblem *problem, Arena *arena);
