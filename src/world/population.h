#pragma once
// Which bodies there are: those that appear, and those that leave the domain of the case.
#include "halo.h"
#include "world.h"

// Local. The first row of a body as the case makes it, behind the own rows.
void population_append(World *world, uint64_t id);

// Collective. Makes the bodies that are due before the coming step; only then it sends anything.
// Dynamic ones go to the rank that has a body nearest to them, fixed ones to the range of their id.
void population_insert_due(World *world);

// Collective. Removes the own dynamic bodies outside the domain with all contacts that any rank
// has of them; rows are at the end of the step. halo: that of the step. Rank 0 gets them in
// world->removed.
void population_remove_outside(World *world, const Halo *halo);
