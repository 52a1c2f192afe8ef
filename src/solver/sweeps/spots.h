#pragma once
// Sweeps over the places alone where points err: what sweeps over all leave in few places goes on
// there for hundreds of sweeps, each of which stirs all the rest.
#include "gauss_seidel.h"

// Collective. Rounds of plain sweeps over the pairs of bodies that have an error, those of others
// held, on groups whose task allows sweeps, whose residual is above the tolerance, and in which few
// pairs take part. tasks: as in gauss_seidel_improve; sweeps of each are those over all its pairs
// that would have taken as long, and stay as they are where no group is swept. Velocities, impulses
// and residuals fit together before and after; impulses are the best that were found.
void spots_improve(Problem *problem, Velocities free, GroupSweeps sweeps, Arena *arena);
