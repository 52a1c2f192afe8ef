// Chooses the method that solves each group of touching bodies, and runs it.
#include "solve_groups.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "choice.h"
#include "contact_groups.h"
#include "gauss_seidel.h"
#include "parallel.h"
#include "problem_part.h"
#include "residual.h"
#include "solve_interior.h"
#include "solve_system.h"

#define TRIAL_SWEEPS \
  60   // of Gauss-Seidel before a linear system is made, which costs about as much
#define SWEEPS_AFTER 200      // plain ones at most after the interior-point method
#define TRIAL_AFTER_HARD 10   // of these in a step after one that needed the system

// What a choice goes by, counted over the group.
enum {
  LOOK_POINTS,
  LOOK_PAIRS,
  LOOK_JOINTS,    // points that joints hold
  LOOK_PUSHED,    // points with an impulse to begin with
  LOOK_ELASTIC,   // bodies that deform
  LOOK_BODIES,    // that something moves
  LOOKS
};

typedef struct {
  int64_t count[LOOKS];
} GroupLook;

// What a group came to.
typedef struct {
  SolverMethod method;
  int sweeps, inner, factorisations;
  SolverChoice choice;
  bool by_interior;   // its impulses may be further from a solution than those of sweeps before
  double swept;       // residual of those
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
  GroupLook *looks;              // [places]
  GroupTask *tasks;              // [places]
  GroupResult *results;          // [places]
  int *known;                    // [places] entry of the memory; -1: none
  AdmmController *controllers;   // [places] of those that a system was made for
  int64_t group_count;           // on all ranks
  vec3 *guess;                   // [points] the first one
  vec3 *swept;                   // [points] what sweeps came to before there were systems
} Groups;

// -- looking --------------------------------------------------------------------------------------

static void look_at_pair(Groups *g, int k)
{
  const Problem *problem = g->problem;
  const SolverPair *pair = &problem->pairs[k];
  if (!problem->owned[pair->first]) return;
  int64_t *count = g->looks[g->places.of_pair[k]].count;
  count[LOOK_PAIRS]++;
  count[LOOK_POINTS] += pair->end - pair->first;
  count[LOOK_JOINTS] += pair->end - problem_contacts_end(problem, k);
  for (int i = pair->first; i < pair->end; i++) {
    const vec3 r = problem->r[i];
    count[LOOK_PUSHED] += r.x != 0 || r.y != 0 || r.z != 0;
  }
}

static void look_at_row(Groups *g, int b)
{
  const int place = g->places.of_row[b];
  if (place < 0) return;
  int64_t *count = g->looks[place].count;
  count[LOOK_BODIES] += motion_moves(&g->problem->mid[b]);
  count[LOOK_ELASTIC] += elastic_rows_find(g->problem->elastic, b) != NULL;
}

// Collective.
static void look_at_all(Groups *g)
{
  const ContactGroups *groups = &g->groups;
  const int shared = groups->shared_count;
  for (int k = 0; k < g->problem->pair_count; k++) look_at_pair(g, k);
  for (int b = 0; b < g->problem->own_rows; b++) look_at_row(g, b);
  int64_t *all = arena_allocate(g->arena, ((size_t)shared * LOOKS + 1) * sizeof *all);
  memcpy(all, g->looks, (size_t)shared * sizeof *g->looks);
  all[shared * LOOKS] = groups->place_count - shared;
  par_sum_many(all, shared * LOOKS + 1);
  memcpy(g->looks, all, (size_t)shared * sizeof *g->looks);
  g->group_count = shared + all[shared * LOOKS];
}

static bool meets_in_faces(const GroupLook *look)
{
  return (double)look->count[LOOK_POINTS] > POINTS_OF_FACES * (double)look->count[LOOK_PAIRS];
}

static int least(int a, int b) { return a < b ? a : b; }

