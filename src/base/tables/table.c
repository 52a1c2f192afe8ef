// Walks the field list of a table: growth, packing, order, columns left out.
#include "table.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "fail.h"
#include "memory.h"
#include "order.h"

// Growth: few moves of small tables, little room to spare in large ones.
#define SMALL_TABLE 4096   // rows
#define SMALL_GROWTH_SHARE 2
#define GROWTH_SHARE 8

// the pointer to a field's column
static void **column_of(const Table *table, const Field *field)
{
  return (void **)((char *)table + field->offset);
}

void table_begin(Table *table, const TableSchema *schema)
{
  assert(schema->field_count > 0 && schema->fields != NULL && "a table has fields");
  assert(schema->bytes >= sizeof(Table) && schema->ghosts <= GHOSTS_OF_BODIES &&
         "a table begins with its Table");
  assert(schema->field_count <= 32 && "a bit for each field");
  *table = (Table){.schema = schema};
  for (int f = 0; f < schema->field_count; f++) *column_of(table, &schema->fields[f]) = NULL;
  if (schema->complete) schema->complete(table);
}

static void leave_out(Table *table, int f)
{
  assert(f >= 0 && f < table->schema->field_count && "a field has a number");
  void **column = column_of(table, &table->schema->fields[f]);
  memory_free(*column);
  *column = NULL;
  table->without |= (uint32_t)1 << f;
}

void table_leave_out(Table *table, unsigned flags)
{
  for (int f = 0; f < table->schema->field_count; f++)
    if (table->schema->fields[f].flags & flags) leave_out(table, f);
}

void table_keep_only(Table *table, unsigned flags)
{
  for (int f = 0; f < table->schema->field_count; f++)
    if (!(table->schema->fields[f].flags & flags)) leave_out(table, f);
}

void table_leave_out_alike(Table *table, const Table *other)
{
  assert(table->schema == other->schema && "tables of different kind");
  for (int f = 0; f < table->schema->field_count; f++)
    if (!table_has(other, &other->schema->fields[f])) leave_out(table, f);
}

void table_end(Table *table)
{
  for (int f = 0; f < table->schema->field_count; f++) {
    void **column = column_of(table, &table->schema->fields[f]);
    memory_free(*column);
    *column = NULL;
  }
  table->owned = table->count = table->capacity = 0;
}

static void resize_columns(Table *table, int capacity)
{
  assert(capacity >= table->count && "rows keep their room");
  for (int f = 0; f < table->schema->field_count; f++) {
    if (!table_has(table, &table->schema->fields[f])) continue;
    void **column = column_of(table, &table->schema->fields[f]);
    *column = memory_resize(*column, (size_t)capacity * table->schema->fields[f].row_bytes);
  }
  table->capacity = capacity;
}

void table_reserve(Table *table, int rows)
{
  assert_debug(rows >= 0 && "rows are counted");
  if (rows <= table->capacity) return;
  const int share = table->capacity < SMALL_TABLE ? SMALL_GROWTH_SHARE : GROWTH_SHARE;
  const int capacity = table->capacity + table->capacity / share;
  resize_columns(table, capacity < rows ? rows : capacity);
}

void table_trim(Table *table)
{
  assert(table->owned >= 0 && table->owned <= table->count && table->count <= table->capacity &&
         "rows are in their room");
  const int capacity = table->count + table->count / GROWTH_SHARE;
  if (table->capacity > SMALL_TABLE && table->capacity > capacity)
    resize_columns(table, capacity < SMALL_TABLE ? SMALL_TABLE : capacity);
}

void table_copy_owned(Table *to, const Table *from, Arena *arena)
{
  assert(from->owned >= 0 && from->owned <= from->count && "own rows come first");
  assert(to->capacity == 0 && "a table without rows");
  table_leave_out_alike(to, from);
  const size_t rows = (size_t)from->owned;
  for (int f = 0; f < to->schema->field_count; f++) {
    const Field *field = &to->schema->fields[f];
    if (!table_has(to, field)) continue;
    void **column = column_of(to, field);
    *column = arena_allocate(arena, rows * field->row_bytes);
    if (rows > 0) memcpy(*column, table_at(from, field, 0), rows * field->row_bytes);
  }
  to->owned = to->count = to->capacity = from->owned;
}

