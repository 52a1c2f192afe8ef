#pragma once
// The columns of a common solid along its normal, whose squares are the energy of its layer.
#include "common_find.h"
#include "compliant_law.h"

// Local. Half the mean length (m) of the columns of a row of a set with faces, by volume: half the
// integral of their squares over the volume, in closed form. Two bodies that near each other along
// the normal do the work k V times it, whatever their surfaces are. Scratch from the arena.
double compliant_columns_height(const CommonSet *set, int row, const CompliantSolid *solid,
                                Arena *arena);