// Sweeps that a group gets before a linear system. On faces: none before the first impulses, few
// after a step that needed more. Sweeps know rigid bodies alone.
static GroupTask trial_of(const Groups *g, int place)
{
  const GroupLook *look = &g->looks[place];
  const int known = g->known[place], most = g->parameters.max_sweeps;
  const bool joints = look->count[LOOK_JOINTS] > 0;
  if (look->count[LOOK_ELASTIC] > 0) return (GroupTask){0};
  if (g->parameters.method == SOLVER_INTERIOR)
    return (GroupTask){.max_sweeps = least(most, TRIAL_SWEEPS)};
  if (g->parameters.method != SOLVER_AUTOMATIC) return (GroupTask){0};
  if (!meets_in_faces(look) && !joints)
    return (GroupTask){.max_sweeps = most, .patience = PATIENCE_OF_POINTS};
  if (look->count[LOOK_PUSHED] == 0) return (GroupTask){0};
  const bool was_hard = known >= 0 && g->memory->memories.groups[known].hard;
  return (GroupTask){.max_sweeps = least(most, was_hard ? TRIAL_AFTER_HARD : TRIAL_SWEEPS)};
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
  g->looks = arena_allocate_zero(arena, count, sizeof *g->looks);
  g->tasks = arena_allocate_zero(arena, count, sizeof *g->tasks);
  g->results = arena_allocate_zero(arena, count, sizeof *g->results);
  look_at_all(g);
  g->known = arena_allocate(arena, count * sizeof *g->known);
  group_memories_find(&memory->memories, problem, &g->groups, g->known, arena);
  g->controllers = arena_allocate(arena, count * sizeof *g->controllers);
  for (int p = 0; p < g->groups.place_count; p++) g->tasks[p] = trial_of(g, p);
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
    if (g->tasks[p].sweeps == 0) continue;
    g->results[p].sweeps += g->tasks[p].sweeps;
    if (!g->results[p].by_interior) g->results[p].method = method;
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
        (found < 0 || g->looks[p].count[LOOK_POINTS] > g->looks[found].count[LOOK_POINTS]))
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
  if (g->group_count != 1) {
    const bool deforms = g->looks[place].count[LOOK_ELASTIC] > 0;
    own = problem_part_new(problem, &g->groups, (PartChoice){place, deforms, alone}, g->free,
                           g->arena);
  }
  problem->r = best;
  return own;
}

static void store_part(Groups *g, const ProblemPart *own)
{
  Problem *problem = g->problem;
  if (g->group_count != 1) problem_part_store(own, problem);
  else if (own->problem.r != problem->r)
    memcpy(problem->r, own->problem.r, (size_t)problem->point_count * sizeof *problem->r);
}

static void add_effort(GroupResult *result, const Convergence *found)
{
  result->sweeps += found->sweeps;
  result->inner += found->inner;
  result->factorisations += found->factorisations;
}

// One group by the interior-point method, from the impulses there are; sweeps must follow. False:
// it is not for this group.
static bool solve_by_interior(Groups *g, int place, bool alone, SystemCache *cache)
{
  const ArenaMark mark = arena_mark(g->arena);
  GroupResult *result = &g->results[place];
  SolverParameters part = g->parameters;
  part.max_sweeps -= result->sweeps;
  ProblemPart own = part_of(g, place, alone, g->problem->r);
  const bool fits = part.max_sweeps > 0 && solve_interior_fits(&own.problem);
  if (fits) {
    const Convergence found = solve_interior(&own.problem, g->free, part, cache, g->arena);
    add_effort(result, &found);
    result->method = found.method;
    result->by_interior = true;
    result->swept = g->tasks[place].residual;
    g->tasks[place].residual = found.residual_max;
    store_part(g, &own);
  }
  arena_release(g->arena, mark);
  return fits;
}

// One group by ADMM, from the first guess: what sweeps have left is slow modes, which ADMM takes
// longest for. The better one of both answers stays.
static void solve_by_admm(Groups *g, int place, bool alone, SystemMemory memory)
{
  const ArenaMark mark = arena_mark(g->arena);
  const GroupLook *look = &g->looks[place];
  GroupResult *result = &g->results[place];
  GroupTask *task = &g->tasks[place];
  SolverParameters part = g->parameters;
  const bool swept = result->sweeps > 0;
  const bool tried = part.method == SOLVER_AUTOMATIC && look->count[LOOK_ELASTIC] == 0;
  part.max_sweeps -= result->sweeps;
  if (tried) part.max_sweeps = (part.max_sweeps + 1) / 2;
  part.patience = 0;
  ProblemPart own = part_of(g, place, alone, g->guess);
  const SystemTask asked = {part, meets_in_faces(look), memory};
  const Convergence found = solve_system(&own.problem, g->free, asked, g->arena);
  add_effort(result, &found);
  if (!swept || !(task->residual < found.residual_max)) {
    result->method = found.method;
    task->residual = found.residual_max;
    store_part(g, &own);
  }
  arena_release(g->arena, mark);
}

static void solve_group(Groups *g, int place, bool alone, SystemMemory memory)
{
  const GroupLook *look = &g->looks[place];
  GroupResult *result = &g->results[place];
  result->choice = (SolverChoice){look->count[LOOK_BODIES], meets_in_faces(look), result->sweeps,
                                  g->tasks[place].residual};
  const bool asked = g->parameters.method == SOLVER_INTERIOR;
  if (asked && solve_by_interior(g, place, alone, memory.cache)) return;
  solve_by_admm(g, place, alone, memory);
}

