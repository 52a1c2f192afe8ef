#include "log.h"

#include <stdarg.h>
#include <stdio.h>

#include "parallel.h"

void log_line(const char *format, ...)
{
  if (par_rank() != 0) return;
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
  fflush(stdout);
  fprintf(stderr, "drystone: warning: ");
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
}
