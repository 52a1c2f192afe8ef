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
#include "solver_scenes.h"
#include "spread.h"
#include "values.h"

#define SWEEPS_MOST 40000        // of one solution
#define SWEEPS_OF_SEVERAL 2000   // of one of several, as cases have it
#define POINT_SWEEPS_MOST 2e8    // of one solution: sweeps times points
#define DIRECT_BODIES_MOST \
  5000   // factors of larger walls on every rank fill the memory; only when asked for by name

static const double targets[] = {1e-3, 1e-4, 1e-6, 1e-8};
enum { TARGETS = sizeof targets / sizeof *targets };

typedef struct {
  bool json;
  const char *scene, *solver;   // NULL: all
  int repeats;
  double give;   // below zero: automatic
} SolverBenchOptions;

typedef struct {
  const char *scene;
  int64_t points, pairs, bodies;   // of the last problem
  SolverMethod method, found_by;
  bool warm;
  int problems, missed;   // solved or not; those above the target
  double target, residual_max;
  double point_sweeps;                     // points times sweeps, of all problems
  double seconds, low, high;               // of all problems
  int64_t sweeps, inner, factorisations;   // likewise
} SolverRow;

typedef struct {
  const SolverBenchOptions *options;
  const SolverScene *scene;
  const World *world;
  SolverRow *rows;
  int count;
} Bench;

// what is measured
static const SolverMethod methods[] = {SOLVER_GAUSS_SEIDEL,  SOLVER_NESTEROV, SOLVER_ANDERSON,
                                       SOLVER_ADMM_CHOLESKY, SOLVER_ADMM_AMG, SOLVER_INTERIOR,
                                       SOLVER_AUTOMATIC};
enum { METHODS = sizeof methods / sizeof *methods };
enum { MOST_ROWS = 2 * SOLVER_SCENES * METHODS * TARGETS };   // of all scenes, cold and warm

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

// The row of a method, made where it is not there yet.
static SolverRow *row_of(Bench *bench, SolverMethod method, bool warm, double target)
{
  for (int i = 0; i < bench->count; i++) {
    SolverRow *row = &bench->rows[i];
    if (row->scene == bench->scene->name && row->method == method && row->warm == warm &&
        row->target == target)
      return row;
  }
  assert(bench->count < MOST_ROWS && "rows have room");
  SolverRow *row = &bench->rows[bench->count++];
  *row = (SolverRow){.scene = bench->scene->name, .method = method, .warm = warm, .target = target};
  return row;
}

// Adds one problem to a row. False: the target was missed.
static bool measure(const Bench *bench, Problem *problem, Velocities free, const vec3 *start,
                    SolverRow *row)
{
  assert(bench->options->repeats >= 1 && row->target > 0 && "a residual is asked for and timed");
  const int64_t points = par_sum(problem->owned_points);
  const double by_points = POINT_SWEEPS_MOST / (double)(points + 1);
  int most = by_points < SWEEPS_MOST ? (int)by_points + 1 : SWEEPS_MOST;
  if (bench->scene->count > 1 && most > SWEEPS_OF_SEVERAL) most = SWEEPS_OF_SEVERAL;
  const bool all_give = bench->options->give >= 0;
  const SolverParameters parameters = {.method = row->method,
                                       .tolerance = row->target,
                                       .max_sweeps = most,
                                       .give = all_give ? bench->options->give : SOLVER_GIVE,
                                       .all_give = all_give};
  double *times = memory_allocate((size_t)bench->options->repeats * sizeof *times);
  Convergence result = {0};
  for (int k = 0; k < bench->options->repeats; k++)
    result = solve_once(problem, free, start, parameters, &times[k]);
  const Spread spread = spread_of(times, bench->options->repeats);
  memory_free(times);
  row->points = points;
  row->pairs = count_pairs(problem);
  row->bodies = (int64_t)bench->world->c->body_count;
  row->problems++;
  row->missed += !result.converged;
  if (result.method > row->found_by) row->found_by = result.method;
  par_raise(&row->residual_max, result.residual_max);
  row->point_sweeps += (double)points * result.sweeps;
  row->seconds += spread.median;
  row->low += spread.low;
  row->high += spread.high;
  row->sweeps += result.sweeps;
  row->inner += result.inner;
  row->factorisations += result.factorisations;
  return result.converged;
}

// One problem by all methods, to harder and harder targets as long as they are reached.
static void measure_all(Bench *bench, Problem *problem, Velocities free, const vec3 *start)
{
  for (int m = 0; m < METHODS; m++) {
    const char *asked = bench->options->solver;
    if (asked && strcmp(asked, convergence_method_name(methods[m])) != 0) continue;
    const bool direct = methods[m] == SOLVER_ADMM_CHOLESKY;
    if (convergence_sweeps(methods[m]) && problem->elastic) continue;   // rigid bodies alone
    if (direct && !asked && bench->world->c->body_count > DIRECT_BODIES_MOST) continue;
    bool reached = true;
    for (int t = 0; t < TARGETS && reached; t++)
      reached = measure(bench, problem, free, start,
                        row_of(bench, methods[m], start != NULL, targets[t]));
  }
}

// the problem of a step, before it is solved: from nothing, then from the impulses of the last step
static void meet_problem(void *context, Problem *problem, Velocities free)
{
  Bench *bench = context;
  const SolverScene *scene = bench->scene;
  const int64_t after = bench->world->step - scene->first;
  if (after < 0 || after % scene->every != 0) return;
  vec3 *start = memory_allocate(((size_t)problem->point_count + 1) * sizeof *start);
  for (int i = 0; i < problem->point_count; i++) start[i] = problem->r[i];
  if (!scene->warm_alone) measure_all(bench, problem, free, NULL);
  measure_all(bench, problem, free, start);
  for (int i = 0; i < problem->point_count; i++) problem->r[i] = start[i];
  memory_free(start);
}

