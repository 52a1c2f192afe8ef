#pragma once
// Rows of a table to other ranks, whatever for: migration, ghost contacts, blocks of files.
#include "arena.h"
#include "parallel.h"
#include "table.h"

typedef struct {
  int rank, row;
} RowDestination;

// Collective. Sends the fields with any of the flags of each listed row to its rank; the list may
// name a row more than once and is sorted here by rank and row. Messages hold packed rows, sorted
// by source. Memory from the arena.
Messages rows_send(const Table *table, RowDestination *rows, int count, unsigned flags,
                   Arena *arena);

// Local. Unpacks all messages behind the first `at` rows of the table, which grows; returns the
// number of rows then. Leaves owned and count alone.
int rows_receive(Table *table, int at, Messages messages, unsigned flags);
