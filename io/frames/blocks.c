// Brings sorted rows to the ranks that write them, so that files do not depend on owners.
#include "blocks.h"

#include <assert.h>
#include <string.h>

#include "body_block.h"
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

// The rows of a table whose first bodies lie in this rank's block, and who sent them.
static void gather_block(RowBlock *block, const Table *table, uint64_t id_count, unsigned flags)
{
  assert(block->table != NULL && table->owned >= 0 && "a block has a table");
  Arena arena = arena_new();
  const int rows = table->owned;
  int *ranks = arena_allocate(&arena, (size_t)rows * sizeof *ranks);
  BodyBlockCursor cursor = {.body_count = id_count, .size = par_size()};
  for (int i = 0; i < rows; i++) {
    const uint64_t *ids;
    table_bodies(table, i, &ids);
    ranks[i] = body_block_find(&cursor, ids[0]);
  }
  int32_t *sender = bring_rows(block->table, table, ranks, flags, &arena);
  arena_give_back(&arena);   // what was sent

  const int count = block->table->count;
  int *order = arena_allocate(&arena, (size_t)count * sizeof *order);
  int *scratch = arena_allocate(&arena, (size_t)count * sizeof *scratch);
  order = table_order(block->table, 0, count, order, scratch);
  table_check_owners(block->table, order, count);
  block->rank = memory_allocate((size_t)count * sizeof *block->rank);
  for (int i = 0; i < count; i++) block->rank[i] = sender[order[i]];
  memory_free(sender);
  table_permute(block->table, 0, count, order);
  arena_destroy(&arena);
}

void blocks_gather(RowBlocks *blocks, const State *state, uint64_t id_count, unsigned flags)
{
  assert(state->table_count > 0 && state->table_count <= STATE_TABLES && "a state has tables");
  assert(flags != 0 && "some fields are copied");
  *blocks = (RowBlocks){.copies = state_new_like(state)};
  for (int t = 0; t < state->table_count; t++) {
    RowBlock *block = &blocks->of[t];
    block->table = blocks->copies.tables[t];
    if (!table_schema_has(block->table->schema, flags)) continue;
    table_keep_only(block->table, flags | FIELD_KEY);
    table_leave_out_alike(block->table, state->tables[t]);
    gather_block(block, state->tables[t], id_count, flags | FIELD_KEY);
    block->first_row = (uint64_t)par_exclusive_sum(block->table->count);
    block->row_count = (uint64_t)par_sum(block->table->count);
  }
}

void blocks_end(RowBlocks *blocks)
{
  for (int t = 0; t < blocks->copies.table_count; t++) memory_free(blocks->of[t].rank);
  state_destroy(&blocks->copies);
}

const RowBlock *blocks_find(const RowBlocks *blocks, const TableSchema *schema)
{
  assert(schema != NULL && "a table has a schema");
  for (int t = 0; t < blocks->copies.table_count; t++)
    if (blocks->of[t].table->schema == schema) return &blocks->of[t];
  return NULL;
}
