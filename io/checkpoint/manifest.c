// Writes and reads the text of a checkpoint's manifest.
#include "manifest.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crc32c.h"
#include "hash.h"
#include "memory.h"
#include "parallel.h"
#include "results.h"

#define FIRST_WORDS "drystone checkpoint manifest "
#define FORMAT "2"
#define FIRST_LINE FIRST_WORDS FORMAT
#define LAST_LINE "crc32c: %08" PRIx32 "\n"
enum { LAST_LINE_BYTES = 17, FILE_BLOCK_LINE_BYTES = 9 };

uint32_t manifest_checksum(const Case *c)
{
  const uint32_t text = crc32c(0, c->text, strlen(c->text));
  const uint32_t overrides = crc32c(text, c->overrides, strlen(c->overrides));
  return crc32c(overrides, c->meshes, strlen(c->meshes));
}

// A text of any content: its length in bytes, then itself on lines of its own.
static size_t print_document(char *to, size_t room, const char *name, const char *text)
{
  return (size_t)snprintf(to, room, "%s: %zu\n%s\n", name, strlen(text), text);
}

char *manifest_format(const Manifest *m, const Case *c, size_t *bytes)
{
  assert(m->file_block_count == file_block_sums_count(m->file_bytes) &&
         "a manifest has all file blocks");
  assert(m->header.table_count >= 0 && m->header.table_count <= STATE_TABLES &&
         "a manifest has the tables of a state");
  const size_t room = 2048 + m->file_block_count * FILE_BLOCK_LINE_BYTES + strlen(c->path) +
                      strlen(c->text) + strlen(c->overrides);
  char *text = memory_allocate(room), *p = text;
  char *const end = text + room;
  char *file = disk_numbered(RESULTS_CHECKPOINT, m->header.step);
  p +=
      snprintf(p, (size_t)(end - p),
               FIRST_LINE "\nversion: %s\ncompiler: %s\nbuild_type: %s\nranks: %d\nstep: %" PRId64
                          "\ntime: %.17g\ntime_hex: %a\nhash: %s\ntables: %d\n",
               DRYSTONE_VERSION, DRYSTONE_COMPILER, DRYSTONE_BUILD_TYPE, par_size(), m->header.step,
               m->header.time, m->header.time, m->header.hash, m->header.table_count);
  for (int t = 0; t < m->header.table_count; t++)
    p += snprintf(p, (size_t)(end - p), "%s: %" PRId64 "\n", m->header.tables[t].name,
                  m->header.tables[t].rows);
  p += snprintf(p, (size_t)(end - p),
                "case_crc32c: %08" PRIx32 "\nfile: %s\nfile_bytes: %" PRIu64
                "\nblock_bytes: %" PRIu64 "\nblocks: %" PRIu64 "\n",
                m->case_checksum, file, m->file_bytes, FILE_BLOCK_BYTES, m->file_block_count);
  for (uint64_t b = 0; b < m->file_block_count; b++)
    p += snprintf(p, (size_t)(end - p), "%08" PRIx32 "\n", m->file_blocks[b]);
  p += print_document(p, (size_t)(end - p), "case_path", c->path);
  p += print_document(p, (size_t)(end - p), "case_text", c->text);
  p += print_document(p, (size_t)(end - p), "overrides", c->overrides);
  const uint32_t checksum = crc32c(0, text, (size_t)(p - text));
  p += snprintf(p, (size_t)(end - p), LAST_LINE, checksum);
  assert(p < end && "a manifest has room");
  memory_free(file);
  *bytes = (size_t)(p - text);
  return text;
}

// ------------------------------------------------------------------------------------------------
// Reading, strictly in the order of writing.

typedef struct {
  const char *at, *end;
  DiskStatus *status;
} Reader;

// The value of the next line, which must have that key, up to its newline; "" after a failure.
static const char *next_value(Reader *reader, const char *key)
{
  assert(reader->at <= reader->end && "reading stays in the text");
  const size_t length = strlen(key), left = (size_t)(reader->end - reader->at);
  const char *value = reader->at + length + 2;
  if (left < length + 2 || strncmp(reader->at, key, length) != 0 ||
      strncmp(reader->at + length, ": ", 2) != 0)
    disk_fail(reader->status, "the manifest has no line '%s' where it should be", key);
  const char *newline =
      reader->status->failed ? NULL : memchr(value, '\n', (size_t)(reader->end - value));
  if (!newline) {
    disk_fail(reader->status, "the manifest ends early");
    return "";
  }
  reader->at = newline + 1;
  return value;
}

static uint64_t next_number(Reader *reader, const char *key, int base)
{
  assert((base == 10 || base == 16) && "numbers are decimal or hexadecimal");
  char *end;
  const char *value = next_value(reader, key);
  const uint64_t number = strtoull(value, &end, base);
  // strtoull would skip the end of the line to the next one
  if (*end != '\n' || !isxdigit((unsigned char)*value))
    disk_fail(reader->status, "the manifest's line '%s' holds no number", key);
  return number;
}

