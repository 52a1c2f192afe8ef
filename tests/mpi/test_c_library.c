// The library as its callers have it: worlds of files, texts and calls with the bits of the
// program, loads of the caller, rows that are read and set, several worlds at once, and refusals
// without an abort or a leak.
// test: timeout 600
#include "drystone.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"
#include "harness.h"
#include "memory.h"
#include "parallel.h"

// a pile that slides; few sweeps do, for the same bits are asked for, not converged impulses
#define PILE(more) PILE_SOLVED("tolerance: 1e-2", more)
#define PILE_SOLVED(solver, more)                                                       \
  "units: SI\ngravity: [0, 0, -9.81]\ntime: {step: 2e-3, end: 0.06}\n"                  \
  "materials: {stone: {density: 2400}}\n"                                               \
  "contacts: [{between: [stone, stone], friction: 0.4, restitution: 0.3}]\n"            \
  "output: {frames: {every: 0.02}, checkpoint: {steps: 20}}\n"                          \
  "solver: {" solver "}\n" more "bodies:\n"                                             \
  "  - {box: [9, 9, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}\n" \
  "  - {grid: {box: [0.2, 0.2, 0.2], count: [3, 3, 3], spacing: [0.21, 0.2, 0.201]},"   \
  " at: [0, 0, 0.1], material: stone, name: pile}\n"                                    \
  "  - {sphere: {radius: 0.1}, at: [0.2, 0.2, 1.2], spin: [0, 0, 3], material: stone}\n"
#define STEPS 30

static DrystoneCase *parse(const char *text)
{
  DrystoneCase *c = NULL;
  CHECK(drystone_case_parse(text, "case.yaml", &c) == DRYSTONE_DONE);
  return c;
}

// The number of steps, the hash at the end of them, and the end of the world.
static int finish(DrystoneWorld *world, char hash[33])
{
  int steps = 0;
  for (bool goes_on = true; goes_on; steps++)
    if (!CHECK(drystone_world_step(world, &goes_on) == DRYSTONE_DONE)) break;
  CHECK(drystone_world_hash(world, hash) == DRYSTONE_DONE);
  CHECK(drystone_world_end(world) == DRYSTONE_DONE);
  return steps;
}

static DrystoneWorld *begin(const DrystoneCase *c, const DrystoneSetup *setup)
{
  DrystoneWorld *world = NULL;
  if (!CHECK(drystone_world_begin(c, setup, &world) == DRYSTONE_DONE))
    fprintf(stderr, "%s\n", drystone_error());
  return world;
}

static void hash_of_text(const char *text, int steps, char hash[33])
{
  DrystoneCase *c = parse(text);
  CHECK(finish(begin(c, NULL), hash) == steps);
  drystone_case_free(c);
}

// -- cases ----------------------------------------------------------------------------------------

