#include "history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"
#include "memory.h"
#include "parallel.h"

// keeps the heading and the lines up to and with last_step; the file is rewritten beside and
// renamed. *last_kept: the last step that it has
static bool cut_back(const char *path, const char *heading, int64_t last_step, int64_t *last_kept)
{
  *last_kept = 0;
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
    if (*end != ',' || step > last_step) continue;
    fine = fputs(line, kept) >= 0;
    *last_kept = step;
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
    int64_t last_kept = last_step;
    if (last_step >= 0) fine = cut_back(history->path, heading, last_step, &last_kept);
    if (fine && last_kept < last_step && strcmp(name, RESULTS_HISTORY) == 0)
      log_warning("%s ends with step %lld, and the run goes on after step %lld: the lines between "
                  "are lost",
                  history->path, (long long)last_kept, (long long)last_step);
    if (fine) history->file = fopen(history->path, last_step >= 0 ? "a" : "w");
    fine = history->file != NULL;
    if (fine && last_step < 0) fprintf(history->file, "%s\n", heading);
  }
  return all_ok(fine, "cannot write %s: %s", history->path ? history->path : name, strerror(errno));
}

void history_cut_lines(const char *path, int64_t last_step, DiskStatus *status)
{
  struct stat about;
  if (status->failed || stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return;
  FILE *file = fopen(path, "r+");
  char *line = NULL;
  size_t room = 0;
  off_t kept = 0;
  for (ssize_t length; file && (length = getline(&line, &room, file)) > 0; kept += length) {
    char *end;
    const long long step = strtoll(line, &end, 10);
    if (line[length - 1] != '\n' || (end != line && step > last_step)) break;
  }
  free(line);
  const bool fine = file && !ferror(file) && ftruncate(fileno(file), kept) == 0;
  if (!fine) disk_fail(status, "%s: %s", path, strerror(errno));
  if (file) fclose(file);
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
  if (history->file)
    fine =
        fflush(history->file) == 0 && !ferror(history->file) && fsync(fileno(history->file)) == 0;
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
