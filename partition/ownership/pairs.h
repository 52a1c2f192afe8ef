#pragma once
// Pairs of parts that touch: both sides of their boundary are brought to one rank, which makes it
// better.
#include "local_graph.h"

// Collective. Changes part[local->count], which is up to date on all ranks before and after. Pairs
// take turns so that a part is in one at a time (Holtgrewe, Sanders and Schulz 2010), those with
// the longest boundaries first. load: of the part with this rank's number, as in refine.h; limit:
// of a load. Returns the part's load then.
int64_t pairs_improve(const LocalGraph *local, int *part, int64_t load, int64_t limit,
                      Arena *arena);
