#pragma once
// One generation of checkpoints in a folder: a data file and its manifest, whether they are sound,
// and the rows they hold.
#include "manifest.h"
#include "results.h"
#include "state.h"

// What the data file says it is.
#define GENERATION_FORMAT "drystone checkpoint"
enum { GENERATION_VERSION = 5 };

// Local. Path of a file of a generation (memory_free); the file removed.
char *generation_path(const char *folder, NumberedName kind, int64_t step);
void generation_remove(const char *folder, NumberedName kind, int64_t step, DiskStatus *status);

// What a generation is expected to hold.
typedef struct {
  Hash128 hash;             // of the state
  uint32_t case_checksum;   // manifest_checksum
} Expected;

// Collective. True when manifest and file blocks of a generation are sound, and hold what is
// expected (NULL: anything); otherwise all ranks have the same reason.
bool generation_is_sound(const char *folder, int64_t step, const Expected *expected,
                         DiskStatus *reason);

// Collective. Verifies a generation and reads step, words and rows of a state, this rank's piece of
// each table; needs no case. False on all ranks, with the same reason on all, empty tables, and no
// manifest to be ended.
bool generation_read(const char *folder, int64_t step, Manifest *manifest, State *state,
                     DiskStatus *reason);

// Collective. Steps of the manifests and of the data files without one in a folder, ascending, on
// every rank (memory_free).
typedef struct {
  int count, orphan_count;
  int64_t *steps;     // [count] that have a manifest
  int64_t *orphans;   // [orphan_count] data files alone
} Generations;
Generations generation_list(const char *folder, DiskStatus *status);
void generation_list_end(Generations *generations);
