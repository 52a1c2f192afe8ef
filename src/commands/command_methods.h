#pragma once
// drystone quality --methods: the eight methods of Erleben's text, run, beside the contact models.
// Local.
#include "quality_spread.h"

// Where nothing is said: turns of each scene, and how near to a right normal is right: cosines of
// up to 1 - 1e-6, as for the suite's own comparisons with the text.
#define METHODS_TURNS 40
#define METHODS_WITHIN 1.414e-3

// Prints the table, or all values as JSON. The exit code: there is no tetgen to cut bodies.
int command_methods(const SpreadRuns *runs, bool json);
