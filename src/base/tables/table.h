#pragma once
// Parallel columns under one field list: growth, migration, halo, checkpoint, hash and output all
// walk the list. A struct that begins with a Table and goes on with one pointer per column is a
// table; list and rules are written once: see BODY_FIELDS in bodies.h and BODIES_SCHEMA in
// bodies.c.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "hash.h"

// The last two stand in files alone: short reals, and texts of as many bytes as there are
// components.
typedef enum { FIELD_F64, FIELD_I32, FIELD_U32, FIELD_U64, FIELD_F32, FIELD_TEXT } FieldType;

enum {
  FIELD_STATE = 1,    // part of the master invariant: hashed, checkpointed, migrated
  FIELD_OUTPUT = 2,   // written to frames
  FIELD_SCENE =
      4,   // follows from the case: migrated and sent to ghosts, neither hashed nor checkpointed
  FIELD_CARRIED = 8,   // goes with a row that changes its owner, and nowhere else
  FIELD_RARE = 16,     // zero in most cases, whose tables leave it out
  FIELD_KEY = 32,      // with the other key fields it tells rows apart; whole numbers, the first
                       // fields of the list; rows are sorted by them in the order of the list
  FIELD_BODIES = 64,   // the first key field: ids of the bodies that a row belongs to; the owner of
                       // the first dynamic one of them has the row
  FIELD_APART = 128,   // of state: hashed apart from the others, and only where it is not zero, so
                       // that rows without it have the hash that they had before there was such a
                       // field
  FIELD_IMPULSE = 256,   // reals in proportion to the length of what was solved at once: an impulse
  FIELD_KINDS = 512,     // what kind a row is of; left out where all are of the first one
  FIELD_OPTION = 1024,   // of few cases: the tables of others leave it out, and their files, too
  FIELD_SHOWN = 2048,    // told by the last step where a frame follows it: neither state nor sent
  FIELD_UNTOLD = 4096,   // frames of tables that leave it out have no column of it
  FIELD_SENT = FIELD_STATE | FIELD_SCENE,    // a new ghost has these
  FIELD_MOVED = FIELD_SENT | FIELD_CARRIED   // and a row that changes its owner
};

typedef struct {
  const char *name, *unit, *text;
  FieldType type;
  int components;     // scalars per row
  size_t row_bytes;   // components times the size of the scalar
  size_t offset;      // of the column pointer in the struct that begins with the Table
  unsigned flags;
} Field;

// Which rows stand on further ranks than that of their owner.
typedef enum {
  GHOSTS_NONE,       // none
  GHOSTS_OF_BOXES,   // a row whose box meets the boxes of another rank (halo_rebuild)
  GHOSTS_OF_PAIRS,   // a row between two bodies: on the rank of the second one as well
  GHOSTS_OF_BODIES   // a row of one body: wherever that has a ghost
} TableGhosts;

// What a table is: its columns and the rules of its rows.
typedef struct Table Table;
typedef struct {
  const char *name;   // "bodies", "contacts": in files, and the seed of its hash
  size_t bytes;       // of the struct that begins with the Table
  const Field *fields;
  int field_count;
  TableGhosts ghosts;
  bool optional;                    // files of states without rows of it need not name it
  void (*complete)(Table *table);   // what of the struct stands behind its columns; NULL: nothing
} TableSchema;

struct Table {
  const TableSchema *schema;
  uint32_t without;   // bit f: field f is left out, has no column (NULL) and is zero
  int owned;          // rows [0, owned) belong to this rank
  int count;          // rows [owned, count) are ghosts
  int capacity;
};