void table_take_owned(Table *to, const Table *copy)
{
  assert(to->schema == copy->schema && to->without == copy->without && "a copy of the table");
  assert(copy->count == copy->owned && "a copy has own rows alone");
  to->owned = to->count = 0;
  table_reserve(to, copy->owned);
  const size_t rows = (size_t)copy->owned;
  for (int f = 0; f < to->schema->field_count && rows > 0; f++) {
    const Field *field = &to->schema->fields[f];
    if (table_has(to, field))
      memcpy(table_at(to, field, 0), table_at(copy, field, 0), rows * field->row_bytes);
  }
  to->owned = to->count = copy->owned;
}

void table_scale(Table *table, unsigned flags, double factor)
{
  assert(table->owned <= table->count && "own rows come first");
  for (int f = 0; f < table->schema->field_count && table->count > 0; f++) {
    const Field *field = &table->schema->fields[f];
    if (!(field->flags & flags) || !table_has(table, field)) continue;
    assert(field->type == FIELD_F64 && "reals have a factor");
    double *value = table_at(table, field, 0);
    const size_t count = (size_t)table->count * (size_t)field->components;
    for (size_t i = 0; i < count; i++) value[i] *= factor;
  }
}

void table_lend(Table *table, const Field *field, void *column)
{
  assert(table_has(table, field) && !*column_of(table, field) && "a field without its column");
  *column_of(table, field) = column;
}

void *table_at(const Table *table, const Field *field, int row)
{
  assert(row >= 0 && row < table->capacity && "row outside the table");
  assert(table_has(table, field) && "a field that the table has");
  return (char *)*column_of(table, field) + (size_t)row * field->row_bytes;
}

void table_copy_row(Table *to, int to_row, const Table *from, int from_row)
{
  assert(to->schema == from->schema && "tables of different kind");
  for (int f = 0; f < to->schema->field_count; f++) {
    const Field *field = &to->schema->fields[f];
    if (!table_has(to, field)) continue;
    void *place = table_at(to, field, to_row);
    if (table_has(from, field)) memcpy(place, table_at(from, field, from_row), field->row_bytes);
    else memset(place, 0, field->row_bytes);
  }
}

static bool is_packed(const Table *table, int f, unsigned flags)
{
  return (table->schema->fields[f].flags & flags) && table_has(table, &table->schema->fields[f]);
}

size_t table_packed_bytes(const Table *table, unsigned flags)
{
  size_t bytes = 0;
  for (int f = 0; f < table->schema->field_count; f++)
    if (is_packed(table, f, flags)) bytes += table->schema->fields[f].row_bytes;
  return bytes;
}

void table_pack_row(const Table *table, int row, unsigned flags, void *bytes)
{
  assert_debug(bytes != NULL && "a row has a place");
  char *p = bytes;
  for (int f = 0; f < table->schema->field_count; f++) {
    const Field *field = &table->schema->fields[f];
    if (!is_packed(table, f, flags)) continue;
    memcpy(p, table_at(table, field, row), field->row_bytes);
    p += field->row_bytes;
  }
}

void table_unpack_row(Table *table, int row, unsigned flags, const void *bytes)
{
  assert_debug(bytes != NULL && "a row has a place");
  const char *p = bytes;
  for (int f = 0; f < table->schema->field_count; f++) {
    const Field *field = &table->schema->fields[f];
    if (!is_packed(table, f, flags)) continue;
    memcpy(table_at(table, field, row), p, field->row_bytes);
    p += field->row_bytes;
  }
}

void table_permute(Table *table, int first, int count, const int *order)
{
  assert(first >= 0 && count >= 0 && first + count <= table->capacity && "rows that the table has");
  bool moves = false;
  for (int i = 0; i < count && !moves; i++) moves = order[i] != first + i;
  if (!moves) return;
  for (int f = 0; f < table->schema->field_count; f++) {
    const Field *field = &table->schema->fields[f];
    if (!table_has(table, field)) continue;
    char *sorted = memory_allocate((size_t)count * field->row_bytes);
    for (int i = 0; i < count; i++)
      memcpy(sorted + (size_t)i * field->row_bytes, table_at(table, field, order[i]),
             field->row_bytes);
    memcpy(table_at(table, field, first), sorted, (size_t)count * field->row_bytes);
    memory_free(sorted);
  }
}

