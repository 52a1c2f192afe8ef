#pragma once
// Who owns which vertex of a graph: METIS splits segments of it by counted work, vertices at the
// boundaries move between neighbours, labels follow the old owners. README.md tells how.
#include <stdint.h>

#include "arena.h"
#include "vec3.h"

// The piece of the graph around this rank's vertices; an edge stands at both its ends, with the
// same work.
typedef struct {
  int vertex_count;
  const uint64_t *ids;         // [vertex_count] ascending; each id on one rank only
  const vec3 *places;          // [vertex_count] where they are, m
  const int64_t *work;         // [vertex_count] counted work; 0: a vertex without edges that
                               // follows its neighbours and counts nowhere
  const int64_t *edge_start;   // [vertex_count + 1]
  const uint64_t *edge_ids;    // the other end of each edge
  const int *edge_ranks;       // the rank that holds it now
  const int64_t *edge_work;    // what a rank has to do more when the other end is not its own, >= 0
  int64_t ghost_work;          // and for each vertex of others that it needs a copy of, >= 1; the
                               // same on all ranks
} OwnershipGraph;

// How finely METIS sees the graph: in at most so many segments; a vertex is a segment where there
// are not twice as many vertices. More of them cut better and cost time and memory on rank 0.
typedef struct {
  int segments_per_rank;
  int segments_in_any_case;   // if that is more
  int segments_of_few;   // as long as they are no more, a rank has OWNERSHIP_FINER times as many
} OwnershipGrain;

#define OWNERSHIP_FINER 4
static const OwnershipGrain OWNERSHIP_GRAIN = {32, 2048, 8192};

typedef struct {
  int64_t vertices, edges;   // of the whole graph, with work; edges stand at both ends
  int64_t segments;          // that METIS saw
  int64_t moved;             // vertices with work that change their owner, all ranks
  double imbalance;          // work of the vertices alone, largest of a rank over the mean
  // work of the busiest rank, edges that leave it and copies counted, as owned now and in the new
  // partition
  int64_t most_before, most_after;
  double share_before, share_after;   // the same over the mean
  int64_t cut_before, cut_after;      // work of the edges between ranks, both ends, and of copies
} OwnershipReport;

// Collective. New owner of each own vertex. Any number of vertices, also none, on any number of
// ranks. Deterministic in the graph, the present owners, the grain and the number of ranks.
OwnershipReport ownership_partition(const OwnershipGraph *graph, OwnershipGrain grain, int *owners,
                                    Arena *arena);