static void test_calls(void)
{
  DrystoneCase *c;
  CHECK(drystone_case_new(&c) == DRYSTONE_DONE);
  CHECK(drystone_case_set(c, "gravity", "[0, 0, -9.81]") == DRYSTONE_DONE);
  CHECK(drystone_case_set_number(c, "time.step", 1) == DRYSTONE_DONE);
  CHECK(drystone_case_set(c, "title", "\"two \\\"stones\\\"\"") == DRYSTONE_DONE);
  CHECK(drystone_case_set_number(c, "time.step", 2e-3) == DRYSTONE_DONE);
  CHECK(drystone_case_set_number(c, "time.end", 0.06) == DRYSTONE_DONE);
  CHECK(drystone_case_add_material(c, "stone", 2400) == DRYSTONE_DONE);
  CHECK(drystone_case_add_contact(c, "stone", "stone", 0.4) == DRYSTONE_DONE);
  CHECK(drystone_case_add(c, "output.probes", "{name: top, displacement: stone}") == DRYSTONE_DONE);
  const DrystoneBody floor = {.material = "stone", .at = {0, 0, -0.5}, .fixed = true};
  CHECK(drystone_case_add_box(c, &floor, (double[]){9, 9, 1}) == DRYSTONE_DONE);
  const DrystoneBody stone = {.name = "stone \"1\"\n",
                              .material = "stone",
                              .at = {0.1, 1.0 / 3, 0.2},
                              .axis = {0, 0, 1},
                              .angle = 30,
                              .velocity = {0.1, 0, 0}};
  const double corners[][3] = {{0, 0, 0}, {0.2, 0, 0}, {0, 0.2, 0}, {0, 0, 0.2}, {0.2, 0.2, 0.2}};
  CHECK(drystone_case_add_hull(c, &stone, corners, 5) == DRYSTONE_DONE);
  const DrystoneBody ball = {.material = "stone", .at = {1, 1, 0.1}, .spin = {0, 5, 0}};
  CHECK(drystone_case_add_sphere(c, &ball, 0.1) == DRYSTONE_DONE);
  const DrystoneBody egg = {.material = "stone", .at = {2, 1, 0.1}};
  CHECK(drystone_case_add_ellipsoid(c, &egg, (double[]){0.2, 0.15, 0.1}) == DRYSTONE_DONE);
  CHECK(drystone_case_set(c, "bodies.3.velocity", "[0, 0, 0.5]") == DRYSTONE_DONE);

  const char *text;
  CHECK(drystone_case_text(c, &text) == DRYSTONE_DONE);
  static const char expected[] =
      "units: SI\n"
      "gravity: [0, 0, -9.81]\n"
      "title: \"two \\\"stones\\\"\"\n"
      "time: {step: 0.002, end: 0.059999999999999998}\n"
      "materials: {stone: {density: 2400}}\n"
      "contacts: \n"
      "  - {between: [\"stone\", \"stone\"], friction: 0.40000000000000002}\n"
      "output: {probes: [{name: top, displacement: stone}]}\n"
      "bodies: \n"
      "  - {box: [9, 9, 1], at: [0, 0, -0.5], material: \"stone\", fixed: true}\n"
      "  - {hull: [[0, 0, 0], [0.20000000000000001, 0, 0], [0, 0.20000000000000001, 0], "
      "[0, 0, 0.20000000000000001], [0.20000000000000001, 0.20000000000000001, "
      "0.20000000000000001]], at: [0.10000000000000001, 0.33333333333333331, "
      "0.20000000000000001], material: \"stone\", name: \"stone \\\"1\\\"\\x0a\", turn: {axis: [0, "
      "0, 1], angle: 30}, velocity: [0.10000000000000001, 0, 0]}\n";
  if (!CHECK(strncmp(text, expected, sizeof expected - 1) == 0)) fprintf(stderr, "%s", text);
  CHECK(drystone_case_set(c, "output", "{frames: {every: 0.02}}") == DRYSTONE_DONE);   // no probes

  // the text and the calls are one case
  char of_calls[33], of_text[33];
  CHECK(drystone_case_text(c, &text) == DRYSTONE_DONE && !strstr(text, "probes"));
  DrystoneCase *again = parse(text);
  CHECK(drystone_case_set(again, "bodies.3.velocity", "[0, 0, 0.5]") == DRYSTONE_DONE);
  CHECK(finish(begin(c, NULL), of_calls) == STEPS);
  CHECK(finish(begin(again, NULL), of_text) == STEPS);
  CHECK(strcmp(of_calls, of_text) == 0);
  drystone_case_free(again);
  drystone_case_free(c);
}

// -- worlds ---------------------------------------------------------------------------------------

typedef struct {
  int lines, warnings, errors;
} Heard;

static void hear(void *context, int level, const char *text)
{
  Heard *heard = context;
  heard->lines += level == DRYSTONE_LINE;
  heard->warnings += level == DRYSTONE_WARNING;
  heard->errors += level == DRYSTONE_ERROR && *text;
}

// Two worlds in turns, one of them with files, one on a communicator whose ranks stand the other
// way round; a checkpoint; the rest of a run from it.
static void test_two_worlds(const char *expected)
{
  const int64_t live = memory_live_bytes();
  MPI_Comm turned;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -par_rank(), &turned);
  DrystoneCase *c = parse(PILE(""));
  Heard heard = {0};
  DrystoneSetup setup = drystone_setup(), other = drystone_setup();
  setup.folder = "worlds";
  setup.overwrite = true;
  setup.hash_log = "worlds.hashes";
  setup.say = hear;
  setup.context = &heard;
  other.communicator = &turned;
  DrystoneWorld *one = begin(c, &setup), *two = begin(c, &other);
  drystone_case_free(c);   // worlds have what they need
  MPI_Comm_free(&turned);
  bool goes_on = true;
  for (int i = 0; i < 7; i++) CHECK(drystone_world_step(one, &goes_on) == DRYSTONE_DONE && goes_on);
  char hash[33], last[33];
  CHECK(drystone_world_checkpoint(one) == DRYSTONE_DONE);
  CHECK(drystone_world_checkpoint(one) == DRYSTONE_DONE);
  CHECK(drystone_world_checkpoint(two) == DRYSTONE_USER);
  for (int i = 0; i < STEPS; i++) {
    CHECK(drystone_world_step(two, &goes_on) == DRYSTONE_DONE && goes_on == (i + 1 < STEPS));
    if (i < 3) CHECK(drystone_world_step(one, NULL) == DRYSTONE_DONE);
  }
  CHECK(drystone_world_step(two, &goes_on) == DRYSTONE_DONE && !goes_on);
  CHECK(drystone_world_steps(one) == 10 && drystone_world_steps(two) == STEPS);
  CHECK_NEAR(drystone_world_time(one), 0.02, 1e-15);
  CHECK_NEAR(drystone_world_time(two), 0.06, 1e-15);
  double energy = -1, sweeps = -1, text = 7;
  CHECK(drystone_world_number(two, "kinetic_energy", &energy) == DRYSTONE_DONE && energy > 0);
  CHECK(drystone_world_number(two, "step", &sweeps) == DRYSTONE_DONE && sweeps == STEPS);
  CHECK(drystone_world_number(two, "method", &text) == DRYSTONE_USER && text == 7);
  CHECK(drystone_world_number(two, "kinetic", &text) == DRYSTONE_USER && text == 7);
  CHECK(drystone_world_hash(two, last) == DRYSTONE_DONE && strcmp(last, expected) == 0);
  const int ranks = drystone_world_ranks(two);
  CHECK(ranks == par_size() && drystone_world_ranks(one) == ranks);
  CHECK(drystone_world_rank(one) == par_rank());
  double largest = 0;
  CHECK(drystone_world_largest(two, drystone_world_rank(two), &largest) == DRYSTONE_DONE);
  CHECK(largest == ranks - 1);
  CHECK(drystone_world_largest(one, -INFINITY, &largest) == DRYSTONE_DONE && largest == -INFINITY);
  const double wrong = par_rank() == ranks - 1 ? NAN : 1;
  CHECK(drystone_world_largest(one, wrong, &largest) == DRYSTONE_USER && largest == -INFINITY);
  CHECK(drystone_world_end(two) == DRYSTONE_DONE && drystone_world_end(one) == DRYSTONE_DONE);
  CHECK(par_rank() == 0 ? heard.lines > 5 : heard.lines == 0);
  CHECK(heard.warnings == 0 && heard.errors == 0);

  // on from step 10, as a file
  FILE *file = par_rank() == 0 ? fopen("worlds.yaml", "w") : NULL;
  CHECK(par_rank() != 0 || (file && fputs(PILE(""), file) >= 0 && fclose(file) == 0));
  par_barrier();
  CHECK(drystone_case_read("worlds.yaml", &c) == DRYSTONE_DONE);
  setup.overwrite = false;
  DrystoneWorld *none = NULL;
  CHECK(drystone_world_begin(c, &setup, &none) == DRYSTONE_USER && !none);   // results are there
  CHECK(strstr(drystone_error(), "worlds"));
  CHECK(heard.errors == (par_rank() == 0));
  setup.restart = true;
  one = begin(c, &setup);
  CHECK(drystone_world_begin(c, &setup, &none) == DRYSTONE_USER &&
        !none);   // another has the folder
  CHECK(drystone_world_steps(one) == 10);
  CHECK(finish(one, hash) == STEPS - 10 && strcmp(hash, expected) == 0);
  drystone_case_free(c);
  CHECK(memory_live_bytes() == live);
}

