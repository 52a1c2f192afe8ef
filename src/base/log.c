#include "log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

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
  fprintf(stderr, "drystone: warning: ");
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
}
