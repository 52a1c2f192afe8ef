#include "history.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "parallel.h"

enum { KEPT_BYTES = 1 << 12, READ_BYTES = 1 << 20 };

// Writes what is kept in memory behind what is in the file.
static void write_kept(History *history)
{
  disk_write_at(history->file, history->path, history->text, history->count, history->written,
                &history->status);
  history->written += history->count;
  history->count = 0;
}

// Appends text on rank 0.
static void append(History *history, const char *text, size_t bytes)
{
  if (history->count + bytes > history->room) {
    history->room = history->count + bytes + KEPT_BYTES;
    history->text = memory_resize(history->text, history->room);
  }
  memcpy(history->text + history->count, text, bytes);
  history->count += bytes;
  if (history->count >= KEPT_BYTES) write_kept(history);
}

// Whether a line has a step, and none after the last one.
static bool is_kept(const char *line, int64_t last_step)
{
  char *end;
  const long long step = strtoll(line, &end, 10);
  return end != line && *end == ',' && step <= last_step;
}

// Copies the lines of an old table, but its heading and what a crash cut short.
static void keep_lines(History *kept, int64_t last_step)
{
  DiskStatus reading = {0};
  const char *path = kept->path;
  const int old = disk_open_read(path, &reading);
  if (reading.error == ENOENT) return;   // the run had no such table
  const uint64_t size = disk_size(old, path, &reading);
  size_t room = READ_BYTES, held = 0;
  char *text = memory_allocate(room);
  bool heading = true;
  for (uint64_t at = 0; at < size && !reading.failed;) {
    const size_t take = size - at < room - held ? (size_t)(size - at) : room - held;
    disk_read_at(old, path, text + held, take, at, &reading);
    if (reading.failed) break;
    at += take;
    held += take;
    char *line = text, *newline;
    while ((newline = memchr(line, '\n', held - (size_t)(line - text)))) {
      *newline = 0;   // ends the number at the latest
      // (nor does a run write the byte zero)
      const bool keep =
          !heading && strlen(line) == (size_t)(newline - line) && is_kept(line, last_step);
      *newline = '\n';
      if (keep) append(kept, line, (size_t)(newline - line) + 1);
      heading = false;
      line = newline + 1;
    }
    held -= (size_t)(line - text);
    memmove(text, line, held);
    if (held == room) text = memory_resize(text, room *= 2);
  }
  if (reading.failed) disk_fail_reason(&kept->status, &reading);
  memory_free(text);
  if (old >= 0) close(old);
}

// The table with its heading, and of the old one the lines up to and with last_step, written beside
// and renamed.
static void cut_back(History *history, const char *folder, const char *heading, int64_t last_step)
{
  char *temporary = disk_temporary(history->path);
  history->file = disk_open_new(temporary, &history->status);
  append(history, heading, strlen(heading));
  append(history, "\n", 1);
  if (last_step >= 0) keep_lines(history, last_step);
  write_kept(history);
  disk_sync(history->file, history->path, &history->status);
  disk_publish(temporary, folder, history->path, &history->status);
  if (history->status.failed && history->file >= 0) unlink(temporary);
  memory_free(temporary);
}

bool history_begin(History *history, const Results *results, const char *name, const char *heading,
                   int64_t last_step)
{
  *history = (History){.file = -1};
  if (par_rank() == 0) {
    history->path = disk_path(results->path, name);
    cut_back(history, results->path, heading, last_step);
  }
  return all_ok(!history->status.failed, "cannot %s %s", last_step < 0 ? "write" : "go on with",
                history->status.reason);
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
  if (!history->path) return;
  append(history, line, strlen(line));
  append(history, "\n", 1);
}

bool history_flush(History *history)
{
  if (history->path) {
    write_kept(history);
    disk_sync(history->file, history->path, &history->status);
  }
  return all_ok(!history->status.failed, "cannot write %s", history->status.reason);
}

// Forgets everything about the table.
static void release(History *history)
{
  memory_free(history->text);
  memory_free(history->path);
  *history = (History){.file = -1};
}

bool history_end(History *history)
{
  if (history->path) {
    write_kept(history);
    disk_sync_and_close(history->file, history->path, &history->status);
  }
  const bool fine = all_ok(!history->status.failed, "cannot write %s", history->status.reason);
  release(history);
  return fine;
}

void history_abandon(History *history)
{
  if (history->path && history->file >= 0) {
    write_kept(history);
    close(history->file);
  }
  release(history);
}