// Collective. False on all ranks after one message.
static bool bench_scene(Bench *bench)
{
  const LogFilter errors = {log_printing(), LOG_ERROR};
  const RunSetup setup = {.case_path = bench->scene->name,
                          .case_text = bench->scene->text,
                          .no_files = true,
                          .steps = bench->scene->first +
                                   (bench->scene->count - 1) * bench->scene->every + 1,
                          .hook = {meet_problem, bench},
                          .sink = log_filtered(&errors)};
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
    const double problems = r->problems;
    Value *row = values_group(list, NULL);
    values_add(row, "scene %s bodies %lld", r->scene, (long long)r->bodies);
    values_add(row, "pairs %lld points %lld", (long long)r->pairs, (long long)r->points);
    values_add(row, "solver %s found_by %s", solver, convergence_method_name(r->found_by));
    values_add(row, "start %s target %g", r->warm ? "warm" : "cold", r->target);
    values_add(row, "problems %d missed %d residual_max %g", r->problems, r->missed,
               r->residual_max);
    values_add(row, "sweeps %g inner %g factorisations %g", (double)r->sweeps / problems,
               (double)r->inner / problems, (double)r->factorisations / problems);
    values_add(row, "-milliseconds %g seconds %g", 1e3 * r->seconds / problems,
               r->seconds / problems);
    values_add(row, "seconds_low %g seconds_high %g", r->low / problems, r->high / problems);
    values_add(row, "ns_per_point_sweep %g",
               r->sweeps > 0 ? 1e9 * r->seconds / r->point_sweeps : 0);
  }
}

static void print_text(const Value *all, const Value *rows)
{
  values_table(rows, "{scene:-13:scene} {points:7:points} {solver:-13:solver} {start:-4:from} "
                     "{target:6.0e:target} {residual_max:8.1e:residual} {missed:6:missed} "
                     "{sweeps:6.1f:sweeps} {inner:6.1f:inner} {factorisations:6.1f:set-up} "
                     "{-milliseconds:8.4g:ms} {ns_per_point_sweep:6.0f:ns/pt}\n");
  values_print(
      all,
      "from         cold: no impulses; warm: those of the last step\n"
      "target       of the largest residual; a problem that missed one is not solved to harder "
      "ones\n"
      "missed       problems above the target: of one, of ten where scenes fall, tilt or are "
      "heaps, "
      "of\n"
      "             three of heap-10000; all else is the mean of the problems solved, the "
      "residual\n"
      "             their largest\n"
      "sweeps       of Gauss-Seidel and iterations of ADMM; inner: of conjugate gradients; set-up: "
      "of\n"
      "             linear systems\n"
      "ms           processor time of the solver, its set-ups included; ns/pt: over points and "
      "sweeps\n"
      "median of {repeats} repeats; {clock} of the slowest of {ranks} {-ranks}\n");
}

// -- command --------------------------------------------------------------------------------------

static bool known_scene(const char *name)
{
  for (int i = 0; i < SOLVER_SCENES; i++)
    if (strcmp(solver_scenes()[i].name, name) == 0) return true;
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
     "wall-poisson, wall-elastic, wall-million, wall-tilted,\narch-falling, heap-falling, "
     "heap-settling, "
     "heap-resting,\nheap-sheared, heap-10000 or fill-over-arch",
     OPTION_TEXT, .offset = offsetof(SolverBenchOptions, scene), .accepts = known_scene,
     .refusal = "no scene '%s'; there are wall-210, stack-1000, wall-100, rubble, wall-affine, "
                "wall-joints, wall-poisson, wall-elastic, wall-million, wall-tilted, arch-falling, "
                "heap-falling, "
                "heap-settling, heap-resting, heap-sheared, heap-10000 and fill-over-arch"},
    {"--solver", "S",
     "gauss-seidel, nesterov, anderson, admm-cholesky, admm-amg,\ninterior-point or automatic "
     "(default: all)",
     OPTION_TEXT, .offset = offsetof(SolverBenchOptions, solver), .accepts = known_method,
     .refusal = "no solver '%s' to measure; there are gauss-seidel, nesterov, anderson, "
                "admm-cholesky, admm-amg, interior-point and automatic"},
    {"--repeats", "N", "of which the median counts (default: 3)", OPTION_COUNT,
     .offset = offsetof(SolverBenchOptions, repeats), .low = 1, .high = 10000},
    {"--give", "S",
     "of automatic: the share by which points give that do not converge,\nas solver.give "
     "(default: automatic)",
     OPTION_REAL, .offset = offsetof(SolverBenchOptions, give), .high = 0.1},
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
  SolverBenchOptions options = {.repeats = 3, .give = -1};
  if (!options_read(&COMMAND_SOLVER_BENCH_OPTIONS, count, words, &options)) return EXIT_USER;
  Bench bench = {.options = &options};
  bench.rows = memory_allocate((size_t)MOST_ROWS * sizeof *bench.rows);
  bool fine = true;
  for (int i = 0; i < SOLVER_SCENES && fine; i++) {
    const SolverScene *scene = bench.scene = &solver_scenes()[i];
    const bool asked = options.scene && strcmp(options.scene, scene->name) == 0;
    if (asked || (!options.scene && !scene->on_demand)) fine = bench_scene(&bench);
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
