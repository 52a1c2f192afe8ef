#include "migrate.h"

#include <assert.h>
#include <stdlib.h>

#include "parallel.h"

typedef struct {
  int rank, row;
} Departure;

static int compare_departures(const void *a, const void *b)
{
  const Departure *p = a, *q = b;
  if (p->rank != q->rank) return (p->rank > q->rank) - (p->rank < q->rank);
  return (p->row > q->row) - (p->row < q->row);
}

int migrate_rows(Table *table, const int *destinations, unsigned flags, Arena *arena)
{
  const int64_t before = par_sum(table->owned);
  const size_t bytes = table_packed_bytes(table, flags);

  // rows that leave, by destination
  Departure *leaving = arena_allocate(arena, ((size_t)table->owned + 1) * sizeof *leaving);
  int count = 0;
  for (int i = 0; i < table->owned; i++) {
    assert(destinations[i] >= 0 && destinations[i] < par_size() && "destination is a rank");
    if (destinations[i] != par_rank()) leaving[count++] = (Departure){destinations[i], i};
  }
  if (count > 1) qsort(leaving, (size_t)count, sizeof *leaving, compare_departures);
  char *rows = arena_allocate(arena, (size_t)count * bytes);
  Message *sends = arena_allocate(arena, ((size_t)count + 1) * sizeof *sends);
  int send_count = 0;
  for (int i = 0; i < count; i++) {
    table_pack_row(table, leaving[i].row, flags, rows + (size_t)i * bytes);
    if (i == 0 || leaving[i].rank != leaving[i - 1].rank)
      sends[send_count++] = (Message){leaving[i].rank, 0, rows + (size_t)i * bytes};
    sends[send_count - 1].bytes += bytes;
  }

  // rows that stay close up, rows that come stand behind them
  int kept = 0;
  for (int i = 0; i < table->owned; i++)
    if (destinations[i] == par_rank()) {
      if (kept != i) table_copy_row(table, kept, table, i);
      kept++;
    }
  const Messages incoming = par_exchange(sends, send_count, arena);
  for (int m = 0; m < incoming.count; m++) {
    const int arriving = (int)(incoming.messages[m].bytes / bytes);
    table_reserve(table, kept + arriving);
    for (int i = 0; i < arriving; i++)
      table_unpack_row(table, kept++, flags, (char *)incoming.messages[m].data + (size_t)i * bytes);
  }
  table->owned = table->count = kept;
  const int64_t after = par_sum(table->owned);
  if (after != before)
    die("%s: %lld rows before a migration, %lld after", table->name, (long long)before,
        (long long)after);
  return count;
}
