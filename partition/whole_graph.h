#pragma once
// The graph of all ranks' vertices on one rank, in the arrays that METIS reads.
#include <metis.h>
#include <stdint.h>

#include "arena.h"
#include "ownership.h"
#include "parallel.h"

typedef struct {
  int count;
  uint64_t *ids;       // [count] ascending
  idx_t *homes;        // [count] rank that holds the vertex now
  int *curve;          // [count] vertices in order along a space-filling curve
  int64_t *work;       // [count]
  idx_t *edge_start;   // [count + 1]
  idx_t *edges;
  int64_t *edge_work;     // 0 along the curve
  int64_t edge_count;     // of those that are not
  idx_t *vertex_weight;   // work, scaled so that METIS's sums fit in its integers
  idx_t *edge_weight;     // likewise
} WholeGraph;

// Collective. Sends every rank's part to rank 0; pass the result to whole_graph_join there.
Messages whole_graph_gather(const OwnershipGraph *graph, Arena *arena);

// Local. Joins the parts: edges of the graph, and light ones between neighbours along the curve. A
// function of the graph, whoever held which part.
WholeGraph whole_graph_join(Messages parts, Arena *arena);
