// Chooses the method that solves each group of touching bodies, and runs it.
#include "solve_groups.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "choice.h"
#include "gauss_seidel.h"
#include "giving.h"
#include "group_look.h"
#include "parallel.h"
#include "problem_part.h"
#include "residual.h"
#include "solve_interior.h"
#include "solve_system.h"
#include "spots.h"

#define TRIAL_SWEEPS \
  60   // of Gauss-Seidel before a linear system is made, which costs about as much
#define SWEEPS_AFTER 50       // plain ones at most after the interior-point method
#define TRIAL_AFTER_HARD 10   // of these in a step after one that needed the system
#define TRIAL_OF_HEAPS 100    // at most, after a step in which the interior-point method was tried
#define PATIENCE_OF_HEAPS 100
#define STEPS_WITHOUT 8        // the interior-point method, where it fails again and again
#define GAIN_OF_INTERIOR 0.5   // of the residual of the sweeps before it, where it has paid

// What a group came to.
typedef struct {
  SolverMethod method;
  int sweeps, inner, factorisations;
  SolverChoice choice;
  bool by_interior;   // its impulses may be further from a solution than those of sweeps before
  double swept;       // residual of those
  bool near;          // the path of the interior-point method goes on, by short steps
} GroupResult;

// Groups under way.
typedef struct {
  Problem *problem;
  Velocities free;
  SolverParameters parameters;
  SolverMemory *memory;
  Arena *arena;
  ContactGroups groups;
  GroupPlaces places;
  GroupLooks looks;
  GroupTask *tasks;              // [places]
  GroupResult *results;          // [places]
  int *known;                    // [places] entry of the memory; -1: none
  AdmmController *controllers;   // [places] what is known of sigma
  vec3 *guess;                   // [points] the first one
  vec3 *swept;                   // [points] what sweeps came to before there were systems
  unsigned char *hard;           // [places] what is remembered of this step
} Groups;

// -- looking --------------------------------------------------------------------------------------

// Bodies on points for which automatic has the interior-point method.
static bool is_heap(const Groups *g, int place)
{
  return g->parameters.method == SOLVER_AUTOMATIC && group_look_heap(&g->looks.of[place]);
}

static int known_hardness(const Groups *g, int place)
{
  const int known = g->known[place];
  return known >= 0 ? g->memory->memories.groups[known].hard : HARD_NOT;
}

static int least(int a, int b) { return a < b ? a : b; }

// Sweeps and iterations that a group may take.
static int most_of(const Groups *g, int place)
{
  const int known = g->known[place];
  const bool gives = known >= 0 && g->memory->memories.groups[known].gives > 0;
  return giving_sweeps(g->parameters, &g->looks.of[place], gives);
}

// Sweeps that a group gets before a linear system. On faces: none before the first impulses, few
// after a step that needed more. Sweeps know rigid bodies alone.
static GroupTask trial_of(const Groups *g, int place)
{
  const GroupLook *look = &g->looks.of[place];
  const int most = most_of(g, place), hardness = known_hardness(g, place);
  const bool joints = look->count[LOOK_JOINTS] > 0;
  if (look->count[LOOK_ELASTIC] > 0) return (GroupTask){0};
  if (g->parameters.method == SOLVER_INTERIOR)
    return (GroupTask){.max_sweeps = least(most, TRIAL_SWEEPS)};
  if (g->parameters.method != SOLVER_AUTOMATIC) return (GroupTask){0};
  if (is_heap(g, place) && hardness >= HARD_INTERIOR && hardness <= HARD_WAITS)
    return (GroupTask){.max_sweeps = least(most, TRIAL_OF_HEAPS), .patience = PATIENCE_OF_HEAPS};
  if (!group_look_faces(look) && !joints)
    return (GroupTask){.max_sweeps = most, .patience = PATIENCE_OF_POINTS};
  if (look->count[LOOK_PUSHED] == 0) return (GroupTask){0};
  const int trial = hardness != HARD_NOT ? TRIAL_AFTER_HARD : TRIAL_SWEEPS;
  return (GroupTask){.max_sweeps = least(most, trial)};
}

