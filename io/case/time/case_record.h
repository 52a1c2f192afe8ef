#pragma once
// Functions of time that files hold: which file, its columns, unit, axis, scale, and what comes
// before and after it.
#include "case.h"
#include "case_quantity.h"
#include "record_share.h"

// A key that names a record.
typedef struct {
  const char *key;
  const Record *record;
} RecordUse;

// Records of a case; each file is read once with each layout.
struct CaseRecords {
  RecordReader read;   // NULL: a case that names one is refused
  Arena *arena;        // of the case
  int count, capacity;
  const Record **items;
  int use_count, use_capacity;
  RecordUse *uses;   // in the order of the case
};

// As local as the reader of records is. The table that "{file, unit, axis, ...}" means; false after
// a failure.
bool case_record_read(CaseReader *reader, const CaseNode *node, TimeQuantity quantity,
                      const Case *c, VectorTable *table);

// Local. A list of files (mesh_list.h), with a line for each key that names a record behind it, in
// the case's arena.
const char *case_record_list(const CaseRecords *records, const char *list);
