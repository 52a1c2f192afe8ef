#pragma once
// Exit codes, and the end of a rank that cannot go on.

enum {
  EXIT_DONE = 0,
  EXIT_USER = 2,
  EXIT_NOT_CONVERGED = 3,
  EXIT_IO = 4,
  EXIT_OVERFLOW = 5,   // the motion left the range of numbers
  EXIT_BUG = 70,
  EXIT_MEMORY = 71,
  EXIT_STOPPED = 85,
  EXIT_AT_ONCE = 86
};

// Local. This rank cannot go on: message with rank, file and line, then the job ends.
#define die(...) die_at(EXIT_BUG, __FILE__, __LINE__, __VA_ARGS__)
#define die_io(...) die_at(EXIT_IO, __FILE__, __LINE__, __VA_ARGS__)

// Local. The same for want of memory, in so many bytes and so on; says what the user can do.
#define DIE_MEMORY_ADVICE "; take more machines, fewer ranks on each, or a smaller case"
#define die_memory(format, ...) \
  die_at(EXIT_MEMORY, __FILE__, __LINE__, "out of memory: " format DIE_MEMORY_ADVICE, __VA_ARGS__)
_Noreturn void die_at(int code, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Local. From here on a rank that cannot go on calls this with its message, and the function ends
// the job; NULL: the message goes to standard error, and the process ends alone. Returns who did
// before.
typedef void FailEnd(int code, const char *message);
FailEnd *fail_end_job_by(FailEnd *end_job);
