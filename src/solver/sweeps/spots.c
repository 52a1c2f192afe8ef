// Rounds: which bodies have an error, sweeps over their pairs, errors anew.
#include "spots.h"

#include <assert.h>
#include <string.h>

#include "halo.h"
#include "parallel.h"
#include "residual.h"
#include "split.h"

#define MOST_ROUNDS 100
#define PATIENCE 20          // rounds without a better answer
#define SWEEPS_OF_ROUND 20   // at most: single points may go round in circles
#define AIM 0.5              // of the tolerance, at which errors count, and to which they fall
#define MOST_SHARE 0.7       // of a group's pairs that take part; else sweeps over all do as well

// A group under way.
typedef struct {
  bool runs;
  int rounds, since;   // rounds; those since its answer was best
  double least;        // residual of the best answer
  double spent;        // sweeps over all its pairs
  int allowed;         // of these
} SpotGroup;

// Pairs that this rank counts for its group: all of them, and those that take part.
typedef struct {
  int64_t all, part;
} SpotPairs;

typedef struct {
  Problem *problem;
  GroupSweeps sweeps;
  SpotGroup *under_way;    // [places]
  SpotPairs *pairs;        // [places]
  double *largest;         // [places] squares of errors
  unsigned char *erring;   // [rows] the body has an error
  vec3 *best;              // [points]
  ContactGroups groups;    // with one place more, of pairs that wait
  GroupPlaces places;
  GroupTask *tasks;   // [places + 1]
  Arena *arena;
} Spots;

static int place_count(const Spots *s) { return s->sweeps.places->groups->place_count; }

static Spots spots_new(Problem *problem, GroupSweeps sweeps, Arena *arena)
{
  const ContactGroups *groups = sweeps.places->groups;
  const size_t places = (size_t)groups->place_count + 1, pairs = (size_t)problem->pair_count + 1;
  const size_t bytes = (size_t)problem->point_count * sizeof(vec3);
  Spots s = {.problem = problem,
             .sweeps = sweeps,
             .under_way = arena_allocate_zero(arena, places, sizeof(SpotGroup)),
             .pairs = arena_allocate_zero(arena, places, sizeof(SpotPairs)),
             .largest = arena_allocate(arena, places * sizeof(double)),
             .erring = arena_allocate(arena, (size_t)problem->row_count + 1),
             .best = arena_allocate(arena, bytes + 1),
             .groups = *groups,
             .places = *sweeps.places,
             .tasks = arena_allocate_zero(arena, places, sizeof(GroupTask)),
             .arena = arena};
  s.groups.place_count++;
  s.places.of_pair = arena_allocate(arena, pairs * sizeof(int));
  s.places.pair_count = arena_allocate_zero(arena, places, sizeof(int));
  memcpy(s.best, problem->r, bytes);
  for (int p = 0; p < groups->place_count; p++) {
    const GroupTask *task = &sweeps.tasks[p];
    s.under_way[p] =
        (SpotGroup){.runs = task->residual > sweeps.parameters.tolerance && task->max_sweeps > 0,
                    .least = task->residual,
                    .allowed = task->max_sweeps};
  }
  return s;
}

static bool any_runs(const Spots *s)
{
  bool any = false;
  for (int p = 0; p < place_count(s); p++) any |= s->under_way[p].runs;
  return par_any(any);
}

// Collective. The largest errors of groups, and the bodies that have one, in groups that run.
static void look_at_errors(Spots *s)
{
  const Problem *problem = s->problem;
  const double aim = AIM * s->sweeps.parameters.tolerance;
  memset(s->erring, 0, (size_t)problem->row_count);
  memset(s->largest, 0, (size_t)place_count(s) * sizeof *s->largest);
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    const int place = s->sweeps.places->of_pair[k];
    const double error = residual_of_pair(problem, k);
    par_raise(&s->largest[place], error);
    if (error <= aim * aim || !s->under_way[place].runs) continue;
    if (motion_moves(&problem->mid[pair->low])) s->erring[pair->low] = 1;
    if (motion_moves(&problem->mid[pair->high])) s->erring[pair->high] = 1;
  }
  par_max_many(s->largest, s->groups.shared_count);
  halo_refresh(&problem->all, s->erring, sizeof *s->erring, s->arena);
}

