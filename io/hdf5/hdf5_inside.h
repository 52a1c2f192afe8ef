#pragma once
// HDF5 files that others wrote, read without leaving them: no link, storage, mapping or filter
// makes the library open another file or load code. Local.
#include <hdf5.h>

#include "disk.h"

// A link into another file that was met, and was not followed.
typedef struct {
  bool met;
  char file[256];   // to which it leads
} Hdf5Outside;

// A list for opening and looking up links and data sets, closed by H5Pclose: what lies behind a
// link into another file cannot be opened, which outside (NULL: nobody asks) then tells.
hid_t hdf5_inside_access(Hdf5Outside *outside);

// Whether an open data set has its numbers in the file itself, packed by nothing but filters that
// are part of the library. Asked before its size or its numbers are. False with a reason that
// begins with the name.
bool hdf5_inside_holds(hid_t set, const char *name, DiskStatus *status);
