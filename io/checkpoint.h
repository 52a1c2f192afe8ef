#pragma once
// Complete state in numbered files; the manifest, written last, makes a checkpoint valid. Two
// generations are kept.
#include "bodies.h"
#include "case.h"
#include "contacts.h"
#include "results.h"
#include "state_hash.h"

typedef struct {
  int64_t step;
  double time;         // s
  Hash128 hash;        // of the state
  StateWords solver;   // what it carries from step to step
} CheckpointHeader;

// Collective. Writes checkpoint-NNNNNNNNN.h5 and then its manifest; removes generations older than
// the previous one, and later ones, which belong to a future that was given up. The same state
// already there and sound is left as it is. False on all ranks after one message naming file and
// system reason; then the previous checkpoint stays.
bool checkpoint_write(Results *results, const Case *c, const CheckpointHeader *header,
                      const Bodies *bodies, const Contacts *contacts);

typedef enum {
  CHECKPOINT_NONE,   // no complete checkpoint was ever made
  CHECKPOINT_READ,
  CHECKPOINT_DAMAGED,     // there are checkpoints, none is valid
  CHECKPOINT_OTHER_CASE   // valid, with other bodies than the case has by then: the user's error
} CheckpointStatus;

// Collective. Reads the newest valid checkpoint of a folder. Bodies come to the rank that holds the
// block of their ids (body_block), sorted, those that are there; contacts go to the block of their
// lower-id dynamic body, sorted by key. Kind, material and shape come from the case; the other
// fields that follow from it are zero. A damaged generation is reported and the one before it is
// tried. The tables were begun; they are empty unless the result is CHECKPOINT_READ.
CheckpointStatus checkpoint_read(const char *folder, const Case *c, CheckpointHeader *header,
                                 Bodies *bodies, Contacts *contacts);

// Collective. The same for a folder without a case at hand (drystone info): verifies manifest,
// blocks and hash. file: path of the data file.
CheckpointStatus checkpoint_verify(const char *folder, CheckpointHeader *header, uint64_t *bodies,
                                   uint64_t *contacts, char *file, size_t file_bytes);

// The case that a checkpoint carries.
typedef struct {
  char *path, *text, *overrides;   // as in Case
} CheckpointCase;

// Collective. Reads it from a data file that checkpoint_verify named. False on all ranks after one
// message; then checkpoint_case_end is not due.
bool checkpoint_case(const char *file, CheckpointCase *carried);
void checkpoint_case_end(CheckpointCase *carried);
