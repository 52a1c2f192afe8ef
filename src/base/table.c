#include "table.h"

#include <assert.h>
#include <string.h>

#include "memory.h"

// Growth: few moves of small tables, little room to spare in large ones.
#define SMALL_TABLE 4096   // rows
#define SMALL_GROWTH_SHARE 2
#define GROWTH_SHARE 8

// the pointer to a field's column
static void **column_of(const Table *table, const Field *field)
{
  return (void **)((char *)table + field->offset);
}

void table_begin(Table *table, const char *name, const Field *fields, int field_count)
{
  assert(field_count <= 32 && "a bit for each field");
  table->name = name;
  table->fields = fields;
  table->field_count = field_count;
  table->without = 0;
  table->owned = table->count = table->capacity = 0;
  for (int f = 0; f < field_count; f++) *column_of(table, &fields[f]) = NULL;
}

static void leave_out(Table *table, int f)
{
  void **column = column_of(table, &table->fields[f]);
  memory_free(*column);
  *column = NULL;
  table->without |= (uint32_t)1 << f;
}

void table_leave_out(Table *table, unsigned flags)
{
  for (int f = 0; f < table->field_count; f++)
    if (table->fields[f].flags & flags) leave_out(table, f);
}

void table_keep_only(Table *table, unsigned flags)
{
  for (int f = 0; f < table->field_count; f++)
    if (!(table->fields[f].flags & flags)) leave_out(table, f);
}

void table_leave_out_alike(Table *table, const Table *other)
{
  assert(table->fields == other->fields && "tables of different kind");
  for (int f = 0; f < table->field_count; f++)
    if (!table_has(other, &other->fields[f])) leave_out(table, f);
}

void table_end(Table *table)
{
  for (int f = 0; f < table->field_count; f++) {
    void **column = column_of(table, &table->fields[f]);
    memory_free(*column);
    *column = NULL;
  }
  table->owned = table->count = table->capacity = 0;
}

static void resize_columns(Table *table, int capacity)
{
  for (int f = 0; f < table->field_count; f++) {
    if (!table_has(table, &table->fields[f])) continue;
    void **column = column_of(table, &table->fields[f]);
    *column = memory_resize(*column, (size_t)capacity * table->fields[f].row_bytes);
  }
  table->capacity = capacity;
}

void table_reserve(Table *table, int rows)
{
  if (rows <= table->capacity) return;
  const int share = table->capacity < SMALL_TABLE ? SMALL_GROWTH_SHARE : GROWTH_SHARE;
  const int capacity = table->capacity + table->capacity / share;
  resize_columns(table, capacity < rows ? rows : capacity);
}

void table_trim(Table *table)
{
  const int capacity = table->count + table->count / GROWTH_SHARE;
  if (table->capacity > SMALL_TABLE && table->capacity > capacity)
    resize_columns(table, capacity < SMALL_TABLE ? SMALL_TABLE : capacity);
}

void table_copy_owned(Table *to, const Table *from, Arena *arena)
{
  assert(to->capacity == 0 && "a table without rows");
  table_leave_out_alike(to, from);
  const size_t rows = (size_t)from->owned;
  for (int f = 0; f < to->field_count; f++) {
    const Field *field = &to->fields[f];
    if (!table_has(to, field)) continue;
    void **column = column_of(to, field);
    *column = arena_allocate(arena, rows * field->row_bytes);
    if (rows > 0) memcpy(*column, table_at(from, field, 0), rows * field->row_bytes);
  }
  to->owned = to->count = to->capacity = from->owned;
}

void *table_at(const Table *table, const Field *field, int row)
{
  assert(row >= 0 && row < table->capacity && "row outside the table");
  assert(table_has(table, field) && "a field that the table has");
  return (char *)*column_of(table, field) + (size_t)row * field->row_bytes;
}

void table_copy_row(Table *to, int to_row, const Table *from, int from_row)
{
  assert(to->fields == from->fields && "tables of different kind");
  for (int f = 0; f < to->field_count; f++) {
    const Field *field = &to->fields[f];
    if (!table_has(to, field)) continue;
    void *place = table_at(to, field, to_row);
    if (table_has(from, field)) memcpy(place, table_at(from, field, from_row), field->row_bytes);
    else memset(place, 0, field->row_bytes);
  }
}

static bool is_packed(const Table *table, int f, unsigned flags)
{
  return (table->fields[f].flags & flags) && table_has(table, &table->fields[f]);
}

size_t table_packed_bytes(const Table *table, unsigned flags)
{
  size_t bytes = 0;
  for (int f = 0; f < table->field_count; f++)
    if (is_packed(table, f, flags)) bytes += table->fields[f].row_bytes;
  return bytes;
}

void table_pack_row(const Table *table, int row, unsigned flags, void *bytes)
{
  char *p = bytes;
  for (int f = 0; f < table->field_count; f++) {
    const Field *field = &table->fields[f];
    if (!is_packed(table, f, flags)) continue;
    memcpy(p, table_at(table, field, row), field->row_bytes);
    p += field->row_bytes;
  }
}

void table_unpack_row(Table *table, int row, unsigned flags, const void *bytes)
{
  const char *p = bytes;
  for (int f = 0; f < table->field_count; f++) {
    const Field *field = &table->fields[f];
    if (!is_packed(table, f, flags)) continue;
    memcpy(table_at(table, field, row), p, field->row_bytes);
    p += field->row_bytes;
  }
}

void table_permute(Table *table, int first, int count, const int *order)
{
  bool moves = false;
  for (int i = 0; i < count && !moves; i++) moves = order[i] != first + i;
  if (!moves) return;
  for (int f = 0; f < table->field_count; f++) {
    const Field *field = &table->fields[f];
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

Hash128 table_hash(const Table *table)
{
  size_t stride = 0;
  for (int f = 0; f < table->field_count; f++)
    if (table->fields[f].flags & FIELD_STATE) stride += table->fields[f].row_bytes;
  char *rows = memory_allocate(HASHED_AT_ONCE * stride);
  const uint64_t seed = hash_mix((uint64_t)table->name[0], 1);
  Hash128 sum = {0, 0};
  for (int first = 0; first < table->owned; first += HASHED_AT_ONCE) {
    const int left = table->owned - first, count = left < HASHED_AT_ONCE ? left : HASHED_AT_ONCE;
    char *to = rows;
    for (int f = 0; f < table->field_count; f++) {
      const Field *field = &table->fields[f];
      if (!(field->flags & FIELD_STATE)) continue;
      put_field(table, field, first, count, to, stride);
      to += field->row_bytes;
    }
    sum = hash_add(sum, hash_sum_rows(rows, stride, count, seed));
  }
  memory_free(rows);
  return sum;
}
