// Reads records on rank 0 and sends their rows to all ranks.
#include "record_share.h"

#include <assert.h>
#include <stdio.h>

#include "crc32c.h"
#include "disk.h"
#include "memory.h"
#include "parallel.h"

#define MOST_BYTES ((size_t)256 << 20)   // of a file

bool record_share_here(const char *path, RecordLayout layout, Arena *arena, Record *record,
                       ErrorText error)
{
  assert(path != NULL && record != NULL && "a record has a file and a place");
  assert(error.text != NULL && error.bytes > 0 && "a message has room");
  DiskStatus status = {0};
  size_t count = 0;
  char *bytes = disk_read_whole(path, MOST_BYTES, &count, &status);
  if (!bytes) {
    snprintf(error.text, error.bytes, "%s", status.reason);
    return false;
  }
  const bool sound =
      record_text_read((RecordText){path, bytes, count}, layout, arena, record, error);
  memory_free(bytes);
  return sound;
}

bool record_share_all(const char *path, RecordLayout layout, Arena *arena, Record *record,
                      ErrorText error)
{
  assert(path != NULL && record != NULL && "a record has a file and a place");
  bool sound = true;
  if (par_rank() == 0) sound = record_share_here(path, layout, arena, record, error);
  par_broadcast(&sound, sizeof sound, 0);
  if (!sound) {
    par_broadcast(error.text, error.bytes, 0);
    return false;
  }
  int counts[2] = {0, 0};
  if (par_rank() == 0) {
    counts[0] = record->count;
    counts[1] = record->components;
  }
  par_broadcast(counts, sizeof counts, 0);
  const size_t bytes = (size_t)counts[0] * (1 + (size_t)counts[1]) * sizeof *record->rows;
  if (par_rank() != 0)
    *record = (Record){.path = path,
                       .layout = layout,
                       .count = counts[0],
                       .components = counts[1],
                       .rows = arena_allocate(arena, bytes)};
  par_broadcast(record->rows, bytes, 0);
  if (par_rank() != 0) record->contents = crc32c(0, record->rows, bytes);
  return true;
}
