#pragma once
// Rows of a table to other ranks, whatever for: migration, ghost contacts, ranges of files.
#include "arena.h"
#include "parallel.h"
#include "table.h"

typedef struct {
  int rank, row;
} RowDestination;

// Rows that go to other ranks; the list may name a row more than once.
typedef struct {
  const Table *table;
  unsigned flags;   // fields with any of them travel
  int count;
  RowDestination *rows;   // [count] sorted by rank and row where they are sent
} RowShipment;

// Collective. Sends each row of a shipment to its rank. Messages hold packed rows, sorted by
// source. Memory from the arena.
Messages row_exchange_send(const RowShipment *shipment, Arena *arena);

// Local. Unpacks all messages behind the first `at` rows of the table, which grows; returns the
// number of rows then. Leaves owned and count alone.
int row_exchange_receive(Table *table, int at, Messages messages, unsigned flags);

// Collective. Sends rows as row_exchange_send does, and unpacks those that come behind the first
// `at` rows of another table of the kind, or of the same one behind those that leave; it grows.
// They come in rounds, so that no rank has more than a megabyte packed, each round by source and in
// the order of the list. senders, unless NULL: who sent each of them (memory_free). Returns the
// number of rows then; leaves owned and count alone.
int row_exchange_bring(Table *to, int at, const RowShipment *shipment, int32_t **senders,
                       Arena *arena);
