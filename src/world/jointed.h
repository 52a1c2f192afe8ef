#pragma once
// Joints of the world: rows of the case's joints, and bodies that they bring together from afar.
#include "scheme.h"

// Collective. Rows of joints between bodies that appear at the start, where this rank has the
// owner.
void jointed_begin(World *world);

// Collective. Rows of joints whose last body has just appeared. They hold what their places and
// axes say in the world now; the other body may have been there before, and not at all if it has
// left.
void jointed_add_born(World *world);

// Local. What of the rows follows from the case, after a restart.
void jointed_complete(World *world);

// Local. Gives all ranks a ghost row that does not move where joints hold bodies in space, after
// boxes and contacts are found: nothing touches it.
void jointed_add_space(World *world, Step *step);
