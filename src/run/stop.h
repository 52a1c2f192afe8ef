#pragma once
// When a run ends before its end, and when the clock asks for a checkpoint: signals, a file STOP in
// the folder of results, a limit of wall time. Ranks agree along with the sums of each step; no
// clock changes a result.
#include "world.h"

typedef struct {
  const World *world;
  const char *folder;             // of the results; outlives it; NULL: no file STOP is looked for
  double max_wall;                // s from the program's start on, 0: no limit
  double checkpoint_every;        // s of wall time between checkpoints, 0: none by the clock
  int64_t ballot[BALLOT_VOTES];   // what the ranks agreed on last
  // of rank 0
  double round_began;     // s, when it looked last; checkpoints since then are not counted
  double file_looked;     // s, when it last looked for the file
  double checkpointed;    // s, when the last checkpoint was complete
  double longest_round;   // s from look to look: a step and what belongs to it
  double longest_frame, longest_checkpoint;   // s
  uint64_t old_file;                          // the inode of a file STOP that is none of this run
  int64_t old_change;                         // ns, when that was last changed
} Stop;

// Local. Seconds of a duration: a decimal number and s, m, h or d, without a letter s. False where
// the word is none, or not above 0 and up to 1e9 s.
bool stop_parse_duration(const char *word, double *seconds);

// Local. From here on a file STOP is looked for; one from before the program's start is removed.
// max_wall in s, 0: no limit.
Stop stop_begin(const World *world, const char *folder, double max_wall);

// Local. A stage has begun, whose checkpoints may be due otherwise.
void stop_stage(Stop *stop);

// Local. This rank's votes, a Ballot of the world's: context is the Stop.
void stop_cast(void *context, int64_t *votes);

// Collective. Whether the run ends before its first step. The clock alone never asks for that, so
// that every run makes a step.
bool stop_before_steps(Stop *stop);

// Local. What the ranks agreed on in the last step: whether the run ends now, and whether a
// checkpoint is due, by the case's steps or minutes. The same on all ranks.
bool stop_after_step(Stop *stop);
bool stop_checkpoint_is_due(const Stop *stop);

// Local. Seconds that a frame or a checkpoint took: the time to reserve for the next one.
void stop_count_frame(Stop *stop, double seconds);
void stop_count_checkpoint(Stop *stop, double seconds);

// Local. Says on rank 0 why the run ends.
void stop_say(const Stop *stop);

// Local. After the last checkpoint: a file STOP that was seen goes, so that a restart goes on.
void stop_end(Stop *stop);
