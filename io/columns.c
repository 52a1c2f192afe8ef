#include "columns.h"

#include <string.h>

#include "body_block.h"
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
  const Table *table = plan->table;
  int column = first_column;
  for (int f = 0; f < table->field_count; f++) {
    const Field *field = &table->fields[f];
    if (!(field->flags & flags)) continue;
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

// The body whose block an own row goes to.
static uint64_t home_of(const Bodies *bodies, const Contacts *contacts, int row)
{
  return bodies ? bodies->id[row] : contacts->bodies[row].low;
}

// Sets what leaves, and returns the rows that stay; *stay_count of them.
static int *find_leaving(ColumnPlan *plan, const Bodies *bodies, const Contacts *contacts,
                         uint64_t id_count, int *stay_count, Arena *arena)
{
  const int rows = plan->table->owned, size = par_size();
  int *ranks = arena_allocate(arena, (size_t)rows * sizeof *ranks);
  int *counts = arena_allocate_zero(arena, (size_t)size, sizeof *counts);
  BodyBlockCursor cursor = {.body_count = id_count, .size = par_size()};
  for (int i = 0; i < rows; i++) {
    ranks[i] = body_block_find(&cursor, home_of(bodies, contacts, i));
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

// The keys of rows: bodies alone have ids.
typedef struct {
  const uint64_t *ids;
  Contacts contacts;   // bodies, parts and features alone
} Keys;

static int compare(const Keys *keys, int a, int b)
{
  if (!keys->ids) return contacts_compare(&keys->contacts, a, &keys->contacts, b);
  return (keys->ids[a] > keys->ids[b]) - (keys->ids[a] < keys->ids[b]);
}

// Merges two runs of numbers that are in order.
static void merge(const Keys *keys, const int *a, const int *a_end, const int *b, const int *b_end,
                  int *to)
{
  while (a < a_end && b < b_end) *to++ = compare(keys, *b, *a) < 0 ? *b++ : *a++;
  while (a < a_end) *to++ = *a++;
  while (b < b_end) *to++ = *b++;
}

// Numbers 0 .. count - 1 by key, from runs that are in order already: those of each sender are.
static int *order_keys(const Keys *keys, int count, Arena *arena)
{
  int *order = arena_allocate(arena, (size_t)count * sizeof *order);
  int *merged = arena_allocate(arena, (size_t)count * sizeof *merged);
  for (int i = 0; i < count; i++) order[i] = i;
  for (int runs = 2; runs > 1;) {
    runs = 0;
    for (int i = 0; i < count; runs++) {
      int j = i + 1;
      while (j < count && compare(keys, order[j - 1], order[j]) <= 0) j++;
      int k = j < count ? j + 1 : j;
      while (k < count && compare(keys, order[k - 1], order[k]) <= 0) k++;
      merge(keys, order + i, order + j, order + j, order + k, merged + i);
      i = k;
    }
    int *last = order;
    order = merged;
    merged = last;
  }
  return order;
}

static bool in_order(const Keys *keys, int count)
{
  for (int i = 1; i < count; i++)
    if (compare(keys, i - 1, i) >= 0) return false;
  return true;
}

// A column of keys: those of rows that stay, then those that arrive.
static void *bring_keys(ColumnPlan *plan, const void *own, size_t bytes, const int *staying,
                        int stay_count, Arena *arena)
{
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

static Keys bring_all_keys(ColumnPlan *plan, const Bodies *bodies, const Contacts *contacts,
                           const int *staying, int stay_count, Arena *arena)
{
  Keys keys = {0};
  if (bodies) {
    keys.ids = bring_keys(plan, bodies->id, sizeof *bodies->id, staying, stay_count, arena);
    return keys;
  }
  Contacts *k = &keys.contacts;
  k->bodies = bring_keys(plan, contacts->bodies, sizeof *k->bodies, staying, stay_count, arena);
  k->parts = bring_keys(plan, contacts->parts, sizeof *k->parts, staying, stay_count, arena);
  k->features =
      bring_keys(plan, contacts->features, sizeof *k->features, staying, stay_count, arena);
  return keys;
}

// What the table itself has, where no row goes to another rank.
static Keys own_keys(const Bodies *bodies, const Contacts *contacts)
{
  Keys keys = {0};
  if (bodies) keys.ids = bodies->id;
  else keys.contacts = *contacts;
  return keys;
}

// Puts the rows in order. Numbers of keys: rows that stay, NULL: all own ones, then those that
// arrive.
static void set_origin(ColumnPlan *plan, const Keys *keys, const int *staying, int stay_count,
                       Arena *arena)
{
  const int own = plan->table->owned;
  if (stay_count == own && plan->rows == own && in_order(keys, own)) return;
  int *order = order_keys(keys, plan->rows, arena);
  for (int i = 1; i < plan->rows && keys->ids; i++)
    if (keys->ids[order[i]] == keys->ids[order[i - 1]])
      die("body %llu has two owners", (unsigned long long)keys->ids[order[i]]);
  for (int i = 0; i < plan->rows; i++) {
    if (order[i] >= stay_count) order[i] += own - stay_count;
    else if (staying) order[i] = staying[order[i]];
  }
  plan->origin = order;
}

static ColumnPlan plan_columns(const Bodies *bodies, const Contacts *contacts, uint64_t id_count,
                               Arena *arena)
{
  ColumnPlan plan = {.table = bodies ? &bodies->table : &contacts->table};
  int stay_count = plan.table->owned, *staying = NULL;
  Arena scratch = arena_new();
  Keys keys;
  if (par_size() == 1) {
    plan.rows = stay_count;
    keys = own_keys(bodies, contacts);
  } else {
    staying = find_leaving(&plan, bodies, contacts, id_count, &stay_count, arena);
    keys = bring_all_keys(&plan, bodies, contacts, staying, stay_count, &scratch);
  }
  set_origin(&plan, &keys, staying, stay_count, arena);
  arena_destroy(&scratch);
  plan.first_row = (uint64_t)par_exclusive_sum(plan.rows);
  plan.row_count = (uint64_t)par_sum(plan.rows);
  return plan;
}

ColumnPlan columns_of_bodies(const Bodies *bodies, uint64_t id_count, Arena *arena)
{
  return plan_columns(bodies, NULL, id_count, arena);
}

ColumnPlan columns_of_contacts(const Contacts *contacts, uint64_t id_count, Arena *arena)
{
  return plan_columns(NULL, contacts, id_count, arena);
}
