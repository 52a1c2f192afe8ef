// Lines are written one by one, so that those of a run that is killed are there.
#include "log_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "parallel.h"
#include "results.h"

LogFile log_file_new(void) { return (LogFile){.file = -1}; }

static void keep(LogFile *log, const char *text, size_t count)
{
  assert(log->file < 0 && "what has a file need not wait");
  log->waiting = memory_grow_bytes(log->waiting, log->used + count, &log->room);
  memcpy(log->waiting + log->used, text, count);
  log->used += count;
}

// All bytes at the end of the file, or a failure.
static void append(LogFile *log, const char *text, size_t count)
{
  for (size_t done = 0; done < count && !log->failed;) {
    const ssize_t written = write(log->file, text + done, count - done);
    if (written < 0 && errno == EINTR) continue;
    log->failed = written < 0;
    if (written > 0) done += (size_t)written;
  }
  if (log->failed)
    log_warning("cannot write %s: %s; the run goes on, and its messages are printed alone",
                log->path, strerror(errno));
}

static void put(LogFile *log, const char *text, size_t count)
{
  if (log->failed) return;
  if (log->file < 0) keep(log, text, count);
  else append(log, text, count);
}

void log_file_add(LogFile *log, LogLevel level, const char *text)
{
  assert(text != NULL && "a message has a text");
  if (level == LOG_PROGRESS || log->failed) return;
  const char *mark = level == LOG_LINE ? "" : level == LOG_WARNING ? "warning: " : "error: ";
  // one write, so that a line is there or not
  const size_t count = strlen(mark) + strlen(text) + 2;
  char *line = memory_allocate(count);
  snprintf(line, count, "%s%s\n", mark, text);
  put(log, line, count - 1);
  memory_free(line);
}

void log_file_open(LogFile *log, const char *folder, DiskStatus *status)
{
  assert(log->file < 0 && folder != NULL && "a log is opened once");
  disk_check_regular(folder, RESULTS_LOG, status);
  if (status->failed) return;
  log->path = disk_path(folder, RESULTS_LOG);
  do log->file = open(log->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  while (log->file < 0 && errno == EINTR);
  if (log->file < 0) {
    disk_fail(status, "%s: %s", log->path, strerror(errno));
    return;
  }
  char when[32], line[128];
  const time_t now = time(NULL);
  struct tm parts;
  strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
  const int ranks = par_size();
  snprintf(line, sizeof line, "== %s drystone %s on %d rank%s\n", when, DRYSTONE_VERSION, ranks,
           ranks == 1 ? "" : "s");
  append(log, line, strlen(line));
  put(log, log->waiting, log->used);
  log->used = 0;
}

void log_file_close(LogFile *log)
{
  if (log->file >= 0) close(log->file);
  memory_free(log->waiting);
  memory_free(log->path);
  *log = log_file_new();
}
