// What validators find ends the job by name.
#include "check.h"

#include <assert.h>

#include "fail.h"

void check_no_fault(const char *fault, const char *when, const char *file, int line)
{
  assert(when != NULL && file != NULL && line > 0 && "a check says where it stands");
  if (fault) die_at(EXIT_BUG, file, line, "%s, seen %s", fault, when);
}
