#pragma once
// Records of functions of time in text files: columns of numbers, and the files of the PEER ground
// motion database, which have four lines of header and equal steps.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "error_text.h"

enum { RECORD_MOST_COLUMNS = 4 };   // a time and three values

// How the lines of a file are read.
typedef struct {
  bool peer;                          // the header says all; the rest of this is not used
  int skip;                           // lines that are passed over first
  char separator;                     // between columns; ' ': blanks
  int column_count;                   // that are read
  int columns[RECORD_MOST_COLUMNS];   // their numbers, from 1: the time, then values
  double step;                        // s; where it is not 0 all columns are values, from time 0
} RecordLayout;

typedef struct {
  const char *path;
  RecordLayout layout;
  int count;           // rows, at least 1
  int components;      // values of a row, 1 to 3
  double *rows;        // [count][1 + components] time, s, growing, and values; all finite
  uint32_t contents;   // CRC-32C of rows
} Record;

// The whole of a file, with a zero behind it.
typedef struct {
  const char *path, *bytes;
  size_t count;
} RecordText;

// Local. The unit of a PEER file by its extension, in capitals or not: "g" of .at2, "cm/s" of .vt2;
// NULL for others.
const char *record_text_peer_unit(const char *path);

// Local. Reads a file; false with one message that names file and line. Memory from the arena.
bool record_text_read(RecordText file, RecordLayout layout, Arena *arena, Record *record,
                      ErrorText error);
