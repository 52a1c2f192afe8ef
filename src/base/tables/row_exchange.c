// Sends rows of a table to other ranks, in rounds of bounded memory.
#include "row_exchange.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"

#define ROUND_BYTES ((size_t)1 << 20)   // of packed rows that a rank has at once

static int compare_destinations(const void *a, const void *b)
{
  const RowDestination *p = a, *q = b;
  if (p->rank != q->rank) return (p->rank > q->rank) - (p->rank < q->rank);
  return (p->row > q->row) - (p->row < q->row);
}

static void sort_destinations(const RowShipment *shipment)
{
  RowDestination *rows = shipment->rows;
  const int count = shipment->count;
  assert(count >= 0 && (rows != NULL || count == 0) && "rows are given");
  // rows that go to ranges of ids are in order mostly, for they are sorted by id
  bool sorted = true;
  for (int i = 1; i < count && sorted; i++)
    sorted = compare_destinations(&rows[i - 1], &rows[i]) <= 0;
  if (!sorted) qsort(rows, (size_t)count, sizeof *rows, compare_destinations);
}

static int count_destinations(const RowDestination *rows, int count)
{
  int ranks = 0;
  for (int i = 0; i < count; i++) ranks += i == 0 || rows[i].rank != rows[i - 1].rank;
  return ranks;
}

Messages row_exchange_send(const RowShipment *shipment, Arena *arena)
{
  const int count = shipment->count;
  const size_t bytes = table_packed_bytes(shipment->table, shipment->flags);
  assert(bytes > 0 && "some field travels");
  sort_destinations(shipment);
  const RowDestination *rows = shipment->rows;
  const int message_count = count_destinations(rows, count);

  // one message per rank
  char *packed = arena_allocate(arena, (size_t)count * bytes);
  Message *messages = arena_allocate(arena, (size_t)message_count * sizeof *messages);
  int m = -1;
  for (int i = 0; i < count; i++) {
    char *place = packed + (size_t)i * bytes;
    if (i == 0 || rows[i].rank != rows[i - 1].rank)
      messages[++m] = (Message){.rank = rows[i].rank, .data = place};
    table_pack_row(shipment->table, rows[i].row, shipment->flags, place);
    messages[m].bytes += bytes;
  }
  return par_exchange(messages, message_count, arena);
}

int row_exchange_receive(Table *table, int at, Messages messages, unsigned flags)
{
  assert(at >= 0 && messages.count >= 0 && "rows come behind those that are there");
  const size_t bytes = table_packed_bytes(table, flags);
  for (int m = 0; m < messages.count; m++) {
    const int rows = (int)(messages.messages[m].bytes / bytes);
    table_reserve(table, at + rows);
    for (int i = 0; i < rows; i++)
      table_unpack_row(table, at++, flags,
                       (const char *)messages.messages[m].data + (size_t)i * bytes);
  }
  return at;
}

// A list of rows that is sorted by rank, and where the rows of each rank begin.
typedef struct {
  const RowDestination *rows;
  int ranks, *starts;   // starts[ranks + 1]
} RankRows;

static RankRows find_rank_rows(const RowDestination *rows, int count, Arena *arena)
{
  const int ranks = count_destinations(rows, count);
  RankRows rank_rows = {rows, 0, arena_allocate(arena, ((size_t)ranks + 1) * sizeof(int))};
  for (int i = 0; i < count; i++)
    if (i == 0 || rows[i].rank != rows[i - 1].rank) rank_rows.starts[rank_rows.ranks++] = i;
  rank_rows.starts[ranks] = count;
  return rank_rows;
}

// What a round takes of the list: of each rank the same share, so that a rank gets in a round its
// share of what it gets in all. Returns the number of rows.
static int take_round(const RankRows *rank_rows, int64_t round, int64_t rounds,
                      RowDestination *taken)
{
  int count = 0;
  for (int p = 0; p < rank_rows->ranks; p++) {
    const int64_t start = rank_rows->starts[p], there = rank_rows->starts[p + 1] - start;
    const int64_t end = start + there * (round + 1) / rounds;
    for (int64_t i = start + there * round / rounds; i < end; i++)
      taken[count++] = rank_rows->rows[i];
  }
  return count;
}

// Collective. Rows that come to this rank in all.
static int64_t count_coming(const RankRows *rank_rows, Arena *arena)
{
  Message *messages = arena_allocate(arena, (size_t)rank_rows->ranks * sizeof *messages);
  int64_t *counts = arena_allocate(arena, (size_t)rank_rows->ranks * sizeof *counts);
  for (int p = 0; p < rank_rows->ranks; p++) {
    counts[p] = rank_rows->starts[p + 1] - rank_rows->starts[p];
    messages[p] = (Message){rank_rows->rows[rank_rows->starts[p]].rank, sizeof *counts, &counts[p]};
  }
  const Messages told = par_exchange(messages, rank_rows->ranks, arena);
  int64_t sum = 0;
  for (int m = 0; m < told.count; m++) sum += *(const int64_t *)told.messages[m].data;
  return sum;
}

int row_exchange_bring(Table *to, int at, const RowShipment *shipment, int32_t **senders,
                       Arena *arena)
{
  const int count = shipment->count;
  const unsigned flags = shipment->flags;
  assert(at >= 0 && count >= 0 && "rows come behind those that are there");
  const size_t bytes = table_packed_bytes(shipment->table, flags);
  assert(bytes > 0 && bytes == table_packed_bytes(to, flags) && "tables with the same fields");
  sort_destinations(shipment);
  const RankRows rank_rows = find_rank_rows(shipment->rows, count, arena);
  const int64_t coming = count_coming(&rank_rows, arena);
  if (at + coming > INT32_MAX)
    die("%s: %lld rows are too many", to->schema->name, (long long)at + coming);
  table_reserve(to, at + (int)coming);
  int32_t *sender = NULL;
  if (senders) *senders = sender = memory_allocate((size_t)coming * sizeof *sender);

  const int64_t rounds = 1 + (int64_t)par_max((double)((size_t)count * bytes / ROUND_BYTES));
  RowDestination *taken =
      arena_allocate(arena, ((size_t)(count / rounds) + (size_t)rank_rows.ranks) * sizeof *taken);
  for (int64_t round = 0; round < rounds; round++) {
    const ArenaMark mark = arena_mark(arena);
    const RowShipment now = {shipment->table, flags, take_round(&rank_rows, round, rounds, taken),
                             taken};
    const Messages incoming = row_exchange_send(&now, arena);
    at = row_exchange_receive(to, at, incoming, flags);
    for (int m = 0; m < incoming.count && sender; m++)
      for (size_t i = 0; i < incoming.messages[m].bytes / bytes; i++)
        *sender++ = incoming.messages[m].rank;
    arena_release(arena, mark);
  }
  return at;
}
