#pragma once
// What the HDF5 library writes when it lays out a file, kept in memory with holes where the rows
// will be. Local.
//
// The library must not meet a failing disk: a file that it could not close makes it break down at
// the end of the program. So it never sees one; we write its bytes ourselves.
#include <hdf5.h>

#include "disk.h"
#include "file_block_sums.h"

typedef struct {
  uint64_t number;        // offset in the file by the page's size
  unsigned char *bytes;   // memory
} Hdf5Page;

typedef struct Hdf5Image {
  int page_count, page_capacity;
  Hdf5Page *pages;   // by number; what lies in none is zero
  uint64_t size;     // of the whole file, bytes
} Hdf5Image;

// A file access list whose new file is the image, which is empty, or whose file is the image as the
// library left it when it closed that; closed by H5Pclose.
hid_t hdf5_image_access(Hdf5Image *image, DiskStatus *status);

// Writes the pages into an open file and gives it the image's size. They are added to sums of
// file blocks, if there are any.
void hdf5_image_write(const Hdf5Image *image, DiskFile file, FileBlockSums *sums,
                      DiskStatus *status);

// Writes what differs from an earlier image of that size, which is in the file.
void hdf5_image_write_changes(const Hdf5Image *image, const Hdf5Image *earlier, DiskFile file,
                              FileBlockSums *sums, DiskStatus *status);

void hdf5_image_end(Hdf5Image *image);
