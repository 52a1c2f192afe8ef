#pragma once
// What frames and checkpoints say of themselves in attributes of the file.
#include <stdint.h>

typedef struct {
  int64_t step;
  double time;                // s
  char hash[33];              // of the state
  int64_t bodies, contacts;   // rows
} Hdf5Header;
