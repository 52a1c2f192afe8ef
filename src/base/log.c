#include "log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "memory.h"
#include "parallel.h"

static bool progress_open;

void log_progress(const char *text)
{
  if (par_rank() != 0) return;
  printf("\r\033[K%s", text);
  fflush(stdout);
  progress_open = true;
}

void log_end_progress(void)
{
  if (!progress_open) return;
  progress_open = false;
  putchar('\n');
  fflush(stdout);
}

void log_line(const char *format, ...)
{
  if (par_rank() != 0) return;
  log_end_progress();
  va_list args;
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  putchar('\n');
  fflush(stdout);
}

void log_warning(const char *format, ...)
{
  if (par_rank() != 0) return;
  log_end_progress();
  fflush(stdout);

  // one write, so that a launcher that merges both streams cannot put a line between its pieces
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const size_t bytes = (size_t)vsnprintf(NULL, 0, format, args) + 1;
  char *text = memory_allocate(bytes);
  vsnprintf(text, bytes, format, again);
  va_end(again);
  va_end(args);
  fprintf(stderr, "drystone: warning: %s\n", text);
  memory_free(text);
}
