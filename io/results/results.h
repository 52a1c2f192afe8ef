#pragma once
// The folder of results: made, locked against a second run, searched, emptied of what an earlier
// run left.
#include "disk.h"

typedef enum { RESULTS_FRESH, RESULTS_RESTART, RESULTS_OVERWRITE } ResultsMode;

typedef struct {
  char *path;        // of the folder
  DiskMark folder;   // on rank 0: which one it was when it was locked
  int lock;   // descriptor of the lock file on rank 0, -1 elsewhere; the lock dies with the process
  int64_t last_checkpoint;   // step of the last one this run wrote, -1 before
} Results;

// Names in the folder. Each is also the beginning of a temporary one.
#define RESULTS_FRAME ((NumberedName){"frame-", 6, ".h5"})                 // by step
#define RESULTS_CHECKPOINT ((NumberedName){"checkpoint-", 9, ".h5"})       // by step
#define RESULTS_MANIFEST ((NumberedName){"checkpoint-", 9, ".manifest"})   // by step
#define RESULTS_RANKS ((NumberedName){"ranks-", 6, ".h5"})                 // by first step
#define RESULTS_PROBLEM ((NumberedName){"problem-", 9, ".hdf5"})           // by step
#define RESULTS_TOPOLOGY "topology.h5"
#define RESULTS_BODIES "bodies.xmf"
#define RESULTS_CENTRES "centres.xmf"
#define RESULTS_CONTACTS "contacts.xmf"
#define RESULTS_INTERFACES "interfaces.xmf"
#define RESULTS_CHAINS "chains.xmf"
#define RESULTS_JOINTS "joints.xmf"
#define RESULTS_VOLUMES "volumes.xmf"
#define RESULTS_ELASTIC "elastic.xmf"
#define RESULTS_VTKHDF "results.vtkhdf"
#define RESULTS_HISTORY "history.csv"
#define RESULTS_REMOVED "removed.csv"
#define RESULTS_PROBES "probes.csv"
#define RESULTS_OUTCOME "outcome.json"
#define RESULTS_LOG "run.log"
#define RESULTS_LOCK "lock"
#define RESULTS_STOP "STOP"   // made by the user

// An earlier result, while RESULTS_OVERWRITE removes the others and last of all this one: a folder
// that has it holds what is left of results that somebody gave up.
#define RESULTS_OVERWRITING "results.overwriting"

// Local. Where results of a case are put that names no folder: results/NAME and an end, for
// any/where/NAME.yaml.
const char *results_usual_folder(const char *path, const char *end, char *folder, size_t bytes);

// Collective. Makes the folder and locks it. Returns EXIT_DONE, EXIT_USER (holds anything that a
// run writes and the mode is fresh; another run is in it, for RESULTS_RESTART still after 10 s;
// RESULTS_OVERWRITE was cut short there, and the mode is another) or EXIT_IO (cannot be made or
// written), after one message. RESULTS_OVERWRITE and RESULTS_RESTART change nothing yet.
int results_open(Results *results, const char *path, ResultsMode mode);

// Collective. Removes what this program wrote in the folder before, nothing else, as
// RESULTS_OVERWRITE promises once nothing else can refuse the run. False on all ranks after one
// message.
bool results_replace(const Results *results);

// Collective. A run goes on here after that step (-1: from its beginning): removes what runs that
// died left unfinished, checkpoints of later steps, which belong to a future that was given up,
// data of checkpoints that never got their manifest, and contact problems of later steps. Frames
// and tables are cut back by those who write them. False on all ranks after one message.
bool results_resume(const Results *results, int64_t last_step);

// Local, of rank 0. Fails where the path leads to another folder by now, or to none: what is
// written there would not be with the rest.
void results_check_folder(const Results *results, DiskStatus *status);

// Collective. The same for all ranks, to be asked before a file is made in the folder: false after
// one message.
bool results_in_place(const Results *results);

// Local. Whether the removal of earlier results was begun in a folder and is not done.
bool results_are_half_removed(const char *folder);

// Local. Whether a run gives that name to a file in its folder, or looks for it there.
bool results_owns(const char *name);

// Local. Gives the lock back.
void results_close(Results *results);
