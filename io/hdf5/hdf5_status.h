#pragma once
// Failures of the HDF5 library as messages: silent by itself, and with the system's reason where
// there is one. Local.
#include <hdf5.h>

#include "disk.h"

// How an entry of the library's stack of errors begins that hdf5_disk.c puts there; the number is
// that of the system.
#define HDF5_DISK_ERROR "drystone: error %d of the system"

// Keeps the library from printing.
void hdf5_silence(void);

// Hands the result of a call through; a negative one is a failure, whose reason is kept.
hid_t hdf5_check(hid_t result, DiskStatus *status);