// Collective. Which pairs take part in the round, and how many.
static void choose_pairs(Spots *s)
{
  const Problem *problem = s->problem;
  const int waiting = place_count(s);
  memset(s->pairs, 0, (size_t)waiting * sizeof *s->pairs);
  memset(s->places.pair_count, 0, ((size_t)waiting + 1) * sizeof *s->places.pair_count);
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    const int place = s->sweeps.places->of_pair[k];
    const bool part = s->under_way[place].runs && (s->erring[pair->low] || s->erring[pair->high]);
    s->places.of_pair[k] = part ? place : waiting;
    s->places.pair_count[s->places.of_pair[k]] += split_pair(problem, k).swept;
    if (!problem->owned[pair->first]) continue;
    s->pairs[place].all++;
    s->pairs[place].part += part;
  }
  const int numbers = (int)(sizeof *s->pairs / sizeof(int64_t));
  par_sum_many(&s->pairs[0].all, s->groups.shared_count * numbers);
}

// Groups go on with what is left to them, where few of their pairs take part.
static void begin_round(Spots *s)
{
  assert(s->tasks != NULL && "groups have tasks");
  for (int p = 0; p < place_count(s); p++) {
    SpotGroup *spot = &s->under_way[p];
    const SpotPairs *pairs = &s->pairs[p];
    spot->runs = spot->runs && (double)pairs->part <= MOST_SHARE * (double)pairs->all;
    s->tasks[p] = (GroupTask){.max_sweeps = spot->runs ? SWEEPS_OF_ROUND : 0,
                              .residual = spot->runs ? INFINITY : 0,
                              .keeps_last = true};
  }
  s->tasks[place_count(s)] = (GroupTask){0};
}

// Groups end that are solved, or that nothing has helped for long; the best answer is kept.
static void end_round(Spots *s)
{
  const double tolerance = s->sweeps.parameters.tolerance;
  for (int p = 0; p < place_count(s); p++) {
    SpotGroup *spot = &s->under_way[p];
    if (!spot->runs) continue;
    const double residual = sqrt(s->largest[p]);
    spot->spent += s->tasks[p].sweeps * (double)s->pairs[p].part / (double)s->pairs[p].all;
    spot->rounds++;
    spot->since++;
    if (residual < spot->least) {
      spot->least = residual;
      spot->since = 0;
    }
    spot->runs = residual > tolerance && spot->rounds < MOST_ROUNDS && spot->since < PATIENCE &&
                 spot->spent < spot->allowed;
  }
}

// Impulses of groups whose answer was never better than this one.
static void keep_best(Spots *s)
{
  const Problem *problem = s->problem;
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    const SpotGroup *spot = &s->under_way[s->sweeps.places->of_pair[k]];
    if (spot->rounds == 0 || spot->since > 0) continue;
    for (int i = pair->first; i < pair->end; i++) s->best[i] = problem->r[i];
  }
}

void spots_improve(Problem *problem, Velocities free, GroupSweeps sweeps, Arena *arena)
{
  assert((problem->pair_count == 0 || sweeps.tasks != NULL) && "groups have tasks");
  const ArenaMark mark = arena_mark(arena);
  Spots s = spots_new(problem, sweeps, arena);
  SolverParameters parameters = sweeps.parameters;
  parameters.method = SOLVER_GAUSS_SEIDEL;
  parameters.tolerance *= AIM;
  if (!any_runs(&s)) {
    arena_release(arena, mark);
    return;
  }
  look_at_errors(&s);
  do {
    choose_pairs(&s);
    begin_round(&s);
    gauss_seidel_improve(problem, free, (GroupSweeps){&s.places, s.tasks, parameters}, arena);
    look_at_errors(&s);
    end_round(&s);
    keep_best(&s);
  } while (any_runs(&s));
  memcpy(problem->r, s.best, (size_t)problem->point_count * sizeof *s.best);
  residual_of_impulses(problem, free, arena);
  for (int p = 0; p < place_count(&s); p++) {
    sweeps.tasks[p].residual = s.under_way[p].least;
    sweeps.tasks[p].sweeps = (int)ceil(s.under_way[p].spent);
  }
  arena_release(arena, mark);
}
