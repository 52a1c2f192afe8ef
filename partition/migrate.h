#pragma once
// Moves rows of a table to new owners. Nothing is lost: counts are checked on every call.
#include "arena.h"
#include "table.h"

// Collective. Sends each own row to its destination rank (destinations[owned]) and drops ghosts.
// Rows that stay keep their order; arrivals stand behind them in the order of row_exchange_bring;
// the caller sorts. flags: fields that travel. Returns the rows that this rank sent away.
int migrate_rows(Table *table, const int *destinations, unsigned flags, Arena *arena);
