#pragma once
// What the world does so that every rank has the bodies and contacts it needs.
#include "box_overlap.h"
#include "halo.h"
#include "world.h"

// Collective. Fetches ghosts of everything that may touch an own dynamic body in the coming step;
// bodies are at the start of the step. boxes: of all rows, ghosts included, as detect_box. Memory
// from the world's scratch arena.
Halo distribute_ghosts(World *world, const Box **boxes);

// Collective. Sends the own contacts of boundary pairs to the owner of the other body; what arrives
// stands as ghost rows in contacts, sorted by key.
void distribute_contacts(Contacts *contacts, const Bodies *bodies, const Halo *halo, Arena *arena);
