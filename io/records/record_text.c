// Reads records of functions of time from text files.
#include "record_text.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "crc32c.h"
#include "memory.h"
#include "mesh_scan.h"

enum { PEER_HEADER_LINES = 4 };

// A file that is being read; rows grow in memory of their own.
typedef struct {
  MeshScan scan;
  RecordLayout layout;
  int components;
  int count, capacity;
  double *rows;
} RecordReading;

const char *record_text_peer_unit(const char *path)
{
  assert(path != NULL && "a file has a name");
  const size_t length = strlen(path);
  const char *ending = path + (length > 4 ? length - 4 : length);
  if (strcasecmp(ending, ".at2") == 0) return "g";
  return strcasecmp(ending, ".vt2") == 0 ? "cm/s" : NULL;
}

static bool add_row(RecordReading *reading, const double *row)
{
  assert(reading->components >= 1 && reading->components <= 3 && "a row has values");
  const size_t numbers = 1 + (size_t)reading->components, bytes = numbers * sizeof *row;
  if (reading->count == INT_MAX - 1) return mesh_scan_fail(&reading->scan, "too many rows");
  reading->rows =
      memory_grow(reading->rows, (int64_t)reading->count + 1, &reading->capacity, bytes);
  memcpy(reading->rows + (size_t)reading->count++ * numbers, row, bytes);
  return true;
}

static bool read_number(MeshScan *scan, MeshWord word, const char *what, double *number)
{
  return (mesh_word_number(scan, word, number) && isfinite(*number)) ||
         mesh_scan_expected(scan, what, word);
}

// -- PEER -----------------------------------------------------------------------------------------

// the next word of the line between blanks, commas and equal signs
static MeshWord header_word(MeshScan *scan)
{
  static const char between[] = " \t=,";
  while (scan->at < scan->end && *scan->at && strchr(between, *scan->at)) scan->at++;
  const char *begin = scan->at;
  while (scan->at < scan->end && *scan->at && !strchr(between, *scan->at) && *scan->at != '\r' &&
         *scan->at != '\n')
    scan->at++;
  return (MeshWord){begin, (size_t)(scan->at - begin)};
}

// "NPTS= 4000, DT= .01000 SEC", or "4000 .01000 NPTS, DT"
static bool read_peer_header(RecordReading *reading, int64_t *count, double *step)
{
  MeshScan *scan = &reading->scan;
  static const char expected[] = "'NPTS= COUNT, DT= SECONDS' in the fourth line";
  for (int i = 1; i < PEER_HEADER_LINES; i++) mesh_scan_skip_line(scan);
  MeshWord word = header_word(scan);
  const bool named = mesh_word_is_any_case(word, "npts");
  const MeshWord number = named ? header_word(scan) : word;
  if (!mesh_word_integer(number, count)) return mesh_scan_expected(scan, expected, number);
  if (*count < 1 || *count > INT_MAX / 2)
    return mesh_scan_expected(scan, "NPTS from 1 to 1073741823", number);
  if (named && !mesh_word_is_any_case(word = header_word(scan), "dt"))
    return mesh_scan_expected(scan, expected, word);
  word = header_word(scan);
  if (!mesh_word_number(scan, word, step) || !(*step >= 1e-9 && *step <= 1e9))
    return mesh_scan_expected(scan, "DT from 1e-9 to 1e9 s", word);
  if (!named && !mesh_word_is_any_case(word = header_word(scan), "npts"))
    return mesh_scan_expected(scan, expected, word);
  mesh_scan_skip_line(scan);
  return true;
}

static bool read_peer(RecordReading *reading)
{
  MeshScan *scan = &reading->scan;
  int64_t count = 0;
  double step = 0;
  if (!read_peer_header(reading, &count, &step)) return false;
  scan->across_lines = true;
  for (int64_t i = 0; i < count; i++) {
    const MeshWord word = mesh_scan_word(scan);
    if (word.length == 0)
      return mesh_scan_fail(scan, "the file ends after %" PRId64 " of %" PRId64 " values", i,
                            count);
    double row[2] = {(double)i * step, 0};
    if (!read_number(scan, word, "a value", &row[1]) || !add_row(reading, row)) return false;
  }
  const MeshWord more = mesh_scan_word(scan);
  return more.length == 0 ||
         mesh_scan_fail(scan, "more than the %" PRId64 " values of NPTS", count);
}

