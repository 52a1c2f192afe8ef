// Checkpoints: everything comes back on any number of ranks, and any damage is seen and passed
// over.
#include "checkpoint.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness.h"
#include "sample_state.h"

typedef struct {
  Arena arena;
  Case c;
  Results results;
  Bodies bodies;
  Contacts contacts;
} Sample;

static const char *folder;

static void begin(Sample *s)
{
  memset(s, 0, sizeof *s);
  s->arena = arena_new();
  s->c = sample_case(&s->arena);
  bodies_begin(&s->bodies);
  contacts_begin(&s->contacts);
  CHECK(results_open(&s->results, folder, RESULTS_OVERWRITE) == EXIT_DONE);
  CHECK(results_replace(&s->results));
}

static void end(Sample *s)
{
  results_close(&s->results);
  contacts_end(&s->contacts);
  bodies_end(&s->bodies);
  arena_destroy(&s->arena);
}

static State state_of(Sample *s, int64_t step)
{
  sample_rows(&s->c, &s->bodies, &s->contacts, step, 17);
  return sample_state(&s->bodies, &s->contacts, step);
}

static bool write_step(Sample *s, int64_t step)
{
  const State state = state_of(s, step);
  return checkpoint_write(&s->results, &s->c, &state);
}

static CheckpointStatus read_newest(Sample *s, CheckpointHeader *header)
{
  State state = sample_state(&s->bodies, &s->contacts, 0);
  const CheckpointStatus status = checkpoint_read(folder, &s->c, NULL, &state, header);
  if (status != CHECKPOINT_READ) return status;
  const StateWords words = sample_words(header->step);
  CHECK(state.step == header->step && memcmp(&state.words, &words, sizeof words) == 0);
  return status;
}

// Rows of a table in the first sound generation.
static uint64_t rows_in(const CheckpointSurvey *survey, const char *name)
{
  for (int t = 0; t < survey->table_count; t++)
    if (strcmp(survey->tables[t].name, name) == 0) return (uint64_t)survey->tables[t].rows;
  return UINT64_MAX;
}

// The status, and the step when a checkpoint was read.
static bool reads_step(Sample *s, int64_t step)
{
  CheckpointHeader header = {.step = -1};
  return read_newest(s, &header) == CHECKPOINT_READ && header.step == step;
}

static bool is_there(const char *name)
{
  char *path = disk_path(folder, name);
  int there = access(path, F_OK) == 0;
  par_broadcast(&there, sizeof there, 0);
  memory_free(path);
  return there;
}

// Every row of a body or contact compared with what the ids say, bit by bit.
static void check_rows(Sample *s, int64_t step)
{
  const uint64_t first = id_range_first(s->c.body_count, par_rank(), par_size());
  const uint64_t last = id_range_first(s->c.body_count, par_rank() + 1, par_size());
  Bodies expected = {0};
  bodies_begin(&expected);
  table_reserve(&expected.table, 1);
  int i = 0;
  for (uint64_t id = first; id < last; id++) {
    if (!sample_is_there(&s->c, id, step)) continue;
    if (!CHECK(i < s->bodies.table.owned)) break;
    sample_body(&s->c, &expected, 0, id, step);
    for (int f = 0; f < expected.table.schema->field_count; f++) {
      const Field *field = &expected.table.schema->fields[f];
      // the caller's
      if (strcmp(field->name, "mass") == 0 || (field->flags & FIELD_CARRIED)) continue;
      if (!table_has(&expected.table, field)) continue;
      CHECK(memcmp(table_at(&expected.table, field, 0), table_at(&s->bodies.table, field, i),
                   field->row_bytes) == 0);
    }
    i++;
  }
  CHECK(s->bodies.table.owned == i && s->bodies.table.count == i);
  bodies_end(&expected);

  // the contacts of the pairs whose lower dynamic body is here, in key order
  Contacts point = {0};
  contacts_begin(&point);
  table_reserve(&point.table, 1);
  int row = 0;
  for (uint64_t low = 0; low + 1 < s->c.body_count; low++) {
    const uint64_t home = scene_body(&s->c, low).drive == DRIVE_FIXED ? low + 1 : low;
    if (home < first || home >= last) continue;
    for (int k = 0; k < sample_points(&s->c, low, step); k++, row++) {
      sample_contact(&point, 0, low, k, step);
      for (int f = 0; f < point.table.schema->field_count && row < s->contacts.table.owned; f++) {
        const Field *field = &point.table.schema->fields[f];
        if (!(field->flags & FIELD_STATE)) continue;
        CHECK(memcmp(table_at(&point.table, field, 0), table_at(&s->contacts.table, field, row),
                     field->row_bytes) == 0);
      }
    }
  }
  CHECK(s->contacts.table.owned == row && s->contacts.table.count == row);
  contacts_end(&point);
}