// -- loads ----------------------------------------------------------------------------------------

// A force along x on all bodies by their mass, and a torque on one.
typedef struct {
  DrystoneWorld *world;
  int calls, refused;
  int64_t seen;
} Pushing;

static void push(void *context, const DrystoneLoaded *bodies, double (*loads)[6])
{
  Pushing *pushing = context;
  pushing->calls++;
  pushing->seen += bodies->count;
  for (int64_t i = 0; i < bodies->count; i++) {
    loads[i][0] += 2 * bodies->masses[i];
    if (bodies->ids[i] == 28) loads[i][5] += 0.5;
  }
  // a step cannot be made in a step, nor rows be set; rows can be read
  const DrystoneRows rows = {DRYSTONE_BODIES, "mass", 0, bodies->count};
  double *masses = malloc(((size_t)bodies->count + 1) * sizeof *masses);
  const size_t bytes = (size_t)bodies->count * sizeof *masses;
  CHECK(drystone_rows_read(pushing->world, &rows, masses, bytes) == DRYSTONE_DONE);
  CHECK(memcmp(masses, bodies->masses, bytes) == 0);
  pushing->refused += drystone_world_step(pushing->world, NULL) == DRYSTONE_USER;
  pushing->refused += drystone_world_end(pushing->world) == DRYSTONE_USER;
  pushing->refused += drystone_rows_write(pushing->world, &rows, masses, bytes) == DRYSTONE_USER;
  free(masses);
}

#define LOADED_STEPS 10

// What a case loads its bodies with, and what a caller does, are the same to the bit.
static void compare_loads(const char *with, const char *without)
{
  const bool halves = strstr(with, "halve");
  char of_case[33], of_caller[33];
  hash_of_text(with, LOADED_STEPS, of_case);
  DrystoneCase *c = parse(without);
  DrystoneWorld *world = begin(c, NULL);
  Pushing pushing = {.world = world};
  CHECK(drystone_world_load_by(world, push, &pushing) == DRYSTONE_DONE);
  double work[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    CHECK(drystone_world_step(world, NULL) == DRYSTONE_DONE);
    CHECK(drystone_world_number(world, "load_work", &work[i]) == DRYSTONE_DONE);
  }
  CHECK(finish(world, of_caller) == LOADED_STEPS - 2);
  if (!CHECK(strcmp(of_case, of_caller) == 0)) fprintf(stderr, "%s %s\n", of_case, of_caller);
  CHECK(pushing.refused == 3 * pushing.calls);
  // each step once, but those that were halved
  const int64_t seen = par_sum(pushing.seen);
  CHECK(halves ? seen > 29 * LOADED_STEPS && seen % 29 == 0 : seen == 29 * LOADED_STEPS);
  drystone_case_free(c);
}