// initialisers of a field list, and of a schema of it
#define TABLE_COLUMN(ctype, name, type, components, flags, unit, text) ctype *name;
#define TABLE_FIELD_OF(strukt, ctype, name, type, components, flags, unit, text) \
  {#name, unit, text, type, components, sizeof(ctype), offsetof(strukt, name), flags},
#define TABLE_SCHEMA(strukt, list, table_name, table_ghosts, table_complete)       \
  {                                                                                \
    .name = (table_name), .bytes = sizeof(strukt), .fields = (list),               \
    .field_count = (int)(sizeof(list) / sizeof *(list)), .ghosts = (table_ghosts), \
    .complete = (table_complete)                                                   \
  }

// Local. Sets the schema, zero rows. The struct must have been zeroed.
void table_begin(Table *table, const TableSchema *schema);
void table_end(Table *table);

// Local. Leaves out fields, whose columns go, on all ranks alike: those with any of the flags;
// those without any; those that another table of the kind has not.
void table_leave_out(Table *table, unsigned flags);
void table_keep_only(Table *table, unsigned flags);
void table_leave_out_alike(Table *table, const Table *other);
static inline bool table_has(const Table *table, const Field *field)
{
  return (table->without >> (field - table->schema->fields) & 1) == 0;
}
// Local. Whether files have a column of it: those with its fields of that flag.
static inline bool table_stores(const Table *table, const Field *field, unsigned flag)
{
  const unsigned without = FIELD_OPTION | (flag & FIELD_OUTPUT ? FIELD_UNTOLD : 0);
  return table_has(table, field) || !(field->flags & without);
}
static inline bool table_schema_has(const TableSchema *schema, unsigned flags)
{
  for (int f = 0; f < schema->field_count; f++)
    if (schema->fields[f].flags & flags) return true;
  return false;
}

// Local. Room for at least that many rows; rows keep their values; new rows are not zeroed.
void table_reserve(Table *table, int rows);

// Local. Gives back what a large table has beside its rows and room for some more.
void table_trim(Table *table);

// Local. Own rows of a table copied to one without rows, of the fields that both have, others being
// left out of it. Its columns lie in the arena: it is neither resized nor ended.
void table_copy_owned(Table *to, const Table *from, Arena *arena);

// Local. Puts the rows of such a copy into the table that it was made of, in place of all it has;
// ghosts go.
void table_take_owned(Table *to, const Table *copy);

// Local. Multiplies the reals of all fields with any of the flags, of own and ghost rows.
void table_scale(Table *table, unsigned flags, double factor);

// Local. Gives an empty table a column in memory of others; it is neither resized nor ended then.
void table_lend(Table *table, const Field *field, void *column);

// Local. The address of a field of a row that the table has.
void *table_at(const Table *table, const Field *field, int row);

// Local. Copies all fields of one row over another; those that the other table has not are zero.
void table_copy_row(Table *to, int to_row, const Table *from, int from_row);

// Local. Bytes of one packed row holding the fields with any of these flags that the table has;
// pack and unpack such a row.
size_t table_packed_bytes(const Table *table, unsigned flags);
void table_pack_row(const Table *table, int row, unsigned flags, void *bytes);
void table_unpack_row(Table *table, int row, unsigned flags, const void *bytes);

// Local. Reorders rows [first, first + count): row i becomes the former row order[i] (absolute
// index).
void table_permute(Table *table, int first, int count, const int *order);

// Local. Orders rows of tables of one schema by key: negative, zero, positive. Zero for equal keys
// only.
int table_compare(const Table *a, int row_a, const Table *b, int row_b);

// Local. Numbers of rows [first, first + count) in the order of their keys; what is in order
// already costs one look. order, scratch: [count]. Returns one of the two.
int *table_order(const Table *table, int first, int count, int *order, int *scratch);

// Dies where two rows that follow each other in such an order are of one body, in a table with one
// row of each: it has two owners.
void table_check_owners(const Table *table, const int *order, int count);

// Local. Sorts rows [first, first + count) by key.
void table_sort(Table *table, int first, int count);

// Local. The bodies of a row: how many, and their ids.
int table_bodies(const Table *table, int row, const uint64_t **ids);

// Local. Sum of the hashes of the owned rows' FIELD_STATE fields. -0 counts as 0, and so does a
// field that is left out. Fields that are FIELD_APART too have hashes of their own, with the key,
// in rows where they are not zero.
Hash128 table_hash(const Table *table);
