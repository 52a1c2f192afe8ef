#pragma once
// Pairs of subdomains that touch: both sides of their boundary are brought to one rank, which makes
// it better.
#include "local_graph.h"

// Collective. Changes subdomain[local->count], which is up to date on all ranks before and after.
// Pairs go colour by colour, so that a subdomain is in one at a time (Holtgrewe, Sanders and Schulz
// 2010), those with the longest boundaries first. workload: of the subdomain with this rank's
// number, as in refine.h; limit: of a workload. Returns the subdomain's workload then.
int64_t pairs_improve(const LocalGraph *local, int *subdomain, int64_t workload, int64_t limit,
                      Arena *arena);
