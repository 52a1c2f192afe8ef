#pragma once
// A file of HDF5 that holds little itself: its data sets are rows of other files, behind each other
// (virtual data sets). Other files are found beside it, also where it is opened from elsewhere. The
// same contents give the same bytes. They are put together here, without the library, which takes
// 31,000 instructions for each link and 200,000 for each data set. Local.
#include <stdbool.h>

#include "arena.h"
#include "disk.h"
#include "hdf5_bytes.h"
#include "table.h"

// Numbers of a file: of its groups, of which the first is the file itself, and of its data sets.
typedef int LinkedGroup;
#define LINKED_ROOT 0

// Plans of what the file is made of, in linked_file.c.
typedef struct LinkedName LinkedName;
typedef struct LinkedSet LinkedSet;
typedef struct LinkedAttribute LinkedAttribute;

typedef struct {
  char *path;
  DiskStatus *status;   // kept from the first failure on
  Arena arena;
  int group_count;
  int name_count, name_capacity;
  LinkedName *names;   // [name_count] in the order of their making
  int set_count, set_capacity;
  LinkedSet *sets;   // [set_count]
  int attribute_count, attribute_capacity;
  LinkedAttribute *attributes;   // [attribute_count]
  // the links of all data sets, in collections of the format
  Hdf5Bytes links;
  size_t collection;   // where the last one begins
  int links_in_it;     // lists of links in that one, 0: it is full
} LinkedFile;

// Begins a file of that name in a folder. Nothing is written yet.
void linked_file_begin(LinkedFile *file, const char *folder, const char *name, DiskStatus *status);

// Writes the file through its temporary name. After a failure one from before is untouched. A loss
// of power may take it.
void linked_file_end(LinkedFile *file);

// A new group below another one, or below the file; what it holds keeps the order of its making.
LinkedGroup linked_file_group(LinkedFile *file, LinkedGroup above, const char *name);

// Attributes: whole numbers, and a text of fixed length in ASCII.
void linked_file_numbers(LinkedFile *file, LinkedGroup group, const char *name,
                         const int64_t *values, int count);
void linked_file_text(LinkedFile *file, LinkedGroup group, const char *name, const char *text);

// A link to something of the same file, by its path.
void linked_file_link(LinkedFile *file, LinkedGroup group, const char *name, const char *path);

// Another name in a group for what stands there.
void linked_file_again(LinkedFile *file, LinkedGroup group, const char *known, const char *name);

// Data sets of numbers that the file does hold. A table is a series with a second axis, of
// length 1. A count is 0, by, 2 by, ... of so many rows, in half the room where they are small. A
// constant is one number for all rows, which takes no room.
void linked_file_reals(LinkedFile *file, LinkedGroup group, const char *name, const double *values,
                       size_t rows);
void linked_file_series(LinkedFile *file, LinkedGroup group, const char *name,
                        const int64_t *values, size_t rows);
void linked_file_table(LinkedFile *file, LinkedGroup group, const char *name, const int64_t *values,
                       size_t rows);
void linked_file_count(LinkedFile *file, LinkedGroup group, const char *name, int64_t by,
                       uint64_t rows);
void linked_file_constant(LinkedFile *file, LinkedGroup group, const char *name,
                          unsigned char value, uint64_t rows);

// A data set of linked rows, one at a time. Rows that nobody links are NaN, or 0 where numbers are
// whole. Whole numbers of 64 bits have a sign here, which VTK asks for; values lie below 2^63.
typedef struct {
  Hdf5Number type;
  int components;
  uint64_t rows, links;
  size_t begin;   // of the list in file->links
} LinkedRows;

// Rows of another file, or of this one (file: "."): the data set, how many rows it has, how many
// of those from its first one on are taken, and the numbers in each.
typedef struct {
  const char *file, *path;
  uint64_t stored, taken;
  int components;
} LinkedSource;

LinkedRows linked_rows_begin(LinkedFile *file, FieldType type, int components, uint64_t rows);
LinkedRows linked_rows_begin_bytes(LinkedFile *file, uint64_t rows);
void linked_rows_add(LinkedFile *file, LinkedRows *rows, uint64_t first, LinkedSource source);
void linked_rows_end(LinkedFile *file, LinkedRows *rows, LinkedGroup group, const char *name);