// Collective.
static Groups *groups_new(Problem *problem, Velocities free, SolverParameters parameters,
                          SolverMemory *memory, Arena *arena)
{
  Groups *g = arena_allocate(arena, sizeof *g);
  *g = (Groups){.problem = problem,
                .free = free,
                .parameters = parameters,
                .memory = memory,
                .arena = arena,
                .groups = contact_groups_new(problem, arena)};
  contact_groups_join(&g->groups, problem, arena);
  g->places = group_places_new(problem, &g->groups, arena);
  const size_t count = (size_t)g->groups.place_count + 1;
  g->tasks = arena_allocate_zero(arena, count, sizeof *g->tasks);
  g->results = arena_allocate_zero(arena, count, sizeof *g->results);
  g->hard = arena_allocate_zero(arena, count, 1);
  g->looks = group_looks_new(problem, &g->groups, arena);
  g->known = arena_allocate(arena, count * sizeof *g->known);
  group_memories_find(&memory->memories, problem, &g->groups, g->known, arena);
  g->controllers = arena_allocate(arena, count * sizeof *g->controllers);
  for (int p = 0; p < g->groups.place_count; p++) {
    const int known = g->known[p];
    g->controllers[p] = (AdmmController){.k = -1};
    if (known >= 0) g->controllers[p] = memory->memories.groups[known].controller;
    g->tasks[p] = trial_of(g, p);
  }
  const size_t bytes = (size_t)problem->point_count * sizeof *g->guess;
  g->guess = arena_allocate(arena, bytes + 1);
  memcpy(g->guess, problem->r, bytes);
  return g;
}

// -- sweeps ---------------------------------------------------------------------------------------

static bool is_left(const Groups *g, int place)
{
  return g->tasks[place].residual > g->parameters.tolerance;
}

static void sweep(Groups *g, SolverMethod method)
{
  SolverParameters parameters = g->parameters;
  parameters.method = method;
  gauss_seidel_improve(g->problem, g->free, (GroupSweeps){&g->places, g->tasks, parameters},
                       g->arena);
  for (int p = 0; p < g->groups.place_count; p++) {
    g->results[p].sweeps += g->tasks[p].sweeps;
    if (g->tasks[p].sweeps > 0 && !g->results[p].by_interior) g->results[p].method = method;
  }
}

// -- linear systems -------------------------------------------------------------------------------

// The group with the most points among those that a mark has; -1: none. The same group wherever
// they lie.
static int largest_of(const Groups *g, int from, int to, const unsigned char *mark)
{
  int found = -1;
  for (int p = from; p < to; p++)
    if (mark[p] &&
        (found < 0 || g->looks.of[p].count[LOOK_POINTS] > g->looks.of[found].count[LOOK_POINTS]))
      found = p;
  return found;
}

// A group as a problem of its own, with some impulses.
static ProblemPart part_of(Groups *g, int place, bool alone, vec3 *impulses)
{
  Problem *problem = g->problem;
  vec3 *const best = problem->r;
  problem->r = impulses;
  ProblemPart own = {.problem = *problem};
  if (g->looks.group_count != 1) {
    const bool deforms = g->looks.of[place].count[LOOK_ELASTIC] > 0;
    own = problem_part_new(problem, &g->groups, (PartChoice){place, deforms, alone}, g->free,
                           g->arena);
  }
  problem->r = best;
  return own;
}

static void store_part(Groups *g, const ProblemPart *own)
{
  Problem *problem = g->problem;
  if (g->looks.group_count != 1) problem_part_store(own, problem);
  else if (own->problem.r != problem->r)
    memcpy(problem->r, own->problem.r, (size_t)problem->point_count * sizeof *problem->r);
}

static void add_effort(GroupResult *result, const Convergence *found)
{
  result->sweeps += found->sweeps;
  result->inner += found->inner;
  result->factorisations += found->factorisations;
}

// One group by ADMM, from the first guess: what sweeps have left is slow modes, which ADMM takes
// longest for. The better one of both answers stays.
static bool solve_by_admm(Groups *g, int place, bool alone, SystemMemory memory)
{
  const ArenaMark mark = arena_mark(g->arena);
  const GroupLook *look = &g->looks.of[place];
  GroupResult *result = &g->results[place];
  GroupTask *task = &g->tasks[place];
  SolverParameters part = g->parameters;
  const bool swept = result->sweeps > 0;
  const bool tried = part.method == SOLVER_AUTOMATIC && look->count[LOOK_ELASTIC] == 0;
  part.max_sweeps = most_of(g, place) - result->sweeps;
  if (tried) part.max_sweeps = (part.max_sweeps + 1) / 2;
  part.patience = 0;
  ProblemPart own = part_of(g, place, alone, g->guess);
  const SystemTask asked = {part, group_look_faces(look), memory};
  const Convergence found = solve_system(&own.problem, g->free, asked, g->arena);
  add_effort(result, &found);
  if (!swept || !(task->residual < found.residual_max)) {
    result->method = found.method;
    task->residual = found.residual_max;
    store_part(g, &own);
  }
  arena_release(g->arena, mark);
  return true;
}

