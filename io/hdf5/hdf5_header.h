#pragma once
// What frames and checkpoints say of themselves in attributes of the file.
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "state.h"

// How many rows a table has, by its name.
typedef struct {
  char name[32];
  int64_t rows;
} Hdf5Rows;

typedef struct {
  int64_t step;
  double time;     // s
  char hash[33];   // of the state
  int table_count;
  Hdf5Rows tables[STATE_TABLES];   // [table_count]
  StateWords solver;               // what it carries from step to step
  StateStage stage;
} Hdf5Header;

#define HDF5_STAGE_BYTES 128
#define HDF5_WORDS_BYTES (17 * STATE_WORDS)   // words of 16 digits, each with what ends it

// Rows of the table of that name, -1: there is none.
static inline int64_t hdf5_header_rows(const Hdf5Header *header, const char *name)
{
  for (int t = 0; t < header->table_count; t++)
    if (strcmp(header->tables[t].name, name) == 0) return header->tables[t].rows;
  return -1;
}

// Adds a table that the header has room for.
static inline void hdf5_header_add(Hdf5Header *header, const char *name, int64_t rows)
{
  assert(header->table_count < STATE_TABLES && "a header has room for a table");
  assert(strlen(name) < sizeof header->tables->name && "a table has a short name");
  Hdf5Rows *table = &header->tables[header->table_count++];
  snprintf(table->name, sizeof table->name, "%s", name);
  table->rows = rows;
}