// ------------------------------------------------------------------------------------------------
// Keys

int table_compare(const Table *a, int row_a, const Table *b, int row_b)
{
  assert(a->schema == b->schema && "tables of different kind");
  const Field *field = a->schema->fields, *end = field + a->schema->field_count;
  for (int order = 0; field < end && field->flags & FIELD_KEY; field++) {
    const void *p = table_at(a, field, row_a), *q = table_at(b, field, row_b);
    const uint64_t *wide_p = p, *wide_q = q;
    const uint32_t *short_p = p, *short_q = q;
    for (int c = 0; c < field->components && order == 0; c++)
      order = field->type == FIELD_U64 ? order_u64(wide_p[c], wide_q[c])
                                       : order_u64(short_p[c], short_q[c]);
    if (order != 0) return order;
  }
  return 0;
}

// Where the rows of a list that are in order end, of those from i on.
static int run_end(const Table *table, const int *order, int i, int count)
{
  assert_debug(i >= 0 && i <= count && "a run begins in the list");
  if (i < count) i++;
  while (i < count && table_compare(table, order[i - 1], table, order[i]) <= 0) i++;
  return i;
}

int *table_order(const Table *table, int first, int count, int *order, int *scratch)
{
  assert(first >= 0 && count >= 0 && first + count <= table->capacity && "rows that the table has");
  assert((count == 0 || order != scratch) && "rows are merged from one list to the other");
  for (int i = 0; i < count; i++) order[i] = first + i;
  for (int runs = 2; runs > 1;) {
    // merges each two runs, [i, j) and [j, k)
    runs = 0;
    for (int i = 0; i < count; runs++) {
      const int j = run_end(table, order, i, count), k = run_end(table, order, j, count);
      if (i == 0 && j == count) return order;
      int a = i, b = j;
      while (a < j && b < k) {
        const bool takes_b = table_compare(table, order[b], table, order[a]) < 0;
        scratch[i++] = order[takes_b ? b++ : a++];
      }
      while (a < j) scratch[i++] = order[a++];
      while (b < k) scratch[i++] = order[b++];
    }
    int *merged = scratch;
    scratch = order;
    order = merged;
  }
  return order;
}

void table_check_owners(const Table *table, const int *order, int count)
{
  assert(count >= 0 && (order != NULL || count == 0) && "rows have an order");
  const Field *field = table->schema->fields;
  const bool is_more = table->schema->field_count > 1 && field[1].flags & FIELD_KEY;
  if (field->components > 1 || is_more) return;
  for (int i = 1; i < count; i++)
    if (table_compare(table, order[i - 1], table, order[i]) == 0)
      die("%s: a row has two owners", table->schema->name);
}

void table_sort(Table *table, int first, int count)
{
  assert(first >= 0 && count >= 0 && first + count <= table->capacity && "rows that the table has");
  int ordered = 1;
  while (ordered < count && table_compare(table, first + ordered - 1, table, first + ordered) <= 0)
    ordered++;
  if (ordered >= count) return;
  int *rows = memory_allocate(2 * (size_t)count * sizeof *rows);
  table_permute(table, first, count, table_order(table, first, count, rows, rows + count));
  memory_free(rows);
}

int table_bodies(const Table *table, int row, const uint64_t **ids)
{
  const Field *field = table->schema->fields;
  assert(field->flags & FIELD_BODIES && "rows of bodies");
  *ids = table_at(table, field, row);
  return field->components;
}

// ------------------------------------------------------------------------------------------------
// Hashes. Rows are put together a few at a time, field by field: so a field's size is known to the
// compiler where it is copied.

#define HASHED_AT_ONCE 32   // rows

static inline void copy_apart(char *to, size_t stride, const char *from, size_t bytes, int rows)
{
  for (int i = 0; i < rows; i++) memcpy(to + (size_t)i * stride, from + (size_t)i * bytes, bytes);
}