static void test_round_trip(void)
{
  Sample s;
  begin(&s);
  CheckpointHeader header;
  CHECK(read_newest(&s, &header) == CHECKPOINT_NONE);
  for (int64_t step = 0; step < 3; step++) {
    const State written = state_of(&s, step);
    const Hash128 hash = state_hash(&written);
    CHECK(checkpoint_write(&s.results, &s.c, &written));
    CHECK(read_newest(&s, &header) == CHECKPOINT_READ);
    CHECK(header.step == step && header.time == (double)step * s.c.step);
    CHECK(header.hash.low == hash.low && header.hash.high == hash.high);
    const Hash128 again = sample_hash(&s.bodies, &s.contacts, step);
    CHECK(again.low == hash.low && again.high == hash.high);
    check_rows(&s, step);

    CheckpointSurvey survey;
    CHECK(checkpoint_survey(folder, -1, &written, &survey) == CHECKPOINT_READ);
    CHECK(rows_in(&survey, "bodies") == s.c.body_count && survey.header.step == step);
    CHECK(rows_in(&survey, "contacts") == (uint64_t)par_sum(s.contacts.table.owned));
    CHECK(survey.count == (step > 0 ? 2 : 1) && survey.sound == 0);
    CHECK(strstr(survey.file, "checkpoint-00000000") != NULL);
    CheckpointCase carried;
    CHECK(checkpoint_case(survey.file, &carried));
    checkpoint_survey_end(&survey);
    CHECK(strcmp(carried.path, s.c.path) == 0 && strcmp(carried.text, s.c.text) == 0);
    CHECK(strcmp(carried.overrides, s.c.overrides) == 0);
    CHECK(strcmp(carried.meshes, s.c.meshes) == 0);
    checkpoint_case_end(&carried);
  }
  end(&s);
}

// Ids with gaps, from all bodies to the floor alone: what is there comes back, and a case that
// cannot have these bodies at that step is another one.
static void test_gaps(void)
{
  Sample s;
  begin(&s);
  s.c = sample_changing_case(&s.arena);
  CheckpointHeader header;
  for (int64_t step = 0; step < 10; step++) {
    CHECK(write_step(&s, step) && reads_step(&s, step));
    check_rows(&s, step);
    CheckpointSurvey survey;
    const State like = sample_state(&s.bodies, &s.contacts, step);
    CHECK(checkpoint_survey(folder, step, &like, &survey) == CHECKPOINT_READ && survey.count == 1);
    CHECK(rows_in(&survey, "bodies") == sample_count(&s.c, step));
    CHECK(rows_in(&survey, "bodies") == (uint64_t)par_sum(s.bodies.table.owned));
    CHECK(rows_in(&survey, "contacts") == (uint64_t)par_sum(s.contacts.table.owned));
    checkpoint_survey_end(&survey);
  }
  CHECK(sample_count(&s.c, 9) == 1 && sample_count(&s.c, 5) > 3 && sample_count(&s.c, 5) < 12);

  // nobody leaves without a domain
  CHECK(write_step(&s, 5) && reads_step(&s, 5));
  s.c.domain.given = false;
  CHECK(read_newest(&s, &header) == CHECKPOINT_OTHER_CASE && s.bodies.table.count == 0);
  s.c.domain.given = true;

  // bodies that are yet to come are not there; nor are more than the case has
  const double birth = s.c.groups[1].birth;
  s.c.groups[1].birth = 0.5;
  CHECK(read_newest(&s, &header) == CHECKPOINT_OTHER_CASE);
  s.c.groups[1].birth = birth;
  s.c.groups[1].count[0] = s.c.groups[1].count[1] = 1;
  CHECK(scene_prepare(&s.c) == NULL);
  CHECK(read_newest(&s, &header) == CHECKPOINT_OTHER_CASE);
  s.c.groups[1].count[0] = 3;
  s.c.groups[1].count[1] = 2;
  CHECK(scene_prepare(&s.c) == NULL && reads_step(&s, 5));
  check_rows(&s, 5);
  end(&s);
}

