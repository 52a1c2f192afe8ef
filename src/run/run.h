#pragma once
// The life of a run: a case from its first step, or from its last checkpoint, to its end, with all
// the files it writes. One process makes any number of runs after one another.
#include "case_changes.h"
#include "log.h"
#include "world.h"

// What a run is asked for. Texts and lists outlive the run.
typedef struct {
  const char *case_path;
  const char *case_text;   // the case itself, whose path is then its name in messages; NULL: a file
  bool no_files;           // writes nothing: without folder, hash log, restart and dump
  const char *folder;      // of results; NULL: results/NAME for NAME.yaml
  const char *hash_log;    // file of hashes by step and stage; NULL: none
  bool restart;            // goes on from the newest valid checkpoint in the folder
  bool overwrite;          // replaces the results in the folder
  int64_t steps;          // the last step, counted from the start of the case; -1: that of the case
  int64_t stages;         // the run ends once so many stages have; 0: it does not
  int64_t dump_problem;   // step whose contact problem is written, 0: none
  double max_wall;        // s since par_begin until which the run ends, 0: no limit
  int override_count;
  const char *const *overrides;   // [override_count] "a.b.c=value"
  CaseAllowance allowed;          // what a restart may find changed
  ProblemHook hook;               // sees the problem of every step
  LogSink sink;                   // messages go there, and none elsewhere; errors come as well
  const void *communicator;       // MPI_Comm of the ranks that make it; NULL: those in use
} RunSetup;

typedef struct Run Run;

// Why a run failed. code: EXIT_DONE while it has not, then that of the program (fail.h); text: the
// messages, a line each, the same on all ranks.
#define RUN_ERROR_BYTES 4096
typedef struct {
  int code;
  char text[RUN_ERROR_BYTES];
} RunError;

typedef enum {
  RUN_GOES_ON,
  RUN_OVER,      // there is no further step
  RUN_STOPPED,   // something asked for the end
  RUN_FAILED     // see the error
} RunState;

// Collective. Reads the case, opens the folder and writes what belongs to the first state. True:
// run_end is due. Otherwise *run is NULL, nothing is left of it, and error says why.
bool run_begin(const RunSetup *setup, Run **run, RunError *error);

// Collective. One step and the files that are due after it; none where the end has been reached
// before or is asked for.
RunState run_step(Run *run, RunError *error);

// Collective. The last checkpoint, unless the state is not worth one, and the end of all files.
// Frees the run. error gets the code of a failure before or here, EXIT_STOPPED where the run was
// asked to end, else EXIT_DONE.
void run_end(Run *run, RunError *error);

// Collective. A checkpoint of the state, unless the last one is of this state; false where it
// fails.
bool run_checkpoint(Run *run, RunError *error);

// Local. The world of a run, to look at between steps.
const World *run_world(const Run *run);
// Local. The same, to fill what it tells and to change rows. changes: the state is another one from
// here on.
World *run_reach(Run *run, bool changes);
// Local. Loads of others from the next step on, on all ranks alike.
void run_load_by(Run *run, LoadHook loading);
