#pragma once
// A run that begins where another one has ended.
#include <stdbool.h>

// Collective. Puts the newest checkpoint of a folder of results, with its tables and its outcome,
// into another folder, which is made, so that a restart there goes on from it. Where that has a
// checkpoint already nothing is done, but afresh: then what is there of a run goes. False on all
// ranks after one message.
bool run_seed(const char *from, const char *to, bool afresh);
