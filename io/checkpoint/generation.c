// Verifies and reads one generation of checkpoints: a data file and its manifest.
#include "generation.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "bodies.h"
#include "crc32c.h"
#include "hdf5_reader.h"
#include "id_range.h"
#include "memory.h"
#include "parallel.h"

#define MANIFEST_LIMIT \
  ((size_t)1 << 30)   // bytes; a checkpoint of 100 TB has a manifest of this size

char *generation_path(const char *folder, NumberedName kind, int64_t step)
{
  assert(folder != NULL && step >= 0 && "a generation has a folder and a step");
  char *name = disk_numbered(kind, step), *path = disk_path(folder, name);
  memory_free(name);
  return path;
}

void generation_remove(const char *folder, NumberedName kind, int64_t step, DiskStatus *status)
{
  assert(folder != NULL && step >= 0 && "a generation has a folder and a step");
  char *name = disk_numbered(kind, step);
  disk_remove(folder, name, status);
  memory_free(name);
}

// ------------------------------------------------------------------------------------------------
// Checksums, each rank those of a contiguous piece of the file.

// The first of the file blocks that a rank sums.
static uint64_t first_file_block(uint64_t file_block_count, int rank)
{
  return id_range_first(file_block_count, rank, par_size());
}

// Local. CRC-32C of this rank's file blocks of an open data file.
static void sum_file_blocks(int file, const char *path, uint64_t file_bytes, uint32_t *sums,
                            DiskStatus *status)
{
  const uint64_t count = file_block_sums_count(file_bytes),
                 first = first_file_block(count, par_rank());
  const uint64_t end = first_file_block(count, par_rank() + 1);
  char *file_block = memory_allocate(FILE_BLOCK_BYTES);
  for (uint64_t b = first; b < end && !status->failed; b++) {
    const uint64_t begin = b * FILE_BLOCK_BYTES, left = file_bytes - begin;
    const size_t bytes = (size_t)(left < FILE_BLOCK_BYTES ? left : FILE_BLOCK_BYTES);
    disk_read_at((DiskFile){file, path}, file_block, bytes, begin, status);
    if (!status->failed) sums[b - first] = crc32c(0, file_block, bytes);
  }
  memory_free(file_block);
}

// Collective. Compares size and file blocks of the data file with the manifest, which all ranks
// have.
static void verify_file_blocks(const char *path, const Manifest *manifest, DiskStatus *status)
{
  assert(manifest->file_block_count == file_block_sums_count(manifest->file_bytes) &&
         "a sound manifest has all file blocks");
  const uint64_t first = first_file_block(manifest->file_block_count, par_rank());
  const uint64_t end = first_file_block(manifest->file_block_count, par_rank() + 1);
  uint32_t *sums = memory_allocate((size_t)(end - first) * sizeof *sums);
  const int file = disk_open_read(path, status);
  const uint64_t size = disk_size(file, path, status);
  if (!status->failed && size != manifest->file_bytes)
    disk_fail(status, "%s has %" PRIu64 " bytes, its manifest says %" PRIu64, path, size,
              manifest->file_bytes);
  sum_file_blocks(file, path, manifest->file_bytes, sums, status);
  for (uint64_t b = first; b < end && !status->failed; b++)
    if (sums[b - first] != manifest->file_blocks[b])
      disk_fail(status,
                "%s: block %" PRIu64 " of %" PRIu64 " has another checksum than its manifest says",
                path, b + 1, manifest->file_block_count);
  if (file >= 0) close(file);
  memory_free(sums);
}

// Collective. Reads a manifest on rank 0 and hands it to everybody; false everywhere when it is not
// sound.
static bool share_manifest(const char *folder, int64_t step, Manifest *manifest, DiskStatus *status)
{
  *manifest = (Manifest){0};
  if (par_rank() == 0) {
    char *path = generation_path(folder, RESULTS_MANIFEST, step);
    size_t bytes = 0;
    char *text = disk_read_whole(path, MANIFEST_LIMIT, &bytes, status);
    DiskStatus reason = {0};
    if (text && !manifest_parse(text, bytes, manifest, &reason))
      disk_fail(status, "%s: %s", path, reason.reason);
    if (!status->failed && manifest->header.step != step)
      disk_fail(status, "%s is the manifest of step %" PRId64, path, manifest->header.step);
    memory_free(text);
    memory_free(path);
  }
  bool sound = !status->failed;
  par_broadcast(&sound, sizeof sound, 0);
  if (!sound) {
    manifest_end(manifest);
    return false;
  }
  uint32_t *file_blocks = manifest->file_blocks;
  par_broadcast(manifest, sizeof *manifest, 0);
  if (par_rank() != 0)
    file_blocks = memory_allocate((size_t)manifest->file_block_count * sizeof *file_blocks);
  manifest->file_blocks = file_blocks;
  par_broadcast(file_blocks, (size_t)manifest->file_block_count * sizeof *file_blocks, 0);
  return true;
}

