#pragma once
// What every rank counted, step by step: files of records by rank, written by all ranks, that
// continue on a restart without a gap or a repetition.
//
// A file holds the records of one stretch of the run, at most RANK_RECORDS_MOST, and is named after
// the first step it covers. While it is open it is written anew as a whole whenever it must be on
// the disk, so that it is never half a file; each rank's records of one count lie in one piece.
#include "case.h"
#include "results.h"

enum { RANK_RECORDS_MOST = 1024 };

typedef struct {
  const char *name, *unit, *text;
} RankColumn;

typedef struct {
  int count;
  const RankColumn *columns;   // [count] outlive the records
} RankColumns;

typedef struct {
  const Results *results;
  const Case *c;
  const RankColumn *columns;
  int column_count, count;   // columns; records in the open file
  int written;               // of these, on the disk
  uint64_t *last, *steps;    // [RANK_RECORDS_MOST] last step of a record, number of its steps
  uint64_t *values;          // [columns * RANK_RECORDS_MOST] of this rank, by column
} RankRecords;

// Collective. Begins after last_step (-1: before the first step): what the folder holds of later
// steps is removed. A file that cannot be cut back is removed with a warning. False on all ranks
// after one message; rank_records_end is due all the same.
bool rank_records_begin(RankRecords *records, const Results *results, const Case *c,
                        RankColumns columns, int64_t last_step);

// Collective. Adds a record of this rank's values [column_count]: of so many steps, the last of
// which is step. False on all ranks after one message (full disk).
bool rank_records_add(RankRecords *records, int64_t step, int64_t steps, const uint64_t *values);

// Collective. Brings all records to the disk; false likewise.
bool rank_records_flush(RankRecords *records);

// Local. Releases memory.
void rank_records_end(RankRecords *records);
