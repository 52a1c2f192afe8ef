#pragma once
// Vertices at the boundaries of parts move to a neighbour part where that spares work between ranks
// or evens out their loads.
#include "local_graph.h"

// What a partition costs the ranks, in counted work. Load of a part: its vertices, its ends of
// edges to other parts, and its copies of others' vertices.
typedef struct {
  int64_t most, total, cut;   // largest load, all loads, edges between parts (both ends) and copies
} PartitionCost;

// Collective. part[local->count], of own vertices; those of others are fetched here.
PartitionCost refine_cost(const LocalGraph *local, int *part, Arena *arena);

// Local. One number to compare partitions of one graph by: the largest load as far as it is over
// the tolerance, which more balance does not repay, and the cut.
double refine_rating(PartitionCost cost);

// Collective. Improves part[local->count] in place; the rating never gets worse. Rounds of moves
// upwards and downwards in the number of the part take turns, so that no two neighbours change
// places (Karypis and Kumar 1997); a part grants as much as it has room for. Then pairs of parts
// (pairs.h).
PartitionCost refine_partition(const LocalGraph *local, int *part, Arena *arena);