#define LOADS                                     \
  "loads:\n"                                      \
  "  - {on: pile, per: mass, force: [2, 0, 0]}\n" \
  "  - {on: ball, per: mass, force: [2, 0, 0]}\n" \
  "  - {on: ball, torque: [0, 0, 0.5]}\n"
#define BALL "  - {sphere: {radius: 0.1}, at: [0.2, 0.2, 1.2], material: stone, name: ball}\n"
#define LOADED(more) LOADED_SOLVED("tolerance: 1e-2", more)
#define LOADED_SOLVED(solver, more)                                                     \
  "units: SI\ngravity: [0, 0, -9.81]\ntime: {step: 2e-3, end: 0.02}\n"                  \
  "materials: {stone: {density: 2400, young: 1e8}}\n"                                   \
  "contacts: [{between: [stone, stone], friction: 0.4}]\n"                              \
  "solver: {" solver "}\n" more "bodies:\n"                                             \
  "  - {box: [9, 9, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}\n" \
  "  - {grid: {box: [0.2, 0.2, 0.2], count: [3, 3, 3], spacing: [0.21, 0.2, 0.201]},"   \
  " at: [0, 0, 0.1], material: stone, name: pile}\n"

static void test_loads(void)
{
  compare_loads(LOADED(LOADS) BALL, LOADED("") BALL);
  compare_loads(LOADED("damping: 0.2\n" LOADS) BALL, LOADED("damping: 0.2\n") BALL);
  compare_loads(LOADED_SOLVED("unsolved: halve, max_sweeps: 30", LOADS) BALL,
                LOADED_SOLVED("unsolved: halve, max_sweeps: 30", "") BALL);
  // one that deforms, in place of the ball
  static const char affine[] =
      "  - {box: [0.2, 0.2, 0.3], at: [0.2, 0.2, 1.2], material: stone, name: ball, "
      "elastic: affine}\n";
  char with[4096], without[4096];
  snprintf(with, sizeof with, "%s%s", LOADED(LOADS), affine);
  snprintf(without, sizeof without, "%s%s", LOADED(""), affine);
  compare_loads(with, without);
}

// Loads of barriers act at the start of the step.
static void test_loads_of_barriers(void)
{
#define APART(more)                                                                     \
  "units: SI\ngravity: [0, 0, -9.81]\ntime: {step: 2e-3, end: 0.02}\nscheme: barrier\n" \
  "barrier: {stiffness: 1e7}\n"                                                         \
  "materials: {stone: {density: 2400}}\n"                                               \
  "contacts: [{between: [stone, stone], friction: 0.4}]\n" more "bodies:\n"             \
  "  - {box: [9, 9, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}\n" \
  "  - {grid: {box: [0.2, 0.2, 0.2], count: [3, 3, 3], spacing: [0.21, 0.21, 0.201]},"  \
  " at: [0, 0, 0.1], material: stone, name: pile}\n"                                    \
  "  - {box: [0.1, 0.1, 0.1], at: [0.2, 0.2, 0.9], material: stone, name: ball}\n"
  compare_loads(APART(LOADS), APART(""));
#undef APART
}

// -- rows -----------------------------------------------------------------------------------------

static int read_rows(const DrystoneWorld *world, const char *field, void *values, size_t row_bytes)
{
  const int64_t count = drystone_rows_count(world, DRYSTONE_BODIES);
  const DrystoneRows rows = {DRYSTONE_BODIES, field, 0, count};
  return drystone_rows_read(world, &rows, values, (size_t)count * row_bytes);
}

// Sets a field of one body, on the rank that has it.
static void set_body(DrystoneWorld *world, uint64_t id, const char *field, const double *values,
                     int components)
{
  int64_t row;
  CHECK(drystone_rows_find(world, id, &row) == DRYSTONE_DONE);
  CHECK(par_sum(row >= 0) == 1);
  if (row < 0) return;
  const DrystoneRows rows = {DRYSTONE_BODIES, field, row, 1};
  CHECK(drystone_rows_write(world, &rows, values, (size_t)components * sizeof *values) ==
        DRYSTONE_DONE);
}

