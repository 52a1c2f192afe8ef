// Brings columns of a table, one at a time, to the ranks that write them.
#include "columns.h"

#include <assert.h>
#include <string.h>

#include "id_range.h"
#include "parallel.h"

enum {
  CHUNK_BYTES = 1 << 19
};   // put in order at once: stays in a core's cache until it is written

// ------------------------------------------------------------------------------------------------
// One column.

static inline void copy_rows(char *to, const char *own, const char *arrived, const int *origin,
                             int rows, int own_rows, size_t bytes)
{
  for (int i = 0; i < rows; i++) {
    const int row = origin[i];
    const char *from =
        row < own_rows ? own + (size_t)row * bytes : arrived + (size_t)(row - own_rows) * bytes;
    memcpy(to + (size_t)i * bytes, from, bytes);
  }
}

// Rows of a column by their origin. A size that the compiler knows is a few moves, any other a
// call.
static void take_rows(char *to, const char *own, const char *arrived, const int *origin, int rows,
                      int own_rows, size_t bytes)
{
  assert(rows >= 0 && bytes > 0 && "rows have bytes");
  switch (bytes) {
  case 4: copy_rows(to, own, arrived, origin, rows, own_rows, 4); break;
  case 8: copy_rows(to, own, arrived, origin, rows, own_rows, 8); break;
  case 16: copy_rows(to, own, arrived, origin, rows, own_rows, 16); break;
  case 24: copy_rows(to, own, arrived, origin, rows, own_rows, 24); break;
  case 32: copy_rows(to, own, arrived, origin, rows, own_rows, 32); break;
  default: copy_rows(to, own, arrived, origin, rows, own_rows, bytes);
  }
}

static Messages send_column(const ColumnPlan *plan, const void *own, size_t bytes, Arena *arena)
{
  assert(bytes > 0 && plan->to_count >= 0 && "rows have bytes");
  const RowsTo *last = plan->to_count > 0 ? &plan->to[plan->to_count - 1] : NULL;
  const int count = last ? last->first + last->count : 0;
  char *packed = arena_allocate(arena, (size_t)count * bytes);
  take_rows(packed, own, NULL, plan->leaving, count, plan->table->owned, bytes);
  Message *messages = arena_allocate(arena, (size_t)plan->to_count * sizeof *messages);
  for (int t = 0; t < plan->to_count; t++)
    messages[t] = (Message){plan->to[t].rank, (size_t)plan->to[t].count * bytes,
                            packed + (size_t)plan->to[t].first * bytes};
  return par_exchange(messages, plan->to_count, arena);
}

// What has arrived, in one piece.
static const char *join(Messages received, Arena *arena)
{
  if (received.count == 1) return received.messages[0].data;
  size_t bytes = 0;
  for (int m = 0; m < received.count; m++) bytes += received.messages[m].bytes;
  char *all = arena_allocate(arena, bytes), *p = all;
  for (int m = 0; m < received.count; m++) {
    memcpy(p, received.messages[m].data, received.messages[m].bytes);
    p += received.messages[m].bytes;
  }
  return all;
}

static const char *bring_column(const ColumnPlan *plan, const void *own, size_t bytes, Arena *arena)
{
  if (par_size() == 1) return NULL;
  return join(send_column(plan, own, bytes, arena), arena);
}

static void write_column(const ColumnPlan *plan, const char *own, size_t bytes, Hdf5Writer *writer,
                         int column, Arena *arena)
{
  assert(bytes > 0 && bytes <= CHUNK_BYTES && "a row has room in a chunk");
  const char *arrived = bring_column(plan, own, bytes, arena);
  if (!plan->origin) {
    hdf5_write_rows(writer, column, plan->first_row, (uint64_t)plan->rows, own);
    return;
  }
  char *chunk = arena_allocate(arena, CHUNK_BYTES);
  const int at_once = (int)(CHUNK_BYTES / bytes);
  for (int first = 0; first < plan->rows; first += at_once) {
    const int left = plan->rows - first, count = left < at_once ? left : at_once;
    take_rows(chunk, own, arrived, plan->origin + first, count, plan->table->owned, bytes);
    hdf5_write_rows(writer, column, plan->first_row + (uint64_t)first, (uint64_t)count, chunk);
  }
}

void columns_write(const ColumnPlan *plan, unsigned flags, Hdf5Writer *writer, int first_column,
                   Arena *arena)
{
  assert(first_column >= 0 && flags != 0 && "columns have numbers");
  const Table *table = plan->table;
  int column = first_column;
  for (int f = 0; f < table->schema->field_count; f++) {
    const Field *field = &table->schema->fields[f];
    if (!(field->flags & flags) || !table_stores(table, field, flags)) continue;
    if (table_has(table, field)) {
      const char *own = table->owned > 0 ? table_at(table, field, 0) : NULL;
      const ArenaMark mark = arena_mark(arena);
      write_column(plan, own, field->row_bytes, writer, column, arena);
      arena_release(arena, mark);
    }
    column++;
  }
}

// ------------------------------------------------------------------------------------------------
// Who writes which rows: keys are sent ahead, and tell the order.