static void test_two_generations(void)
{
  Sample s;
  begin(&s);
  for (int64_t step = 10; step <= 40; step += 10) CHECK(write_step(&s, step));
  CHECK(!is_there("checkpoint-000000020.h5") && !is_there("checkpoint-000000020.manifest"));
  CHECK(is_there("checkpoint-000000030.h5") && is_there("checkpoint-000000030.manifest"));
  CHECK(is_there("checkpoint-000000040.h5") && is_there("checkpoint-000000040.manifest"));
  CHECK(write_step(&s, 40));   // the same again changes nothing
  CHECK(is_there("checkpoint-000000030.manifest") && reads_step(&s, 40));
  end(&s);
}

// Rank 0 changes a file: a negative length keeps it, flip < 0 flips no bit.
static void damage(const char *name, long length, long flip)
{
  if (par_rank() == 0) {
    char *path = disk_path(folder, name);
    FILE *file = fopen(path, "r+b");
    CHECK(file != NULL);
    if (file && flip >= 0) {
      fseek(file, flip / 8, SEEK_SET);
      const int byte = fgetc(file);
      fseek(file, flip / 8, SEEK_SET);
      fputc(byte ^ 1 << flip % 8, file);
    }
    if (file) fclose(file);
    if (length >= 0) CHECK(truncate(path, length) == 0);
    memory_free(path);
  }
  par_barrier();
}

static long size_of(const char *name)
{
  long size = 0;
  if (par_rank() == 0) {
    char *path = disk_path(folder, name);
    FILE *file = fopen(path, "rb");
    if (file) {
      fseek(file, 0, SEEK_END);
      size = ftell(file);
      fclose(file);
    }
    memory_free(path);
  }
  par_broadcast(&size, sizeof size, 0);
  return size;
}

// One bit anywhere in the data file or the manifest, or an early end, sends us to the generation
// before.
static void test_damage(void)
{
  Sample s;
  begin(&s);
  CHECK(write_step(&s, 1) && write_step(&s, 2));
  const char *const names[] = {"checkpoint-000000002.h5", "checkpoint-000000002.manifest"};
  for (int n = 0; n < 2; n++) {
    const long size = size_of(names[n]);
    CHECK(size > 400);
    for (int i = 0; i < 12; i++) {
      const long bit =
          i == 0 ? 8 * size - 1 : (long)(hash_mix((uint64_t)i, (uint64_t)n) % (uint64_t)(8 * size));
      damage(names[n], -1, bit);
      CHECK(reads_step(&s, 1));
      damage(names[n], -1, bit);
    }
    CHECK(reads_step(&s, 2));
  }
  damage(names[0], size_of(names[0]) - 1, -1);
  CHECK(reads_step(&s, 1));
  check_rows(&s, 1);

  // a damaged generation is not kept in place of a sound one, neither when this run did not write
  // it
  s.results.last_checkpoint = -1;
  CHECK(write_step(&s, 3));
  CHECK(is_there("checkpoint-000000001.manifest") && !is_there("checkpoint-000000002.manifest"));
  CHECK(!is_there("checkpoint-000000002.h5") && reads_step(&s, 3));

  // a manifest cut to nothing, then nothing valid at all
  damage("checkpoint-000000003.manifest", 0, -1);
  CHECK(reads_step(&s, 1));
  damage("checkpoint-000000001.h5", 100, -1);
  CheckpointHeader header;
  CHECK(read_newest(&s, &header) == CHECKPOINT_DAMAGED);
  CHECK(s.bodies.table.count == 0 && s.contacts.table.count == 0);
  end(&s);
}

// A file of several file blocks, each summed by another rank.
static void test_many_file_blocks(void)
{
  Sample s;
  begin(&s);
  s.c.groups[1].count[0] = s.c.groups[1].count[1] = s.c.groups[1].count[2] = 24;
  CHECK(scene_prepare(&s.c) == NULL);
  CHECK(write_step(&s, 1) && write_step(&s, 2));
  const long size = size_of("checkpoint-000000002.h5");
  CHECK(size > 3 << 20);
  CHECK(reads_step(&s, 2));
  check_rows(&s, 2);
  for (long byte = 5000; byte < size; byte += 700000) {
    damage("checkpoint-000000002.h5", -1, 8 * byte);
    CHECK(reads_step(&s, 1));
    damage("checkpoint-000000002.h5", -1, 8 * byte);
  }
  CHECK(reads_step(&s, 2));
  end(&s);
}

static void remove_file(const char *name)
{
  DiskStatus status = {0};
  if (par_rank() == 0) disk_remove(folder, name, &status);
  CHECK(!status.failed);
  par_barrier();
}

