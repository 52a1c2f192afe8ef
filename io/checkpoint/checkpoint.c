// Writes checkpoints and removes the oldest ones.
#include "checkpoint.h"

#include <assert.h>
#include <errno.h>
#include <unistd.h>

#include "columns.h"
#include "generation.h"
#include "hdf5_writer.h"
#include "log.h"
#include "memory.h"
#include "parallel.h"

#define UNKNOWN (-2)   // in place of a step

// Local. What is about to be pruned, most likely: its pages in memory are released while there is
// time.
static void forget_old(const Results *results)
{
  if (par_rank() != 0 || results->last_checkpoint < 0) return;
  DiskStatus ignored = {0};
  int64_t *steps;
  const int count = disk_list_numbers(results->path, RESULTS_CHECKPOINT, &steps, &ignored);
  for (int i = 0; i < count; i++) {
    char *path = generation_path(results->path, RESULTS_CHECKPOINT, steps[i]);
    if (steps[i] != results->last_checkpoint) disk_forget(path);
    memory_free(path);
  }
  memory_free(steps);
}

// Collective. The data file alone, with the sums of what it is meant to hold: a byte that is
// changed on its way to the device is found by whoever reads it. Sets the rest of the header.
static bool write_data(const Results *results, const Case *c, const State *state,
                       Hdf5Header *header, FileBlockSums *sums)
{
  assert(state->table_count > 0 && state->table_count <= STATE_TABLES && "a state has tables");
  assert(header->step == state->step && "a header tells of its state");
  Arena arena = arena_new();
  ColumnPlan plans[STATE_TABLES];
  int columns[STATE_TABLES];
  for (int t = 0; t < state->table_count; t++) {
    plans[t] = columns_of_table(state->tables[t], c->body_count, &arena);
    hdf5_header_add(header, state->tables[t]->schema->name, (int64_t)plans[t].row_count);
  }
  hash_to_text((Hash128){0, 0}, header->hash);   // until it is known

  char *name = disk_numbered(RESULTS_CHECKPOINT, header->step);
  Hdf5Writer writer;
  hdf5_begin(&writer, results->path, name);
  hdf5_add_provenance(&writer, GENERATION_FORMAT, GENERATION_VERSION, c);
  hdf5_add_header(&writer, header);
  for (int t = 0; t < state->table_count; t++)
    columns[t] = hdf5_add_table(&writer, state->tables[t], FIELD_STATE, plans[t].row_count);
  hdf5_sum_file_blocks(&writer, sums);
  hdf5_lay_out(&writer);
  for (int t = 0; t < state->table_count; t++)
    columns_write(&plans[t], FIELD_STATE, &writer, columns[t], &arena);
  memory_free(name);
  arena_destroy(&arena);
  // the device is at work on the rows
  forget_old(results);
  hash_to_text(state_hash(state), header->hash);
  hdf5_change_text(&writer, "/", "hash", header->hash);
  return hdf5_commit(&writer);
}

// Collective. The manifest of the finished data file: from here on the checkpoint counts.
static bool write_manifest(const Results *results, const Case *c, const Hdf5Header *header,
                           const FileBlockSums *sums)
{
  assert(sums->file_bytes > 0 && "a data file has bytes");
  Arena arena = arena_new();
  DiskStatus status = {0};
  uint32_t *file_blocks = file_block_sums_gather(sums, &arena);
  if (par_rank() == 0) {
    const Manifest manifest = {.header = *header,
                               .file_bytes = sums->file_bytes,
                               .file_block_count = file_block_sums_count(sums->file_bytes),
                               .file_blocks = file_blocks,
                               .case_checksum = manifest_checksum(c)};
    char *name = disk_numbered(RESULTS_MANIFEST, header->step);
    size_t bytes;
    char *text = manifest_format(&manifest, c, &bytes);
    disk_replace(results->path, name, text, bytes, &status);
    memory_free(text);
    memory_free(name);
  }
  arena_destroy(&arena);
  return all_ok(!status.failed, "cannot write %s", status.reason);
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
  assert(newest >= 0 && "a checkpoint has a step");
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

// Collective. Whether there is a sound checkpoint of that state of that case. Without a manifest of
// the step nothing is hashed.
static bool is_written(const Results *results, const Case *c, const State *state)
{
  bool there = false;
  if (par_rank() == 0) {
    char *path = generation_path(results->path, RESULTS_MANIFEST, state->step);
    there = access(path, F_OK) == 0;
    memory_free(path);
  }
  par_broadcast(&there, sizeof there, 0);
  if (!there) return false;
  const Expected expected = {state_hash(state), manifest_checksum(c)};
  DiskStatus reason;
  return generation_is_sound(results->path, state->step, &expected, &reason);
}

bool checkpoint_write(Results *results, const Case *c, const State *state)
{
  assert(state->step >= 0 && c->step > 0 && "a checkpoint has a step");
  assert(results->path != NULL && "a checkpoint has a folder");
  if (!results_in_place(results)) return false;

  // the end of a run may be where its checkpoint was made already; another state under that name
  // goes first
  const int64_t step = state->step;
  if (!is_written(results, c, state)) {
    DiskStatus status = {0};
    if (par_rank() == 0) generation_remove(results->path, RESULTS_MANIFEST, step, &status);
    if (!all_ok(!status.failed, "cannot remove %s", status.reason)) return false;
    Hdf5Header header = {.step = step,
                         .time = state_time(state, c->step),
                         .solver = state->words,
                         .stage = state->stage};
    FileBlockSums sums;
    const bool written = write_data(results, c, state, &header, &sums);
    const bool ok = written && write_manifest(results, c, &header, &sums);
    file_block_sums_end(&sums);
    if (!ok) return false;
  }
  checkpoint_prune(results, step);
  results->last_checkpoint = step;
  return true;
}