// One group by the interior-point method, from the impulses there are; sweeps must follow. False:
// it is not for this group.
static bool solve_by_interior(Groups *g, int place, bool alone, SystemMemory memory)
{
  const ArenaMark mark = arena_mark(g->arena);
  GroupResult *result = &g->results[place];
  SolverParameters part = g->parameters;
  part.max_sweeps = most_of(g, place) - result->sweeps;
  ProblemPart own = part_of(g, place, alone, g->problem->r);
  const bool fits = part.max_sweeps > 0 && solve_interior_fits(&own.problem);
  if (fits) {
    // a second time it is for what sweeps could not do near the path
    const InteriorTask task = {part, result->by_interior};
    const InteriorResult to = solve_interior(&own.problem, g->free, task, memory.cache, g->arena);
    add_effort(result, &to.found);
    result->method = to.found.method;
    if (!result->by_interior) result->swept = g->tasks[place].residual;
    result->by_interior = true;
    result->near = to.near;
    g->tasks[place].residual = to.found.residual_max;
    store_part(g, &own);
  }
  arena_release(g->arena, mark);
  return fits;
}

// What solves one group; false: it is not for it.
typedef bool (*SolveGroup)(Groups *g, int place, bool alone, SystemMemory memory);

// The groups of a range that are marked. The largest of them has the cache.
static void solve_range(Groups *g, int from, int to, const unsigned char *mark, SolveGroup solve)
{
  const bool alone = from >= g->groups.shared_count;
  SystemCache *const cache = alone ? &g->memory->cache_alone : &g->memory->cache;
  const int largest = largest_of(g, from, to, mark);
  for (int p = from; p < to; p++) {
    if (!mark[p]) continue;
    const GroupLook *look = &g->looks.of[p];
    GroupResult *result = &g->results[p];
    if (g->hard[p] == HARD_NOT)
      result->choice = (SolverChoice){look->count[LOOK_BODIES], group_look_faces(look),
                                      result->sweeps, g->tasks[p].residual};
    SystemCache other = {.factors = NULL};
    const SystemMemory memory = {&g->controllers[p], p == largest ? cache : &other};
    if (solve(g, p, alone, memory) && g->hard[p] == HARD_NOT) g->hard[p] = HARD_SYSTEM;
    contact_system_cache_destroy(&other);
  }
}

// Collective. Linear systems of all groups that are marked: those of one rank by that rank alone,
// all ranks at once; then the others one after another, by all.
static void solve_marked(Groups *g, const unsigned char *mark, SolveGroup solve)
{
  const int shared = g->groups.shared_count;
  par_alone_begin();
  solve_range(g, shared, g->groups.place_count, mark, solve);
  par_alone_end();
  solve_range(g, 0, shared, mark, solve);
}

// Collective. The reason why a group was solved as it was; place: -1 where it is not known.
static SolverChoice tell_choice(const Groups *g, int place)
{
  double told[4] = {0, 0, 0, 0};
  if (place >= 0) {
    const SolverChoice choice = g->results[place].choice;
    told[0] = (double)choice.bodies;
    told[1] = choice.faces;
    told[2] = choice.sweeps;
    told[3] = choice.residual;
  }
  par_max_many(told, 4);
  return (SolverChoice){(int64_t)told[0], told[1] > 0, (int)told[2], told[3]};
}

// -- the interior-point method --------------------------------------------------------------------

// Whether the interior-point method is tried on a group that sweeps have left.
static bool is_tried(const Groups *g, int place)
{
  if (!is_left(g, place) || g->results[place].sweeps >= most_of(g, place)) return false;
  if (g->parameters.method == SOLVER_INTERIOR) return true;
  return is_heap(g, place) && known_hardness(g, place) <= HARD_WAITS;
}

static unsigned char hardness_after_failure(int before)
{
  if (before < HARD_FAILED) return HARD_FAILED;
  return (unsigned char)(before < HARD_WAITS ? before + 1 : HARD_WAITS + STEPS_WITHOUT);
}

