// Writes tables of lines, history.csv and removed.csv, and cuts them back on a restart.
#include "history.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"
#include "memory.h"
#include "parallel.h"

// of the heading of every table
#define TABLE_START "step,time,"
enum { KEPT_BYTES = 1 << 12, READ_BYTES = 1 << 20 };

// Writes what is kept in memory behind what is in the file, which nobody else may have changed: a
// file that was cut short would get a hole, and a restart go on without the lines.
static void write_kept(History *history)
{
  assert(history->count <= history->room && "lines lie in their room");
  const DiskMark mark = disk_mark(history->file);
  if (mark.there && mark.bytes != history->written)
    disk_fail(&history->status,
              "%s: it has %llu bytes and the run wrote %llu: somebody changed it meanwhile",
              history->path, (unsigned long long)mark.bytes, (unsigned long long)history->written);
  disk_write_at((DiskFile){history->file, history->path}, history->text, history->count,
                history->written, &history->status);
  history->written += history->count;
  history->count = 0;
}

// Appends text on rank 0.
static void append(History *history, const char *text, size_t bytes)
{
  assert((text != NULL || bytes == 0) && "lines are given");
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
  assert(last_step >= 0 && "lines are kept up to a step");
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
    disk_read_at((DiskFile){old, path}, text + held, take, at, &reading);
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
    text = memory_grow_bytes(text, held + 1, &room);
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

bool history_is_foreign(const char *folder, const char *name)
{
  char *path = disk_path(folder, name), start[sizeof TABLE_START] = "";
  DiskStatus status = {0};
  const int file = disk_open_read(path, &status);
  const uint64_t size = disk_size(file, path, &status);
  const size_t take = size < sizeof start - 1 ? (size_t)size : sizeof start - 1;
  disk_read_at((DiskFile){file, path}, start, take, 0, &status);
  if (file >= 0) close(file);
  memory_free(path);
  return !status.failed && memcmp(start, TABLE_START, take) != 0;
}

bool history_begin(History *history, const Results *results, const char *name, const char *heading,
                   int64_t last_step)
{
  assert(heading != NULL && !strchr(heading, '\n') && "a heading is one line");
  assert(last_step >= -1 && "a run goes on after a step, or begins");
  *history = (History){.results = results, .file = -1};
  if (par_rank() == 0) {
    history->path = disk_path(results->path, name);
    cut_back(history, results->path, heading, last_step);
  }
  return all_ok(!history->status.failed, "cannot %s %s", last_step < 0 ? "write" : "go on with",
                history->status.reason);
}

void history_cut_lines(const char *path, int64_t last_step, DiskStatus *status)
{
  assert(path != NULL && "a table has a path");
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
  assert(bytes >= 4 && "a field has room for its quotes");
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
  assert(line != NULL && !strchr(line, '\n') && "a line has no newline");
  if (!history->path) return;
  append(history, line, strlen(line));
  append(history, "\n", 1);
}

// Copies the table, which has lost its name, to a new file.
static void copy_lines(History *history, int file, const char *path)
{
  char *bytes = memory_allocate(READ_BYTES);
  for (uint64_t at = 0; at < history->written && !history->status.failed;) {
    const uint64_t left = history->written - at;
    const size_t take = left < READ_BYTES ? (size_t)left : READ_BYTES;
    disk_read_at((DiskFile){history->file, history->path}, bytes, take, at, &history->status);
    disk_write_at((DiskFile){file, path}, bytes, take, at, &history->status);
    at += take;
  }
  memory_free(bytes);
}

// Whoever put another file in the place of the table, or took its name away, has left us the table
// itself, by its descriptor: it is written once more, and what is there now is kept.
static void keep_place(History *history)
{
  const DiskMark now = disk_mark_of(history->path);
  if (history->status.failed || disk_same_file(disk_mark(history->file), now)) return;
  DiskStatus moved = {0};
  results_check_folder(history->results, &moved);
  if (moved.failed) disk_fail_at(&history->status, history->path, &moved);
  char *temporary = disk_temporary(history->path);
  const int file = disk_open_new(temporary, &history->status);
  copy_lines(history, file, temporary);
  disk_sync(file, temporary, &history->status);
  const size_t bytes = strlen(history->path) + sizeof ".replaced";
  char *other = memory_allocate(bytes);
  snprintf(other, bytes, "%s.replaced", history->path);
  if (now.there) disk_publish(history->path, history->results->path, other, &history->status);
  disk_publish(temporary, history->results->path, history->path, &history->status);
  if (!history->status.failed) {
    log_warning("somebody put another file in the place of %s, or moved it, while this run writes "
                "it: it has all lines again%s%s",
                history->path, now.there ? ", and the other file is " : "", now.there ? other : "");
    close(history->file);
    history->file = file;
  } else if (file >= 0) {
    unlink(temporary);
    close(file);
  }
  memory_free(other);
  memory_free(temporary);
}

bool history_flush(History *history)
{
  if (history->path) {
    write_kept(history);
    keep_place(history);
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
    keep_place(history);
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
