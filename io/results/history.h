#pragma once
// Tables of lines of text that grow with the run, history.csv and removed.csv: cut back to the
// checkpoint on restart.
#include <stdbool.h>
#include <stdint.h>

#include "results.h"

// Lines are kept until there are many, or until they must be on the disk.
typedef struct {
  const Results *results;
  char *path, *heading;   // on rank 0 when begun, NULL elsewhere
  int file;
  uint64_t written;     // bytes in the file
  char *text;           // of the lines that are not; memory
  size_t count, room;   // bytes in it, and what it has room for
  DiskStatus status;
  DiskStatus changed;   // failed: somebody made the file longer or shorter
} History;

// Local. Whether a file of that name in the folder does not begin as the tables of a run do.
bool history_is_foreign(const char *folder, const char *name);

// Collective. Opens a table in the folder by its name (RESULTS_HISTORY): a new one with that
// heading (last_step < 0), or the old one without the lines of later steps; where that has other
// columns, each value goes to the column of its name, and new columns are nan. Lines begin with the
// step and a comma. False on all ranks after one message; history_end or history_abandon is due all
// the same.
bool history_begin(History *history, const Results *results, const char *name, const char *heading,
                   int64_t last_step);

// Local. Cuts a file of lines that begin with a step back to those up to last_step, and a last line
// that is not whole; what is no file of its own (a pipe, a terminal), or not there, is left alone.
void history_cut_lines(const char *path, int64_t last_step, DiskStatus *status);

// Local. Appends a line (without newline) on rank 0.
void history_line(History *history, const char *line);

// Local. Writes a text as one field of a line: in quotes where it has commas or quotes, control
// characters as spaces, cut off where it does not fit. bytes >= 4.
void history_field(const char *text, char *field, size_t bytes);

// Collective. Brings all lines to the disk, so that a checkpoint can rely on them; false on all
// ranks after one message (full disk). A file that somebody put in the table's place, as an editor
// does, is kept beside it with ".replaced" behind its name, and the table is written again, with a
// warning. One that somebody made longer or shorter is kept and written again likewise, with the
// lines that are left.
bool history_flush(History *history);

// Collective. False after one message where somebody made the table longer or shorter: to be asked
// when the checkpoint is written, for the lines that are gone come back by no restart.
bool history_is_unchanged(const History *history);

// Collective. Flushes and closes; false where either of the two above is.
bool history_end(History *history);

// Local. Closes without a word, after another failure.
void history_abandon(History *history);