// Collective. Where the impulses are further off than those of the sweeps before, these return. The
// velocities of all.
static void return_to_swept(Groups *g)
{
  for (int k = 0; k < g->problem->pair_count; k++) {
    const SolverPair *pair = &g->problem->pairs[k];
    const int place = g->places.of_pair[k];
    const GroupResult *result = &g->results[place];
    if (!result->by_interior || !(result->swept < g->tasks[place].residual)) continue;
    for (int i = pair->first; i < pair->end; i++) g->problem->r[i] = g->swept[i];
  }
  residual_of_impulses(g->problem, g->free, g->arena);
  gauss_seidel_residuals(g->problem, &g->places, g->tasks, g->arena);
}

// What groups that the interior-point method had are asked for.
static void ask_after_interior(Groups *g, GroupTask task)
{
  for (int p = 0; p < g->groups.place_count; p++) {
    const int left = most_of(g, p) - g->results[p].sweeps;
    g->tasks[p].max_sweeps =
        g->results[p].by_interior && left > 0 ? least(left, task.max_sweeps) : 0;
    g->tasks[p].patience = task.patience;
    g->tasks[p].sweeps = 0;
  }
}

// Collective. Sweeps of groups that the interior-point method had.
static void sweep_after_interior(Groups *g, SolverMethod method, GroupTask task)
{
  ask_after_interior(g, task);
  sweep(g, method);
}

// Collective. The same where there are errors alone.
static void sweep_spots_after_interior(Groups *g)
{
  ask_after_interior(g, (GroupTask){.max_sweeps = g->parameters.max_sweeps});
  spots_improve(g->problem, g->free, (GroupSweeps){&g->places, g->tasks, g->parameters}, g->arena);
  for (int p = 0; p < g->groups.place_count; p++) g->results[p].sweeps += g->tasks[p].sweeps;
}

// Collective. The interior-point method on groups that are marked, and plain sweeps: errors that it
// leaves are at single places, and momentum would carry them about.
static void follow_paths(Groups *g, const unsigned char *mark)
{
  bool any = false;
  for (int p = 0; p < g->groups.place_count; p++) any |= mark[p] != 0;
  if (!par_any(any)) return;
  if (!g->swept) {
    const size_t bytes = (size_t)g->problem->point_count * sizeof *g->swept;
    g->swept = arena_allocate(g->arena, bytes + 1);
    memcpy(g->swept, g->problem->r, bytes);
  }
  solve_marked(g, mark, solve_by_interior);
  residual_of_impulses(g->problem, g->free, g->arena);
  gauss_seidel_residuals(g->problem, &g->places, g->tasks, g->arena);
  sweep_after_interior(g, SOLVER_GAUSS_SEIDEL, (GroupTask){.max_sweeps = SWEEPS_AFTER});
  sweep_spots_after_interior(g);
}

// Collective. Heaps, or all groups by name: first as far as the path is cheap, then all of it.
static void solve_interiors(Groups *g)
{
  if (g->parameters.method == SOLVER_AUTOMATIC && g->looks.heap_count == 0) return;
  const int count = g->groups.place_count;
  unsigned char *tried = arena_allocate_zero(g->arena, (size_t)count + 1, 1);
  for (int p = 0; p < count; p++) tried[p] = is_tried(g, p);
  follow_paths(g, tried);
  if (!g->swept) return;
  for (int p = 0; p < count; p++) tried[p] = g->results[p].near && is_tried(g, p);
  follow_paths(g, tried);
  return_to_swept(g);
  if (g->parameters.method == SOLVER_AUTOMATIC) {
    const int most = g->parameters.max_sweeps;
    sweep_after_interior(g, SOLVER_NESTEROV,
                         (GroupTask){.max_sweeps = most, .patience = PATIENCE_OF_POINTS});
  }
  for (int p = 0; p < count; p++) {
    if (!g->results[p].by_interior) continue;
    const bool paid = g->tasks[p].residual < GAIN_OF_INTERIOR * g->results[p].swept;
    g->hard[p] =
        paid || !is_left(g, p) ? HARD_INTERIOR : hardness_after_failure(known_hardness(g, p));
  }
}

// -- all of it ------------------------------------------------------------------------------------

// Collective. Linear systems of all groups that are left.
static void solve_systems(Groups *g)
{
  const int count = g->groups.place_count;
  const bool asked = g->parameters.method == SOLVER_INTERIOR;
  unsigned char *left = arena_allocate_zero(g->arena, (size_t)count + 1, 1);
  for (int p = 0; p < count; p++)
    left[p] = is_left(g, p) && g->results[p].sweeps < most_of(g, p) &&
              !(asked && g->results[p].by_interior);
  solve_marked(g, left, solve_by_admm);
}

