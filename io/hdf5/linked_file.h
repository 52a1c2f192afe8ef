#pragma once
// A file of HDF5 that holds little itself: its data sets are rows of other files, behind each other
// (virtual data sets). Other files are found beside it, also where it is opened from elsewhere. The
// same contents give the same bytes. Local.
#include <hdf5.h>

#include "disk.h"
#include "hdf5_image.h"
#include "table.h"

typedef struct {
  hid_t id;              // of the file; groups are open until the file ends
  hid_t groups, plain;   // plans of groups, and of data sets that the file holds as they come
  char *path;
  Hdf5Image image;
  DiskStatus *status;   // kept from the first failure on; all else does nothing then
} LinkedFile;

// Begins a file of that name in a folder. Nothing is written yet.
void linked_file_begin(LinkedFile *file, const char *folder, const char *name, DiskStatus *status);

// Writes the file through its temporary name. After a failure one from before is untouched. A loss
// of power may take it.
void linked_file_end(LinkedFile *file);

// A new group below another one, or below the file; what it holds keeps the order of its making.
hid_t linked_file_group(LinkedFile *file, hid_t above, const char *name);

// Attributes: whole numbers, and a text of fixed length in ASCII.
void linked_file_numbers(LinkedFile *file, hid_t object, const char *name, const int64_t *values,
                         int count);
void linked_file_text(LinkedFile *file, hid_t object, const char *name, const char *text);

// A link to something of the same file, by its path.
void linked_file_link(LinkedFile *file, hid_t group, const char *name, const char *path);

// Another name in a group for what stands there.
void linked_file_again(LinkedFile *file, hid_t group, const char *known, const char *name);

// Data sets of numbers that the file does hold. A table is a series with a second axis, of
// length 1. A count is 0, by, 2 by, ... of so many rows, packed. A constant is one number for all
// rows, which takes no room.
void linked_file_reals(LinkedFile *file, hid_t group, const char *name, const double *values,
                       size_t rows);
void linked_file_series(LinkedFile *file, hid_t group, const char *name, const int64_t *values,
                        size_t rows);
void linked_file_table(LinkedFile *file, hid_t group, const char *name, const int64_t *values,
                       size_t rows);
void linked_file_count(LinkedFile *file, hid_t group, const char *name, int64_t by, uint64_t rows);
void linked_file_constant(LinkedFile *file, hid_t group, const char *name, unsigned char value,
                          uint64_t rows);

// A data set of linked rows. Rows that nobody links are NaN, or 0 where numbers are whole. Whole
// numbers of 64 bits have a sign here, which VTK asks for; values lie below 2^63.
typedef struct {
  FieldType type;
  bool bytes;   // numbers of one byte, whatever is linked
  int components;
  uint64_t rows;
  hid_t plan, space;
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
void linked_rows_end(LinkedFile *file, LinkedRows *rows, hid_t group, const char *name);
