// Brings sorted rows to the ranks that write them, so that files do not depend on owners.
#include "row_spans.h"

#include <assert.h>
#include <string.h>

#include "id_range.h"
#include "memory.h"
#include "row_exchange.h"

// One rank: rows to itself need no messages, which take most of the time of a checkpoint.
static int32_t *copy_rows(Table *copy, const Table *table)
{
  assert(copy->schema->field_count == table->schema->field_count &&
         "a copy has the fields of its table");
  const int rows = table->owned;
  table_reserve(copy, rows);
  copy->owned = copy->count = rows;
  for (int f = 0; f < copy->schema->field_count; f++) {
    const Field *field = &copy->schema->fields[f];
    if (rows > 0 && table_has(copy, field))
      memcpy(table_at(copy, field, 0), table_at(table, &table->schema->fields[f], 0),
             (size_t)rows * field->row_bytes);
  }
  return memory_allocate_zero((size_t)rows + 1, sizeof(int32_t));   // all from rank 0
}

// Sends rows to their ranks, or copies them; who sent each row that has arrived (memory_free).
static int32_t *bring_rows(Table *copy, const Table *table, const int *ranks, unsigned flags,
                           Arena *arena)
{
  if (par_size() == 1) return copy_rows(copy, table);
  const int rows = table->owned;
  RowDestination *to = arena_allocate(arena, (size_t)rows * sizeof *to);
  for (int i = 0; i < rows; i++) to[i] = (RowDestination){ranks[i], i};
  int32_t *senders;
  const RowShipment shipment = {table, flags, rows, to};
  copy->owned = copy->count = row_exchange_bring(copy, 0, &shipment, &senders, arena);
  return senders;
}

// The rows of a table whose first bodies lie in this rank's span, and who sent them.
static void gather_span(RowSpan *span, const Table *table, uint64_t id_count, unsigned flags)
{
  assert(span->table != NULL && table->owned >= 0 && "a span has a table");
  Arena arena = arena_new();
  const int rows = table->owned;
  int *ranks = arena_allocate(&arena, (size_t)rows * sizeof *ranks);
  IdRangeCursor cursor = {.body_count = id_count, .size = par_size()};
  for (int i = 0; i < rows; i++) {
    const uint64_t *ids;
    table_bodies(table, i, &ids);
    ranks[i] = id_range_find(&cursor, ids[0]);
  }
  int32_t *sender = bring_rows(span->table, table, ranks, flags, &arena);
  arena_give_back(&arena);   // what was sent

  const int count = span->table->count;
  int *order = arena_allocate(&arena, (size_t)count * sizeof *order);
  int *scratch = arena_allocate(&arena, (size_t)count * sizeof *scratch);
  order = table_order(span->table, 0, count, order, scratch);
  table_check_owners(span->table, order, count);
  span->rank = memory_allocate((size_t)count * sizeof *span->rank);
  for (int i = 0; i < count; i++) span->rank[i] = sender[order[i]];
  memory_free(sender);
  table_permute(span->table, 0, count, order);
  arena_destroy(&arena);
}

void row_spans_gather(RowSpans *spans, const State *state, uint64_t id_count, unsigned flags)
{
  assert(state->table_count > 0 && state->table_count <= STATE_TABLES && "a state has tables");
  assert(flags != 0 && "some fields are copied");
  *spans = (RowSpans){.copies = state_new_like(state)};
  for (int t = 0; t < state->table_count; t++) {
    RowSpan *span = &spans->of[t];
    span->table = spans->copies.tables[t];
    if (!table_schema_has(span->table->schema, flags)) continue;
    table_keep_only(span->table, flags | FIELD_KEY);
    table_leave_out_alike(span->table, state->tables[t]);
    gather_span(span, state->tables[t], id_count, flags | FIELD_KEY);
    span->first_row = (uint64_t)par_exclusive_sum(span->table->count);
    span->row_count = (uint64_t)par_sum(span->table->count);
  }
  bodies_of(&spans->copies)->elastic = bodies_of(state)->elastic;
  bodies_link_nodes(&spans->copies);
}

void row_spans_end(RowSpans *spans)
{
  for (int t = 0; t < spans->copies.table_count; t++) memory_free(spans->of[t].rank);
  state_destroy(&spans->copies);
}

const RowSpan *row_spans_find(const RowSpans *spans, const TableSchema *schema)
{
  assert(schema != NULL && "a table has a schema");
  for (int t = 0; t < spans->copies.table_count; t++)
    if (spans->of[t].table->schema == schema) return &spans->of[t];
  return NULL;
}
