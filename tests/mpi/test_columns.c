// Rows brought column by column against rows gathered whole, byte by byte in the files that come of
// them; sums made while writing against sums of what is read back.
#include "columns.h"

#include <stdio.h>
#include <string.h>

#include "contacts.h"
#include "crc32c.h"
#include "harness.h"
#include "manifest.h"
#include "memory.h"
#include "parallel.h"
#include "row_spans.h"

// so many that columns have several chunks, and files several file blocks
enum { IDS = 40000, OF_A_BODY = 3 };

typedef enum {
  SCATTERED,     // owners at random
  SHUFFLED,      // and own rows of bodies in no order
  HOME,          // each where it is written
  ALL_ON_LAST,   // the other ranks have none
  FEW,           // four bodies: most ranks write nothing
  NONE           // no rows at all: no column has a place
} Scattering;

static bool is_mine(Scattering how, uint64_t id)
{
  const int size = par_size();
  if (how == NONE) return false;
  if (how == HOME) return par_rank() == (int)(id * (uint64_t)size / IDS);
  if (how == ALL_ON_LAST) return par_rank() == size - 1;
  return par_rank() == (int)(hash_mix(id, 7) % (unsigned)size);
}

static vec3 vector_of(uint64_t a, uint64_t b)
{
  return vec3_new((double)hash_mix(a, b), (double)a, -(double)b);
}

static void add_body(Bodies *b, uint64_t id)
{
  table_reserve(&b->table, b->table.count + 1);
  const int row = b->table.count++;
  b->id[row] = id;
  b->position[row] = vector_of(id, 1);
  b->orientation[row] = (quat){(double)id, 1, 2, 3};
  b->velocity[row] = vector_of(id, 2);
  b->spin[row] = vector_of(id, 3);
  b->angular[row] = vector_of(id, 4);
}

static void add_contact(Contacts *t, uint64_t low, uint32_t k)
{
  table_reserve(&t->table, t->table.count + 1);
  const int row = t->table.count++;
  t->bodies[row] = (IdPair){low, low + 1 + k / 2};
  t->parts[row] = (IndexPair){k % 2, 0};
  t->features[row] = (IndexPair){k, 9 - k};
  t->axis[row] = (IndexPair){(uint32_t)low, k};
  t->reaction[row] = vector_of(low, 10 + k);
  t->anchor[row] = vector_of(low, 20 + k);
  t->normal[row] = vector_of(low, 30 + k);
  if (!t->bond) return;
  t->bond[row] = k;
  t->anchor_high[row] = vector_of(low, 40 + k);
  t->mortar[row] = vector_of(low, 50 + k);
}

static void make_rows(Bodies *bodies, Contacts *contacts, Scattering how, bool bonds)
{
  bodies_begin(bodies);
  contacts_begin(contacts);
  if (!bonds) table_leave_out(&contacts->table, FIELD_RARE);
  const uint64_t step = how == FEW ? IDS / 3 : 1;
  for (uint64_t i = 0; i < IDS; i += step) {
    // 7919 is prime to the number of ids
    const uint64_t id = how == SHUFFLED ? i * 7919 % IDS : i;
    if (is_mine(how, id)) add_body(bodies, id);
  }
  for (uint64_t low = 0; low < IDS; low += step)
    for (uint32_t k = 0; k < OF_A_BODY && is_mine(how, low); k++) add_contact(contacts, low, k);
  bodies->table.owned = bodies->table.count;
  contacts->table.owned = contacts->table.count;
}

#define EARLY "0123456789abcdef"
#define LATE "fedcba9876543210"

// Columns of all tables with so many rows; columns[t] is the first of each.
static void begin_file(Hdf5Writer *w, const char *name, const State *state, const uint64_t *rows,
                       int *columns)
{
  hdf5_begin(w, ".", name);
  hdf5_add_integer(w, "/", "step", 5);
  for (int t = 0; t < state->table_count; t++)
    columns[t] = hdf5_add_table(w, state->tables[t], FIELD_STATE, rows[t]);
}