// Collective. The reason of the lowest rank that has one, on all ranks; true where none has.
static bool agree(DiskStatus *status)
{
  const int lowest = (int)par_min(status->failed ? par_rank() : par_size());
  if (lowest == par_size()) return true;
  par_broadcast(status, sizeof *status, lowest);
  return false;
}

bool generation_is_sound(const char *folder, int64_t step, const Expected *expected,
                         DiskStatus *reason)
{
  assert(step >= 0 && reason != NULL && "a generation has a step");
  *reason = (DiskStatus){0};
  Manifest manifest;
  const bool shared = share_manifest(folder, step, &manifest, reason);
  if (!agree(reason) || !shared) return false;
  char *path = generation_path(folder, RESULTS_CHECKPOINT, step), text[33];
  verify_file_blocks(path, &manifest, reason);
  if (expected) {
    hash_to_text(expected->hash, text);
    if (strcmp(text, manifest.header.hash) != 0 ||
        expected->case_checksum != manifest.case_checksum)
      disk_fail(reason, "%s holds another state", path);
  }
  memory_free(path);
  manifest_end(&manifest);
  return agree(reason);
}

// ------------------------------------------------------------------------------------------------
// Rows.

// Rank 0. Where the columns of a table lie in the file, all of them inside it.
static void locate_rows(const Table *table, const char *path, uint64_t rows, uint64_t file_bytes,
                        uint64_t *offsets, DiskStatus *status)
{
  hdf5_locate_table(path, table->schema, rows, offsets, status);
  for (int f = 0; f < table->schema->field_count && !status->failed; f++)
    if (offsets[f] != HDF5_NO_COLUMN &&
        (offsets[f] > file_bytes ||
         rows > (file_bytes - offsets[f]) / table->schema->fields[f].row_bytes))
      disk_fail(status, "%s: /%s/%s is not inside the file", path, table->schema->name,
                table->schema->fields[f].name);
}

// Collective. Reads rows of a table: this rank's piece of all; none when rank 0 found them unsound,
// also before the call. Needs no case.
static void read_rows(Table *table, const char *path, uint64_t rows, uint64_t file_bytes,
                      DiskStatus *status)
{
  uint64_t *offsets = memory_allocate_zero((size_t)table->schema->field_count, sizeof *offsets);
  if (par_rank() == 0) locate_rows(table, path, rows, file_bytes, offsets, status);
  bool located = !status->failed;
  par_broadcast(&located, sizeof located, 0);
  par_broadcast(offsets, (size_t)table->schema->field_count * sizeof *offsets, 0);
  if (!located) rows = 0;   // a number that nothing stands behind asks for no memory

  const uint64_t first = id_range_first(rows, par_rank(), par_size());
  const int count = (int)(id_range_first(rows, par_rank() + 1, par_size()) - first);
  table_reserve(table, count);
  table->owned = table->count = count;
  const int file = disk_open_read(path, status);
  for (int f = 0; f < table->schema->field_count && count > 0; f++) {
    const Field *field = &table->schema->fields[f];
    const size_t bytes = (size_t)count * field->row_bytes;
    // what is left out here is zero there, or the hash of the state is another one
    assert(
        (table_has(table, field) || !(field->flags & FIELD_STATE) || field->flags & FIELD_APART) &&
        "state is read whole");
    if (!table_has(table, field)) continue;
    memset(table_at(table, field, 0), 0, bytes);
    if (!(field->flags & FIELD_STATE) || offsets[f] == HDF5_NO_COLUMN) continue;
    disk_read_at((DiskFile){file, path}, table_at(table, field, 0), bytes,
                 offsets[f] + first * field->row_bytes, status);
  }
  if (file >= 0) close(file);
  memory_free(offsets);
}

