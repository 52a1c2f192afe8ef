// Coloured Gauss-Seidel over the points of a problem, plain or accelerated.
#include "gauss_seidel.h"

#include <assert.h>
#include <string.h>

#include "acceleration.h"
#include "batches.h"
#include "halo.h"
#include "pair_sweep.h"
#include "parallel.h"
#include "residual.h"
#include "split.h"

#define CHECK_EVERY \
  5   // sweeps between two measurements of the residual, after the first few;
      // PATIENCE_WINDOW is a multiple

#define MORE_PASSES 2   // over pairs that are solved whole: a pair is then nearly solved

void gauss_seidel_sweep(Problem *problem, int more_passes, Arena *arena)
{
  assert(problem->colour_count >= 0 && "colours are counted");
  split_begin(problem);
  for (int c = 0; c < problem->colour_count; c++) {
    halo_refresh(&problem->before_colour[c], problem->twist, sizeof *problem->twist, arena);
    for (int k = problem->colour_start[c]; k < problem->colour_start[c + 1]; k++)
      if (split_pair(problem, k).swept) pair_sweep(problem, k, more_passes, problem->r);
  }
  split_end(problem, arena);
}

static void refresh(const HaloPlan *plan, Problem *problem, Arena *arena)
{
  halo_refresh(plan, problem->twist, sizeof *problem->twist, arena);
}

// -------------------------------------------------------------------------------------------------
// Groups

// Sweeps under way.
typedef struct {
  Problem *problem;
  const GroupPlaces *places;
  GroupTask *tasks;   // [places]
  SolverParameters parameters;
  Acceleration acceleration;
  unsigned char *runs;       // [places] groups that are swept
  unsigned char *improved;   // [places] those whose impulses are the best so far
  double *errors;            // [shared + SIGNALS] squares of the shared groups, then what all say
  double *of_places;         // [places] squares
  double *window_start;      // [places] residual when the window of patience began
  int sweep;
  int next_end;   // sweep that some group ends at though no measurement is due
  bool any;       // groups run on some rank
} Sweeping;

enum { SIGNAL_RUNS, SIGNAL_END, SIGNALS };   // groups of one rank run; minus the next end of any

// Local. Groups of this rank alone that run, and where the first of them ends.
static void signal_runs(const Sweeping *s, int from, int to, double signals[SIGNALS])
{
  for (int p = from; p < to; p++) {
    if (!s->runs[p]) continue;
    signals[SIGNAL_RUNS] = 1;
    signals[SIGNAL_END] = fmax(signals[SIGNAL_END], -(double)s->tasks[p].max_sweeps);
  }
}

// Collective. What all ranks know then of errors of shared groups, of whether to go on, and when to
// measure next.
static void tell_all(Sweeping *s, void (*rate)(Sweeping *s, int place))
{
  const ContactGroups *groups = s->places->groups;
  const int shared = groups->shared_count;
  double *signals = s->errors + shared;
  signals[SIGNAL_RUNS] = 0;
  signals[SIGNAL_END] = -INFINITY;
  for (int p = shared; p < groups->place_count; p++)
    if (rate && s->runs[p]) rate(s, p);
  signal_runs(s, shared, groups->place_count, signals);
  for (int p = 0; p < shared; p++) s->errors[p] = s->of_places[p];
  par_max_many(s->errors, shared + SIGNALS);
  for (int p = 0; p < shared; p++) {
    s->of_places[p] = s->errors[p];
    if (rate && s->runs[p]) rate(s, p);
  }
  signal_runs(s, 0, shared, signals);
  s->any = signals[SIGNAL_RUNS] > 0;
  s->next_end = s->any ? (int)-signals[SIGNAL_END] : 0;
}

static bool is_due(int sweep) { return sweep <= 3 || sweep % CHECK_EVERY == 0; }

