#pragma once
// This rank's vertices, and the others that their edges lead to, as rows.
#include "arena.h"
#include "halo.h"
#include "ownership.h"

typedef struct {
  const OwnershipGraph *graph;
  int owned, count;   // rows: own vertices in their order, then those of other ranks
  int *edges;         // row at the other end of each edge
  HaloPlan plan;      // own vertices with edges to other ranks, to their rows there
} LocalGraph;

// Local. Memory from the arena. An edge stands at both its ends, so both ranks know what is sent.
LocalGraph local_graph_new(const OwnershipGraph *graph, Arena *arena);

// Collective among neighbours. values[count]: of own vertices, to the rows of the others.
void local_graph_refresh(const LocalGraph *local, int *values, Arena *arena);
