#pragma once
// How the HDF5 library reads our files. Local.
//
// The library's own way breaks down at the end of the program when a file could not be closed, and
// says what the system answered in a text alone. This one goes through disk.h, and closes without a
// failure: what was read is read.
#include <hdf5.h>

#include "disk.h"

// Opens a file for reading, without locks; negative where it fails.
hid_t hdf5_disk_open(const char *path, DiskStatus *status);

// Closes such a file, and all that is open in it; a negative one is none.
void hdf5_disk_close(hid_t file);
