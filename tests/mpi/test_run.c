// Runs after one another and beside each other in one process: with the hashes of the program,
// without a leak, and silent where a sink takes the messages.
// test: timeout 300
#include "run.h"

#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fclib.h"
#include "harness.h"
#include "kind.h"
#include "memory.h"
#include "parallel.h"
#include "run_dump.h"

#define CASE "case.yaml"
#define STEPS 30

// a pile that slides, with frames, checkpoints and a body that appears on the way
static const char *const case_text =
    "units: SI\n"
    "gravity: [0.5, 0, -9.81]\n"
    "time: {step: 2e-3, end: 0.06}\n"
    "materials: {stone: {density: 2400}}\n"
    "contacts: [{between: [stone, stone], friction: 0.4, restitution: 0.3}]\n"
    "output: {frames: {every: 0.02}, checkpoint: {steps: 20}}\n"
    "solver: {tolerance: 1e-2}\n"
    "bodies:\n"
    "  - {box: [9, 9, 1], at: [0, 0, -0.5], material: stone, fixed: true}\n"
    "  - {grid: {box: [0.2, 0.2, 0.2], count: [3, 3, 3], spacing: [0.21, 0.2, 0.201]},"
    " at: [0, 0, 0.1], material: stone}\n"
    "  - {box: [0.3, 0.3, 0.3], at: [0.2, 0.2, 1.2], birth: 0.03, material: stone}\n";

// What a sink has got.
typedef struct {
  int lines, warnings, errors;
  char last[256];
} Heard;

static void hear(void *context, LogLevel level, const char *text)
{
  Heard *heard = context;
  if (level == LOG_LINE) heard->lines++;
  if (level == LOG_WARNING) heard->warnings++;
  if (level == LOG_ERROR) heard->errors++;
  snprintf(heard->last, sizeof heard->last, "%s", text);
}

static bool is_same(Hash128 a, Hash128 b) { return a.low == b.low && a.high == b.high; }

// Output of this process goes to a file; the two descriptors that it went to.
static void catch_output(int kept[2])
{
  fflush(stdout);
  char name[64];
  snprintf(name, sizeof name, "printed.%d", par_rank());
  const int file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0600);
  for (int i = 0; i < 2; i++) {
    kept[i] = dup(1 + i);
    dup2(file, 1 + i);
  }
  close(file);
}

// Gives the output back; how many bytes were printed.
static int64_t release_output(const int kept[2])
{
  fflush(stdout);
  for (int i = 0; i < 2; i++) {
    dup2(kept[i], 1 + i);
    close(kept[i]);
  }
  char name[64];
  struct stat about;
  snprintf(name, sizeof name, "printed.%d", par_rank());
  return stat(name, &about) == 0 ? (int64_t)about.st_size : -1;
}

// A whole run; its hash at the end. The error is the run's.
static Hash128 make_run(const RunSetup *setup, RunError *error)
{
  Hash128 hash = {0};
  Run *run;
  if (!run_begin(setup, &run, error)) {
    CHECK(run == NULL && error->code != EXIT_DONE && error->text[0]);
    return hash;
  }
  RunState state;
  do state = run_step(run, error);
  while (state == RUN_GOES_ON);
  // (collective, and the ranks are those of the run only inside of it)
  if (!setup->communicator) hash = world_hash(run_world(run));
  run_end(run, error);
  return hash;
}

// The hash that the program itself ends with, on one rank; zero where it did not come.
static Hash128 program_hash(void)
{
  unsigned long long words[2] = {0, 0};
  char line[2 * 4096], program[4096];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (par_rank() == 0 && length > 0) {
    program[length] = 0;
    for (int up = 0; up < 2; up++) *strrchr(program, '/') = 0;   // from tests/ of the build
    snprintf(
        line, sizeof line,
        "env -i PATH=\"$PATH\" HOME=\"$HOME\" OMPI_MCA_pml=^cm OMPI_MCA_btl=self "
        "HWLOC_COMPONENTS=-gl OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_orte_tmpdir_base=\"$PWD\" "
        "'%s/drystone' run %s -o of_program --overwrite",
        program, CASE);
    FILE *output = popen(line, "r");
    while (output && fgets(line, sizeof line, output))
      sscanf(line, "step %*d hash %16llx%16llx", &words[0], &words[1]);
    CHECK(output && pclose(output) == 0);
  }
  par_broadcast(words, sizeof words, 0);
  return (Hash128){words[1], words[0]};
}

static Hash128 as_printed(Hash128 hash)
{
  char text[33];
  unsigned long long words[2];
  hash_to_text(hash, text);
  sscanf(text, "%16llx%16llx", &words[0], &words[1]);
  return (Hash128){words[1], words[0]};
}

