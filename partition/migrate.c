// Moves rows of a table to new owners and checks their number.
#include "migrate.h"

#include <assert.h>

#include "parallel.h"
#include "row_exchange.h"

int migrate_rows(Table *table, const int *destinations, unsigned flags, Arena *arena)
{
  assert((destinations != NULL || table->owned == 0) && "every own row has a destination");
  assert(table->owned <= table->count && "own rows come first");
  const int64_t before = par_sum(table->owned);
  RowDestination *leaving = arena_allocate(arena, ((size_t)table->owned + 1) * sizeof *leaving);
  int count = 0;
  for (int i = 0; i < table->owned; i++) {
    assert(destinations[i] >= 0 && destinations[i] < par_size() && "destination is a rank");
    if (destinations[i] != par_rank()) leaving[count++] = (RowDestination){destinations[i], i};
  }
  const int own = table->owned;
  const RowShipment shipment = {table, flags, count, leaving};
  const int end = row_exchange_bring(table, own, &shipment, NULL, arena);

  // rows that stay close up, rows that came stand behind them
  int kept = 0;
  for (int i = 0; i < end; i++)
    if (i >= own || destinations[i] == par_rank()) {
      if (kept != i) table_copy_row(table, kept, table, i);
      kept++;
    }
  table->owned = table->count = kept;
  table_trim(table);
  const int64_t after = par_sum(table->owned);
  if (after != before)
    die("%s: %lld rows before a migration, %lld after", table->schema->name, (long long)before,
        (long long)after);
  return count;
}
