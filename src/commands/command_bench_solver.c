// drystone bench solver: how long every solver takes to given residuals, on scenes that are the
// same in every run.
#include <assert.h>
#include <string.h>

#include "command.h"
#include "gauss_seidel.h"
#include "log.h"
#include "memory.h"
#include "parallel.h"
#include "run.h"
#include "spread.h"
#include "values.h"

#define SWEEPS_MOST 40000       // of one solution
#define POINT_SWEEPS_MOST 2e8   // of one solution: sweeps times points
#define DIRECT_BODIES_MOST \
  5000   // factors of larger walls on every rank fill the memory; only when asked for by name

static const double targets[] = {1e-3, 1e-4, 1e-6, 1e-8};
enum { TARGETS = sizeof targets / sizeof *targets };

typedef struct {
  const char *name;
  int steps;        // before the one that is measured warm
  bool on_demand;   // only when asked for by name
  const char *text;
} BenchScene;

#define SCENE_HEAD                                                           \
  "units: SI\ngravity: [0, 0, -9.81]\nmaterials: {stone: {density: 2400}}\n" \
  "contacts: [{between: [stone, stone], friction: 0.6}]\n"                   \
  "solver: {tolerance: 1e-8, max_sweeps: 20000}\n"
#define SCENE_FLOOR \
  "  - {box: [400, 400, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}\n"

// bricks of one size in every other of 50 courses
#define COURSES(size, count, at)                                                                  \
  "  - {grid: {box: [" size ", 0.2], count: [" count ", 25], spacing: [0.4, 0.2, 0.4]}, at: [" at \
  "], material: stone}\n"

// a tower of 21 blocks with a dowel in each of its joints
#define TOWER(name, x)                                                                  \
  "  - {grid: {box: [0.4, 0.2, 0.2], count: [1, 1, 21], spacing: [1, 1, 0.2]}, at: [" x \
  ", 0, 0.1], material: stone, name: " name "}\n"
#define DOWELS(name, x)                                                       \
  "  - {dowel: [" x ", 0, 0.2], axis: [0, 0, 1], between: [" name ".1, " name \
  ".0], stiffness: {normal: 1e7, shear: 1e8}, repeat: {count: 20, spacing: [0, 0, 0.2]}}\n"
#define OF_ALL_TOWERS(what)                                                                \
  what("a", "0") what("b", "0.405") what("c", "0.81") what("d", "1.215") what("e", "1.62") \
      what("f", "2.025") what("g", "2.43") what("h", "2.835") what("i", "3.24") what("j", "3.645")

// the wall of 210 blocks, which deform
#define ELASTIC_WALL(poisson)                                                    \
  "units: SI\ngravity: [0, 0, -9.81]\n"                                          \
  "materials: {stone: {density: 2400, young: 1e10, poisson: " poisson "}}\n"     \
  "contacts: [{between: [stone, stone], friction: 0.6}]\n"                       \
  "solver: {tolerance: 1e-8, max_sweeps: 20000}\n"                               \
  "time: {step: 1e-3, end: 1}\nbodies:\n" SCENE_FLOOR                            \
  "  - {wall: {courses: 20, bricks: 10, brick: [0.4, 0.2, 0.2], joint: 0.002}, " \
  "material: stone, elastic: affine}\n"