// Collective. Bodies stand in the order of their ids, also from the last row of one rank to the
// first of the next that has rows; returns what is greater than the ids of all.
static uint64_t check_ids(const Table *bodies, DiskStatus *status)
{
  const int rows = bodies->owned;
  const uint64_t *id;
  uint64_t mine = 0;
  if (rows > 0) {
    table_bodies(bodies, rows - 1, &id);
    mine = *id + 1;
  }
  uint64_t *ends = memory_allocate((size_t)par_size() * sizeof *ends);
  par_all_gather(&mine, sizeof mine, ends);
  uint64_t least = 0, end = 0;
  for (int r = 0; r < par_size(); r++) {
    if (r < par_rank() && ends[r] > least) least = ends[r];
    if (ends[r] > end) end = ends[r];
  }
  memory_free(ends);
  for (int i = 0; i < rows && !status->failed; i++) {
    table_bodies(bodies, i, &id);
    if (*id < least) disk_fail(status, "body ids are not in order");
    least = *id + 1;
  }
  return end;
}

// Local. The rows of a table are of bodies below an id, each named once, the lowest first.
static void check_bodies(const Table *table, uint64_t end, DiskStatus *status)
{
  for (int i = 0; i < table->owned && !status->failed; i++) {
    const uint64_t *ids;
    const int count = table_bodies(table, i, &ids);
    for (int k = 0; k < count; k++)
      if ((ids[k] >= end && !(k > 0 && ids[k] == BODIES_SPACE)) || (k > 0 && ids[k] <= ids[k - 1]))
        disk_fail(status, "a row of %s is of bodies that are none", table->schema->name);
  }
}

// Collective. Everything the rows say of each other, before anything relies on it; rows are this
// rank's piece of each table. False on all ranks.
static bool check_rows(const State *state, DiskStatus *status)
{
  assert(state->table_count > 0 && "a state has tables");
  const uint64_t end = check_ids(state->tables[0], status);
  for (int t = 1; t < state->table_count; t++) check_bodies(state->tables[t], end, status);
  return agree(status);
}

// Bytes of a row in the file.
static uint64_t stored_bytes(const Table *table)
{
  uint64_t bytes = 0;
  for (int f = 0; f < table->schema->field_count; f++)
    if ((table->schema->fields[f].flags & (FIELD_STATE | FIELD_OPTION)) == FIELD_STATE)
      bytes += table->schema->fields[f].row_bytes;
  return bytes;
}

// Local. Whether so many rows are in a file of that size, and a rank can hold its piece of them:
// memory is asked for by their number.
static void check_count(const Table *table, int64_t rows, const char *path, uint64_t file_bytes,
                        DiskStatus *status)
{
  const uint64_t most = file_bytes / stored_bytes(table),
                 piece = (uint64_t)rows / (uint64_t)par_size();
  if ((uint64_t)rows > most || piece >= INT32_MAX)
    disk_fail(status, "%s: %" PRId64 " rows of %s are more than %s", path, rows,
              table->schema->name, (uint64_t)rows > most ? "it can hold" : "so few ranks can hold");
}

// Local. Whether a generation has the tables of a state, all of them and no other ones.
static void check_tables(const char *path, const Hdf5Header *header, const State *state,
                         DiskStatus *status)
{
  for (int t = 0; t < state->table_count; t++) {
    const char *name = state->tables[t]->schema->name;
    if (hdf5_header_rows(header, name) < 0 && !state->tables[t]->schema->optional)
      disk_fail(status, "%s has no table '%s', which this program needs", path, name);
  }
  for (int k = 0; k < header->table_count; k++) {
    const char *name = header->tables[k].name;
    bool known = false;
    for (int t = 0; t < state->table_count; t++)
      known = known || strcmp(state->tables[t]->schema->name, name) == 0;
    if (!known)
      disk_fail(status, "%s has a table '%s', which this program does not know", path, name);
  }
}

// Rank 0. What the data file says of itself against its manifest; its words and stage.
static void check_header(const char *path, const Manifest *manifest, State *state,
                         DiskStatus *status)
{
  const Hdf5Header *told = &manifest->header;
  Hdf5Header header = {.table_count = told->table_count};
  memcpy(header.tables, told->tables, sizeof header.tables);
  if (hdf5_read_header(path, GENERATION_FORMAT, GENERATION_VERSION, &header, status)) {
    bool alike = header.step == told->step && header.time == told->time &&
                 strcmp(header.hash, told->hash) == 0;
    for (int t = 0; t < told->table_count; t++)
      alike = alike && header.tables[t].rows == told->tables[t].rows;
    if (!alike) disk_fail(status, "%s and its manifest tell of different states", path);
  }
  static const char *const documents[] = {"case_path", "case_text", "overrides", "meshes"};
  for (size_t i = 0; i < sizeof documents / sizeof *documents; i++)
    memory_free(hdf5_read_document(path, documents[i], status));
  state->words = header.solver;
  state->stage = header.stage;
}

