#pragma once
// Do mirrors and ghosts match?
#include "halo.h"

// Collective. NULL, or the same phrase on the ranks that see a fault: neighbours out of order, rows
// that are no own row or no ghost, a ghost with two senders, owners that are no other rank, and ids
// that do not arrive where a plan says. ids: [count] of the rows, own ones first.
const char *halo_fault(const HaloPlan *plan, const uint64_t *ids, int owned, int count,
                       Arena *arena);

// Local. NULL, or a phrase: ghost_ranks[ghost_count] are other ranks.
const char *halo_ranks_fault(const Halo *halo, int ghost_count);
