#pragma once
// What the ground gives foundations through their faces that are held.
#include "scheme.h"

// Local. Fills world->anchorage from an interval that is solved, and adds the work of these
// impulses to the sum, J.
void anchorage_record(World *world, const Step *step, ExactSum *work);
