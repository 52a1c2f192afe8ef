#pragma once
// Is a graph of contacts what graph.h promises?
#include "graph.h"

// Local. NULL, or a phrase for the first promise that does not hold: pairs in colours and points in
// pairs without gap or repetition, points that are the contacts and joints they name, no own body
// twice in a colour (bodies that are split over copies: no copy), the pairs of each own body in
// order of key. source: what the graph was made of.
const char *graph_fault(const ContactGraph *graph, const GraphSource *source, Arena *arena);
