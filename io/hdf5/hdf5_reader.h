#pragma once
// What our HDF5 files say of themselves, and where their columns lie. Local.
#include "disk.h"
#include "hdf5_header.h"
#include "table.h"

// Reads the header of a file of that format ("drystone frame") and version, with the rows of the
// tables that it names already.
bool hdf5_read_header(const char *path, const char *format, int64_t version, Hdf5Header *header,
                      DiskStatus *status);

// Finds the columns of a table's state; their type and the number of rows must be the expected
// ones. offsets[schema->field_count]: where the rows of each begin in the file, bytes, 0 where
// there are none; HDF5_NO_COLUMN for other fields, and for those that a file may lack and lacks.
#define HDF5_NO_COLUMN UINT64_MAX
bool hdf5_locate_table(const char *path, const TableSchema *schema, uint64_t rows,
                       uint64_t *offsets, DiskStatus *status);

// Rows of data sets by their paths in the file; -1 where there is none of that name.
bool hdf5_read_rows(const char *path, const char *const *names, int count, int64_t *rows,
                    DiskStatus *status);

// The text of a document of /provenance (memory_free), or NULL after a failure.
char *hdf5_read_document(const char *path, const char *name, DiskStatus *status);
