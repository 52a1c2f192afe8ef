// drystone bench solver: how long every solver takes to given residuals, on scenes that are the
// same in every run.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_reader.h"
#include "command.h"
#include "command_json.h"
#include "gauss_seidel.h"
#include "log.h"
#include "memory.h"
#include "parallel.h"
#include "scene.h"
#include "spread.h"
#include "world.h"

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
  int64_t step;   // steps done when the problem is met
  SolverRow *rows;
  int count, room;
  int64_t bodies;
} Bench;

// what is measured
static const SolverMethod methods[] = {SOLVER_GAUSS_SEIDEL, SOLVER_NESTEROV, SOLVER_ADMM_CHOLESKY,
                                       SOLVER_ADMM_AMG, SOLVER_AUTOMATIC};
enum { METHODS = sizeof methods / sizeof *methods };

// One solution from the impulses given; seconds of processor time, of the slowest rank.
static Convergence solve_once(Problem *problem, const Twist *free, const vec3 *start,
                              SolverParameters parameters, double *seconds)
{
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

static SolverRow measure(const Bench *bench, Problem *problem, const Twist *free, const vec3 *start,
                         SolverMethod method, double target)
{
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
                     .bodies = bench->bodies,
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
static void meet_problem(void *context, Problem *problem, const Twist *free)
{
  Bench *bench = context;
  if (bench->step < bench->scene->steps) return;
  vec3 *start = memory_allocate(((size_t)problem->point_count + 1) * sizeof *start);
  for (int i = 0; i < problem->point_count; i++) start[i] = problem->r[i];
  for (int warm = 0; warm < 2; warm++) {
    for (int m = 0; m < METHODS; m++) {
      const char *asked = bench->options->solver;
      if (asked && strcmp(asked, convergence_method_name(methods[m])) != 0) continue;
      const bool direct = methods[m] == SOLVER_ADMM_CHOLESKY;
      if (direct && !asked && bench->bodies > DIRECT_BODIES_MOST) continue;
      bool reached = true;
      for (int t = 0; t < TARGETS && reached; t++) {
        SolverRow *row = &bench->rows[bench->count++];
        *row = measure(bench, problem, free, warm ? start : NULL, methods[m], targets[t]);
        reached = row->residual_max <= row->target;
      }
    }
  }
  for (int i = 0; i < problem->point_count; i++) problem->r[i] = start[i];
  memory_free(start);
}

// Collective. False on all ranks after one message.
static bool bench_scene(Bench *bench)
{
  const BenchScene *scene = bench->scene;
  char error[512] = "";
  Case c;
  const bool sound =
      case_parse(scene->name, scene->text, strlen(scene->text), NULL, &c, error, sizeof error);
  const char *refusal = sound ? scene_prepare(&c) : NULL;
  if (!all_ok(sound && !refusal, "scene %s: %s", scene->name, refusal ? refusal : error))
    return false;
  World world;
  world_begin(&world, &c);
  world_start(&world);
  world.hook = (ProblemHook){meet_problem, bench};
  bench->bodies = (int64_t)c.body_count;
  int code = EXIT_DONE;
  for (bench->step = 0; bench->step <= scene->steps && code == EXIT_DONE; bench->step++)
    code = world_step(&world);
  world_end(&world);
  case_destroy(&c);
  return code == EXIT_DONE;
}

// -- output ---------------------------------------------------------------------------------------

static double nanoseconds(const SolverRow *row)
{
  return row->sweeps > 0 ? 1e9 * row->seconds / ((double)row->points * row->sweeps) : 0;
}

static void print_text(const Bench *bench)
{
  printf("%-12s %8s %-13s %-4s %6s %9s %7s %6s %6s %10s %9s\n", "scene", "points", "solver", "from",
         "target", "residual", "sweeps", "inner", "set-up", "ms", "ns/pt/swp");
  for (int i = 0; i < bench->count; i++) {
    const SolverRow *r = &bench->rows[i];
    printf("%-12s %8lld %-13s %-4s %6.0e %9.2e %7d %6d %6d %10.3f %9.1f\n", r->scene,
           (long long)r->points, convergence_method_name(r->method), r->warm ? "warm" : "cold",
           r->target, r->residual_max, r->sweeps, r->inner, r->factorisations, 1e3 * r->seconds,
           nanoseconds(r));
  }
  puts(
      "from         cold: no impulses; warm: those of the last step\n"
      "target       of the largest residual; harder ones are left out after one that was missed\n"
      "sweeps       of Gauss-Seidel and iterations of ADMM; inner: of conjugate gradients; set-up: "
      "of\n"
      "             linear systems\n"
      "ms           processor time of the solver, its set-ups included; ns/pt/swp: over points and "
      "sweeps");
  printf("median of %d repeats; processor time of the slowest of %d rank%s\n",
         bench->options->repeats, par_size(), par_size() == 1 ? "" : "s");
}

static json_t *rows_json(const Bench *bench)
{
  json_t *list = json_array();
  for (int i = 0; i < bench->count; i++) {
    const SolverRow *r = &bench->rows[i];
    json_t *row = json_object();
    command_json_add(row, "scene", command_json_text(r->scene));
    command_json_add(row, "bodies", json_integer(r->bodies));
    command_json_add(row, "pairs", json_integer(r->pairs));
    command_json_add(row, "points", json_integer(r->points));
    command_json_add(row, "solver", command_json_text(convergence_method_name(r->method)));
    command_json_add(row, "found_by", command_json_text(convergence_method_name(r->found_by)));
    command_json_add(row, "start", command_json_text(r->warm ? "warm" : "cold"));
    command_json_add(row, "target", command_json_number(r->target));
    command_json_add(row, "residual_max", command_json_number(r->residual_max));
    command_json_add(row, "sweeps", json_integer(r->sweeps));
    command_json_add(row, "inner", json_integer(r->inner));
    command_json_add(row, "factorisations", json_integer(r->factorisations));
    command_json_add(row, "seconds", command_json_number(r->seconds));
    command_json_add(row, "seconds_low", command_json_number(r->low));
    command_json_add(row, "seconds_high", command_json_number(r->high));
    command_json_add(row, "ns_per_point_sweep", command_json_number(nanoseconds(r)));
    json_array_append_new(list, row);
  }
  return list;
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

static bool parse_words(int count, char **words, SolverBenchOptions *o)
{
  *o = (SolverBenchOptions){.repeats = 3};
  for (int i = 0; i < count; i++) {
    if (strcmp(words[i], "--json") == 0) {
      o->json = true;
      continue;
    }
    const bool takes = strcmp(words[i], "--scene") == 0 || strcmp(words[i], "--solver") == 0 ||
                       strcmp(words[i], "--repeats") == 0;
    if (!takes)
      return all_ok(false,
                    "unknown option %s of bench solver, which takes --scene, --solver, "
                    "--repeats and --json",
                    words[i]);
    if (i + 1 == count) return all_ok(false, "option %s needs a value", words[i]);
    const char *option = words[i], *value = words[++i];
    if (strcmp(option, "--scene") == 0) {
      o->scene = value;
      if (!all_ok(known_scene(value),
                  "no scene '%s'; there are wall-210, stack-1000, wall-100, "
                  "rubble and wall-million",
                  value))
        return false;
    } else if (strcmp(option, "--solver") == 0) {
      o->solver = value;
      if (!all_ok(known_method(value),
                  "no solver '%s' to measure; there are gauss-seidel, "
                  "nesterov, admm-cholesky, admm-amg and automatic",
                  value))
        return false;
    } else {
      char *end = NULL;
      const long repeats = strtol(value, &end, 10);
      if (!all_ok(end != value && *end == 0 && repeats >= 1 && repeats <= 10000,
                  "option --repeats: expected a whole number from 1 to 10000, found '%s'", value))
        return false;
      o->repeats = (int)repeats;
    }
  }
  return true;
}

int command_bench_solver(int count, char **words)
{
  SolverBenchOptions options;
  if (!parse_words(count, words, &options)) return EXIT_USER;
  Bench bench = {.options = &options};
  bench.rows = memory_allocate((size_t)(2 * SCENES * METHODS * TARGETS) * sizeof *bench.rows);
  bool fine = true;
  for (int i = 0; i < SCENES && fine; i++) {
    bench.scene = &scenes[i];
    const bool asked = options.scene && strcmp(options.scene, scenes[i].name) == 0;
    if (asked || (!options.scene && !scenes[i].on_demand)) fine = bench_scene(&bench);
  }
  if (fine && par_rank() == 0) {
    if (options.json) {
      json_t *root = json_object();
      command_json_add(root, "bench", command_json_text("solver"));
      command_json_add(root, "clock", command_json_text("processor time"));
      command_json_add(root, "ranks", json_integer(par_size()));
      command_json_add(root, "repeats", json_integer(options.repeats));
      command_json_add(root, "build", command_json_text(DRYSTONE_BUILD_TYPE));
      command_json_add(root, "compiler", command_json_text(DRYSTONE_COMPILER));
      command_json_add(root, "rows", rows_json(&bench));
      command_json_print(root, true);
    } else {
      print_text(&bench);
    }
  }
  memory_free(bench.rows);
  return fine ? EXIT_DONE : EXIT_BUG;
}
