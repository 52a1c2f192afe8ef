#pragma once
// Vertices near the boundary of two subdomains change sides so that less work is shared. Local.
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"

// What lies near the boundary. An edge stands at both its ends as far as they are here, and those
// of vertices that may change sides are.
typedef struct {
  int movable, count;      // vertices [0, movable) may change sides, those up to count touch them
  const int64_t *work;     // [movable]
  const int *edge_start;   // [count + 1]
  const int *edges;        // the other end: a vertex, or count + side of one that is not here
  const int64_t *edge_work;
  int64_t ghost_work;   // that a copy of a vertex brings to a subdomain that it touches
} TwoWayGraph;

enum { SIDE_ELSEWHERE = 2 };   // beside 0 and 1, of vertices that belong to a third subdomain

// What two subdomains cost. Order: the workload beyond the limit, then the cut, then the larger
// workload.
typedef struct {
  int64_t workload[2];   // their vertices, ends of edges to other subdomains, copies of others'
                         // vertices
  int64_t cut;           // work of cut edges (both ends) and copies, less what no move changes
} TwoWayCost;

// Sequences of moves after Fiduccia and Mattheyses 1982: the best move is made, also one that
// costs, no vertex moves twice, and of all that was made the best beginning stands. Changes side[0
// .. movable) and cost in place; cost never gets worse. A workload grows beyond the limit only
// where that makes the larger workload smaller.
void two_way_improve(const TwoWayGraph *graph, unsigned char *side, int64_t limit, TwoWayCost *cost,
                     Arena *arena);
