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

// Collective. Sends rows as rows_send does, and unpacks those that come behind the first `at` rows
// of another table of the kind, or of the same one behind those that leave; it grows. They come in
// rounds, so that no rank has more than a megabyte packed, each round by source and in the
// order of the list. senders, unless NULL: who sent each of them (memory_free). Returns the number
// of rows then; leaves owned and count alone.
int rows_bring(Table *to, int at, const Table *from, RowDestination *rows, int count,
               unsigned flags, int32_t **senders, Arena *arena);
