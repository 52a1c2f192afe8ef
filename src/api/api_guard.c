// Calls into the library: what fails returns a code and keeps its words.
#include "api_guard.h"

#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "fail.h"

static char reason[4096];
static int begun;         // calls of drystone_begin without their end
static bool is_guest;     // message passing was started here
static jmp_buf *target;   // of an end that is not taken; NULL: none is under way

const char *drystone_version(void) { return DRYSTONE_VERSION; }

const char *drystone_error(void) { return reason; }

int api_guard_fail(int code, const char *format, ...)
{
  assert(code != DRYSTONE_DONE && "a failure has a code");
  va_list values;
  va_start(values, format);
  vsnprintf(reason, sizeof reason, format, values);
  va_end(values);
  return code;
}

// A rank that cannot go on goes back to its caller.
static void go_back(int code, const char *message)
{
  if (!target) par_end_job(code, message);
  api_guard_fail(code, "%s", message);
  longjmp(*target, code);
}

static int leave_with(int code, jmp_buf *outer, FailEnd *before)
{
  target = outer;
  fail_end_job_by(before);
  return code;
}

// The function is left through here alone: once, or a second time from deep below.
static int call_and_return(int (*work)(void *arguments), void *arguments)
{
  jmp_buf here, *const outer = target;
  FailEnd *const before = fail_end_job_by(go_back);
  target = &here;
  const int code = setjmp(here);
  if (code == 0) return leave_with(work(arguments), outer, before);
  return leave_with(code, outer, before);
}

static int call_or_end_job(int (*work)(void *arguments), void *arguments)
{
  FailEnd *const before = fail_end_job_by(par_end_job);
  const int code = work(arguments);
  fail_end_job_by(before);
  return code;
}

int api_guard_call(const ApiUse *use, int (*work)(void *arguments), void *arguments)
{
  ParGroup *const group = par_group_use(use->group);
  const LogSink sink = log_use(use->sink);
  const bool ends = use->fatal == DRYSTONE_FATAL_ENDS_JOB;
  const int code = (ends ? call_or_end_job : call_and_return)(work, arguments);
  par_group_return(group);
  log_use(sink);
  return code;
}

int api_guard_alone(int (*work)(void *arguments), void *arguments)
{
  return call_and_return(work, arguments);
}

int drystone_begin(void)
{
  if (begun == 0 && !par_has_begun()) {
    if (!par_begin_as_guest())
      return api_guard_fail(DRYSTONE_USER,
                            "message passing has ended, and does not start a second time");
    is_guest = true;
  }
  begun++;
  return DRYSTONE_DONE;
}

int drystone_end(void)
{
  if (begun == 0) return api_guard_fail(DRYSTONE_USER, "drystone_end: nothing has begun");
  if (--begun == 0 && is_guest) {
    par_end();
    is_guest = false;
  }
  return DRYSTONE_DONE;
}
