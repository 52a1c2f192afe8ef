#pragma once
// Offsets that rows of joints can have at once: those of two bodies always, those around loops of
// bodies where impulses show that there are none.
#include "problem.h"

// Local. Leaves of the offsets of rigid rows of pair k the part that one motion of the two bodies
// against each other can undo, by least squares. Rows that hold more than there are freedoms have
// offsets that differ by the errors of the step: without that no impulses would do.
void joint_offsets_agree(Problem *problem, int k, Arena *arena);

// Local. Largest impulse of a point that a joint holds whatever it takes, N s.
double joint_offsets_strain(const Problem *problem);

// Local. Gives points that joints hold whatever it takes the offsets that the velocities there are
// have, and no impulses.
void joint_offsets_relax(Problem *problem);