// Notes the residual of a group, keeps the best, and lets it end.
static void rate_group(Sweeping *s, int place)
{
  GroupTask *task = &s->tasks[place];
  const bool ends = s->sweep == task->max_sweeps;
  if (!is_due(s->sweep) && !ends) return;
  const double residual = sqrt(s->of_places[place]);
  if (residual < task->residual || task->keeps_last) {
    task->residual = residual;
    s->improved[place] = 1;
  }
  task->sweeps = s->sweep;
  bool goes_on = residual < INFINITY && residual > s->parameters.tolerance && !ends;
  if (goes_on && s->sweep % PATIENCE_WINDOW == 0) {
    SolverParameters asked = s->parameters;
    asked.patience = task->patience;
    goes_on = !convergence_is_hopeless(s->window_start[place], task->residual, asked);
    s->window_start[place] = task->residual;
  }
  if (goes_on) return;
  s->runs[place] = 0;
  if (!(task->residual < INFINITY)) s->improved[place] = 1;
}

// Pairs are solved whole where sweeps are mixed: mixing then sees what pairs do to each other
// alone.
static AccelerationKind acceleration_of(SolverMethod method)
{
  const bool mixes = method == SOLVER_ANDERSON;
  return (AccelerationKind){.mixes = mixes, .more_passes = mixes ? MORE_PASSES : 0};
}

static Sweeping sweeping_new(Problem *problem, const GroupPlaces *places, GroupTask *tasks,
                             unsigned char *runs, SolverParameters parameters, Arena *arena)
{
  const size_t count = (size_t)places->groups->place_count + 1;
  Sweeping s = {.problem = problem,
                .places = places,
                .tasks = tasks,
                .parameters = parameters,
                .acceleration = acceleration_new(problem, places, runs,
                                                 acceleration_of(parameters.method), arena),
                .runs = runs,
                .improved = arena_allocate_zero(arena, count, 1),
                .errors = arena_allocate(arena, ((size_t)places->groups->shared_count + SIGNALS) *
                                                    sizeof *s.errors),
                .of_places = arena_allocate_zero(arena, count, sizeof *s.of_places),
                .window_start = arena_allocate(arena, count * sizeof *s.window_start)};
  for (int p = 0; p < places->groups->place_count; p++) {
    s.window_start[p] = tasks[p].residual;
    tasks[p].sweeps = 0;
  }
  return s;
}

// Sweeps until each group that runs has ended, and leaves their best impulses in the problem: their
// residuals are by the velocities that sweeps have kept up, which rounding carries off.
static void sweep_groups(Problem *problem, const GroupPlaces *places, GroupTask *tasks,
                         unsigned char *runs, SolverParameters parameters, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  const size_t count = (size_t)places->groups->place_count;
  Sweeping s = sweeping_new(problem, places, tasks, runs, parameters, arena);
  Acceleration *a = &s.acceleration;
  const bool plain = parameters.method == SOLVER_GAUSS_SEIDEL;
  const TrafficKind served = par_traffic_serves(TRAFFIC_SWEEPS);
  tell_all(&s, NULL);
  while (s.any) {
    if (!plain) acceleration_start(a);
    batches_sweep(&a->batches, arena);
    s.sweep++;
    if (is_due(s.sweep) || s.sweep == s.next_end) {
      refresh(&problem->swept, problem, arena);
      memset(s.of_places, 0, count * sizeof *s.of_places);
      batches_errors(&a->batches, s.of_places);
      tell_all(&s, rate_group);
      batches_store(&a->batches, s.improved);
      memset(s.improved, 0, count);
      if (!s.any) break;
    }
    if (!plain) acceleration_go_on(a, s.sweep == 1);
    acceleration_shrink(a, arena);
    refresh(&problem->swept, problem, arena);
  }
  par_traffic_rounds(s.sweep);
  par_traffic_serves(served);
  split_share_impulses(problem, arena);
  arena_release(arena, mark);
}

void gauss_seidel_residuals(const Problem *problem, const GroupPlaces *places, GroupTask *tasks,
                            Arena *arena)
{
  assert((problem->pair_count == 0 || tasks != NULL) && "groups have tasks");
  const ContactGroups *groups = places->groups;
  const ArenaMark mark = arena_mark(arena);
  double *largest = arena_allocate_zero(arena, (size_t)groups->place_count + 1, sizeof *largest);
  for (int k = 0; k < problem->pair_count; k++)
    par_raise(&largest[places->of_pair[k]], residual_of_pair(problem, k));
  par_max_many(largest, groups->shared_count);
  for (int p = 0; p < groups->place_count; p++) tasks[p].residual = sqrt(largest[p]);
  arena_release(arena, mark);
}

