#pragma once
// The graph of the segments along the curve: gathered on one rank, split by METIS, labels matched.
#include "arena.h"
#include "curve_sort.h"
#include "local_graph.h"

// Collective. A rank for every own vertex: that of its segment. segments[local->count]: of own
// vertices and of those their edges lead to. METIS (Karypis and Kumar 1998) splits the segments by
// work, by itself or where that is better along the curve; light edges along the curve keep loose
// segments with their neighbours in space. A subdomain gets the label of the rank that holds most
// of its work. Returns the number of segments that METIS saw.
int64_t segment_graph_split(const LocalGraph *local, const CurveSort *sort, const int *segments,
                            int *subdomain, Arena *arena);
