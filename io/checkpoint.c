#include "checkpoint.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "blocks.h"
#include "body_block.h"
#include "crc32c.h"
#include "hdf5_reader.h"
#include "hdf5_writer.h"
#include "log.h"
#include "manifest.h"
#include "memory.h"
#include "parallel.h"
#include "scene.h"
#include "state_hash.h"

#define FORMAT "drystone checkpoint"
enum { FORMAT_VERSION = 2 };

#define MANIFEST_LIMIT \
  ((size_t)1 << 30)   // bytes; a checkpoint of 100 TB has a manifest of this size

static char *numbered_path(const char *folder, NumberedName kind, int64_t step)
{
  char *name = disk_numbered(kind, step), *path = disk_path(folder, name);
  memory_free(name);
  return path;
}

static void remove_numbered(const char *folder, NumberedName kind, int64_t step, DiskStatus *status)
{
  char *name = disk_numbered(kind, step);
  disk_remove(folder, name, status);
  memory_free(name);
}

// ------------------------------------------------------------------------------------------------
// Checksums, each rank those of a contiguous piece of the file.

static uint64_t first_block(uint64_t block_count, int rank)
{
  return body_block_first(block_count, rank, par_size());
}

// CRC-32C of this rank's blocks, as many as first_block says.
static void sum_blocks(int file, const char *path, uint64_t file_bytes, uint32_t *sums,
                       DiskStatus *status)
{
  const uint64_t count = manifest_block_count(file_bytes), first = first_block(count, par_rank());
  const uint64_t end = first_block(count, par_rank() + 1);
  char *block = memory_allocate(MANIFEST_BLOCK);
  for (uint64_t b = first; b < end && !status->failed; b++) {
    const uint64_t begin = b * MANIFEST_BLOCK, left = file_bytes - begin;
    const size_t bytes = (size_t)(left < MANIFEST_BLOCK ? left : MANIFEST_BLOCK);
    disk_read_at(file, path, block, bytes, begin, status);
    if (!status->failed) sums[b - first] = crc32c(0, block, bytes);
  }
  memory_free(block);
}

// Collective. Compares size and blocks of the data file with the manifest, which all ranks have.
static void verify_blocks(const char *path, const Manifest *manifest, DiskStatus *status)
{
  const uint64_t first = first_block(manifest->block_count, par_rank());
  const uint64_t end = first_block(manifest->block_count, par_rank() + 1);
  uint32_t *sums = memory_allocate((size_t)(end - first) * sizeof *sums);
  const int file = disk_open_read(path, status);
  const uint64_t size = disk_size(file, path, status);
  if (!status->failed && size != manifest->file_bytes)
    disk_fail(status, "%s has %" PRIu64 " bytes, its manifest says %" PRIu64, path, size,
              manifest->file_bytes);
  sum_blocks(file, path, manifest->file_bytes, sums, status);
  for (uint64_t b = first; b < end && !status->failed; b++)
    if (sums[b - first] != manifest->blocks[b])
      disk_fail(status,
                "%s: block %" PRIu64 " of %" PRIu64 " has another checksum than its manifest says",
                path, b + 1, manifest->block_count);
  if (file >= 0) close(file);
  memory_free(sums);
}