// The groups of a range that are left. The largest of them has the cache.
static void solve_range(Groups *g, int from, int to, bool alone, const unsigned char *left)
{
  SystemCache *const cache = alone ? &g->memory->cache_alone : &g->memory->cache;
  const int largest = largest_of(g, from, to, left);
  for (int p = from; p < to; p++) {
    if (!left[p]) continue;
    g->controllers[p] = (AdmmController){.k = -1};
    if (g->known[p] >= 0) g->controllers[p] = g->memory->memories.groups[g->known[p]].controller;
    SystemCache other = {NULL, NULL, NULL};
    solve_group(g, p, alone, (SystemMemory){&g->controllers[p], p == largest ? cache : &other});
    contact_system_cache_destroy(&other);
    if (g->controllers[p].k < 0) g->controllers[p].k = FIRST_POINTS;   // ADMM had no part in it
  }
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

// Collective. Linear systems of all groups that are left: those of one rank by that rank alone,
// all ranks at once; then the others one after another, by all.
static SolverChoice solve_systems(Groups *g)
{
  const int shared = g->groups.shared_count, count = g->groups.place_count;
  unsigned char *left = arena_allocate_zero(g->arena, (size_t)count + 1, 1);
  int64_t *points = arena_allocate(g->arena, ((size_t)count + 1) * sizeof *points);
  for (int p = 0; p < count; p++) {
    left[p] = is_left(g, p) && g->results[p].sweeps < g->parameters.max_sweeps;
    points[p] = g->looks[p].count[LOOK_POINTS];
  }
  if (g->parameters.method == SOLVER_INTERIOR) {
    const size_t bytes = (size_t)g->problem->point_count * sizeof *g->swept;
    g->swept = arena_allocate(g->arena, bytes + 1);
    memcpy(g->swept, g->problem->r, bytes);
  }
  par_alone_begin();
  solve_range(g, shared, count, true, left);
  par_alone_end();
  solve_range(g, 0, shared, false, left);
  const int largest = group_memories_learn(&g->memory->memories, g->problem, &g->groups,
                                           (HardGroups){left, points, g->controllers}, g->arena);
  return tell_choice(g, largest);
}

// -- all of it ------------------------------------------------------------------------------------

// Where sweeps after the interior-point method ended further off than those before it, the latter
// stay.
static void return_to_swept(Groups *g)
{
  for (int k = 0; k < g->problem->pair_count; k++) {
    const SolverPair *pair = &g->problem->pairs[k];
    const int place = g->places.of_pair[k];
    const GroupResult *result = &g->results[place];
    if (!result->by_interior || !(result->swept < g->tasks[place].residual)) continue;
    for (int i = pair->first; i < pair->end; i++) g->problem->r[i] = g->swept[i];
  }
}

// Collective. Plain sweeps after the interior-point method: what it leaves are errors at single
// places, which momentum would carry about.
static void sweep_after_interior(Groups *g)
{
  gauss_seidel_residuals(g->problem, &g->places, g->tasks, g->arena);
  for (int p = 0; p < g->groups.place_count; p++) {
    const int left = g->parameters.max_sweeps - g->results[p].sweeps;
    g->tasks[p].max_sweeps = g->results[p].by_interior && left > 0 ? least(left, SWEEPS_AFTER) : 0;
    g->tasks[p].patience = g->tasks[p].sweeps = 0;
  }
  sweep(g, SOLVER_GAUSS_SEIDEL);
}

// Collective. Sweeps once more where nothing else has served.
static void sweep_the_rest(Groups *g)
{
  if (g->parameters.method == SOLVER_INTERIOR) sweep_after_interior(g);
  gauss_seidel_residuals(g->problem, &g->places, g->tasks, g->arena);
  for (int p = 0; p < g->groups.place_count; p++) {
    const int left = g->parameters.max_sweeps - g->results[p].sweeps;
    g->tasks[p].max_sweeps = g->looks[p].count[LOOK_ELASTIC] == 0 && left > 0 ? left : 0;
    g->tasks[p].patience = g->tasks[p].sweeps = 0;
  }
  sweep(g, SOLVER_NESTEROV);
  if (g->parameters.method == SOLVER_INTERIOR) return_to_swept(g);
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
  if (sweeps_too(parameters.method)) sweep(g, SOLVER_NESTEROV);
  const SolverChoice choice = solve_systems(g);
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
