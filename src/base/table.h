#pragma once
// Parallel columns under one field list: growth, migration, halo, checkpoint, hash and output all
// walk the list. A struct that begins with a Table and goes on with one pointer per column is a
// table; the list is written once: See BODY_FIELDS in bodies.h for such a list.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "hash.h"

typedef enum { FIELD_F64, FIELD_I32, FIELD_U32, FIELD_U64 } FieldType;

enum {
  FIELD_STATE = 1,    // part of the master invariant: hashed, checkpointed, migrated
  FIELD_OUTPUT = 2,   // written to frames
  FIELD_SCENE =
      4,   // follows from the case: migrated and sent to ghosts, neither hashed nor checkpointed
  FIELD_CARRIED = 8,   // goes with a row that changes its owner, and nowhere else
  FIELD_RARE = 16      // zero in most cases, whose tables leave it out
};

typedef struct {
  const char *name, *unit, *text;
  FieldType type;
  int components;     // scalars per row
  size_t row_bytes;   // components times the size of the scalar
  size_t offset;      // of the column pointer in the struct that begins with the Table
  unsigned flags;
} Field;

typedef struct {
  const char *name;   // "bodies", "contacts"
  const Field *fields;
  int field_count;
  uint32_t without;   // bit f: field f is left out, has no column (NULL) and is zero
  int owned;          // rows [0, owned) belong to this rank
  int count;          // rows [owned, count) are ghosts
  int capacity;
} Table;

// initialisers of a field list
#define TABLE_COLUMN(ctype, name, type, components, flags, unit, text) ctype *name;
#define TABLE_FIELD_OF(strukt, ctype, name, type, components, flags, unit, text) \
  {#name, unit, text, type, components, sizeof(ctype), offsetof(strukt, name), flags},

// Local. Sets name and list, zero rows. The struct must have been zeroed.
void table_begin(Table *table, const char *name, const Field *fields, int field_count);
void table_end(Table *table);

// Local. Leaves out fields, whose columns go, on all ranks alike: those with any of the flags;
// those without any; those that another table of the kind has not.
void table_leave_out(Table *table, unsigned flags);
void table_keep_only(Table *table, unsigned flags);
void table_leave_out_alike(Table *table, const Table *other);
static inline bool table_has(const Table *table, const Field *field)
{
  return (table->without >> (field - table->fields) & 1) == 0;
}

// Local. Room for at least that many rows; rows keep their values; new rows are not zeroed.
void table_reserve(Table *table, int rows);

// Local. Gives back what a large table has beside its rows and room for some more.
void table_trim(Table *table);

// Local. Own rows of a table copied to one without rows, of the fields that both have, others being
// left out of it. Its columns lie in the arena: it is neither resized nor ended.
void table_copy_owned(Table *to, const Table *from, Arena *arena);

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

// Local. Sum of the hashes of the owned rows' FIELD_STATE fields. -0 counts as 0, and so does a
// field that is left out.
Hash128 table_hash(const Table *table);