// Collective. Reads a manifest on rank 0 and hands it to everybody; false everywhere when it is not
// sound.
static bool share_manifest(const char *folder, int64_t step, Manifest *manifest, DiskStatus *status)
{
  *manifest = (Manifest){0};
  if (par_rank() == 0) {
    char *path = numbered_path(folder, RESULTS_MANIFEST, step);
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
  uint32_t *blocks = manifest->blocks;
  par_broadcast(manifest, sizeof *manifest, 0);
  if (par_rank() != 0) blocks = memory_allocate((size_t)manifest->block_count * sizeof *blocks);
  manifest->blocks = blocks;
  par_broadcast(blocks, (size_t)manifest->block_count * sizeof *blocks, 0);
  return true;
}

// Collective. True when manifest and blocks of a generation are sound; hash: the one expected, or
// NULL for any.
static bool is_sound(const char *folder, int64_t step, const Hash128 *hash)
{
  DiskStatus status = {0};
  Manifest manifest;
  if (!share_manifest(folder, step, &manifest, &status)) return false;
  char *path = numbered_path(folder, RESULTS_CHECKPOINT, step), text[33];
  verify_blocks(path, &manifest, &status);
  if (hash) {
    hash_to_text(*hash, text);
    if (strcmp(text, manifest.header.hash) != 0) disk_fail(&status, "%s holds another state", path);
  }
  memory_free(path);
  manifest_end(&manifest);
  return par_all(!status.failed);
}

// ------------------------------------------------------------------------------------------------
// Writing.

// Collective. The data file alone.
static bool write_data(const Results *results, const Case *c, const Hdf5Header *header,
                       const Blocks *blocks)
{
  char *name = disk_numbered(RESULTS_CHECKPOINT, header->step);
  Hdf5Writer writer;
  hdf5_begin(&writer, results->path, name);
  hdf5_add_provenance(&writer, FORMAT, FORMAT_VERSION, c);
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
  char *path = numbered_path(results->path, RESULTS_CHECKPOINT, header->step);
  const int file = disk_open_read(path, &status);
  uint64_t size = disk_size(file, path, &status);
  par_broadcast(&size, sizeof size, 0);
  const uint64_t count = manifest_block_count(size);
  const size_t own = (size_t)(first_block(count, par_rank() + 1) - first_block(count, par_rank()));
  Arena arena = arena_new();
  uint32_t *sums = arena_allocate_zero(&arena, own, sizeof *sums);
  sum_blocks(file, path, size, sums, &status);
  if (file >= 0) close(file);
  memory_free(path);

  bool ok = all_ok(!status.failed, "cannot read back %s", status.reason);
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
  return all_ok(!status.failed, "cannot write %s", status.reason) && ok;
}

// Local. Removes every file of a kind but those of two steps.
static void remove_others(const char *folder, NumberedName kind, int64_t newest, int64_t previous,
                          DiskStatus *status)
{
  int64_t *steps;
  const int count = disk_list_numbers(folder, kind, &steps, status);
  for (int i = 0; i < count; i++)
    if (steps[i] != newest && steps[i] != previous) remove_numbered(folder, kind, steps[i], status);
  memory_free(steps);
}

// Collective. The newest generation before a step that has a manifest, -1 without any.
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
  }
  par_broadcast(&found, sizeof found, 0);
  return found;
}

// Collective. Keeps the newest generation and the sound one before it.
static void prune(const Results *results, int64_t newest)
{
  // what this run wrote is sound; what it found may be damaged, and shall not be kept in place of a
  // sound one
  int64_t previous = generation_before(results->path, newest);
  while (previous >= 0 && previous != results->last_checkpoint &&
         !is_sound(results->path, previous, NULL))
    previous = generation_before(results->path, previous);
  if (par_rank() != 0) return;
  DiskStatus status = {0};
  remove_others(results->path, RESULTS_MANIFEST, newest, previous, &status);
  remove_others(results->path, RESULTS_CHECKPOINT, newest, previous, &status);
  if (status.failed) log_warning("old checkpoints stay: %s", status.reason);
}

