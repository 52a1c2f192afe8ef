#include "table.h"

#include <assert.h>
#include <string.h>

#include "memory.h"

static void **column_of(const Table *table, const Field *field)
{
  return (void **)((char *)table + field->offset);
}

void table_begin(Table *table, const char *name, const Field *fields, int field_count)
{
  table->name = name;
  table->fields = fields;
  table->field_count = field_count;
  table->owned = table->count = table->capacity = 0;
  for (int f = 0; f < field_count; f++) *column_of(table, &fields[f]) = NULL;
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

void table_reserve(Table *table, int rows)
{
  if (rows <= table->capacity) return;
  int capacity = table->capacity + table->capacity / 2;
  if (capacity < rows) capacity = rows;
  for (int f = 0; f < table->field_count; f++) {
    void **column = column_of(table, &table->fields[f]);
    *column = memory_resize(*column, (size_t)capacity * table->fields[f].row_bytes);
  }
  table->capacity = capacity;
}

void *table_at(const Table *table, const Field *field, int row)
{
  assert(row >= 0 && row < table->capacity && "row outside the table");
  return (char *)*column_of(table, field) + (size_t)row * field->row_bytes;
}

void table_copy_row(Table *to, int to_row, const Table *from, int from_row)
{
  assert(to->fields == from->fields && "tables of different kind");
  for (int f = 0; f < to->field_count; f++)
    memcpy(table_at(to, &to->fields[f], to_row), table_at(from, &from->fields[f], from_row),
           to->fields[f].row_bytes);
}

size_t table_packed_bytes(const Table *table, unsigned flags)
{
  size_t bytes = 0;
  for (int f = 0; f < table->field_count; f++)
    if (table->fields[f].flags & flags) bytes += table->fields[f].row_bytes;
  return bytes;
}

void table_pack_row(const Table *table, int row, unsigned flags, void *bytes)
{
  char *p = bytes;
  for (int f = 0; f < table->field_count; f++) {
    const Field *field = &table->fields[f];
    if (!(field->flags & flags)) continue;
    memcpy(p, table_at(table, field, row), field->row_bytes);
    p += field->row_bytes;
  }
}

void table_unpack_row(Table *table, int row, unsigned flags, const void *bytes)
{
  const char *p = bytes;
  for (int f = 0; f < table->field_count; f++) {
    const Field *field = &table->fields[f];
    if (!(field->flags & flags)) continue;
    memcpy(table_at(table, field, row), p, field->row_bytes);
    p += field->row_bytes;
  }
}

void table_permute(Table *table, int first, int count, const int *order)
{
  if (count <= 0) return;
  for (int f = 0; f < table->field_count; f++) {
    const Field *field = &table->fields[f];
    char *sorted = memory_allocate((size_t)count * field->row_bytes);
    for (int i = 0; i < count; i++)
      memcpy(sorted + (size_t)i * field->row_bytes, table_at(table, field, order[i]),
             field->row_bytes);
    memcpy(table_at(table, field, first), sorted, (size_t)count * field->row_bytes);
    memory_free(sorted);
  }
}

// -0 and 0 are the same state
static void canonical_zeros(const Table *table, char *row, unsigned flags)
{
  for (int f = 0; f < table->field_count; f++) {
    const Field *field = &table->fields[f];
    if (!(field->flags & flags)) continue;
    if (field->type == FIELD_F64) {
      for (int c = 0; c < field->components; c++) {
        double value;
        memcpy(&value, row + (size_t)c * sizeof value, sizeof value);
        value += 0.0;
        memcpy(row + (size_t)c * sizeof value, &value, sizeof value);
      }
    }
    row += field->row_bytes;
  }
}

Hash128 table_hash(const Table *table)
{
  Hash128 sum = {0, 0};
  const size_t bytes = table_packed_bytes(table, FIELD_STATE);
  char *row = memory_allocate(bytes);
  for (int i = 0; i < table->owned; i++) {
    table_pack_row(table, i, FIELD_STATE, row);
    canonical_zeros(table, row, FIELD_STATE);
    sum = hash_add(sum, hash_bytes(row, bytes, hash_mix((uint64_t)table->name[0], 1)));
  }
  memory_free(row);
  return sum;
}
