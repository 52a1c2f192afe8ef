#pragma once
// The slow reference of ownership: the graph of all ranks' vertices on one rank, for METIS as it
// is.
#include "arena.h"
#include "ownership.h"

// Collective. Gathers the graph on rank 0, splits it by METIS_PartGraphKway, and tells every rank
// the subdomains of its vertices.
void whole_partition(const OwnershipGraph *graph, int *subdomain, Arena *arena);
