#pragma once
// Anderson's acceleration of sweeps (type II: Walker and Ni 2011) with restarts, for each group of
// touching bodies its own. Changes are measured by W_nn of their points, so that they are energies.
#include "acceleration.h"

// Collective. After a sweep: the affine combination of the last ends of sweeps whose step would be
// smallest if the sweep were affine, for each group.
void mixing_find_shares(Acceleration *acceleration);

// Local. After the first sweep: notes its step.
void mixing_note_first(Acceleration *acceleration);
