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

// Writes what is kept in memory behind what is in the file.
static void write_text(History *history)
{
  assert(history->count <= history->room && "lines lie in their room");
  disk_write_at((DiskFile){history->file, history->path}, history->text, history->count,
                history->written, &history->status);
  history->written += history->count;
  history->count = 0;
}

// Adds a line to what is kept: the file ends with a whole one whenever it is written.
static void add_line(History *history, const char *line, size_t bytes)
{
  assert(line != NULL && "a line is given");
  if (history->count + bytes + 1 > history->room) {
    history->room = history->count + bytes + 1 + KEPT_BYTES;
    history->text = memory_resize(history->text, history->room);
  }
  memcpy(history->text + history->count, line, bytes);
  history->text[history->count + bytes] = '\n';
  history->count += bytes + 1;
}

// Whether a line has a step, and none after the last one.
static bool is_kept(const char *line, int64_t last_step)
{
  char *end;
  const long long step = strtoll(line, &end, 10);
  return end != line && *end == ',' && step <= last_step;
}

// Where the columns of a heading stand in the lines of a table with another one.
typedef struct {
  int count, width;   // of the heading, of the lines
  int *places;        // [count] -1: nowhere
  char **fields;      // [width] of a line
} OldColumns;

// Cuts a line at its commas, but for those in quotes. Returns how many fields it has, of which the
// first are listed, up to so many.
static int cut_fields(char *line, char **fields, int most)
{
  int count = 0;
  bool quoted = false;
  for (char *at = line; at; count++) {
    if (count < most) fields[count] = at;
    for (; *at && (quoted || *at != ','); at++) quoted ^= *at == '"';
    if (*at) *at++ = 0;
    else at = NULL;
  }
  return count;
}

static int count_fields(const char *heading)
{
  int count = 1;
  for (; *heading; heading++) count += *heading == ',';
  return count;
}

// The heading is names without quotes between commas, as old is where a run wrote it; that is cut.
static OldColumns find_columns(const char *heading, char *old)
{
  assert(*heading && *old && "headings have columns");
  OldColumns columns = {.count = count_fields(heading), .width = count_fields(old)};
  columns.places = memory_allocate((size_t)columns.count * sizeof *columns.places);
  columns.fields = memory_allocate((size_t)columns.width * sizeof *columns.fields);
  columns.width = cut_fields(old, columns.fields, columns.width);
  const char *name = heading;
  for (int i = 0; i < columns.count; i++) {
    const size_t length = strcspn(name, ",");
    int k = 0;
    while (k < columns.width &&
           (strncmp(columns.fields[k], name, length) != 0 || columns.fields[k][length]))
      k++;
    columns.places[i] = k < columns.width ? k : -1;
    name += length + 1;
  }
  return columns;
}

// Adds a line of the old columns, which is cut; what they lack is nan.
static void add_old_line(History *kept, const OldColumns *columns, char *line)
{
  const int have = cut_fields(line, columns->fields, columns->width);
  size_t room = 1, bytes = 0;
  char *made = memory_allocate(room);
  for (int i = 0; i < columns->count; i++) {
    const int place = columns->places[i];
    const char *field = place >= 0 && place < have ? columns->fields[place] : "nan";
    const size_t length = strlen(field);
    made = memory_grow_bytes(made, bytes + length + 1, &room);
    memcpy(made + bytes, field, length);
    bytes += length;
    made[bytes++] = ',';
  }
  add_line(kept, made, bytes - 1);
  memory_free(made);
}

// Copies the lines of a table, but its heading and what a crash cut short. Where its columns are
// others, each goes to the column of its name.
static void keep_lines(History *kept, DiskFile old, int64_t last_step)
{
  assert(last_step >= 0 && "lines are kept up to a step");
  DiskStatus reading = {0};
  const uint64_t size = disk_size(old.descriptor, old.path, &reading);
  size_t room = READ_BYTES, held = 0;
  char *text = memory_allocate(room);
  bool heading = true;
  OldColumns columns = {0};
  for (uint64_t at = 0; at < size && !reading.failed;) {
    const size_t take = size - at < room - held ? (size_t)(size - at) : room - held;
    disk_read_at(old, text + held, take, at, &reading);
    if (reading.failed) break;
    at += take;
    held += take;
    char *line = text, *newline;
    while ((newline = memchr(line, '\n', held - (size_t)(line - text)))) {
      *newline = 0;   // ends the number at the latest
      // (nor does a run write the byte zero)
      const bool keep =
          !heading && strlen(line) == (size_t)(newline - line) && is_kept(line, last_step);
      if (heading && strncmp(line, TABLE_START, sizeof TABLE_START - 1) == 0 &&
          strcmp(line, kept->heading) != 0)
        columns = find_columns(kept->heading, line);
      if (keep && columns.count > 0) add_old_line(kept, &columns, line);
      else if (keep) add_line(kept, line, (size_t)(newline - line));
      if (kept->count >= KEPT_BYTES) write_text(kept);
      heading = false;
      line = newline + 1;
    }
    held -= (size_t)(line - text);
    memmove(text, line, held);
    text = memory_grow_bytes(text, held + 1, &room);
  }
  if (reading.failed) disk_fail_reason(&kept->status, &reading);
  if (columns.count > 0)
    log_line("%s: the columns are others than before; up to step %lld those that are new are nan",
             kept->path, (long long)last_step);
  memory_free(columns.places);
  memory_free(columns.fields);
  memory_free(text);
}

