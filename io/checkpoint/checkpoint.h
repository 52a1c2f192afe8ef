#pragma once
// Complete state in numbered files; the manifest, written last, makes a checkpoint valid. Two
// generations are kept.
#include "case.h"
#include "case_changes.h"
#include "hdf5_header.h"
#include "results.h"
#include "state.h"

typedef struct {
  int64_t step;
  double time;       // s
  Hash128 hash;      // of the state
  char writer[96];   // version and compiler of the program that wrote it, as CHECKPOINT_WRITER
} CheckpointHeader;

#define CHECKPOINT_WRITER DRYSTONE_VERSION ", " DRYSTONE_COMPILER   // of this program

// Collective. Writes checkpoint-NNNNNNNNN.h5 and then its manifest, for a state at the end of a
// step; removes generations older than the previous one, and later ones, which belong to a future
// that was given up. The same state of the same case already there and sound is left as it is.
// False on all ranks after one message naming file and system reason; then the previous checkpoint
// stays.
bool checkpoint_write(Results *results, const Case *c, const State *state);

// Collective. Keeps the newest generation, which is known to be sound, and the sound one before it;
// what cannot be removed stays after a warning, and all of them where one cannot be read.
void checkpoint_prune(const Results *results, int64_t newest);

typedef enum {
  CHECKPOINT_NONE,   // no complete checkpoint was ever made
  CHECKPOINT_READ,
  CHECKPOINT_DAMAGED,     // there are checkpoints, none is valid
  CHECKPOINT_OTHER_CASE   // valid, and the case cannot go on from it: the user's error
} CheckpointStatus;

// Collective. Reads the newest valid checkpoint of a folder into the tables of a state, which the
// checkpoint must have, and no other ones; sets step and words. A row comes to the rank that holds
// the range (id_range.h) of the first dynamic one of its bodies, and rows are sorted by key. Drive,
// material and shape of bodies come from the case; all other fields that are not state are zero. A
// damaged generation is reported and the one before it is tried. What of the case differs from the
// one that the checkpoint carries is said; where it bears on the state and is not allowed, the case
// is refused. The tables are empty unless the result is CHECKPOINT_READ. Nothing in the folder
// changes.
CheckpointStatus checkpoint_read(const char *folder, const Case *c, const CaseAllowance *allowed,
                                 State *state, CheckpointHeader *header);

// Collective. The same for the generation of one step, without a look at what differs; false on all
// ranks after one message.
bool checkpoint_read_step(const char *folder, int64_t step, const Case *c, State *state);

typedef enum {
  VERDICT_SOUND,
  VERDICT_DAMAGED,
  VERDICT_INCOMPLETE   // a data file that never got its manifest: no checkpoint
} CheckpointVerdict;

typedef struct {
  int64_t step;
  CheckpointVerdict verdict;
  char reason[512];   // what is wrong with it
} CheckpointReport;

// The checkpoints of a folder, newest first.
typedef struct {
  int count;
  CheckpointReport *reports;   // [count]
  int sound;                   // the first sound one, which a restart takes, or -1
  CheckpointHeader header;     // of it
  int table_count;
  Hdf5Rows tables[STATE_TABLES];   // [table_count] of it
  char *file;                      // path of its data file
} CheckpointSurvey;

// Collective. Verifies manifest, file blocks and hash of each generation, or of that of one step
// alone (-1: all); needs no case, but the kinds of tables that a state must have. CHECKPOINT_READ:
// there is a sound one. checkpoint_survey_end is due whatever the result.
CheckpointStatus checkpoint_survey(const char *folder, int64_t only, const State *like,
                                   CheckpointSurvey *survey);
void checkpoint_survey_end(CheckpointSurvey *survey);

// The case that a checkpoint carries.
typedef struct {
  char *path, *text, *overrides, *meshes;   // as in Case
} CheckpointCase;

// Collective. Reads it from a data file that was verified. False on all ranks after one message;
// then checkpoint_case_end is not due.
bool checkpoint_case(const char *file, CheckpointCase *carried);
void checkpoint_case_end(CheckpointCase *carried);