static const BenchScene scenes[] = {
    {"wall-210", 3, false,
     SCENE_HEAD "time: {step: 1e-3, end: 1}\nbodies:\n" SCENE_FLOOR
                "  - {wall: {courses: 20, bricks: 10, brick: [0.4, 0.2, 0.2], joint: 0.002}, "
                "material: stone}\n"},
    {"stack-1000", 3, false,
     SCENE_HEAD "time: {step: 1e-3, end: 1}\nbodies:\n" SCENE_FLOOR
                "  - {grid: {box: [0.1, 0.1, 0.1], count: [10, 10, 10], spacing: [0.105, 0.105, "
                "0.1]}, at: [0, 0, 0.05], material: stone}\n"},
    {"wall-100", 3, false,
     SCENE_HEAD "time: {step: 1e-3, end: 1}\nbodies:\n" SCENE_FLOOR
                "  - {wall: {courses: 100, bricks: 20, brick: [0.4, 0.2, 0.2], joint: 0.002}, "
                "material: stone}\n"},
    {"rubble", 400, false,
     SCENE_HEAD "time: {step: 2e-3, end: 10}\nseed: 1\nbodies:\n" SCENE_FLOOR
                "  - {box: [0.2, 1.8, 1], at: [0.8, 0, 0.5], material: stone, fixed: true}\n"
                "  - {box: [0.2, 1.8, 1], at: [-0.8, 0, 0.5], material: stone, fixed: true}\n"
                "  - {box: [1.4, 0.2, 1], at: [0, 0.8, 0.5], material: stone, fixed: true}\n"
                "  - {box: [1.4, 0.2, 1], at: [0, -0.8, 0.5], material: stone, fixed: true}\n"
                "  - stones:\n"
                "      shapes: [{random: {points: 12, ratios: [1, 0.8, 0.6], variety: 12}}]\n"
                "      sizes: {table: [[0.08, 0], [0.12, 0.5], [0.16, 1]]}\n"
                "      lattice: {count: [5, 5, 12], spacing: [0.24, 0.24, 0.24], jitter: 0.5}\n"
                "    at: [-0.48, -0.48, 0.15]\n    material: stone\n"},
    {"wall-affine", 3, false, ELASTIC_WALL("0")},
    {"wall-poisson", 3, true, ELASTIC_WALL("0.2")},
    {"wall-joints", 3, false,
     SCENE_HEAD "time: {step: 1e-3, end: 1}\nbodies:\n" SCENE_FLOOR OF_ALL_TOWERS(
         TOWER) "joints:\n" OF_ALL_TOWERS(DOWELS)},
    // 66,425 bricks of 50 courses, bonded along and across, joints of 2 mm: a million points
    {"wall-million", 1, true,
     SCENE_HEAD "time: {step: 1e-3, end: 1}\nbodies:\n" SCENE_FLOOR
         // odd courses: whole bricks
         COURSES("0.398, 0.198", "80, 16", "0.2, 0.1, 0.1")
     // even courses: whole ones, halves at the ends; then the bricks of the two faces alike
     COURSES("0.398, 0.198", "79, 15", "0.4, 0.2, 0.3")
         COURSES("0.198, 0.198", "1, 15", "0.1, 0.2, 0.3")
             COURSES("0.198, 0.198", "1, 15", "31.9, 0.2, 0.3")
                 COURSES("0.398, 0.098", "79, 1", "0.4, 0.05, 0.3")
                     COURSES("0.198, 0.098", "1, 1", "0.1, 0.05, 0.3")
                         COURSES("0.198, 0.098", "1, 1", "31.9, 0.05, 0.3")
                             COURSES("0.398, 0.098", "79, 1", "0.4, 3.15, 0.3")
                                 COURSES("0.198, 0.098", "1, 1", "0.1, 3.15, 0.3")
                                     COURSES("0.198, 0.098", "1, 1", "31.9, 3.15, 0.3")},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

typedef struct {
  bool json;
  const char *scene, *solver;   // NULL: all
  int repeats;
} SolverBenchOptions;

typedef struct {
  const char *scene;
  int64_t points, pairs, bodies;
  SolverMethod method, found_by;
  bool warm;
  double target, residual_max, seconds, low, high;
  int sweeps, inner, factorisations;
} SolverRow;

typedef struct {
  const SolverBenchOptions *options;
  const BenchScene *scene;
  const World *world;
  SolverRow *rows;
  int count;
} Bench;

// what is measured
static const SolverMethod methods[] = {SOLVER_GAUSS_SEIDEL, SOLVER_NESTEROV, SOLVER_ADMM_CHOLESKY,
                                       SOLVER_ADMM_AMG, SOLVER_AUTOMATIC};
enum { METHODS = sizeof methods / sizeof *methods };
enum { MOST_ROWS = 2 * SCENES * METHODS * TARGETS };   // of all scenes, cold and warm

// One solution from the impulses given; seconds of processor time, of the slowest rank.
static Convergence solve_once(Problem *problem, Velocities free, const vec3 *start,
                              SolverParameters parameters, double *seconds)
{
  assert(problem->owned_points <= problem->point_count && "own points are known points");
  for (int i = 0; i < problem->point_count; i++) problem->r[i] = start ? start[i] : (vec3){0, 0, 0};
  SolverMemory memory = solver_memory_new();
  Arena arena = arena_new();
  const double begin = spread_clock();
  const Convergence result = solver_solve(problem, free, parameters, &memory, &arena);
  *seconds = par_max(spread_clock() - begin);
  arena_destroy(&arena);
  solver_memory_destroy(&memory);
  return result;
}

static int64_t count_pairs(const Problem *problem)
{
  int64_t own = 0;
  for (int k = 0; k < problem->pair_count; k++) own += problem->owned[problem->pairs[k].first] != 0;
  return par_sum(own);
}

static SolverRow measure(const Bench *bench, Problem *problem, Velocities free, const vec3 *start,
                         SolverMethod method, double target)
{
  assert(bench->options->repeats >= 1 && target > 0 && "a residual is asked for and timed");
  const int64_t points = par_sum(problem->owned_points);
  const double by_points = POINT_SWEEPS_MOST / (double)(points + 1);
  const int most = by_points < SWEEPS_MOST ? (int)by_points + 1 : SWEEPS_MOST;
  const SolverParameters parameters = {method, target, most, 0};
  double *times = memory_allocate((size_t)bench->options->repeats * sizeof *times);
  Convergence result = {0};
  for (int k = 0; k < bench->options->repeats; k++)
    result = solve_once(problem, free, start, parameters, &times[k]);
  const Spread spread = spread_of(times, bench->options->repeats);
  memory_free(times);
  return (SolverRow){.scene = bench->scene->name,
                     .points = points,
                     .pairs = count_pairs(problem),
                     .bodies = (int64_t)bench->world->c->body_count,
                     .method = method,
                     .found_by = result.method,
                     .warm = start != NULL,
                     .target = target,
                     .residual_max = result.residual_max,
                     .seconds = spread.median,
                     .low = spread.low,
                     .high = spread.high,
                     .sweeps = result.sweeps,
                     .inner = result.inner,
                     .factorisations = result.factorisations};
}

// the problem of a step, before it is solved: from nothing, then from the impulses of the last step
static void meet_problem(void *context, Problem *problem, Velocities free)
{
  Bench *bench = context;
  if (bench->world->step < bench->scene->steps) return;
  vec3 *start = memory_allocate(((size_t)problem->point_count + 1) * sizeof *start);
  for (int i = 0; i < problem->point_count; i++) start[i] = problem->r[i];
  for (int warm = 0; warm < 2; warm++) {
    for (int m = 0; m < METHODS; m++) {
      const char *asked = bench->options->solver;
      if (asked && strcmp(asked, convergence_method_name(methods[m])) != 0) continue;
      const bool direct = methods[m] == SOLVER_ADMM_CHOLESKY;
      const bool sweeps = methods[m] == SOLVER_GAUSS_SEIDEL || methods[m] == SOLVER_NESTEROV;
      if (sweeps && problem->elastic) continue;   // which know rigid bodies alone
      if (direct && !asked && bench->world->c->body_count > DIRECT_BODIES_MOST) continue;
      bool reached = true;
      for (int t = 0; t < TARGETS && reached; t++) {
        assert(bench->count < MOST_ROWS && "rows have room");
        SolverRow *row = &bench->rows[bench->count++];
        *row = measure(bench, problem, free, warm ? start : NULL, methods[m], targets[t]);
        reached = row->residual_max <= row->target;
      }
    }
  }
  for (int i = 0; i < problem->point_count; i++) problem->r[i] = start[i];
  memory_free(start);
}

// Errors alone are passed on.
static void say_errors(void *context, LogLevel level, const char *text)
{
  const LogSink *printing = context;
  if (level == LOG_ERROR) log_hand_on(*printing, level, text);
}

// Collective. False on all ranks after one message.
static bool bench_scene(Bench *bench)
{
  LogSink printing = log_printing();
  const RunSetup setup = {.case_path = bench->scene->name,
                          .case_text = bench->scene->text,
                          .no_files = true,
                          .steps = bench->scene->steps + 1,
                          .hook = {meet_problem, bench},
                          .sink = {say_errors, &printing}};
  Run *run;
  RunError error;
  if (!run_begin(&setup, &run, &error)) return false;
  bench->world = run_world(run);
  while (run_step(run, &error) == RUN_GOES_ON) continue;
  run_end(run, &error);
  return error.code == EXIT_DONE;
}

// -- output ---------------------------------------------------------------------------------------

static void list_rows(const Bench *bench, Value *list)
{
  assert(bench->count >= 0 && bench->count <= MOST_ROWS && "rows have room");
  for (int i = 0; i < bench->count; i++) {
    const SolverRow *r = &bench->rows[i];
    const char *solver = convergence_method_name(r->method);
    assert(r->low <= r->seconds && r->seconds <= r->high && "a median lies between its ends");
    const double visits = (double)r->points * r->sweeps;
    Value *row = values_group(list, NULL);
    values_add(row, "scene %s bodies %lld", r->scene, (long long)r->bodies);
    values_add(row, "pairs %lld points %lld", (long long)r->pairs, (long long)r->points);
    values_add(row, "solver %s found_by %s", solver, convergence_method_name(r->found_by));
    values_add(row, "start %s target %g", r->warm ? "warm" : "cold", r->target);
    values_add(row, "residual_max %g sweeps %d inner %d", r->residual_max, r->sweeps, r->inner);
    values_add(row, "factorisations %d -milliseconds %g", r->factorisations, 1e3 * r->seconds);
    values_add(row, "seconds %g seconds_low %g seconds_high %g", r->seconds, r->low, r->high);
    values_add(row, "ns_per_point_sweep %g", r->sweeps > 0 ? 1e9 * r->seconds / visits : 0);
  }
}

static void print_text(const Value *all, const Value *rows)
{
  values_table(rows, "{scene:-12:scene} {points:8:points} {solver:-13:solver} {start:-4:from} "
                     "{target:6.0e:target} {residual_max:9.2e:residual} {sweeps:7:sweeps} "
                     "{inner:6:inner} {factorisations:6:set-up} {-milliseconds:10.3f:ms} "
                     "{ns_per_point_sweep:9.1f:ns/pt/swp}\n");
  values_print(
      all,
      "from         cold: no impulses; warm: those of the last step\n"
      "target       of the largest residual; harder ones are left out after one that was missed\n"
      "sweeps       of Gauss-Seidel and iterations of ADMM; inner: of conjugate gradients; set-up: "
      "of\n"
      "             linear systems\n"
      "ms           processor time of the solver, its set-ups included; ns/pt/swp: over points and "
      "sweeps\n"
      "median of {repeats} repeats; {clock} of the slowest of {ranks} {-ranks}\n");
}

// -- command --------------------------------------------------------------------------------------

static bool known_scene(const char *name)
{
  for (int i = 0; i < SCENES; i++)
    if (strcmp(scenes[i].name, name) == 0) return true;
  return false;
}

static bool known_method(const char *name)
{
  for (int i = 0; i < METHODS; i++)
    if (strcmp(convergence_method_name(methods[i]), name) == 0) return true;
  return false;
}

static const Option options_of_solver[] = {
    {"--scene", "S",
     "wall-210, stack-1000, wall-100, rubble, wall-affine, wall-joints\n(default: these), "
     "wall-poisson or wall-million",
     OPTION_TEXT, .offset = offsetof(SolverBenchOptions, scene), .accepts = known_scene,
     .refusal = "no scene '%s'; there are wall-210, stack-1000, wall-100, rubble, wall-affine, "
                "wall-joints, wall-poisson and wall-million"},
    {"--solver", "S",
     "gauss-seidel, nesterov, admm-cholesky, admm-amg or automatic\n(default: all)", OPTION_TEXT,
     .offset = offsetof(SolverBenchOptions, solver), .accepts = known_method,
     .refusal = "no solver '%s' to measure; there are gauss-seidel, nesterov, admm-cholesky, "
                "admm-amg and automatic"},
    {"--repeats", "N", "of which the median counts (default: 3)", OPTION_COUNT,
     .offset = offsetof(SolverBenchOptions, repeats), .low = 1, .high = 10000},
    {"--json", NULL, "one JSON text for programs", OPTION_FLAG,
     .offset = offsetof(SolverBenchOptions, json)}};

const OptionTable COMMAND_SOLVER_BENCH_OPTIONS = {
    .command = "bench solver",
    .purpose = "time the solvers on fixed scenes",
    .count = sizeof options_of_solver / sizeof *options_of_solver,
    .options = options_of_solver,
};

int command_bench_solver(int count, char **words)
{
  SolverBenchOptions options = {.repeats = 3};
  if (!options_read(&COMMAND_SOLVER_BENCH_OPTIONS, count, words, &options)) return EXIT_USER;
  Bench bench = {.options = &options};
  bench.rows = memory_allocate((size_t)MOST_ROWS * sizeof *bench.rows);
  bool fine = true;
  for (int i = 0; i < SCENES && fine; i++) {
    bench.scene = &scenes[i];
    const bool asked = options.scene && strcmp(options.scene, scenes[i].name) == 0;
    if (asked || (!options.scene && !scenes[i].on_demand)) fine = bench_scene(&bench);
  }
  if (fine && par_rank() == 0) {
    Arena arena = arena_new();
    Value *all = values_new(&arena);
    values_add(all, "bench %s clock %s", "solver", "processor time");
    values_add(all, "ranks %d repeats %d", par_size(), options.repeats);
    values_add(all, "-ranks %s", par_size() == 1 ? "rank" : "ranks");
    values_add(all, "build %s compiler %s", DRYSTONE_BUILD_TYPE, DRYSTONE_COMPILER);
    Value *rows = values_list(all, "rows");
    list_rows(&bench, rows);
    if (options.json) values_json(all, true);
    else print_text(all, rows);
    arena_destroy(&arena);
  }
  memory_free(bench.rows);
  return fine ? EXIT_DONE : EXIT_BUG;
}