// The table with its heading, and of the old one the lines up to and with last_step, written beside
// and renamed.
static void cut_back(History *history, const char *folder, int64_t last_step)
{
  char *temporary = disk_temporary(history->path);
  history->file = disk_open_new(temporary, &history->status);
  add_line(history, history->heading, strlen(history->heading));
  DiskStatus reading = {0};
  const int old = last_step >= 0 ? disk_open_read(history->path, &reading) : -1;
  if (old >= 0) keep_lines(history, (DiskFile){old, history->path}, last_step);
  // (the run may have had no such table)
  if (reading.failed && reading.error != ENOENT) disk_fail_reason(&history->status, &reading);
  if (old >= 0) close(old);
  write_text(history);
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
    history->heading = memory_copy_string(heading);
    cut_back(history, results->path, last_step);
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

// A name behind that of the table that no file has; freed by memory_free.
static char *spare_name(const char *path)
{
  const size_t bytes = strlen(path) + sizeof ".replaced" + 16;
  char *name = memory_allocate(bytes);
  snprintf(name, bytes, "%s.replaced", path);
  for (int i = 2; disk_mark_of(name).there; i++) snprintf(name, bytes, "%s.replaced-%d", path, i);
  return name;
}

// Writes the table once more, from the file that the run holds by its descriptor, and keeps what
// has its name now. Returns the name of that, freed by memory_free, or NULL: nothing had the name.
static char *write_anew(History *history)
{
  const DiskMark now = disk_mark_of(history->path);
  const char *folder = history->results->path;
  DiskStatus moved = {0};
  results_check_folder(history->results, &moved);
  if (moved.failed) disk_fail_at(&history->status, history->path, &moved);
  char *temporary = disk_temporary(history->path);
  History anew = {.path = history->path,
                  .heading = history->heading,
                  .file = disk_open_new(temporary, &history->status)};
  anew.status = history->status;
  add_line(&anew, anew.heading, strlen(anew.heading));
  if (!anew.status.failed) keep_lines(&anew, (DiskFile){history->file, history->path}, INT64_MAX);
  write_text(&anew);
  disk_sync(anew.file, temporary, &anew.status);
  char *other = now.there ? spare_name(history->path) : NULL;
  if (other) disk_publish(history->path, folder, other, &anew.status);
  disk_publish(temporary, folder, history->path, &anew.status);
  history->status = anew.status;
  if (!history->status.failed) {
    close(history->file);
    history->file = anew.file;
    history->written = anew.written;
  } else if (anew.file >= 0) {
    unlink(temporary);
    close(anew.file);
  }
  memory_free(anew.text);
  memory_free(temporary);
  return other;
}

// A table that somebody made longer or shorter is written once more, with its lines that are left:
// behind a file that was cut short the next lines would begin with a hole. The run ends of it, when
// its state is safe.
static void keep_length(History *history)
{
  const DiskMark mark = disk_mark(history->file);
  if (history->status.failed || !mark.there || mark.bytes == history->written) return;
  const uint64_t wrote = history->written;
  char *other = write_anew(history);
  disk_fail(&history->changed,
            "%s: it has %llu bytes and the run wrote %llu: somebody changed it meanwhile%s%s",
            history->path, (unsigned long long)mark.bytes, (unsigned long long)wrote,
            other ? "; it is kept as " : "", other ? other : "");
  memory_free(other);
}

static void write_kept(History *history)
{
  keep_length(history);
  write_text(history);
}

void history_line(History *history, const char *line)
{
  assert(line != NULL && !strchr(line, '\n') && "a line has no newline");
  if (!history->path) return;
  add_line(history, line, strlen(line));
  if (history->count >= KEPT_BYTES) write_kept(history);
}

// Whoever put another file in the place of the table, or took its name away, has left us the table
// itself, by its descriptor.
static void keep_place(History *history)
{
  const DiskMark now = disk_mark_of(history->path);
  if (history->status.failed || disk_same_file(disk_mark(history->file), now)) return;
  char *other = write_anew(history);
  if (!history->status.failed)
    log_warning("somebody put another file in the place of %s, or moved it, while this run writes "
                "it: it has all lines again%s%s",
                history->path, other ? ", and the other file is " : "", other ? other : "");
  memory_free(other);
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

bool history_is_unchanged(const History *history)
{
  return all_ok(!history->changed.failed, "cannot write %s", history->changed.reason);
}

// Forgets everything about the table.
static void release(History *history)
{
  memory_free(history->heading);
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
  const bool fine = all_ok(!history->status.failed, "cannot write %s", history->status.reason) &&
                    history_is_unchanged(history);
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
