#pragma once
// Another program run to its end, with a limit of time. Local.
#include <stdbool.h>

typedef struct {
  const char *const *arguments;   // the program first, found in PATH if without a slash; NULL ends
  const char *folder;             // to run in
  const char *log;                // path of a file that gets its output, made anew
  double seconds;                 // after these it is killed
} ChildProcess;

typedef enum {
  CHILD_DONE,        // code 0
  CHILD_NOT_FOUND,   // no such program
  CHILD_NOT_RUN,     // the system refuses to run it: error number in code
  CHILD_FAILED,      // exit code in code
  CHILD_SIGNAL,      // ended by the signal in code
  CHILD_LATE         // killed after the limit
} ChildEnd;

typedef struct {
  ChildEnd end;
  int code;
} ChildResult;

// Local. Runs a program without input and waits. It inherits no open file, no blocked signal and,
// but for those below, no ignored one; the caller's memory is not copied. Signals that ask a run to
// end (signals.h) and that the caller keeps or ignores are ignored, for they come to whole process
// groups and the caller goes on too. Where the caller is killed, the program is as well.
ChildResult child_run(const ChildProcess *child);
