#include "checkpoint.h"

#include <errno.h>
#include <unistd.h>

#include "blocks.h"
#include "generation.h"
#include "hdf5_writer.h"
#include "log.h"
#include "memory.h"
#include "parallel.h"

#define UNKNOWN (-2)   // in place of a step

// Collective. The data file alone.
static bool write_data(const Results *results, const Case *c, const Hdf5Header *header,
                       const Blocks *blocks)
{
  char *name = disk_numbered(RESULTS_CHECKPOINT, header->step);
  Hdf5Writer writer;
  hdf5_begin(&writer, results->path, name);
  hdf5_add_provenance(&writer, GENERATION_FORMAT, GENERATION_VERSION, c);
  hdf5_add_header(&writer, header);
  const Table *bodies = &blocks->bodies.table, *contacts = &blocks->contacts.table;
  const int body_columns = hdf5_add_table(&writer, bodies, FIELD_STATE, blocks->body_count);
  const int contact_columns = hdf5_add_table(&writer, contacts, FIELD_STATE, blocks->contact_count);
  hdf5_lay_out(&writer);
  hdf5_write_table(&writer, body_columns, bodies, FIELD_STATE, blocks->first_body, bodies->count);
  hdf5_write_table(&writer, contact_columns, contacts, FIELD_STATE, blocks->first_contact,
                   contacts->count);
  memory_free(name);
  return hdf5_commit(&writer);
}

// Collective. Sums the finished data file and writes the manifest: from here on the checkpoint
// counts.
static bool write_manifest(const Results *results, const Case *c, const Hdf5Header *header)
{
  DiskStatus status = {0};
  char *path = generation_path(results->path, RESULTS_CHECKPOINT, header->step);
  const int file = disk_open_read(path, &status);
  uint64_t size = disk_size(file, path, &status);
  par_broadcast(&size, sizeof size, 0);
  const uint64_t count = manifest_block_count(size);
  const size_t own = (size_t)(generation_first_block(count, par_rank() + 1) -
                              generation_first_block(count, par_rank()));
  Arena arena = arena_new();
  uint32_t *sums = arena_allocate_zero(&arena, own, sizeof *sums);
  generation_sum_blocks(file, path, size, sums, &status);
  if (file >= 0) close(file);
  memory_free(path);

  const bool ok = all_ok(!status.failed, "cannot read back %s", status.reason);
  size_t *counts = arena_allocate(&arena, (size_t)par_size() * sizeof *counts);
  uint32_t *all = par_gather(sums, own * sizeof *sums, counts, &arena);
  if (ok && par_rank() == 0) {
    const Manifest manifest = {.header = *header,
                               .file_bytes = size,
                               .block_count = count,
                               .blocks = all,
                               .case_checksum = manifest_checksum(c)};
    char *name = disk_numbered(RESULTS_MANIFEST, header->step);
    size_t bytes;
    char *text = manifest_format(&manifest, c, &bytes);
    disk_replace(results->path, name, text, bytes, &status);
    memory_free(text);
    memory_free(name);
  }
  arena_destroy(&arena);
  return ok && all_ok(!status.failed, "cannot write %s", status.reason);
}

// Local. Removes every file of a kind but those of two steps.
static void remove_others(const char *folder, NumberedName kind, int64_t newest, int64_t previous,
                          DiskStatus *status)
{
  int64_t *steps;
  const int count = disk_list_numbers(folder, kind, &steps, status);
  for (int i = 0; i < count; i++)
    if (steps[i] != newest && steps[i] != previous)
      generation_remove(folder, kind, steps[i], status);
  memory_free(steps);
}

// Collective. The newest generation before a step that has a manifest, -1 without any; UNKNOWN
// where the folder cannot be read, after a warning.
static int64_t generation_before(const char *folder, int64_t step)
{
  int64_t found = -1;
  if (par_rank() == 0) {
    DiskStatus status = {0};
    int64_t *steps;
    const int count = disk_list_numbers(folder, RESULTS_MANIFEST, &steps, &status);
    for (int i = 0; i < count; i++)
      if (steps[i] < step) found = steps[i];
    memory_free(steps);
    if (status.failed) {
      found = UNKNOWN;
      log_warning("old checkpoints stay: %s", status.reason);
    }
  }
  par_broadcast(&found, sizeof found, 0);
  return found;
}

void checkpoint_prune(const Results *results, int64_t newest)
{
  // what this run wrote is sound; what it found may be damaged, and shall not be kept in place of a
  // sound one. Where the disk does not answer it may be sound, and nothing goes.
  DiskStatus status = {0};
  int64_t previous = generation_before(results->path, newest);
  while (previous >= 0 && previous != results->last_checkpoint &&
         !generation_is_sound(results->path, previous, NULL, &status)) {
    if (status.error && status.error != ENOENT) break;
    previous = generation_before(results->path, previous);
    status = (DiskStatus){0};
  }
  if (par_rank() != 0 || previous == UNKNOWN) return;
  if (!status.failed) {
    remove_others(results->path, RESULTS_MANIFEST, newest, previous, &status);
    remove_others(results->path, RESULTS_CHECKPOINT, newest, previous, &status);
  }
  if (status.failed) log_warning("old checkpoints stay: %s", status.reason);
}

bool checkpoint_write(Results *results, const Case *c, const CheckpointHeader *header,
                      const Bodies *bodies, const Contacts *contacts)
{
  // the end of a run may be where its checkpoint was made already; another state under that name
  // goes first
  const Expected expected = {header->hash, manifest_checksum(c)};
  DiskStatus status;
  if (!generation_is_sound(results->path, header->step, &expected, &status)) {
    status = (DiskStatus){0};
    if (par_rank() == 0) generation_remove(results->path, RESULTS_MANIFEST, header->step, &status);
    if (!all_ok(!status.failed, "cannot remove %s", status.reason)) return false;

    Blocks blocks;
    blocks_gather(&blocks, bodies, contacts, c->body_count, FIELD_STATE, FIELD_STATE);
    Hdf5Header rows = {.step = header->step,
                       .time = header->time,
                       .bodies = (int64_t)blocks.body_count,
                       .contacts = (int64_t)blocks.contact_count,
                       .solver = header->solver};
    hash_to_text(header->hash, rows.hash);
    const bool ok = write_data(results, c, &rows, &blocks);
    blocks_end(&blocks);
    if (!ok || !write_manifest(results, c, &rows)) return false;
  }
  checkpoint_prune(results, header->step);
  results->last_checkpoint = header->step;
  return true;
}
