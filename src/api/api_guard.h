#pragma once
// What stands between a caller and the library: why something failed, whose ranks are in use, and
// what happens on a rank that cannot go on.
#include "drystone.h"
#include "log.h"
#include "parallel.h"

// What is in use within a call.
typedef struct {
  ParGroup *group;   // NULL: all processes
  LogSink sink;
  DrystoneFatal fatal;
} ApiUse;

// Local. Keeps a message for drystone_error and returns the code.
int api_guard_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Collective where the work is. Does the work within the use and returns its code, or that of an
// end that was not taken; what was in use before is in use again.
int api_guard_call(const ApiUse *use, int (*work)(void *arguments), void *arguments);

// Local. The same for work of one rank that needs memory alone.
int api_guard_alone(int (*work)(void *arguments), void *arguments);