// Good runs with a refusal and a failure in between.
static void test_one_after_another(Hash128 expected)
{
  const int64_t live = memory_live_bytes();
  Heard heard = {0};
  RunSetup setup = {
      .case_path = CASE, .folder = "one", .overwrite = true, .steps = -1, .sink = {hear, &heard}};
  RunError error;
  int kept[2];
  catch_output(kept);
  const Hash128 first = make_run(&setup, &error);
  const int64_t printed = release_output(kept);
  CHECK(printed == 0);
  CHECK(error.code == EXIT_DONE && !error.text[0]);
  CHECK(is_same(as_printed(first), expected));
  CHECK(par_rank() == 0 ? heard.lines > 5 && strstr(heard.last, " hash ") : heard.lines == 0);
  CHECK(heard.warnings == 0 && heard.errors == 0);
  CHECK(memory_live_bytes() == live);

  // a user's error: the same text everywhere, nothing printed, nothing left
  static const char *const wrong[] = {"contacts.0.friction=-1"};
  RunSetup refused = setup;
  refused.override_count = 1;
  refused.overrides = wrong;
  catch_output(kept);
  make_run(&refused, &error);
  CHECK(release_output(kept) == 0);
  CHECK(error.code == EXIT_USER && strstr(error.text, "friction") != NULL);
  RunError other = error;
  par_broadcast(&other, sizeof other, par_size() - 1);
  CHECK(strcmp(other.text, error.text) == 0);
  CHECK(heard.errors == (par_rank() == 0));
  CHECK(memory_live_bytes() == live);

  // the folder holds results now; then a run that ends early, by its own demand
  setup.overwrite = false;
  make_run(&setup, &error);
  CHECK(error.code == EXIT_USER && strstr(error.text, "one") != NULL);
  static const char *const demanding[] = {"solver.demand_convergence=true", "solver.max_sweeps=1",
                                          "solver.tolerance=1e-15"};
  RunSetup failing = setup;
  failing.overwrite = true;
  failing.override_count = 3;
  failing.overrides = demanding;
  make_run(&failing, &error);
  CHECK(error.code == EXIT_NOT_CONVERGED && strstr(error.text, "did not converge") != NULL);
  CHECK(memory_live_bytes() == live);

  // and the first one once more
  setup.overwrite = true;
  CHECK(is_same(make_run(&setup, &error), first) && error.code == EXIT_DONE);
  CHECK(memory_live_bytes() == live);
}

// Half a run, then the rest of it from its checkpoint; without a sink.
static void test_restart(Hash128 expected)
{
  RunSetup setup = {.case_path = CASE, .folder = "half", .overwrite = true, .steps = -1};
  Run *run;
  RunError error;
  CHECK(run_begin(&setup, &run, &error));
  for (int i = 0; i < 7; i++) CHECK(run_step(run, &error) == RUN_GOES_ON);
  CHECK(run_world(run)->step == 7);
  run_end(run, &error);
  CHECK(error.code == EXIT_DONE);

  setup.overwrite = false;
  setup.restart = true;
  CHECK(run_begin(&setup, &run, &error));
  CHECK(run_world(run)->step == 7);
  RunState state = RUN_GOES_ON;
  for (int i = 7; i < STEPS; i++) {
    CHECK(state == RUN_GOES_ON);
    state = run_step(run, &error);
  }
  CHECK(state == RUN_OVER && run_step(run, &error) == RUN_OVER);
  CHECK(is_same(as_printed(world_hash(run_world(run))), expected));
  run_end(run, &error);
  CHECK(error.code == EXIT_DONE);
}

static void count_problem(void *context, Problem *problem, Velocities free)
{
  (void)free;
  *(int *)context += problem->point_count >= 0;
}

static MotionMass threefold(const Bodies *bodies, int row, const MidState *mid)
{
  const MotionMass of = kind_rigid.mass(bodies, row, mid);
  return (MotionMass){3 * of.mass, mat3_scale(3, of.inertia)};
}

// Writes the problem of a step twice, the second time as if all bodies were of a kind that has
// another mass.
static void dump_kinds(void *context, Problem *problem, Velocities free)
{
  const World *world = *(const World **)context;
  if (!world || world->step != 1) return;
  BodyKind heavy = kind_rigid;
  heavy.mass = threefold;
  const BodyKind *const kinds[] = {&kind_rigid, &heavy, NULL};
  Bodies bodies = *problem->bodies;
  int32_t *kind = memory_allocate_zero((size_t)bodies.table.count + 1, sizeof *kind);
  for (int i = 0; i < bodies.table.count; i++) kind[i] = 1;
  Problem other = *problem;
  other.bodies = &bodies;
  for (int i = 0; i < 2; i++) {
    Results results;
    CHECK(results_open(&results, i ? "heavy" : "rigid", RESULTS_OVERWRITE) == EXIT_DONE);
    CHECK(run_dump_problem(world, &other, free, &results) == EXIT_DONE);
    results_close(&results);
    bodies.kind = kind;
    bodies.kinds = kinds;
  }
  memory_free(kind);
}

