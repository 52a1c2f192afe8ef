#pragma once
// Who owns which vertex of a graph: METIS splits it by counted work, labels follow the old owners.
#include <stdint.h>

#include "arena.h"
#include "vec3.h"

// The part of the graph around this rank's vertices; an edge stands at both its ends.
typedef struct {
  int vertex_count;
  const uint64_t *ids;         // [vertex_count] ascending; each id on one rank only
  const vec3 *places;          // [vertex_count] where they are, m
  const int64_t *work;         // [vertex_count] counted work, >= 1
  const int64_t *edge_start;   // [vertex_count + 1]
  const uint64_t *edge_ids;    // the other end of each edge
  const int64_t *edge_work;    // what a rank has to do more when the other end is not its own, >= 1
} OwnershipGraph;

typedef struct {
  int64_t vertices, edges;   // of the whole graph; edges stand at both ends
  int64_t moved;             // vertices that change their owner, all ranks
  double imbalance;          // work of the vertices alone, largest of a rank over the mean
  // work of the busiest rank, edges that leave it counted, as owned now and in the new partition
  int64_t most_before, most_after;
  double share_before, share_after;   // the same over the mean
} OwnershipReport;

// Collective. New owner of each own vertex. Any number of vertices, also none, on any number of
// ranks. The graph is gathered on rank 0 and split by METIS_PartGraphKway (Karypis and Kumar 1998);
// light edges along a space-filling curve keep loose vertices with their neighbours in space. Parts
// then get the label of the rank that holds most of their work, so that few vertices move.
OwnershipReport ownership_partition(const OwnershipGraph *graph, int *owners, Arena *arena);
