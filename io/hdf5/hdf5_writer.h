#pragma once
// HDF5 files written by all ranks: rank 0 lays out columns and attributes, then every rank puts its
// rows at their place.
//
// The library does no transfer. Columns are contiguous and allocated when the file is laid out, so
// their place in it is known and each rank writes its rows there with the system's own call. A full
// disk or a broken device is then an error number on the rank that met it, which the ranks agree
// on. Left to the library and MPI-IO, such a write was seen to be reported as done, and the next
// flush to hang.
#include "arena.h"
#include "case.h"
#include "disk.h"
#include "file_block_sums.h"
#include "hdf5_header.h"
#include "hdf5_layout.h"
#include "table.h"
#include "vec3.h"

typedef struct {
  char *folder, *path, *temporary;
  Arena arena;
  Hdf5Content content;   // arena
  uint64_t *offsets;     // of the columns in the file, bytes; 0: no rows. Set by hdf5_lay_out
  int file;              // descriptor, -1 until laid out
  uint64_t behind, behind_count;   // bytes behind each other that nobody asked the device to take
  FileBlockSums *sums;             // of all that this rank writes, or NULL
  Hdf5Layout *layout;              // rank 0: what the library would have written
  Hdf5Layout **kept;               // where it stays for the next file, or NULL
  DiskStatus status;
} Hdf5Writer;

// Local. Begins a file in a folder; nothing is written before hdf5_lay_out.
void hdf5_begin(Hdf5Writer *writer, const char *folder, const char *name);

// Local. The same on all ranks. Returns the column's number.
int hdf5_add_column(Hdf5Writer *writer, Hdf5Column column);

// Local. The same on all ranks: columns of all fields with any of the flags, in the group of the
// table's name. Returns the number of the first.
int hdf5_add_table(Hdf5Writer *writer, const Table *table, unsigned flags, uint64_t rows);

// Local. The number of a column that was added; -1: there is none.
int hdf5_find_column(const Hdf5Writer *writer, const char *group, const char *name);

// Local. Attributes of a group ("/" for the file). A document is a data set of one string, for text
// of any length. For the tests.
void hdf5_add_integer(Hdf5Writer *writer, const char *group, const char *name, int64_t value);
void hdf5_add_real(Hdf5Writer *writer, const char *group, const char *name, double value);
void hdf5_add_vector(Hdf5Writer *writer, const char *group, const char *name, vec3 value);
void hdf5_add_text(Hdf5Writer *writer, const char *group, const char *name, const char *text);
// Local. What every file says of itself: format, and in /provenance who made it from which case.
void hdf5_add_provenance(Hdf5Writer *writer, const char *format, int format_version, const Case *c);

// Local. The header of a frame or checkpoint, which outlives the writer.
void hdf5_add_header(Hdf5Writer *writer, const Hdf5Header *header);

// Local. The same on all ranks, before hdf5_lay_out. What the file is meant to hold is summed up by
// file blocks, which outlive the writer.
void hdf5_sum_file_blocks(Hdf5Writer *writer, FileBlockSums *sums);

// Local. The same on all ranks, before hdf5_lay_out: the layout of the file before, where there is
// one, which that of this file replaces. It outlives the writer; hdf5_layout_end.
void hdf5_keep_layout(Hdf5Writer *writer, Hdf5Layout **kept);

// Collective. Makes the file under its temporary name. A failure is kept until hdf5_commit.
void hdf5_lay_out(Hdf5Writer *writer);

// Local. The same on all ranks, after hdf5_lay_out: another text of the same length for an
// attribute that could not be known before. The layout is not kept.
void hdf5_change_text(Hdf5Writer *writer, const char *group, const char *name, const char *text);

// Local. Writes rows of a column, tightly packed.
void hdf5_write_rows(Hdf5Writer *writer, int column, uint64_t first_row, uint64_t rows,
                     const void *data);

// Local. Writes the rows of a table's columns, in the order of hdf5_add_table, from first_row of
// the file on. What the table leaves out is a hole in the file, which reads as zeros.
void hdf5_write_table(Hdf5Writer *writer, int first_column, const Table *table, unsigned flags,
                      uint64_t first_row);

// Collective. Synchronises the file with the device and gives it its name; releases the writer.
// False on all ranks after one message naming file and reason: then the temporary file is gone and
// one of that name from before is untouched.
bool hdf5_commit(Hdf5Writer *writer);
