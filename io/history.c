#include "history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "parallel.h"

// keeps the heading and the lines up to and with last_step; the file is rewritten beside and
// renamed
static bool cut_back(const char *path, const char *heading, int64_t last_step)
{
  FILE *old = fopen(path, "r");
  const size_t bytes = strlen(path) + 5;
  char *temporary = memory_allocate(bytes);
  snprintf(temporary, bytes, "%s.tmp", path);
  FILE *kept = fopen(temporary, "w");
  bool fine = kept != NULL;
  if (fine) fine = fprintf(kept, "%s\n", heading) > 0;
  char *line = NULL;
  size_t room = 0;
  bool first = true;
  for (ssize_t length; old && fine && (length = getline(&line, &room, old)) > 0; first = false) {
    if (first || line[length - 1] != '\n') continue;   // the heading; a line that a crash cut short
    char *end;
    const long long step = strtoll(line, &end, 10);
    if (*end == ',' && step <= last_step) fine = fputs(line, kept) >= 0;
  }
  free(line);
  if (kept) fine = fflush(kept) == 0 && fsync(fileno(kept)) == 0 && fine;
  if (kept) fine = fclose(kept) == 0 && fine;
  if (old) fclose(old);
  if (fine) fine = rename(temporary, path) == 0;
  memory_free(temporary);
  return fine;
}

bool history_begin(History *history, const Results *results, const char *name, const char *heading,
                   int64_t last_step)
{
  *history = (History){NULL, NULL};
  bool fine = true;
  if (par_rank() == 0) {
    history->path = disk_path(results->path, name);
    if (last_step >= 0) fine = cut_back(history->path, heading, last_step);
    if (fine) history->file = fopen(history->path, last_step >= 0 ? "a" : "w");
    fine = history->file != NULL;
    if (fine && last_step < 0) fprintf(history->file, "%s\n", heading);
  }
  return all_ok(fine, "cannot write %s: %s", history->path ? history->path : name, strerror(errno));
}

void history_field(const char *text, char *field, size_t bytes)
{
  const bool quoted = strpbrk(text, ",\"") != NULL;
  char *at = field, *end = field + bytes - (quoted ? 2 : 1);   // what closes the field
  if (quoted) *at++ = '"';
  for (; *text; text++) {
    const unsigned char byte = (unsigned char)*text;
    if (end - at < (byte == '"' ? 2 : 1)) {
      // no part of a character stays
      while ((byte & 0xc0) == 0x80 && ((unsigned char)at[-1] & 0xc0) == 0x80) at--;
      if ((byte & 0xc0) == 0x80) at--;
      break;
    }
    if (byte == '"') *at++ = '"';
    *at++ = byte < 32 || byte == 127 ? ' ' : *text;
  }
  if (quoted) *at++ = '"';
  *at = 0;
}

void history_line(History *history, const char *line)
{
  if (history->file) fprintf(history->file, "%s\n", line);
}

bool history_flush(History *history)
{
  bool fine = true;
  if (history->file) fine = fflush(history->file) == 0 && !ferror(history->file);
  return all_ok(fine, "cannot write %s: %s", history->path ? history->path : "a table of lines",
                strerror(errno));
}

bool history_end(History *history)
{
  bool fine = true;
  if (history->file) {
    fine =
        fflush(history->file) == 0 && !ferror(history->file) && fsync(fileno(history->file)) == 0;
    fine = fclose(history->file) == 0 && fine;
  }
  fine = all_ok(fine, "cannot write %s: %s", history->path ? history->path : "a table of lines",
                strerror(errno));
  memory_free(history->path);
  *history = (History){NULL, NULL};
  return fine;
}

void history_abandon(History *history)
{
  if (history->file) fclose(history->file);
  memory_free(history->path);
  *history = (History){NULL, NULL};
}
