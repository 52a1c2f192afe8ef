// The end of a rank that cannot go on. This file needs no other: memory, arenas, logs and messages
// all end here.
#include "fail.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define MESSAGE_TEXT 4096

static FailEnd *end_of_job;

FailEnd *fail_end_job_by(FailEnd *end_job)
{
  FailEnd *const before = end_of_job;
  end_of_job = end_job;
  return before;
}

_Noreturn void die_at(int code, const char *file, int line, const char *format, ...)
{
  assert(code != EXIT_DONE && "who cannot go on does not end well");
  char text[MESSAGE_TEXT], message[MESSAGE_TEXT + 256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  snprintf(message, sizeof message, "%s (%s:%d)", text, file, line);
  if (end_of_job) end_of_job(code, message);
  fprintf(stderr, "drystone: %s\n", message);
  exit(code);
}