// Without a manifest a checkpoint is not complete; two such files were once more than that.
static void test_missing_files(void)
{
  Sample s;
  begin(&s);
  CheckpointHeader header;
  CHECK(write_step(&s, 1));
  remove_file("checkpoint-000000001.manifest");
  CHECK(read_newest(&s, &header) == CHECKPOINT_NONE);
  CHECK(write_step(&s, 1) && write_step(&s, 2));
  remove_file("checkpoint-000000002.h5");
  CHECK(reads_step(&s, 1));
  CHECK(write_step(&s, 2) && reads_step(&s, 2));
  remove_file("checkpoint-000000001.manifest");
  remove_file("checkpoint-000000002.manifest");
  CHECK(read_newest(&s, &header) == CHECKPOINT_DAMAGED);
  end(&s);
}

static void test_other_case(void)
{
  Sample s;
  begin(&s);
  CHECK(write_step(&s, 5));
  s.c.groups[1].count[0]++;
  CHECK(scene_prepare(&s.c) == NULL);
  CheckpointHeader header;
  CHECK(read_newest(&s, &header) == CHECKPOINT_OTHER_CASE && s.bodies.table.count == 0);
  end(&s);
}

// A rank that may not write beyond a size stands for a full disk: the run learns of it and loses
// nothing.
static void test_full_disk(int rank, rlim_t bytes)
{
  Sample s;
  begin(&s);
  CHECK(write_step(&s, 1));
  struct rlimit before;
  CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const struct rlimit low = {bytes, before.rlim_max};
  if (par_rank() == rank) CHECK(setrlimit(RLIMIT_FSIZE, &low) == 0);
  const bool written = write_step(&s, 2);
  CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
  CHECK(!written);
  CHECK(!is_there("checkpoint-000000002.h5.tmp") && !is_there("checkpoint-000000002.manifest"));
  CHECK(!is_there("checkpoint-000000002.manifest.tmp"));
  CHECK(reads_step(&s, 1));
  CHECK(write_step(&s, 2) && reads_step(&s, 2));
  end(&s);
}

static void test_folder(void)
{
  Sample s;
  begin(&s);
  CHECK(write_step(&s, 1));
  Results second;

  // locked, then held back, then given for a restart and swept clean
  CHECK(results_open(&second, folder, RESULTS_OVERWRITE) == EXIT_USER);
  results_close(&s.results);
  par_barrier();
  CHECK(results_open(&second, folder, RESULTS_FRESH) == EXIT_USER);
  if (par_rank() == 0) {
    DiskStatus status = {0};
    disk_replace(folder, "notes.txt", "mine\n", 5, &status);
    disk_replace(folder, "frame-000001.h5.tmp", "half", 4, &status);
    CHECK(!status.failed);
  }
  par_barrier();
  CHECK(results_open(&second, folder, RESULTS_RESTART) == EXIT_DONE);
  CHECK(is_there("frame-000001.h5.tmp") && is_there("checkpoint-000000001.h5"));
  CHECK(results_resume(&second, 1));
  CHECK(!is_there("frame-000001.h5.tmp") && is_there("checkpoint-000000001.h5"));
  results_close(&second);
  par_barrier();
  CHECK(results_open(&second, folder, RESULTS_OVERWRITE) == EXIT_DONE);
  CHECK(is_there("checkpoint-000000001.h5") && results_replace(&second));
  CHECK(!is_there("checkpoint-000000001.h5") && !is_there("checkpoint-000000001.manifest") &&
        is_there("notes.txt"));
  results_close(&second);
  par_barrier();
  CHECK(results_open(&second, folder, RESULTS_FRESH) == EXIT_DONE);
  results_close(&second);

  // folders above are made; a file in the way is an error of the disk
  par_barrier();
  char deep[300];
  snprintf(deep, sizeof deep, "%s/a/b/c/", folder);
  CHECK(results_open(&second, deep, RESULTS_FRESH) == EXIT_DONE);
  results_close(&second);
  snprintf(deep, sizeof deep, "%s/notes.txt/b", folder);
  CHECK(results_open(&second, deep, RESULTS_FRESH) == EXIT_IO);
  end(&s);
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  signal(SIGXFSZ, SIG_IGN);
  char name[64];
  snprintf(name, sizeof name, "checkpoint-results-%d", par_size());
  folder = name;
  test_round_trip();
  test_gaps();
  test_two_generations();
  test_damage();
  test_many_file_blocks();
  test_missing_files();
  test_other_case();
  test_full_disk(0, 512);
  test_full_disk(0, 6000);
  test_full_disk(par_size() - 1, 2048);
  test_folder();
  const int64_t live = memory_live_bytes();
  CHECK(live == 0);
  const int code = test_report_parallel();
  par_end();
  return code;
}