// Collective. Velocities anew from the best impulses, and the residuals by these.
static void settle(Problem *problem, Velocities free, const GroupPlaces *places, GroupTask *tasks,
                   Arena *arena)
{
  problem_velocities(problem, free, problem_columns(problem));
  problem_refresh(problem, arena);
  gauss_seidel_residuals(problem, places, tasks, arena);
}

void gauss_seidel_improve(Problem *problem, Velocities free, GroupSweeps sweeps, Arena *arena)
{
  const GroupPlaces *places = sweeps.places;
  GroupTask *tasks = sweeps.tasks;
  const SolverParameters parameters = sweeps.parameters;
  assert(!(parameters.tolerance < 0) && "the solver has an aim");
  const ArenaMark mark = arena_mark(arena);
  const int count = places->groups->place_count;
  unsigned char *runs = arena_allocate_zero(arena, (size_t)count + 1, 1);
  int *done = arena_allocate_zero(arena, (size_t)count + 1, sizeof *done);
  double *reached = arena_allocate(arena, ((size_t)count + 1) * sizeof *reached);
  bool any = false;
  for (int p = 0; p < count; p++) {
    runs[p] = tasks[p].residual > parameters.tolerance && tasks[p].max_sweeps > 0;
    any = any || runs[p];
  }
  while (par_any(any)) {
    unsigned char *ran = arena_allocate(arena, (size_t)count + 1);
    memcpy(ran, runs, (size_t)count);
    sweep_groups(problem, places, tasks, runs, parameters, arena);
    for (int p = 0; p < count; p++) reached[p] = tasks[p].residual;
    settle(problem, free, places, tasks, arena);

    // again where a residual served only without that
    any = false;
    for (int p = 0; p < count; p++) {
      if (!ran[p]) continue;
      done[p] += tasks[p].sweeps;
      tasks[p].max_sweeps -= tasks[p].sweeps;
      runs[p] = reached[p] <= parameters.tolerance && tasks[p].residual > parameters.tolerance &&
                tasks[p].sweeps > 0 && tasks[p].max_sweeps > 0;
      any = any || runs[p];
    }
  }
  for (int p = 0; p < count; p++) tasks[p].sweeps = done[p];
  arena_release(arena, mark);
}

Convergence gauss_seidel_solve(Problem *problem, Velocities free, SolverParameters parameters,
                               Arena *arena)
{
  assert((problem->row_count == 0 || free.twist != NULL) && "rows have free velocities");
  assert(!problem->elastic && "sweeps know rigid bodies alone");
  assert(!(parameters.tolerance < 0) && parameters.patience >= 0 && "the solver has an aim");
  assert(convergence_sweeps(parameters.method) && "a method that sweeps");
  Convergence result = {.method = parameters.method};
  residual_prepare(problem, free, arena);
  for (int b = 0; b < problem->row_count; b++) problem->twist[b] = free.twist[b];
  problem_velocities(problem, free, problem_columns(problem));
  refresh(&problem->all, problem, arena);

  // perhaps the last step's impulses will do
  Residual residual = residual_measure(problem);
  if (residual.largest > parameters.tolerance && parameters.max_sweeps > 0) {
    const ArenaMark mark = arena_mark(arena);
    ContactGroups groups = contact_groups_new(problem, arena);
    contact_groups_join(&groups, problem, arena);
    const GroupPlaces places = group_places_new(problem, &groups, arena);
    GroupTask *tasks = arena_allocate_zero(arena, (size_t)groups.place_count + 1, sizeof *tasks);
    for (int p = 0; p < groups.place_count; p++)
      tasks[p] = (GroupTask){.max_sweeps = parameters.max_sweeps, .patience = parameters.patience};
    gauss_seidel_residuals(problem, &places, tasks, arena);
    gauss_seidel_improve(problem, free, (GroupSweeps){&places, tasks, parameters}, arena);
    result.sweeps = group_tasks_most(&places, tasks);
    residual = residual_measure(problem);
    arena_release(arena, mark);
  }
  result.residual_max = residual.largest;
  result.residual_rms = residual.rms;
  result.worst = residual.worst;
  result.converged = residual.largest <= parameters.tolerance;
  return result;
}
