#pragma once
// Rows as the files of frames hold them: each with the range of ids that has the first of its
// bodies, sorted by key, so that a file is the same on any number of ranks and each rank writes one
// piece of it.
#include "arena.h"
#include "bodies.h"
#include "parallel.h"
#include "state.h"

// The rows of a table that this rank writes, copied fields alone.
typedef struct {
  Table *table;
  int32_t *rank;                   // [table->count] who owns the row
  uint64_t first_row, row_count;   // row in the file of the first one here, rows in all
} RowSpan;

typedef struct {
  State copies;
  RowSpan of[STATE_TABLES];   // [copies.table_count], as in the state
} RowSpans;

// Collective. Copies the fields with any of the flags of everybody's own rows to the ranks that
// write them: id_range of id_count ids, of which any number may have no body. A table
// without such a field stays empty. Bodies deform as those of the state, which outlives the spans.
void row_spans_gather(RowSpans *spans, const State *state, uint64_t id_count, unsigned flags);
void row_spans_end(RowSpans *spans);

// Local. The span of a table, NULL: the state has none.
const RowSpan *row_spans_find(const RowSpans *spans, const TableSchema *schema);