// Bodies that are set to what another case begins with go on as in that one.
static void test_setting(const char *expected)
{
  DrystoneCase *c = parse(PILE(""));
  // the sphere elsewhere, at rest
  CHECK(drystone_case_set(c, "bodies.2.at", "[3, 3, 2]") == DRYSTONE_DONE);
  CHECK(drystone_case_set(c, "bodies.2.spin", "[0, 0, 0]") == DRYSTONE_DONE);
  DrystoneWorld *world = begin(c, NULL);
  set_body(world, 28, "position", (double[]){0.2, 0.2, 1.2}, 3);
  set_body(world, 28, "spin", (double[]){0, 0, 3}, 3);
  set_body(world, 28, "velocity", (double[]){0, 0, 0}, 3);
  set_body(world, 28, "orientation", (double[]){1, 0, 0, 0}, 4);
  char hash[33];
  CHECK(finish(world, hash) == STEPS && strcmp(hash, expected) == 0);

  // a state that was set is kept, though the checkpoint of its step was there
  DrystoneSetup setup = drystone_setup();
  setup.folder = "set";
  setup.overwrite = true;
  world = begin(c, &setup);
  for (int i = 0; i < 5; i++) CHECK(drystone_world_step(world, NULL) == DRYSTONE_DONE);
  CHECK(drystone_world_checkpoint(world) == DRYSTONE_DONE);
  set_body(world, 28, "velocity", (double[]){1, 2, 3}, 3);
  char set[33];
  CHECK(drystone_world_hash(world, set) == DRYSTONE_DONE);
  CHECK(drystone_world_end(world) == DRYSTONE_DONE);
  setup.overwrite = false;
  setup.restart = true;
  world = begin(c, &setup);
  CHECK(drystone_world_steps(world) == 5);
  CHECK(drystone_world_hash(world, hash) == DRYSTONE_DONE && strcmp(hash, set) == 0);
  int64_t row;
  CHECK(drystone_rows_find(world, 28, &row) == DRYSTONE_DONE);
  if (row >= 0) {
    double v[3];
    CHECK(drystone_rows_read(world, &(DrystoneRows){DRYSTONE_BODIES, "velocity", row, 1}, v,
                             sizeof v) == DRYSTONE_DONE);
    CHECK(v[0] == 1 && v[1] == 2 && v[2] == 3);
  }
  CHECK(drystone_world_end(world) == DRYSTONE_DONE);
  drystone_case_free(c);
}

