#pragma once
// Fills the record of a step: counts, energies, momenta. Sums are exact, so every rank count gives
// the same numbers.
#include "correction.h"
#include "scheme.h"
#include "world.h"

// Collective. Counts and works of a step that its scheme has solved, before bodies move to the end
// of it.
void record_step(World *world, const Step *step);

// Collective. What the correction of positions does to energy and angular momentum.
void record_correction(World *world, const Correction *correction, const Step *step);

// Collective. After the first half of a step: what is odd about its motion. False: a number is not
// finite, and there is no second half.
bool record_end_half(World *world);

// Local. Puts the record of the first half and that of the whole step that was given up to that of
// the second half: counts and works of a step are those of both, errors the larger ones.
void record_join_halves(World *world, const StepRecord *first);

// Collective. Energy and momenta at the end of the step; counted work of this rank and all sweeps
// of the step, for the record and for balance. EXIT_DONE, or after one message EXIT_OVERFLOW (a
// number that is not finite) or EXIT_USER (a large motion where the case stops on it).
int record_finish(World *world, int64_t work, int sweeps);
