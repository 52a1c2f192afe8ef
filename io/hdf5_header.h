#pragma once
// What frames and checkpoints say of themselves in attributes of the file.
#include <stdint.h>

#include "state_hash.h"

typedef struct {
  int64_t step;
  double time;                // s
  char hash[33];              // of the state
  int64_t bodies, contacts;   // rows
  StateWords solver;          // what it carries from step to step
} Hdf5Header;

#define HDF5_WORDS_BYTES (17 * STATE_WORDS)   // words of 16 digits, each with what ends it