// Weight of the pile on its floor, from rows of contacts: momentum of the step.
static void test_reading(void)
{
  DrystoneCase *c = parse(PILE_SOLVED("tolerance: 1e-10", ""));
  CHECK(drystone_case_set(c, "bodies.2.at", "[3, 3, 0.1]") == DRYSTONE_DONE);
  DrystoneWorld *world = begin(c, NULL);
  CHECK(drystone_rows_count(world, DRYSTONE_JOINTS) == 0);
  CHECK(drystone_rows_count(world, DRYSTONE_CONTACTS) == 0);
  CHECK(par_sum(drystone_rows_count(world, DRYSTONE_BODIES)) == 29);
  for (int i = 0; i < 4; i++) CHECK(drystone_world_step(world, NULL) == DRYSTONE_DONE);
  const int64_t bodies = drystone_rows_count(world, DRYSTONE_BODIES),
                points = drystone_rows_count(world, DRYSTONE_CONTACTS);
  CHECK(par_sum(points) >= 9 * 4 + 1);
  int fields = 0, settable = 0, size = 0;
  for (DrystoneField f; drystone_rows_field(world, DRYSTONE_BODIES, fields, &f) == DRYSTONE_DONE;
       fields++) {
    settable += f.settable;
    size += f.components;
    CHECK(*f.name && *f.unit && *f.text);
    if (fields == 1) CHECK(strcmp(f.name, "position") == 0 && f.components == 3);
  }
  CHECK(settable == 4 && fields == 10 && size == 21);
  DrystoneField none;
  CHECK(drystone_rows_field(world, DRYSTONE_VOLUMES, 99, &none) == DRYSTONE_USER);
  CHECK(drystone_rows_field(world, (DrystoneTable)9, 0, &none) == DRYSTONE_USER);

  uint64_t ids[29], (*pairs)[2] = malloc(((size_t)points + 1) * sizeof *pairs);
  double masses[29], (*reactions)[3] = malloc(((size_t)points + 1) * sizeof *reactions);
  int32_t drives[29];
  CHECK(read_rows(world, "id", ids, sizeof *ids) == DRYSTONE_DONE);
  CHECK(read_rows(world, "mass", masses, sizeof *masses) == DRYSTONE_DONE);
  CHECK(read_rows(world, "drive", drives, sizeof *drives) == DRYSTONE_DONE);
  const DrystoneRows of_pairs = {DRYSTONE_CONTACTS, "bodies", 0, points},
                     of_impulses = {DRYSTONE_CONTACTS, "reaction", 0, points};
  CHECK(drystone_rows_read(world, &of_pairs, pairs, (size_t)points * sizeof *pairs) ==
        DRYSTONE_DONE);
  CHECK(drystone_rows_read(world, &of_impulses, reactions, (size_t)points * sizeof *reactions) ==
        DRYSTONE_DONE);
  int64_t moving = 0;
  for (int64_t i = 0; i < bodies; i++) moving += drives[i] == 0;
  CHECK(par_sum(moving) == 28);
  // stones that lie on the floor press on it with what lies above: all of them within the step
  double weight = 0, impulse = 0;
  for (int64_t i = 0; i < bodies; i++) weight += drives[i] == 0 ? 9.81 * 2e-3 * masses[i] : 0;
  for (int64_t k = 0; k < points; k++) impulse += pairs[k][0] == 0 ? reactions[k][0] : 0;
  double sums[2] = {weight, impulse}, all[2];
  MPI_Allreduce(sums, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  double momentum;
  CHECK(drystone_world_number(world, "momentum_z", &momentum) == DRYSTONE_DONE);
  CHECK(all[1] > 0.2 * all[0] && all[1] < 20 * all[0]);
  free(reactions);
  free(pairs);
  CHECK(drystone_world_end(world) == DRYSTONE_DONE);
  drystone_case_free(c);
}

// -- bad input ------------------------------------------------------------------------------------

static int refusals;

// A refusal has its code and words, and the same on all ranks.
static void refused(int code, int expected, const char *words)
{
  refusals++;
  if (!CHECK(code == expected && strstr(drystone_error(), words)))
    fprintf(stderr, "refusal %d: code %d, '%s', not '%s'\n", refusals, code, drystone_error(),
            words);
}

static void refused_case(const char *text, int expected, const char *words)
{
  DrystoneCase *c = parse(text);
  DrystoneWorld *world = NULL;
  refused(drystone_world_begin(c, NULL, &world), expected, words);
  CHECK(world == NULL);
  drystone_case_free(c);
}

static void test_bad_cases(void)
{
  refused_case("", DRYSTONE_USER, "case.yaml");
  refused_case("bodies: [", DRYSTONE_USER, "case.yaml");
  refused_case("a\001b: 3", DRYSTONE_USER, "case.yaml");
  refused_case("{}", DRYSTONE_USER, "case.yaml");
  refused_case("[1, 2]", DRYSTONE_USER, "case.yaml");
  refused_case(PILE("gravity: [0, 0, 1]\n"), DRYSTONE_USER, "gravity");
  refused_case(PILE("colour: red\n"), DRYSTONE_USER, "colour");
  refused_case(PILE_SOLVED("tolerence: 1", ""), DRYSTONE_USER, "tolerence");
  refused_case(PILE_SOLVED("tolerance: -1", ""), DRYSTONE_USER, "tolerance");
  refused_case(PILE("") "  - {box: [1, 1, nan], material: stone}\n", DRYSTONE_USER, "box");
  refused_case(PILE("") "  - {box: [1, 1, 1], material: wood}\n", DRYSTONE_USER, "wood");
  refused_case(
      PILE("") "  - {hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], material: stone}\n",
      DRYSTONE_USER, "plane");
  refused_case(PILE("") "  - {mesh: {file: nowhere.obj}, material: stone}\n", DRYSTONE_USER,
               "nowhere.obj");
  refused_case(PILE("joints: [{ball: [0, 0, 0], between: [pile, pile]}]\n"), DRYSTONE_USER,
               "joints");
  refused_case(PILE("") "  - {grid: {box: [1, 1, 1], count: [2000000, 2000000, 2000], spacing: [1, "
                        "1, 1]}, material: stone}\n",
               DRYSTONE_USER, "case.yaml");
  DrystoneCase *c = NULL;
  DrystoneWorld *world = NULL;
  CHECK(drystone_case_read("nowhere.yaml", &c) == DRYSTONE_DONE);
  refused(drystone_world_begin(c, NULL, &world), DRYSTONE_USER, "nowhere.yaml");
  const char *text;
  refused(drystone_case_text(c, &text), DRYSTONE_USER, "nowhere.yaml");
  refused(drystone_case_add(c, "bodies", "{}"), DRYSTONE_USER, "not built");
  drystone_case_free(c);
  refused(drystone_case_read(NULL, &c), DRYSTONE_USER, "path");
  refused(drystone_case_parse(NULL, NULL, &c), DRYSTONE_USER, "text");
  refused(drystone_case_new(NULL), DRYSTONE_USER, "place");
}

static void test_bad_calls_of_cases(void)
{
  DrystoneCase *c;
  CHECK(drystone_case_new(&c) == DRYSTONE_DONE);
  refused(drystone_case_set(c, "a b", "1"), DRYSTONE_USER, "no key");
  refused(drystone_case_set(c, "time..step", "1"), DRYSTONE_USER, "no key");
  refused(drystone_case_set(c, "time.step", "1\n2"), DRYSTONE_USER, "one line");
  refused(drystone_case_set(c, "time.step", ""), DRYSTONE_USER, "nothing");
  refused(drystone_case_set_number(c, "time.step", NAN), DRYSTONE_USER, "nan");
  refused(drystone_case_set(c, "bodies", "[]"), DRYSTONE_USER, "list");
  CHECK(drystone_case_set(c, "time", "{step: 1}") == DRYSTONE_DONE);
  refused(drystone_case_set(c, "time.end", "1"), DRYSTONE_USER, "holds it");
  refused(drystone_case_add(c, "stones", "{}"), DRYSTONE_USER, "stones");
  refused(drystone_case_add(c, "bodies", "{\n}"), DRYSTONE_USER, "one line");
  refused(drystone_case_add_material(c, "a.b", 1), DRYSTONE_USER, "a.b");
  refused(drystone_case_add_material(c, NULL, 1), DRYSTONE_USER, "name");
  refused(drystone_case_add_contact(c, "a", "b", INFINITY), DRYSTONE_USER, "coefficient");
  const DrystoneBody bare = {.name = "bare"}, lost = {.material = "stone", .at = {NAN, 0, 0}};
  refused(drystone_case_add_box(c, &bare, (double[]){1, 1, 1}), DRYSTONE_USER, "material");
  refused(drystone_case_add_box(c, &lost, (double[]){1, 1, 1}), DRYSTONE_USER, "finite");
  refused(drystone_case_add_box(c, &lost, NULL), DRYSTONE_USER, "numbers");
  refused(drystone_case_add_hull(c, &lost, NULL, 3), DRYSTONE_USER, "corners");
  DrystoneWorld *world = NULL;
  refused(drystone_world_begin(c, NULL, &world), DRYSTONE_USER, "case of calls");
  // a piece of YAML that closes its entry is no way out of it
  CHECK(drystone_case_add(c, "bodies", "{box: [1, 1, 1]}}, {") == DRYSTONE_DONE);
  refused(drystone_world_begin(c, NULL, &world), DRYSTONE_USER, "case of calls");
  drystone_case_free(c);
}

static void test_bad_setups(void)
{
  DrystoneCase *c = parse(PILE(""));
  DrystoneWorld *world = NULL;
  DrystoneSetup setup = drystone_setup();
  setup.size = 0;
  refused(drystone_world_begin(c, &setup, &world), DRYSTONE_USER, "drystone_setup()");
  setup = drystone_setup();
  setup.restart = true;
  refused(drystone_world_begin(c, &setup, &world), DRYSTONE_USER, "folder");
  setup.folder = "both";
  setup.overwrite = true;
  refused(drystone_world_begin(c, &setup, &world), DRYSTONE_USER, "exclude");
  setup = drystone_setup();
  setup.max_wall = NAN;
  refused(drystone_world_begin(c, &setup, &world), DRYSTONE_USER, "max_wall");
  setup = drystone_setup();
  setup.folder = "/dev/null/results";
  refused(drystone_world_begin(c, &setup, &world), DRYSTONE_IO, "/dev/null");
  setup = drystone_setup();
  setup.allow_count = 1;
  refused(drystone_world_begin(c, &setup, &world), DRYSTONE_USER, "allow");
  refused(drystone_world_begin(NULL, NULL, &world), DRYSTONE_USER, "no case");
  refused(drystone_world_begin(c, NULL, NULL), DRYSTONE_USER, "no place");
  refused(drystone_world_step(NULL, NULL), DRYSTONE_USER, "no world");
  CHECK(drystone_world_time(NULL) == 0 && drystone_world_steps(NULL) == 0);
  CHECK(drystone_world_end(NULL) == DRYSTONE_DONE);
  CHECK(world == NULL);
  drystone_case_free(c);
}

static void blow_up(void *context, const DrystoneLoaded *bodies, double (*loads)[6])
{
  (void)context;
  for (int64_t i = 0; i < bodies->count; i++)
    if (bodies->ids[i] == 5) loads[i][1] = INFINITY;
}

static void test_bad_rows(void)
{
  DrystoneCase *c = parse(PILE(""));
  DrystoneWorld *world = begin(c, NULL);
  double values[4 * 29] = {0};
  const int64_t own = drystone_rows_count(world, DRYSTONE_BODIES);
  DrystoneRows rows = {DRYSTONE_BODIES, "colour", 0, 1};
  refused(drystone_rows_read(world, &rows, values, 8), DRYSTONE_USER, "colour");
  rows.field = "gradient";
  refused(drystone_rows_read(world, &rows, values, 8), DRYSTONE_USER, "in this case");
  rows = (DrystoneRows){DRYSTONE_BODIES, "position", own, 1};
  refused(drystone_rows_read(world, &rows, values, 24), DRYSTONE_USER, "this rank has");
  rows = (DrystoneRows){DRYSTONE_BODIES, "position", 0, -1};
  refused(drystone_rows_write(world, &rows, values, 24), DRYSTONE_USER, "this rank has");
  rows = (DrystoneRows){DRYSTONE_BODIES, "mass", 0, 0};
  refused(drystone_rows_write(world, &rows, values, 0), DRYSTONE_USER, "cannot be set");
  rows = (DrystoneRows){DRYSTONE_CONTACTS, "reaction", 0, 0};
  refused(drystone_rows_write(world, &rows, values, 0), DRYSTONE_USER, "cannot be set");
  rows = (DrystoneRows){DRYSTONE_BODIES, NULL, 0, 0};
  refused(drystone_rows_read(world, &rows, values, 0), DRYSTONE_USER, "field");
  int64_t row, floor;
  CHECK(drystone_rows_find(world, 99, &row) == DRYSTONE_DONE && row == -1);
  CHECK(drystone_rows_find(world, 5, &row) == DRYSTONE_DONE);
  CHECK(drystone_rows_find(world, 0, &floor) == DRYSTONE_DONE);
  char before[33], after[33];
  CHECK(drystone_world_hash(world, before) == DRYSTONE_DONE);
  if (row >= 0) {
    rows = (DrystoneRows){DRYSTONE_BODIES, "position", row, 1};
    refused(drystone_rows_write(world, &rows, values, 8), DRYSTONE_USER, "bytes");
    refused(drystone_rows_write(world, &rows, NULL, 24), DRYSTONE_USER, "no values");
    refused(drystone_rows_write(world, &rows, (double[]){0, NAN, 0}, 24), DRYSTONE_USER, "finite");
    rows.field = "orientation";
    refused(drystone_rows_write(world, &rows, (double[]){1, 1, 0, 0}, 32), DRYSTONE_USER, "unit");
  }
  if (floor >= 0) {
    rows = (DrystoneRows){DRYSTONE_BODIES, "velocity", floor, 1};
    refused(drystone_rows_write(world, &rows, values, 24), DRYSTONE_USER, "fixed");
  }
  CHECK(drystone_world_hash(world, after) == DRYSTONE_DONE && strcmp(before, after) == 0);
  refused(drystone_world_number(world, NULL, values), DRYSTONE_USER, "no name");

  // what leaves the range of numbers ends the world by name, on all ranks
  CHECK(drystone_world_load_by(world, blow_up, NULL) == DRYSTONE_DONE);
  int code = DRYSTONE_DONE;
  for (int i = 0; i < 3 && code == DRYSTONE_DONE; i++) code = drystone_world_step(world, NULL);
  refused(code, DRYSTONE_OVERFLOW, "step");
  refused(drystone_world_step(world, NULL), DRYSTONE_OVERFLOW, "step");
  CHECK(drystone_world_end(world) == DRYSTONE_OVERFLOW);
  drystone_case_free(c);
}

static void test_refusals(void)
{
  const int64_t live = memory_live_bytes();
  test_bad_cases();
  test_bad_calls_of_cases();
  test_bad_setups();
  test_bad_rows();
  CHECK(memory_live_bytes() == live);
  CHECK(refusals >= 50);
  if (par_rank() == 0) printf("%d refusals\n", refusals);
}

// A case that asks for the end of a step that does not converge.
static void test_failing(void)
{
  DrystoneCase *c = parse(PILE_SOLVED("unsolved: end, max_sweeps: 1, tolerance: 1e-15", ""));
  DrystoneWorld *world = begin(c, NULL);
  refused(drystone_world_step(world, NULL), DRYSTONE_NOT_CONVERGED, "did not converge");
  refused(drystone_world_step(world, NULL), DRYSTONE_NOT_CONVERGED, "did not converge");
  CHECK(drystone_world_end(world) == DRYSTONE_NOT_CONVERGED);
  drystone_case_free(c);
}

// What cannot go on returns its code to the caller, and breaks its own world alone.
static void run_out(void *context, const DrystoneLoaded *bodies, double (*loads)[6])
{
  (void)context;
  (void)bodies;
  (void)loads;
  die_memory("no room for %s", "a test");
}

static void test_broken(const char *expected)
{
  if (par_size() > 1) return;   // others would wait
  DrystoneCase *c = parse(PILE(""));
  DrystoneWorld *broken = begin(c, NULL), *whole = begin(c, NULL);
  CHECK(drystone_world_step(whole, NULL) == DRYSTONE_DONE);
  CHECK(drystone_world_load_by(broken, run_out, NULL) == DRYSTONE_DONE);
  refused(drystone_world_step(broken, NULL), DRYSTONE_MEMORY, "no room for a test");
  refused(drystone_world_step(broken, NULL), DRYSTONE_MEMORY, "no use");
  CHECK(drystone_world_end(broken) == DRYSTONE_MEMORY);
  char hash[33];
  CHECK(finish(whole, hash) == STEPS - 1 && strcmp(hash, expected) == 0);
  drystone_case_free(c);
}

int main(int argc, char **argv)
{
  // calls that need message passing know that there is none yet
  DrystoneCase *c = NULL;
  DrystoneWorld *world = NULL;
  CHECK(drystone_case_parse(PILE(""), NULL, &c) == DRYSTONE_DONE);
  CHECK(drystone_world_begin(c, NULL, &world) == DRYSTONE_USER && !world);
  CHECK(drystone_end() == DRYSTONE_USER);
  drystone_case_free(c);

  MPI_Init(&argc, &argv);
  CHECK(drystone_begin() == DRYSTONE_DONE && drystone_begin() == DRYSTONE_DONE);
  CHECK(drystone_end() == DRYSTONE_DONE);
  char folder[32], expected[33];
  snprintf(folder, sizeof folder, "ranks%d", par_size());
  mkdir(folder, 0700);
  par_barrier();
  CHECK(chdir(folder) == 0);
  const int64_t live = memory_live_bytes();
  hash_of_text(PILE(""), STEPS, expected);
  test_calls();
  test_two_worlds(expected);
  test_loads();
  test_loads_of_barriers();
  test_setting(expected);
  test_reading();
  test_refusals();
  test_failing();
  CHECK(memory_live_bytes() == live);
  test_broken(expected);
  const int code = test_report_parallel();
  CHECK(drystone_end() == DRYSTONE_DONE);
  MPI_Finalize();
  CHECK(drystone_begin() == DRYSTONE_USER && strstr(drystone_error(), "ended"));
  return code || test_failures() > 0;
}
