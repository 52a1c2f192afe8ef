#pragma once
// Hands reactions on from the points of the last step to those of this one.
#include "arena.h"
#include "contacts.h"

typedef struct {
  int first, end;
} RowRange;

// Points of a pair in the last step: its rows in a table sorted by key.
typedef struct {
  const Contacts *contacts;
  RowRange rows;
} OldPoints;

// Local. Own rows of a pair in a table sorted by key; empty when there are none. For the tests.
RowRange persist_rows_of_pair(const Contacts *contacts, IdPair pair);

// Local. The same for pairs that mostly come in order of key: next is the row after those of the
// last pair, 0 at first, and is moved on. Any order of pairs gives the same rows.
RowRange persist_rows_next(const Contacts *contacts, IdPair pair, int *next);

// Local. The same among some of the rows, sorted by key as well.
RowRange persist_rows_within(const Contacts *contacts, RowRange rows, IdPair pair);

typedef struct {
  int matched, inherited;
} PersistCount;

// Local. to: rows of the pair in found. A point takes the reaction of the old point with its key;
// one without takes that of the nearest old point left over within reach (m), distances in the
// body frame of the lower body, ties by key.
PersistCount persist_reactions(OldPoints points, Contacts *found, RowRange to, double reach,
                               Arena *arena);
