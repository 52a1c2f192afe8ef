#include "row_exchange.h"

#include <stdlib.h>

static int compare_destinations(const void *a, const void *b)
{
  const RowDestination *p = a, *q = b;
  if (p->rank != q->rank) return (p->rank > q->rank) - (p->rank < q->rank);
  return (p->row > q->row) - (p->row < q->row);
}

Messages rows_send(const Table *table, RowDestination *rows, int count, unsigned flags,
                   Arena *arena)
{
  // rows that go to blocks of ids are in order mostly, for they are sorted by id
  bool sorted = true;
  for (int i = 1; i < count && sorted; i++)
    sorted = compare_destinations(&rows[i - 1], &rows[i]) <= 0;
  if (!sorted) qsort(rows, (size_t)count, sizeof *rows, compare_destinations);
  int message_count = 0;
  for (int i = 0; i < count; i++) message_count += i == 0 || rows[i].rank != rows[i - 1].rank;

  // one message per rank
  const size_t bytes = table_packed_bytes(table, flags);
  char *packed = arena_allocate(arena, (size_t)count * bytes);
  Message *messages = arena_allocate(arena, (size_t)message_count * sizeof *messages);
  int m = -1;
  for (int i = 0; i < count; i++) {
    char *place = packed + (size_t)i * bytes;
    if (i == 0 || rows[i].rank != rows[i - 1].rank)
      messages[++m] = (Message){.rank = rows[i].rank, .data = place};
    table_pack_row(table, rows[i].row, flags, place);
    messages[m].bytes += bytes;
  }
  return par_exchange(messages, message_count, arena);
}

int rows_receive(Table *table, int at, Messages messages, unsigned flags)
{
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
