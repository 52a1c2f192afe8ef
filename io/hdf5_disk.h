#pragma once
// How the HDF5 library reads our files. Local.
//
// The library's own way breaks down at the end of the program when a file could not be closed, and
// says what the system answered in a text alone. This one goes through disk.h, and closes without a
// failure: what was read is read.
#include <hdf5.h>

#include "disk.h"

// How an entry of the library's stack of errors begins that hdf5_disk puts there; the number is
// that of the system.
#define HDF5_DISK_ERROR "drystone: error %d of the system"

// A file access list for reading; H5Fclose closes all that is open in the file. Closed by H5Pclose.
hid_t hdf5_disk_access(DiskStatus *status);
