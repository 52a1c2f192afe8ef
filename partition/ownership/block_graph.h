#pragma once
// The graph of the blocks along the curve: gathered on one rank, split by METIS, labels matched.
#include "arena.h"
#include "curve_sort.h"
#include "local_graph.h"

// Collective. A rank for every own vertex: that of its block. blocks[local->count]: of own vertices
// and of those their edges lead to. METIS (Karypis and Kumar 1998) splits the blocks by work, by
// itself or where that is better along the curve; light edges along the curve keep loose blocks
// with their neighbours in space. A part gets the label of the rank that holds most of its work.
// Returns the number of blocks that METIS saw.
int64_t block_graph_split(const LocalGraph *local, const CurveSort *sort, const int *blocks,
                          int *part, Arena *arena);
