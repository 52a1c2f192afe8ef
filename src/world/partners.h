#pragma once
// Who has the bodies at the other ends of joints: they are ghosts wherever they are.
#include "halo.h"
#include "world.h"

// Collective. What ranks need of each other for the joints between their bodies, in the scratch
// arena of the world. Own rows are sorted by id.
HaloWishes partners_find(World *world);

// Local. Owners or bodies have changed: the next call asks anew. On all ranks alike.
void partners_forget(World *world);

// Local. Releases what is kept.
void partners_destroy(Partners *partners);