// The route of frames, with the text known from the beginning.
static void write_gathered(const char *name, const State *state)
{
  RowSpans spans;
  row_spans_gather(&spans, state, IDS, FIELD_STATE);
  Hdf5Writer w;
  int columns[STATE_TABLES];
  uint64_t rows[STATE_TABLES];
  for (int t = 0; t < state->table_count; t++) rows[t] = spans.of[t].row_count;
  begin_file(&w, name, &spans.copies, rows, columns);
  hdf5_add_text(&w, "/", "hash", LATE);
  hdf5_lay_out(&w);
  for (int t = 0; t < state->table_count; t++)
    hdf5_write_table(&w, columns[t], spans.of[t].table, FIELD_STATE, spans.of[t].first_row);
  CHECK(hdf5_commit(&w));
  row_spans_end(&spans);
}

// The route of checkpoints; sums of file blocks on rank 0.
static uint32_t *write_by_columns(const char *name, const State *state, uint64_t *file_bytes,
                                  Arena *arena)
{
  ColumnPlan plans[STATE_TABLES];
  int columns[STATE_TABLES];
  uint64_t rows[STATE_TABLES];
  for (int t = 0; t < state->table_count; t++) {
    plans[t] = columns_of_table(state->tables[t], IDS, arena);
    rows[t] = plans[t].row_count;
  }
  Hdf5Writer w;
  begin_file(&w, name, state, rows, columns);
  hdf5_add_text(&w, "/", "hash", EARLY);
  FileBlockSums sums;
  hdf5_sum_file_blocks(&w, &sums);
  hdf5_lay_out(&w);
  for (int t = 0; t < state->table_count; t++)
    columns_write(&plans[t], FIELD_STATE, &w, columns[t], arena);
  hdf5_change_text(&w, "/", "hash", LATE);
  CHECK(hdf5_commit(&w));
  uint32_t *file_blocks = file_block_sums_gather(&sums, arena);
  *file_bytes = sums.file_bytes;
  file_block_sums_end(&sums);
  return file_blocks;
}

// Rank 0. The files are alike, and the sums are theirs.
static void compare_files(const char *name, const char *reference, const uint32_t *sums,
                          uint64_t file_bytes)
{
  DiskStatus status = {0};
  size_t bytes = 0, reference_bytes = 0;
  char *file = disk_read_whole(name, 1 << 30, &bytes, &status);
  char *expected = disk_read_whole(reference, 1 << 30, &reference_bytes, &status);
  if (CHECK(!status.failed) && CHECK(bytes == reference_bytes) && CHECK(bytes == file_bytes)) {
    CHECK(memcmp(file, expected, bytes) == 0);
    for (uint64_t b = 0; b < file_block_sums_count(bytes); b++) {
      const uint64_t begin = b * FILE_BLOCK_BYTES, left = bytes - begin;
      const size_t count = (size_t)(left < FILE_BLOCK_BYTES ? left : FILE_BLOCK_BYTES);
      CHECK(sums[b] == crc32c(0, file + begin, count));
    }
  }
  memory_free(file);
  memory_free(expected);
}

static void test_files(Scattering how, bool bonds)
{
  Bodies bodies = {0};
  Contacts contacts = {0};
  make_rows(&bodies, &contacts, how, bonds);
  State state = {0};
  state_add(&state, &bodies.table);
  state_add(&state, &contacts.table);
  char name[64], reference[64];
  snprintf(name, sizeof name, "columns-%d-of-%d.h5", (int)how, par_size());
  snprintf(reference, sizeof reference, "gathered-%d-of-%d.h5", (int)how, par_size());
  Arena arena = arena_new();
  write_gathered(reference, &state);
  uint64_t file_bytes;
  const uint32_t *sums = write_by_columns(name, &state, &file_bytes, &arena);
  CHECK(how >= FEW || file_bytes > 10 * FILE_BLOCK_BYTES);
  if (par_rank() == 0) {
    compare_files(name, reference, sums, file_bytes);
    DiskStatus status = {0};
    disk_remove(".", name, &status);
    disk_remove(".", reference, &status);
  }
  arena_destroy(&arena);
  contacts_end(&contacts);
  bodies_end(&bodies);
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  for (Scattering how = SCATTERED; how <= NONE; how++) {
    test_files(how, true);
    test_files(how, false);
  }
  CHECK(memory_live_bytes() == 0);
  const int code = test_report_parallel();
  par_end();
  return code;
}
