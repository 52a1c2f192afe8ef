#pragma once
// What the world does so that every rank has the bodies and the rows of bodies it needs.
#include "box_overlap.h"
#include "halo.h"
#include "world.h"

// Collective. Fetches ghosts of everything that may touch an own dynamic body in the coming step;
// bodies are at the start of the step. boxes: of all rows, ghosts included, as detect_box. Memory
// from the world's scratch arena.
Halo distribute_ghosts(World *world, const Box **boxes);

// Collective. Sends own rows between an own body and another rank's to that rank, of all tables
// that say so (GHOSTS_OF_PAIRS); what arrives stands as ghost rows, sorted by key.
void distribute_pair_rows(World *world, const Halo *halo);

// Collective. First partition by position and contact; the world is ready to step.
void distribute_start(World *world);

// Collective. Finds a new partition of the contact graph and, unless it is for balance and would
// not pay, moves the rows of all tables to their new owners.
void distribute_repartition(World *world, Sharing reason);
