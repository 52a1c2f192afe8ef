#pragma once
// Bodies of an entry told apart: the key where, and supports of a file.
#include "case.h"
#include "case_value.h"

// Neighbours in an entry that have the same keys.
typedef struct {
  uint64_t begin, end;    // numbers in the entry
  const CaseNode *keys;   // those of the entry with what counts for these bodies in their place
} EntryPart;

typedef struct {
  int count;          // 0: the entry is not parted
  EntryPart *parts;   // [count] ascending, without bodies that are left out
} EntryParts;

// What an entry is parted with.
typedef struct {
  const Case *c;   // seed, time and gravity are there
  int number;      // of the entry in its list
} EntrySetting;

// Local. How an entry is parted whose generator has been read: by its key where, and by what its
// file holds fixed. Scratch of the reader.
EntryParts case_where_read(CaseReader *reader, const CaseNode *entry, const BodyGroup *group,
                           const EntrySetting *setting);
