#pragma once
// The contact problem of one step as a file that other programs of the field can solve.
#include "results.h"
#include "world.h"

// Collective. Writes problem-NNNNNNNNN.hdf5 (FCLIB, global form, unknowns as dump_matrices.h has
// them) from the problem of the step under way; contacts in order of key, the same on any number of
// ranks, without those that are no constraint in this step. EXIT_DONE, or after one message
// EXIT_IO: the file cannot be written, or the folder is another one; EXIT_USER: there are bonds,
// which the format does not know, or matrices would be too large.
int run_dump_problem(const World *world, const Problem *problem, Velocities free,
                     const Results *results);