// -- columns --------------------------------------------------------------------------------------

// The next field of a line, without blanks around it. More: whether another one follows.
static MeshWord next_field(MeshScan *scan, char separator, bool *more)
{
  if (separator == ' ') {
    const MeshWord word = mesh_scan_word(scan);
    *more = word.length > 0;
    return word;
  }
  const char *begin = scan->at, *end = begin;
  while (scan->at < scan->end && *scan->at != separator && *scan->at != '\n' && *scan->at != '\r' &&
         *scan->at != scan->comment) {
    const bool blank = *scan->at == ' ' || *scan->at == '\t';
    if (!blank) end = scan->at + 1;
    else if (end == begin) begin = end = scan->at + 1;
    scan->at++;
  }
  *more = scan->at < scan->end && *scan->at == separator;
  scan->at += *more;
  return (MeshWord){begin, (size_t)(end - begin)};
}

// One line: the columns that are asked for, in any order.
static bool read_line(RecordReading *reading, double *row)
{
  const RecordLayout *layout = &reading->layout;
  MeshScan *scan = &reading->scan;
  const int first = layout->step > 0 ? 1 : 0;   // where the first column goes
  int last = 0;
  for (int k = 0; k < layout->column_count; k++)
    if (layout->columns[k] > last) last = layout->columns[k];
  bool more = true;
  for (int column = 1; column <= last; column++) {
    if (!more) return mesh_scan_fail(scan, "column %d is missing", column);
    const MeshWord word = next_field(scan, layout->separator, &more);
    if (word.length == 0 && layout->separator == ' ')
      return mesh_scan_fail(scan, "column %d is missing", column);
    for (int k = 0; k < layout->column_count; k++) {
      if (layout->columns[k] != column) continue;
      const char *what = first + k == 0 ? "a time" : "a value";
      if (!read_number(scan, word, what, &row[first + k])) return false;
    }
  }
  return true;
}

static bool read_columns(RecordReading *reading)
{
  MeshScan *scan = &reading->scan;
  const double step = reading->layout.step;
  for (int i = 0; i < reading->layout.skip; i++) {
    if (scan->at == scan->end)
      return mesh_scan_fail(scan, "the file ends within the lines to skip");
    mesh_scan_skip_line(scan);
  }
  double before = 0;   // time of the row before
  while (mesh_scan_line(scan)) {
    double row[1 + 3] = {0};
    if (!read_line(reading, row)) return false;
    if (step > 0) row[0] = reading->count * step;
    if (reading->count > 0 && !(row[0] > before))
      return mesh_scan_fail(scan, "expected a time after %g s, found %g", before, row[0]);
    before = row[0];
    if (!add_row(reading, row)) return false;
    mesh_scan_skip_line(scan);
  }
  return reading->count > 0 || mesh_scan_fail(scan, "no row of numbers");
}

bool record_text_read(RecordText file, RecordLayout layout, Arena *arena, Record *record,
                      ErrorText error)
{
  assert((layout.peer || layout.column_count > 0) && "columns are known");
  const MeshText text = {.path = file.path, .bytes = file.bytes, .count = file.count};
  RecordReading reading = {.scan = mesh_scan_new(&text, error),
                           .layout = layout,
                           .components =
                               layout.peer ? 1 : layout.column_count - (layout.step > 0 ? 0 : 1)};
  reading.scan.comment = layout.peer ? 0 : '#';
  bool sound = mesh_scan_is_text(&reading.scan);
  if (sound) sound = layout.peer ? read_peer(&reading) : read_columns(&reading);
  *record = (Record){.path = file.path, .layout = layout};
  if (sound) {
    const size_t bytes =
        (size_t)reading.count * (1 + (size_t)reading.components) * sizeof *record->rows;
    record->count = reading.count;
    record->components = reading.components;
    record->rows = memcpy(arena_allocate(arena, bytes), reading.rows, bytes);
    record->contents = crc32c(0, record->rows, bytes);
  }
  memory_free(reading.rows);
  mesh_scan_destroy(&reading.scan);
  return sound;
}