// Collective. Whether the data file is what its manifest says, and of the tables of a state, whose
// step and words it sets; false on all ranks.
static bool check_file(const char *path, const Manifest *manifest, State *state, DiskStatus *status)
{
  const Hdf5Header *told = &manifest->header;
  check_tables(path, told, state, status);
  if (par_rank() == 0) check_header(path, manifest, state, status);
  for (int t = 0; t < state->table_count && !status->failed; t++) {
    const Table *table = state->tables[t];
    const int64_t rows = hdf5_header_rows(told, table->schema->name);
    if (rows >= 0) check_count(table, rows, path, manifest->file_bytes, status);
  }
  par_broadcast(&state->words, sizeof state->words, 0);
  par_broadcast(&state->stage, sizeof state->stage, 0);
  state->step = told->step;
  return agree(status);
}

// Collective. The rows of all tables; false on all ranks.
static bool read_tables(const char *path, const Manifest *manifest, State *state,
                        DiskStatus *status)
{
  for (int t = 0; t < state->table_count; t++) {
    const char *name = state->tables[t]->schema->name;
    const int64_t rows = hdf5_header_rows(&manifest->header, name);
    if (rows >= 0) read_rows(state->tables[t], path, (uint64_t)rows, manifest->file_bytes, status);
  }
  return agree(status);
}

// Collective. The hash of the state that was read against the one recorded; false on all ranks.
static bool check_hash(const char *path, const Manifest *manifest, const State *state,
                       DiskStatus *status)
{
  Hash128 recorded = {0, 0};
  hash_from_text(manifest->header.hash, &recorded);
  const Hash128 hash = state_hash(state);
  if (hash.low == recorded.low && hash.high == recorded.high) return true;
  disk_fail(status, "%s holds a state of another hash than recorded", path);
  return false;
}

bool generation_read(const char *folder, int64_t step, Manifest *manifest, State *state,
                     DiskStatus *reason)
{
  assert(step >= 0 && reason != NULL && "a generation has a step");
  *reason = (DiskStatus){0};
  const bool shared = share_manifest(folder, step, manifest, reason);
  if (!agree(reason) || !shared) return false;

  // only bytes that are proven to be ours reach the library
  char *path = generation_path(folder, RESULTS_CHECKPOINT, step);
  verify_file_blocks(path, manifest, reason);
  const bool sound = agree(reason) && check_file(path, manifest, state, reason) &&
                     read_tables(path, manifest, state, reason) && check_rows(state, reason) &&
                     check_hash(path, manifest, state, reason);
  memory_free(path);
  if (!sound) {
    manifest_end(manifest);
    state_clear(state);
  }
  return sound;
}

// ------------------------------------------------------------------------------------------------
// What there is.

// Collective. Numbers of rank 0 on every rank.
static void share_numbers(int *count, int64_t **numbers)
{
  assert(*count >= 0 && "numbers are counted");
  par_broadcast(count, sizeof *count, 0);
  if (par_rank() != 0) *numbers = memory_allocate((size_t)*count * sizeof **numbers);
  par_broadcast(*numbers, (size_t)*count * sizeof **numbers, 0);
}

Generations generation_list(const char *folder, DiskStatus *status)
{
  Generations g = {0};
  if (par_rank() == 0 && access(folder, F_OK) == 0) {
    g.count = disk_list_numbers(folder, RESULTS_MANIFEST, &g.steps, status);
    const int data = disk_list_numbers(folder, RESULTS_CHECKPOINT, &g.orphans, status);
    for (int i = 0, m = 0; i < data; i++) {
      while (m < g.count && g.steps[m] < g.orphans[i]) m++;
      if (m == g.count || g.steps[m] != g.orphans[i]) g.orphans[g.orphan_count++] = g.orphans[i];
    }
  }
  share_numbers(&g.count, &g.steps);
  share_numbers(&g.orphan_count, &g.orphans);
  return g;
}

void generation_list_end(Generations *generations)
{
  memory_free(generations->steps);
  memory_free(generations->orphans);
  *generations = (Generations){0};
}
