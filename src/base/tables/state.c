// Lists the tables of a state, and hashes them with the numbers beside them.
#include "state.h"

#include <assert.h>
#include <string.h>

#include "memory.h"
#include "parallel.h"

// The key of a table: whole numbers in the first fields, the bodies before all.
static bool has_key(const TableSchema *schema)
{
  const Field *field = schema->fields, *end = field + schema->field_count;
  if (field == end || !(field->flags & FIELD_BODIES) || field->type != FIELD_U64) return false;
  bool in_key = true;
  for (; field < end; field++) {
    const bool is_key = field->flags & FIELD_KEY;
    if (is_key && (!in_key || !(field->flags & FIELD_STATE))) return false;
    if (is_key && field->type != FIELD_U64 && field->type != FIELD_U32) return false;
    in_key = is_key;
  }
  return schema->fields->flags & FIELD_KEY;
}

void state_add(State *state, Table *table)
{
  assert(table->schema != NULL && "a table was begun");
  assert(has_key(table->schema) && "a key that begins with bodies");
  assert(state->table_count < STATE_TABLES && "a table more than there may be");
  for (int t = 0; t < state->table_count; t++)
    assert(strcmp(state->tables[t]->schema->name, table->schema->name) != 0 && "a name twice");
  state->tables[state->table_count++] = table;
}

State state_new_like(const State *other)
{
  assert(other->table_count <= STATE_TABLES && "tables are in their room");
  State state = {0};
  for (int t = 0; t < other->table_count; t++) {
    const TableSchema *schema = other->tables[t]->schema;
    Table *table = memory_allocate_zero(1, schema->bytes);
    table_begin(table, schema);
    state_add(&state, table);
  }
  return state;
}

void state_destroy(State *state)
{
  for (int t = 0; t < state->table_count; t++) {
    table_end(state->tables[t]);
    memory_free(state->tables[t]);
  }
  *state = (State){0};
}

State state_copy(const State *state, Arena *arena)
{
  assert(state->table_count > 0 && arena != NULL && "there is something to copy");
  State copy = *state;
  for (int t = 0; t < state->table_count; t++) {
    copy.tables[t] = arena_allocate_zero(arena, 1, state->tables[t]->schema->bytes);
    table_begin(copy.tables[t], state->tables[t]->schema);
    table_copy_owned(copy.tables[t], state->tables[t], arena);
  }
  return copy;
}

void state_take_back(State *state, const State *copy)
{
  assert(state->table_count == copy->table_count && "a copy of the state");
  for (int t = 0; t < state->table_count; t++) table_take_owned(state->tables[t], copy->tables[t]);
}

void state_clear(State *state)
{
  for (int t = 0; t < state->table_count; t++)
    state->tables[t]->owned = state->tables[t]->count = 0;
}

Hash128 state_hash(const State *state)
{
  assert(state->step >= 0 && "steps are counted");
  Hash128 rows = {0, 0};
  for (int t = 0; t < state->table_count; t++) rows = hash_add(rows, table_hash(state->tables[t]));
  uint64_t any = 0;
  for (int i = 0; i < STATE_WORDS; i++) any |= state->words.word[i];
  const Hash128 step = hash_bytes(&state->step, sizeof state->step, 2);
  const Hash128 sum = hash_add(par_sum_hash(rows), step);
  const Hash128 all = any ? hash_add(sum, hash_bytes(&state->words, sizeof state->words, 3)) : sum;
  if (!state_stage_any(&state->stage)) return all;
  return hash_add(all, hash_bytes(&state->stage, sizeof state->stage, 5));
}
