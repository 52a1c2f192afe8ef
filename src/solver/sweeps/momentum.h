#pragma once
// Nesterov's sequence with restarts (O'Donoghue and Candes 2015), for each group of touching bodies
// its own.
#include "acceleration.h"

// Collective. After a sweep: how far each group goes on along its last change.
void momentum_find_shares(Acceleration *acceleration);