// Reals of rows, so that -0 and 0 are the same.
static void copy_reals(char *to, size_t stride, const char *from, int components, int rows)
{
  for (int i = 0; i < rows; i++)
    for (int c = 0; c < components; c++) {
      double value;
      memcpy(&value, from + (size_t)(i * components + c) * sizeof value, sizeof value);
      value += 0.0;
      memcpy(to + (size_t)i * stride + (size_t)c * sizeof value, &value, sizeof value);
    }
}

// A field of rows [first, first + rows) as it is hashed, into rows of so many bytes.
static void put_field(const Table *table, const Field *field, int first, int rows, char *to,
                      size_t stride)
{
  const size_t bytes = field->row_bytes;
  if (!table_has(table, field)) {
    for (int i = 0; i < rows; i++) memset(to + (size_t)i * stride, 0, bytes);
    return;
  }
  const char *from = table_at(table, field, first);
  const int components = field->components;
  if (field->type == FIELD_F64 && components == 3) copy_reals(to, stride, from, 3, rows);
  else if (field->type == FIELD_F64) copy_reals(to, stride, from, components, rows);
  else if (bytes == 16) copy_apart(to, stride, from, 16, rows);
  else if (bytes == 8) copy_apart(to, stride, from, 8, rows);
  else copy_apart(to, stride, from, bytes, rows);
}

// Is the field in the hash of a row: in the first one, or in that of fields apart with their key?
static bool is_hashed(const Field *field, bool apart)
{
  if (!(field->flags & FIELD_STATE)) return false;
  return apart ? field->flags & (FIELD_KEY | FIELD_APART) : !(field->flags & FIELD_APART);
}

static size_t hashed_bytes(const Table *table, bool apart)
{
  size_t bytes = 0;
  for (int f = 0; f < table->schema->field_count; f++)
    if (is_hashed(&table->schema->fields[f], apart)) bytes += table->schema->fields[f].row_bytes;
  return bytes;
}

// Sum of the hashes of fields that are apart, of rows where they are not zero.
static Hash128 apart_hash(const Table *table)
{
  Hash128 sum = {0, 0};
  bool any = false;
  for (int f = 0; f < table->schema->field_count && !any; f++)
    any =
        table->schema->fields[f].flags & FIELD_APART && table_has(table, &table->schema->fields[f]);
  if (!any) return sum;
  const size_t stride = hashed_bytes(table, true);
  char *row = memory_allocate(stride);
  const char *name = table->schema->name;
  const uint64_t seed = hash_bytes(name, strlen(name), 4).low;
  for (int i = 0; i < table->owned; i++) {
    char *to = row;
    bool zero = true;
    for (int f = 0; f < table->schema->field_count; f++) {
      const Field *field = &table->schema->fields[f];
      if (!is_hashed(field, true)) continue;
      put_field(table, field, i, 1, to, stride);
      for (size_t k = 0; field->flags & FIELD_APART && k < field->row_bytes; k++)
        zero = zero && to[k] == 0;
      to += field->row_bytes;
    }
    if (!zero) sum = hash_add(sum, hash_sum_rows(row, stride, 1, seed));
  }
  memory_free(row);
  return sum;
}

Hash128 table_hash(const Table *table)
{
  assert(table->owned >= 0 && table->owned <= table->capacity && "own rows are in their room");
  const size_t stride = hashed_bytes(table, false);
  char *rows = memory_allocate(HASHED_AT_ONCE * stride);
  const char *name = table->schema->name;
  const uint64_t seed = hash_bytes(name, strlen(name), 1).low;
  Hash128 sum = {0, 0};
  for (int first = 0; first < table->owned; first += HASHED_AT_ONCE) {
    const int left = table->owned - first, count = left < HASHED_AT_ONCE ? left : HASHED_AT_ONCE;
    char *to = rows;
    for (int f = 0; f < table->schema->field_count; f++) {
      const Field *field = &table->schema->fields[f];
      if (!is_hashed(field, false)) continue;
      put_field(table, field, first, count, to, stride);
      to += field->row_bytes;
    }
    sum = hash_add(sum, hash_sum_rows(rows, stride, count, seed));
  }
  memory_free(rows);
  return hash_add(sum, apart_hash(table));
}