// Collective. Remembers the groups that sweeps did not solve; the reason why the largest of them
// was solved as it was.
static SolverChoice learn(Groups *g)
{
  const int count = g->groups.place_count;
  int64_t *points = arena_allocate(g->arena, ((size_t)count + 1) * sizeof *points);
  for (int p = 0; p < count; p++) {
    points[p] = g->looks.of[p].count[LOOK_POINTS];
    const int known = known_hardness(g, p);
    const bool may_give = most_of(g, p) < g->parameters.max_sweeps;
    if (may_give && is_left(g, p) && g->hard[p] == HARD_NOT)
      g->hard[p] = HARD_SYSTEM;   // that it gives is remembered with it
    if (g->hard[p] == HARD_SYSTEM && known > HARD_WAITS && is_heap(g, p))
      g->hard[p] = (unsigned char)(known - 1);
    if (g->controllers[p].k < 0) g->controllers[p].k = FIRST_POINTS;   // ADMM had no part in it
  }
  const int largest = group_memories_learn(&g->memory->memories, g->problem, &g->groups,
                                           (HardGroups){g->hard, points, g->controllers}, g->arena);
  return tell_choice(g, largest);
}

// Collective. Sweeps once more where nothing else has served.
static void sweep_the_rest(Groups *g)
{
  gauss_seidel_residuals(g->problem, &g->places, g->tasks, g->arena);
  for (int p = 0; p < g->groups.place_count; p++) {
    const int left = most_of(g, p) - g->results[p].sweeps;
    g->tasks[p].max_sweeps = g->looks.of[p].count[LOOK_ELASTIC] == 0 && left > 0 ? left : 0;
    g->tasks[p].patience = g->tasks[p].sweeps = 0;
  }
  sweep(g, SOLVER_NESTEROV);
}

// Collective. The effort of the group that took most; sums of what systems took.
static void add_efforts(const Groups *g, Convergence *result)
{
  double largest[2] = {0, 0};
  int64_t sums[2] = {0, 0};
  for (int p = 0; p < g->groups.place_count; p++) {
    const GroupResult *r = &g->results[p];
    largest[0] = fmax(largest[0], r->sweeps);
    largest[1] = fmax(largest[1], (double)r->method);
    if (p < g->groups.shared_count && par_rank() > 0) continue;
    sums[0] += r->inner;
    sums[1] += r->factorisations;
  }
  par_reduce((Reduction[]){{REDUCE_MAX, largest, 2}, {REDUCE_SUM, sums, 2}}, 2);
  result->sweeps = (int)largest[0];
  result->method = (SolverMethod)(int)largest[1];
  result->inner = (int)sums[0];
  result->factorisations = (int)sums[1];
}

// Methods that sweep before and after a system.
static bool sweeps_too(SolverMethod method)
{
  return method == SOLVER_AUTOMATIC || method == SOLVER_INTERIOR;
}

static void set_residual(Convergence *result, Residual residual, double tolerance)
{
  result->residual_max = residual.largest;
  result->residual_rms = residual.rms;
  result->worst = residual.worst;
  result->converged = residual.largest <= tolerance;
}

Convergence solve_groups(Problem *problem, Velocities free, SolverParameters parameters,
                         SolverMemory *memory, Arena *arena)
{
  assert(!convergence_sweeps(parameters.method) && "sweeps have their own door");
  residual_prepare(problem, free, arena);
  Convergence result = {.method = parameters.method};

  // perhaps the last step's impulses will do
  Residual residual = residual_of_impulses(problem, free, arena);
  set_residual(&result, residual, parameters.tolerance);
  if (result.converged) group_memories_rest(&memory->memories);
  if (result.converged || parameters.max_sweeps == 0) return result;

  const ArenaMark mark = arena_mark(arena);
  Groups *g = groups_new(problem, free, parameters, memory, arena);
  gauss_seidel_residuals(problem, &g->places, g->tasks, arena);
  if (sweeps_too(parameters.method)) {
    sweep(g, SOLVER_NESTEROV);
    solve_interiors(g);
  }
  solve_systems(g);
  const SolverChoice choice = learn(g);
  residual = residual_of_impulses(problem, free, arena);
  if (sweeps_too(parameters.method)) {
    result.choice = choice;
    if (residual.largest > parameters.tolerance) {
      sweep_the_rest(g);
      residual = residual_of_impulses(problem, free, arena);
    }
  }
  add_efforts(g, &result);
  set_residual(&result, residual, parameters.tolerance);
  arena_release(arena, mark);
  return result;
}
