#pragma once
// Vertices at the boundaries of subdomains move to a neighbour subdomain where that spares work
// between ranks or evens out their workloads.
#include "local_graph.h"

// What a partition costs the ranks, in counted work. Workload of a subdomain: its vertices, its
// ends of edges to other subdomains, and its copies of others' vertices.
typedef struct {
  int64_t most, total;   // largest workload, all workloads
  int64_t cut;           // edges between subdomains (both ends) and copies
} PartitionCost;

// Collective. subdomain[local->count], of own vertices; those of others are fetched here.
PartitionCost refine_cost(const LocalGraph *local, int *subdomain, Arena *arena);

// Local. One number to compare partitions of one graph by: the largest workload as far as it is
// over the tolerance, which more balance does not repay, and the cut.
double refine_rating(PartitionCost cost);

// Collective. Improves subdomain[local->count] in place; the rating never gets worse. Rounds of
// moves upwards and downwards in the number of the subdomain alternate, so that no two neighbours
// change places (Karypis and Kumar 1997); a subdomain grants as much as it has room for. Then pairs
// of subdomains (pairs.h).
PartitionCost refine_partition(const LocalGraph *local, int *subdomain, Arena *arena);