bool checkpoint_write(Results *results, const Case *c, const CheckpointHeader *header,
                      const Bodies *bodies, const Contacts *contacts)
{
  // the end of a run may be where its checkpoint was made already; another state under that name
  // goes first
  if (!is_sound(results->path, header->step, &header->hash)) {
    DiskStatus status = {0};
    if (par_rank() == 0) remove_numbered(results->path, RESULTS_MANIFEST, header->step, &status);
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
  prune(results, header->step);
  results->last_checkpoint = header->step;
  return true;
}

// ------------------------------------------------------------------------------------------------
// Reading.

// Rank 0. Where the columns of a table lie in the file, all of them inside it.
static void locate_rows(const Table *table, const char *path, uint64_t rows, uint64_t file_bytes,
                        uint64_t *offsets, DiskStatus *status)
{
  if (rows / (uint64_t)par_size() >= INT32_MAX)
    disk_fail(status, "%s: more rows in /%s than %d ranks can hold", path, table->name, par_size());
  hdf5_locate_table(path, table, FIELD_STATE, rows, offsets, status);
  for (int f = 0; f < table->field_count && !status->failed; f++)
    if (offsets[f] > file_bytes || rows > (file_bytes - offsets[f]) / table->fields[f].row_bytes)
      disk_fail(status, "%s: /%s/%s is not inside the file", path, table->name,
                table->fields[f].name);
}

// Collective. Reads rows of a table: this rank's piece of all; none when rank 0 found them unsound,
// also before the call. Needs no case.
static void read_rows(Table *table, const char *path, uint64_t rows, uint64_t file_bytes,
                      DiskStatus *status)
{
  uint64_t *offsets = memory_allocate_zero((size_t)table->field_count, sizeof *offsets);
  if (par_rank() == 0) locate_rows(table, path, rows, file_bytes, offsets, status);
  bool located = !status->failed;
  par_broadcast(&located, sizeof located, 0);
  par_broadcast(offsets, (size_t)table->field_count * sizeof *offsets, 0);
  if (!located) rows = 0;   // a number that nothing stands behind asks for no memory

  const uint64_t first = body_block_first(rows, par_rank(), par_size());
  const int count = (int)(body_block_first(rows, par_rank() + 1, par_size()) - first);
  table_reserve(table, count);
  table->owned = table->count = count;
  const int file = disk_open_read(path, status);
  for (int f = 0; f < table->field_count && count > 0; f++) {
    const Field *field = &table->fields[f];
    const size_t bytes = (size_t)count * field->row_bytes;
    assert(table_has(table, field) && "rows are read whole");
    memset(table_at(table, field, 0), 0, bytes);
    if (!(field->flags & FIELD_STATE)) continue;
    disk_read_at(file, path, table_at(table, field, 0), bytes,
                 offsets[f] + first * field->row_bytes, status);
  }
  if (file >= 0) close(file);
  memory_free(offsets);
}

// Collective. Everything the rows say of each other, before anything relies on it; rows are this
// rank's piece of each table.
static void check_rows(const Bodies *bodies, const Contacts *contacts, DiskStatus *status)
{
  // ids ascend, also from the last row of one rank to the first of the next that has rows
  const int rows = status->failed ? 0 : bodies->table.owned;
  const uint64_t mine = rows > 0 ? bodies->id[rows - 1] + 1 : 0;
  uint64_t *ends = memory_allocate((size_t)par_size() * sizeof *ends);
  par_all_gather(&mine, sizeof mine, ends);
  uint64_t least = 0, end = 0;
  for (int r = 0; r < par_size(); r++) {
    if (r < par_rank() && ends[r] > least) least = ends[r];
    if (ends[r] > end) end = ends[r];
  }
  memory_free(ends);
  for (int i = 0; i < rows && !status->failed; i++) {
    if (bodies->id[i] < least) disk_fail(status, "body ids are not in order");
    least = bodies->id[i] + 1;
  }
  for (int i = 0; i < contacts->table.owned && !status->failed; i++)
    if (contacts->bodies[i].low >= contacts->bodies[i].high || contacts->bodies[i].high >= end)
      disk_fail(status, "a contact is between bodies that are none");
}

// Rank 0. Header and case of a data file: they must be readable, and tell of what the manifest
// does.
static void check_header(const char *path, const Manifest *manifest, Hdf5Header *header,
                         DiskStatus *status)
{
  const Hdf5Header *said = &manifest->header;
  hdf5_read_header(path, FORMAT, FORMAT_VERSION, header, status);
  if (!status->failed &&
      (header->step != said->step || header->time != said->time || header->bodies != said->bodies ||
       header->contacts != said->contacts || strcmp(header->hash, said->hash) != 0))
    disk_fail(status, "%s and its manifest tell of different states", path);
  static const char *const documents[] = {"case_path", "case_text", "overrides"};
  for (int i = 0; i < 3; i++) memory_free(hdf5_read_document(path, documents[i], status));
}

// Collective. Verifies one generation and reads its rows. False on all ranks after one message.
static bool read_generation(const char *folder, int64_t step, Manifest *manifest, Bodies *bodies,
                            Contacts *contacts)
{
  DiskStatus status = {0};
  char *path = numbered_path(folder, RESULTS_CHECKPOINT, step);
  const bool shared = share_manifest(folder, step, manifest, &status);
  if (shared) verify_blocks(path, manifest, &status);

  // only bytes that are proven to be ours reach the library
  bool sound = all_ok(shared && !status.failed, "the checkpoint of step %" PRId64 " is damaged: %s",
                      step, status.reason);
  if (sound) {
    Hdf5Header header = {0};
    if (par_rank() == 0) check_header(path, manifest, &header, &status);
    par_broadcast(&header.solver, sizeof header.solver, 0);
    manifest->header.solver = header.solver;
    read_rows(&bodies->table, path, (uint64_t)manifest->header.bodies, manifest->file_bytes,
              &status);
    read_rows(&contacts->table, path, (uint64_t)manifest->header.contacts, manifest->file_bytes,
              &status);
    check_rows(bodies, contacts, &status);
    Hash128 recorded = {0, 0};
    hash_from_text(manifest->header.hash, &recorded);
    const Hash128 hash = hash_add(par_sum_hash(state_hash_rows(bodies, contacts)),
                                  state_hash_step(step, &manifest->header.solver));
    if (hash.low != recorded.low || hash.high != recorded.high)
      disk_fail(&status, "%s holds a state of another hash than recorded", path);
    sound = all_ok(!status.failed, "the checkpoint of step %" PRId64 " is damaged: %s", step,
                   status.reason);
  }
  memory_free(path);
  if (!sound) {
    manifest_end(manifest);
    bodies->table.owned = bodies->table.count = 0;
    contacts->table.owned = contacts->table.count = 0;
  }
  return sound;
}

// Collective. Steps of all manifests, ascending, on every rank (memory_free). damaged: data files
// tell of checkpoints that lost their manifests; one alone may just not have been completed.
static int list_generations(const char *folder, int64_t **steps, bool *damaged)
{
  int count = 0;
  *damaged = false;
  *steps = NULL;
  DiskStatus status = {0};
  if (par_rank() == 0 && access(folder, F_OK) == 0) {
    int64_t *data;
    const int data_count = disk_list_numbers(folder, RESULTS_CHECKPOINT, &data, &status);
    memory_free(data);
    count = disk_list_numbers(folder, RESULTS_MANIFEST, steps, &status);
    *damaged = count == 0 && (data_count > 1 || status.failed);
  }
  all_ok(!status.failed, "cannot look for checkpoints: %s", status.reason);
  par_broadcast(&count, sizeof count, 0);
  par_broadcast(damaged, sizeof *damaged, 0);
  if (par_rank() != 0) *steps = memory_allocate((size_t)count * sizeof **steps);
  par_broadcast(*steps, (size_t)count * sizeof **steps, 0);
  return count;
}

// Collective. The newest generation that is sound.
static CheckpointStatus read_newest(const char *folder, Manifest *manifest, Bodies *bodies,
                                    Contacts *contacts)
{
  int64_t *steps;
  bool damaged;
  const int count = list_generations(folder, &steps, &damaged);
  if (damaged) all_ok(false, "the checkpoints in %s have lost their manifests", folder);
  CheckpointStatus result = count > 0 || damaged ? CHECKPOINT_DAMAGED : CHECKPOINT_NONE;
  for (int i = count - 1; i >= 0 && result != CHECKPOINT_READ; i--)
    if (read_generation(folder, steps[i], manifest, bodies, contacts)) result = CHECKPOINT_READ;
  memory_free(steps);
  return result;
}

static CheckpointHeader header_of(const Manifest *manifest)
{
  CheckpointHeader header = {.step = manifest->header.step,
                             .time = manifest->header.time,
                             .solver = manifest->header.solver};
  hash_from_text(manifest->header.hash, &header.hash);
  return header;
}

// Collective. Bodies to the rank that holds the block of their ids.
static void send_bodies_home(const Case *c, Bodies *bodies)
{
  Arena arena = arena_new();
  const int rows = bodies->table.owned;
  int *ranks = arena_allocate(&arena, (size_t)rows * sizeof *ranks);
  for (int i = 0; i < rows; i++)
    ranks[i] = body_block_rank(c->body_count, bodies->id[i], par_size());
  const unsigned flags = FIELD_STATE | FIELD_SCENE;
  const Messages received = blocks_exchange(&bodies->table, rows, ranks, flags, &arena);
  bodies->table.owned = bodies->table.count = 0;
  for (int m = 0; m < received.count; m++)   // by rank, and so by id
    blocks_append(&bodies->table, &received.messages[m], flags);
  arena_destroy(&arena);
}

// Collective. Contacts to the block of their lower-id dynamic body, which will own them.
static void send_contacts_home(const Case *c, Contacts *contacts)
{
  Arena arena = arena_new();
  const int rows = contacts->table.owned;
  int *ranks = arena_allocate(&arena, (size_t)rows * sizeof *ranks);
  for (int i = 0; i < rows; i++) {
    const IdPair pair = contacts->bodies[i];
    const uint64_t id = scene_body(c, pair.low).kind == BODY_DYNAMIC ? pair.low : pair.high;
    ranks[i] = body_block_rank(c->body_count, id, par_size());
  }
  const unsigned flags =
      FIELD_STATE | FIELD_SCENE;   // what follows from the step is zero there, and stays so
  const Messages received = blocks_exchange(&contacts->table, rows, ranks, flags, &arena);
  contacts->table.owned = contacts->table.count = 0;
  for (int m = 0; m < received.count; m++)
    blocks_append(&contacts->table, &received.messages[m], flags);
  contacts_sort(contacts, 0, contacts->table.owned);
  arena_destroy(&arena);
}

// Collective. Whether the bodies read are those that the case has after that many steps: none that
// it does not have or that is yet to come; all others, but those that may have left its domain.
static bool has_bodies_of_case(const Case *c, int64_t step, const char *folder,
                               const Bodies *bodies, int64_t row_count)
{
  const uint64_t born = scene_born(c, step), rows = (uint64_t)row_count;
  bool fits = rows == born || (rows < born && c->has_domain);
  for (int i = 0; i < bodies->table.owned && fits; i++) {
    const uint64_t id = bodies->id[i];
    fits = id < c->body_count && scene_birth(c, id) < (step > 0 ? step : 1);
  }
  return all_ok(par_all(fits),
                "the checkpoint of step %" PRId64 " in %s has %" PRId64
                " bodies, and they are not those of the case, which has %" PRIu64
                " by then: give the case it was made from, or another folder",
                step, folder, row_count, born);
}

// Collective. The time of the checkpoint is that of its step in this case: steps are counted.
static bool has_step_of_case(const Case *c, const CheckpointHeader *header, const char *folder)
{
  const double time = (double)header->step * c->step;
  return all_ok(header->time == time,
                "the checkpoint of step %" PRId64 " in %s is at t %.9g s, which with the time.step "
                "of the case, %.9g s, would be %.9g s: keep the step it was made with, or choose "
                "another folder",
                header->step, folder, header->time, c->step, time);
}

// Lines joined by commas, in memory (memory_free).
static char *join_lines(const char *lines)
{
  char *text = memory_allocate(2 * strlen(lines) + 8), *to = text;
  for (const char *at = lines; *at; at++) {
    if (*at == '\n') {
      *to++ = ',';
      *to++ = ' ';
    } else {
      *to++ = *at;
    }
  }
  *to = 0;
  if (!*lines) strcpy(text, "none");
  return text;
}

// Collective. Says which --set were given when a checkpoint was made, where others are given now.
static bool say_overrides(const char *folder, const Case *c, const CheckpointHeader *header)
{
  char *path = numbered_path(folder, RESULTS_CHECKPOINT, header->step);
  CheckpointCase carried;
  const bool read = checkpoint_case(path, &carried);
  memory_free(path);
  if (!read) return false;
  if (strcmp(carried.overrides, c->overrides) != 0) {
    char *then = join_lines(carried.overrides), *now = join_lines(c->overrides);
    log_line("--set since the checkpoint of step %" PRId64 ": was %s; is %s", header->step, then,
             now);
    memory_free(then);
    memory_free(now);
  }
  checkpoint_case_end(&carried);
  return true;
}

CheckpointStatus checkpoint_read(const char *folder, const Case *c, CheckpointHeader *header,
                                 Bodies *bodies, Contacts *contacts)
{
  Manifest manifest;
  const CheckpointStatus status = read_newest(folder, &manifest, bodies, contacts);
  if (status != CHECKPOINT_READ) return status;
  *header = header_of(&manifest);
  const bool same_case =
      has_step_of_case(c, header, folder) &&
      has_bodies_of_case(c, header->step, folder, bodies, manifest.header.bodies);
  if (same_case && manifest.case_checksum != manifest_checksum(c))
    log_warning("%s%s has changed since the checkpoint of step %" PRId64
                "; the run goes on with what it says now",
                c->path, c->mesh_checksum ? ", or a mesh it names," : "", header->step);
  manifest_end(&manifest);
  const bool said = same_case && say_overrides(folder, c, header);
  if (!said) {
    bodies->table.owned = bodies->table.count = 0;
    contacts->table.owned = contacts->table.count = 0;
    return same_case ? CHECKPOINT_DAMAGED : CHECKPOINT_OTHER_CASE;
  }

  send_bodies_home(c, bodies);
  for (int i = 0; i < bodies->table.owned; i++) {
    const BodyRecipe recipe = scene_body(c, bodies->id[i]);
    bodies->kind[i] = recipe.kind;
    bodies->material[i] = recipe.material;
    bodies->shape[i] = recipe.shape;
  }
  send_contacts_home(c, contacts);
  return CHECKPOINT_READ;
}

CheckpointStatus checkpoint_verify(const char *folder, CheckpointHeader *header,
                                   uint64_t *body_count, uint64_t *contact_count, char *file,
                                   size_t file_bytes)
{
  Bodies bodies = {0};
  Contacts contacts = {0};
  bodies_begin(&bodies);
  contacts_begin(&contacts);
  Manifest manifest;
  const CheckpointStatus status = read_newest(folder, &manifest, &bodies, &contacts);
  if (status == CHECKPOINT_READ) {
    *header = header_of(&manifest);
    *body_count = (uint64_t)manifest.header.bodies;
    *contact_count = (uint64_t)manifest.header.contacts;
    char *path = numbered_path(folder, RESULTS_CHECKPOINT, manifest.header.step);
    snprintf(file, file_bytes, "%s", path);
    memory_free(path);
    manifest_end(&manifest);
  }
  contacts_end(&contacts);
  bodies_end(&bodies);
  return status;
}

// Collective. A text of rank 0 to everybody (memory_free).
static void share_text(char **text)
{
  size_t bytes = par_rank() == 0 ? strlen(*text) + 1 : 0;
  par_broadcast(&bytes, sizeof bytes, 0);
  if (par_rank() != 0) *text = memory_allocate(bytes);
  par_broadcast(*text, bytes, 0);
}

bool checkpoint_case(const char *file, CheckpointCase *carried)
{
  *carried = (CheckpointCase){0};
  DiskStatus status = {0};
  if (par_rank() == 0) {
    carried->path = hdf5_read_document(file, "case_path", &status);
    carried->text = hdf5_read_document(file, "case_text", &status);
    carried->overrides = hdf5_read_document(file, "overrides", &status);
  }
  if (!all_ok(!status.failed, "cannot read %s", status.reason)) {
    checkpoint_case_end(carried);
    return false;
  }
  share_text(&carried->path);
  share_text(&carried->text);
  share_text(&carried->overrides);
  return true;
}

void checkpoint_case_end(CheckpointCase *carried)
{
  memory_free(carried->path);
  memory_free(carried->text);
  memory_free(carried->overrides);
  *carried = (CheckpointCase){0};
}
