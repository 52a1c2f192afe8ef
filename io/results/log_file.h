#pragma once
// The messages of a run in its folder, as they are printed: run.log. Of rank 0. Local.
#include <stddef.h>

#include "disk.h"
#include "log.h"

typedef struct {
  char *waiting;   // [used] bytes of messages from before there was a file
  size_t used, room;
  char *path;
  int file;      // -1 while there is none
  bool failed;   // once; there are no further lines then
} LogFile;

LogFile log_file_new(void);

// A message; progress is left out, and so is all after a failure, which is warned of once.
void log_file_add(LogFile *log, LogLevel level, const char *text);

// Opens the file at its end, since messages of earlier starts stay, and writes what has waited
// after a line that says when, which program, and on how many ranks. Nothing is open after a
// failure.
void log_file_open(LogFile *log, const char *folder, DiskStatus *status);

// Closes the file, if there is one, and frees what has waited.
void log_file_close(LogFile *log);