// The next lines: names of tables and their rows.
static void take_tables(Reader *reader, Hdf5Header *header)
{
  const uint64_t count = next_number(reader, "tables", 10);
  if (count > STATE_TABLES)
    disk_fail(reader->status, "the manifest has more tables than the %d there may be",
              STATE_TABLES);
  for (uint64_t t = 0; t < count && !reader->status->failed; t++) {
    char name[sizeof header->tables->name];
    const size_t left = (size_t)(reader->end - reader->at);
    const char *colon = memchr(reader->at, ':', left < sizeof name ? left : sizeof name);
    const size_t length = colon ? (size_t)(colon - reader->at) : 0;
    if (length == 0 || strcspn(reader->at, "\n") < length) {
      disk_fail(reader->status, "the manifest has no name of a table where it should be");
      return;
    }
    snprintf(name, sizeof name, "%.*s", (int)length, reader->at);
    if (hdf5_header_rows(header, name) >= 0)
      disk_fail(reader->status, "the manifest has a table twice");
    const uint64_t rows = next_number(reader, name, 10);
    hdf5_header_add(header, name, (int64_t)rows);
    if (rows > INT64_MAX) disk_fail(reader->status, "the manifest contradicts itself");
  }
}

static double next_time(Reader *reader, const char *key)
{
  char *end;
  const char *value = next_value(reader, key);
  const double time = strtod(value, &end);
  if (*end != '\n' || end == value || !isfinite(time))
    disk_fail(reader->status, "the manifest's line '%s' holds no time", key);
  return time;
}

static void take_writer(Reader *reader, char *writer, size_t bytes)
{
  const char *version = next_value(reader, "version");
  const char *compiler = next_value(reader, "compiler");
  snprintf(writer, bytes, "%.*s, %.*s", (int)strcspn(version, "\n"), version,
           (int)strcspn(compiler, "\n"), compiler);
}

static void check_checksum(const char *text, size_t bytes, DiskStatus *status)
{
  if (bytes < LAST_LINE_BYTES) {
    disk_fail(status, "the manifest is cut short");
    return;
  }
  char last_line[LAST_LINE_BYTES + 1];
  snprintf(last_line, sizeof last_line, LAST_LINE, crc32c(0, text, bytes - LAST_LINE_BYTES));
  if (memcmp(text + bytes - LAST_LINE_BYTES, last_line, LAST_LINE_BYTES) != 0)
    disk_fail(status, "the manifest does not match its own checksum");
}

// Another first line: by whom the manifest was written, and in which format.
static void refuse_format(const char *text, DiskStatus *status)
{
  const size_t first = strcspn(text, "\n");
  const char *version = strncmp(text + first, "\nversion: ", 10) == 0 ? text + first + 10 : "";
  const int version_bytes = (int)strspn(version, "0123456789.");
  const size_t known = strlen(FIRST_WORDS);
  const int format_bytes =
      strncmp(text, FIRST_WORDS, known) == 0 ? (int)strspn(text + known, "0123456789") : 0;
  if (version_bytes > 0 && version_bytes < 40 && format_bytes > 0 && format_bytes < 10)
    disk_fail(status,
              "the manifest was written by drystone %.*s in format %.*s; this program reads "
              "format " FORMAT,
              version_bytes, version, format_bytes, text + known);
  else
    disk_fail(status, "the manifest is of another format: '%.*s', this program reads '%s'",
              first < 80 ? (int)first : 80, text, FIRST_LINE);
}

bool manifest_parse(const char *text, size_t bytes, Manifest *m, DiskStatus *status)
{
  assert((text != NULL || bytes == 0) && "a manifest has a text");
  *m = (Manifest){0};
  check_checksum(text, bytes, status);
  if (status->failed) return false;
  if (strncmp(text, FIRST_LINE "\n", sizeof FIRST_LINE) != 0) {
    refuse_format(text, status);
    return false;
  }
  Reader reader = {text + sizeof FIRST_LINE, text + bytes, status};
  take_writer(&reader, m->writer, sizeof m->writer);
  next_value(&reader, "build_type");
  next_number(&reader, "ranks", 10);
  m->header.step = (int64_t)next_number(&reader, "step", 10);
  next_value(&reader, "time");
  m->header.time = next_time(&reader, "time_hex");
  const char *hash = next_value(&reader, "hash");
  snprintf(m->header.hash, sizeof m->header.hash, "%.32s", hash);
  Hash128 number;
  if (!status->failed && !hash_from_text(m->header.hash, &number))
    disk_fail(status, "the manifest's hash is none");
  take_tables(&reader, &m->header);
  m->case_checksum = (uint32_t)next_number(&reader, "case_crc32c", 16);
  next_value(&reader, "file");
  m->file_bytes = next_number(&reader, "file_bytes", 10);
  const uint64_t block_bytes = next_number(&reader, "block_bytes", 10);
  m->file_block_count = next_number(&reader, "blocks", 10);
  if (status->failed) return false;
  if (block_bytes != FILE_BLOCK_BYTES ||
      m->file_block_count != file_block_sums_count(m->file_bytes) ||
      m->file_block_count > (uint64_t)(reader.end - reader.at) / FILE_BLOCK_LINE_BYTES ||
      m->header.step < 0) {
    disk_fail(status, "the manifest contradicts itself");
    return false;
  }
  m->file_blocks = memory_allocate(m->file_block_count * sizeof *m->file_blocks);
  for (uint64_t b = 0; b < m->file_block_count; b++)
    m->file_blocks[b] = (uint32_t)strtoul(reader.at + b * FILE_BLOCK_LINE_BYTES, NULL, 16);
  return true;
}

void manifest_end(Manifest *manifest)
{
  memory_free(manifest->file_blocks);
  *manifest = (Manifest){0};
}
