#pragma once
// Columns of a table in the order of a file, brought to the ranks that write them one column at a
// time: a checkpoint needs memory for a column, not for another state.
//
// Rows go to ranges of ids, sorted, as in row_spans.h; those that are in place already are written
// from the table.
#include "arena.h"
#include "hdf5_writer.h"
#include "table.h"

// Rows [first, first + count) of a list are for a rank.
typedef struct {
  int rank, first, count;
} RowsTo;

// Where own rows of a table go.
typedef struct {
  const Table *table;
  uint64_t first_row, row_count;   // row in the file of the first one here; rows in all
  int rows;                        // that this rank writes
  int *origin;    // [rows] own row, or own rows + number among those that arrive; NULL: own rows
                  // as they are
  int *leaving;   // own rows that other ranks write, by rank
  int to_count;   // ranks they go to
  RowsTo *to;     // [to_count] of leaving
} ColumnPlan;

// Collective. Rows by key, each with the range of the first of its bodies, of which there are
// id_count. The table stays as it is until the plan is done with; memory from the arena.
ColumnPlan columns_of_table(const Table *table, uint64_t id_count, Arena *arena);

// Collective. Writes all fields with any of the flags, whose columns follow each other in the
// order of hdf5_add_table. What the table leaves out is a hole in the file, which reads as zeros.
void columns_write(const ColumnPlan *plan, unsigned flags, Hdf5Writer *writer, int first_column,
                   Arena *arena);
