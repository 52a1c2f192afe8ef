#include "manifest.h"

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

#define FIRST_LINE "drystone checkpoint manifest 1"
#define LAST_LINE "crc32c: %08" PRIx32 "\n"
enum { LAST_LINE_BYTES = 17, BLOCK_LINE_BYTES = 9 };

uint64_t manifest_block_count(uint64_t file_bytes)
{
  return (file_bytes + MANIFEST_BLOCK - 1) / MANIFEST_BLOCK;
}

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
  const size_t room = 2048 + m->block_count * BLOCK_LINE_BYTES + strlen(c->path) + strlen(c->text) +
                      strlen(c->overrides);
  char *text = memory_allocate(room), *p = text;
  char *const end = text + room;
  char *file = disk_numbered(RESULTS_CHECKPOINT, m->header.step);
  p += snprintf(p, (size_t)(end - p),
                FIRST_LINE "\nversion: %s\ncompiler: %s\nbuild_type: %s\nranks: %d\nstep: %" PRId64
                           "\ntime: %.17g\ntime_hex: %a\nhash: %s\nbodies: %" PRId64
                           "\ncontacts: %" PRId64 "\n",
                DRYSTONE_VERSION, DRYSTONE_COMPILER, DRYSTONE_BUILD_TYPE, par_size(),
                m->header.step, m->header.time, m->header.time, m->header.hash, m->header.bodies,
                m->header.contacts);
  p += snprintf(p, (size_t)(end - p),
                "case_crc32c: %08" PRIx32 "\nfile: %s\nfile_bytes: %" PRIu64
                "\nblock_bytes: %" PRIu64 "\nblocks: %" PRIu64 "\n",
                m->case_checksum, file, m->file_bytes, MANIFEST_BLOCK, m->block_count);
  for (uint64_t b = 0; b < m->block_count; b++)
    p += snprintf(p, (size_t)(end - p), "%08" PRIx32 "\n", m->blocks[b]);
  p += print_document(p, (size_t)(end - p), "case_path", c->path);
  p += print_document(p, (size_t)(end - p), "case_text", c->text);
  p += print_document(p, (size_t)(end - p), "overrides", c->overrides);
  const uint32_t checksum = crc32c(0, text, (size_t)(p - text));
  p += snprintf(p, (size_t)(end - p), LAST_LINE, checksum);
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
  char *end;
  const char *value = next_value(reader, key);
  const uint64_t number = strtoull(value, &end, base);
  // strtoull would skip the end of the line to the next one
  if (*end != '\n' || !isxdigit((unsigned char)*value))
    disk_fail(reader->status, "the manifest's line '%s' holds no number", key);
  return number;
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

bool manifest_parse(const char *text, size_t bytes, Manifest *m, DiskStatus *status)
{
  *m = (Manifest){0};
  check_checksum(text, bytes, status);
  if (status->failed) return false;
  if (strncmp(text, FIRST_LINE "\n", sizeof FIRST_LINE) != 0) {
    disk_fail(status, "the manifest is of another format: '%.*s', this program reads '%s'",
              (int)strcspn(text, "\n") < 80 ? (int)strcspn(text, "\n") : 80, text, FIRST_LINE);
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
  m->header.bodies = (int64_t)next_number(&reader, "bodies", 10);
  m->header.contacts = (int64_t)next_number(&reader, "contacts", 10);
  m->case_checksum = (uint32_t)next_number(&reader, "case_crc32c", 16);
  next_value(&reader, "file");
  m->file_bytes = next_number(&reader, "file_bytes", 10);
  const uint64_t block_bytes = next_number(&reader, "block_bytes", 10);
  m->block_count = next_number(&reader, "blocks", 10);
  if (status->failed) return false;
  if (block_bytes != MANIFEST_BLOCK || m->block_count != manifest_block_count(m->file_bytes) ||
      m->block_count > (uint64_t)(reader.end - reader.at) / BLOCK_LINE_BYTES ||
      m->header.bodies < 0 || m->header.contacts < 0 || m->header.step < 0) {
    disk_fail(status, "the manifest contradicts itself");
    return false;
  }
  m->blocks = memory_allocate(m->block_count * sizeof *m->blocks);
  for (uint64_t b = 0; b < m->block_count; b++)
    m->blocks[b] = (uint32_t)strtoul(reader.at + b * BLOCK_LINE_BYTES, NULL, 16);
  return true;
}

void manifest_end(Manifest *manifest)
{
  memory_free(manifest->blocks);
  *manifest = (Manifest){0};
}