// Sets what leaves, and returns the rows that stay; *stay_count of them.
static int *find_leaving(ColumnPlan *plan, uint64_t id_count, int *stay_count, Arena *arena)
{
  const int rows = plan->table->owned, size = par_size();
  int *ranks = arena_allocate(arena, (size_t)rows * sizeof *ranks);
  int *counts = arena_allocate_zero(arena, (size_t)size, sizeof *counts);
  IdRangeCursor cursor = {.body_count = id_count, .size = par_size()};
  for (int i = 0; i < rows; i++) {
    const uint64_t *ids;
    table_bodies(plan->table, i, &ids);
    ranks[i] = id_range_find(&cursor, ids[0]);
    counts[ranks[i]]++;
  }
  *stay_count = counts[par_rank()];
  counts[par_rank()] = 0;
  for (int r = 0; r < size; r++) plan->to_count += counts[r] > 0;
  plan->to = arena_allocate(arena, (size_t)plan->to_count * sizeof *plan->to);
  plan->leaving = arena_allocate(arena, (size_t)(rows - *stay_count) * sizeof *plan->leaving);
  int *at = counts;   // where the next row for a rank goes
  for (int r = 0, t = 0, first = 0; r < size; r++) {
    const int count = counts[r];
    if (count > 0) plan->to[t++] = (RowsTo){r, first, count};
    at[r] = first;
    first += count;
  }
  int *staying = arena_allocate(arena, (size_t)*stay_count * sizeof *staying);
  for (int i = 0, s = 0; i < rows; i++) {
    if (ranks[i] == par_rank()) staying[s++] = i;
    else plan->leaving[at[ranks[i]]++] = i;
  }
  return staying;
}

static bool in_order(const Table *keys, int count)
{
  for (int i = 1; i < count; i++)
    if (table_compare(keys, i - 1, keys, i) >= 0) return false;
  return true;
}

// A column of keys: those of rows that stay, then those that arrive.
static void *bring_keys(ColumnPlan *plan, const void *own, size_t bytes, const int *staying,
                        int stay_count, Arena *arena)
{
  assert(stay_count >= 0 && stay_count <= plan->table->owned && "rows that stay are own ones");
  const Messages received = send_column(plan, own, bytes, arena);
  size_t arriving = 0;
  for (int m = 0; m < received.count; m++) arriving += received.messages[m].bytes / bytes;
  plan->rows = stay_count + (int)arriving;
  char *keys = arena_allocate(arena, (size_t)plan->rows * bytes);
  take_rows(keys, own, NULL, staying, stay_count, plan->table->owned, bytes);
  char *p = keys + (size_t)stay_count * bytes;
  for (int m = 0; m < received.count; m++) {
    memcpy(p, received.messages[m].data, received.messages[m].bytes);
    p += received.messages[m].bytes;
  }
  return keys;
}

// A table of keys alone, in the arena: of rows that stay, then of those that arrive.
static Table *bring_all_keys(ColumnPlan *plan, const int *staying, int stay_count, Arena *arena)
{
  const TableSchema *schema = plan->table->schema;
  Table *keys = arena_allocate_zero(arena, 1, schema->bytes);
  table_begin(keys, schema);
  table_keep_only(keys, FIELD_KEY);
  for (const Field *field = schema->fields; field->flags & FIELD_KEY; field++) {
    const void *own = plan->table->owned > 0 ? table_at(plan->table, field, 0) : NULL;
    table_lend(keys, field, bring_keys(plan, own, field->row_bytes, staying, stay_count, arena));
  }
  keys->owned = keys->count = keys->capacity = plan->rows;
  return keys;
}

// Puts the rows in order. Numbers of keys: rows that stay, NULL: all own ones, then those that
// arrive.
static void set_origin(ColumnPlan *plan, const Table *keys, const int *staying, int stay_count,
                       Arena *arena)
{
  assert(stay_count >= 0 && stay_count <= plan->table->owned && "rows that stay are own ones");
  const int own = plan->table->owned;
  if (stay_count == own && plan->rows == own && in_order(keys, own)) return;
  int *order = arena_allocate(arena, (size_t)plan->rows * sizeof *order);
  int *scratch = arena_allocate(arena, (size_t)plan->rows * sizeof *scratch);
  order = table_order(keys, 0, plan->rows, order, scratch);
  table_check_owners(keys, order, plan->rows);
  for (int i = 0; i < plan->rows; i++) {
    if (order[i] >= stay_count) order[i] += own - stay_count;
    else if (staying) order[i] = staying[order[i]];
  }
  plan->origin = order;
}

ColumnPlan columns_of_table(const Table *table, uint64_t id_count, Arena *arena)
{
  assert(table->owned >= 0 && "rows are counted");
  ColumnPlan plan = {.table = table, .rows = table->owned};
  Arena scratch = arena_new();
  if (par_size() == 1) {
    set_origin(&plan, table, NULL, plan.rows, arena);
  } else {
    int stay_count;
    const int *staying = find_leaving(&plan, id_count, &stay_count, arena);
    const Table *keys = bring_all_keys(&plan, staying, stay_count, &scratch);
    set_origin(&plan, keys, staying, stay_count, arena);
  }
  arena_destroy(&scratch);
  plan.first_row = (uint64_t)par_exclusive_sum(plan.rows);
  plan.row_count = (uint64_t)par_sum(plan.rows);
  assert(plan.first_row + (uint64_t)plan.rows <= plan.row_count && "own rows are some of all");
  return plan;
}
