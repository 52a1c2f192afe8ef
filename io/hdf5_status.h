#pragma once
// Failures of the HDF5 library as messages: silent by itself, and with the system's reason where
// there is one. Local.
#include <hdf5.h>

#include "disk.h"

// Keeps the library from printing.
void hdf5_silence(void);

// Hands the result of a call through; a negative one is a failure, whose reason is kept.
hid_t hdf5_check(hid_t result, DiskStatus *status);

// Opens a file for reading, without locks; H5Fclose closes all that is open in it.
hid_t hdf5_open_read(const char *path, DiskStatus *status);