// The masses that a dump writes are those that the kinds of bodies say.
static void test_dump(void)
{
  const World *world = NULL;
  Heard heard = {0};
  const RunSetup setup = {.case_path = CASE,
                          .no_files = true,
                          .steps = 2,
                          .hook = {dump_kinds, &world},
                          .sink = {hear, &heard}};
  RunError error;
  Run *run;
  if (!CHECK(run_begin(&setup, &run, &error))) return;
  world = run_world(run);
  while (run_step(run, &error) == RUN_GOES_ON) continue;
  run_end(run, &error);
  CHECK(error.code == EXIT_DONE);
  Arena arena = arena_new();
  MatrixProblem rigid, heavy;
  FclibTexts texts;
  DiskStatus status = {0};
  CHECK(fclib_read("rigid/problem-000000002.hdf5", &rigid, &texts, &arena, &status) == FCLIB_READ);
  CHECK(fclib_read("heavy/problem-000000002.hdf5", &heavy, &texts, &arena, &status) == FCLIB_READ);
  if (CHECK(!status.failed && rigid.freedom == 27 * 6 && heavy.freedom == rigid.freedom))
    for (int i = 0; i < rigid.freedom; i++) {
      CHECK_NEAR(heavy.m.value[heavy.m.start[i]] / rigid.m.value[rigid.m.start[i]], 3, 1e-12);
      CHECK_NEAR(heavy.force[i], 3 * rigid.force[i], 1e-9 * (1 + fabs(rigid.force[i])));
    }
  arena_destroy(&arena);
}

// A text in memory and no file at all: the bits of the program, and each step's problem is shown.
static void test_without_files(Hash128 expected)
{
  const int64_t live = memory_live_bytes();
  Heard heard = {0};
  int problems = 0;
  const RunSetup setup = {.case_path = "no/such/file.yaml",
                          .case_text = case_text,
                          .no_files = true,
                          .steps = -1,
                          .hook = {count_problem, &problems},
                          .sink = {hear, &heard}};
  RunError error;
  CHECK(is_same(as_printed(make_run(&setup, &error)), expected));
  CHECK(error.code == EXIT_DONE && problems == STEPS);
  CHECK(par_rank() != 0 || strstr(heard.last, " hash ") != NULL);
  CHECK(access("results", F_OK) != 0 && access("no", F_OK) != 0);

  RunSetup refused = setup;
  refused.case_text = "units: SI\ngravity: high\n";
  make_run(&refused, &error);
  CHECK(error.code == EXIT_USER && strstr(error.text, "no/such/file.yaml:") != NULL);
  CHECK(memory_live_bytes() == live);
}

// The ranks in two groups, each with a run of its own at the same time; the numbers of steps and
// messages differ, and afterwards all of them speak with each other again.
static void test_groups(Hash128 expected)
{
  if (par_size() == 1) return;
  const int64_t live = memory_live_bytes();
  const int half = par_rank() % 2;
  MPI_Comm ranks;
  MPI_Comm_split(MPI_COMM_WORLD, half, par_rank(), &ranks);
  Heard heard = {0};
  const RunSetup setup = {.case_path = CASE,
                          .folder = half ? "odd" : "even",
                          .overwrite = true,
                          .steps = half ? STEPS : STEPS / 2,
                          .sink = {hear, &heard},
                          .communicator = &ranks};
  const int rank = par_rank(), size = par_size();
  RunError error;
  make_run(&setup, &error);
  CHECK(error.code == EXIT_DONE && par_rank() == rank && par_size() == size);
  CHECK(rank >= 2 ? heard.lines == 0 : strstr(heard.last, " hash ") != NULL);

  // the first rank of the odd ones has heard the hash of the whole case
  unsigned long long words[2] = {0, 0};
  sscanf(heard.last, "step 30 hash %16llx%16llx", &words[0], &words[1]);
  CHECK(rank != 1 || is_same((Hash128){words[1], words[0]}, expected));
  MPI_Comm_free(&ranks);
  CHECK(par_sum(1) == size);
  CHECK(memory_live_bytes() == live);
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  const int64_t live = memory_live_bytes();
  if (par_rank() == 0) {
    FILE *file = fopen(CASE, "w");
    CHECK(file && fputs(case_text, file) >= 0 && fclose(file) == 0);
  }
  par_barrier();
  const Hash128 expected = program_hash();
  CHECK(expected.low != 0 && expected.high != 0);
  test_one_after_another(expected);
  test_restart(expected);
  test_without_files(expected);
  test_groups(expected);
  test_dump();
  CHECK(memory_live_bytes() == live);
  const int code = test_report_parallel();
  par_end();
  return code;
}
