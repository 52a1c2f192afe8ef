// Lets contact points give where they do not converge.
#include "giving.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "parallel.h"
#include "residual.h"

#define GIVING_STEPS 200   // that a group gives in after a step that it missed
#define RIGID_HEAP 200     // sweeps and systems of a heap before it gives

// Does a group give if one of its pairs is this?
static bool may_give(const Giving *g, const SolverPair *pair)
{
  const ElasticRows *affine = g->problem->elastic;
  return g->all || elastic_rows_find(affine, pair->low) || elastic_rows_find(affine, pair->high);
}

// Points that nothing else makes give, and that are no bond.
static void let_point_give(Giving *g, int i)
{
  Problem *problem = g->problem;
  PointLimits *limits = &problem->limits[i];
  if (!(problem->rho[i] > 0)) return;
  const double give = g->share / problem->rho[i];
  if (law_bounds(limits) || law_gives(limits)) return;
  if (!(problem->offset[i] < DBL_MAX)) return;
  const vec3 r = g->before[i];
  g->give[i] = give;
  g->offset[i] = problem->offset[i];
  problem->offset[i] -= give * r.x;
  *limits =
      (PointLimits){.push = INFINITY, .give = {give, give}, .along = {-give * r.y, -give * r.z}};
}

// Points of the groups that are marked.
static void let_give(Giving *g, const unsigned char *mark)
{
  const Problem *problem = g->problem;
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    if (!mark[contact_groups_place(&g->groups, pair)]) continue;
    for (int i = pair->first; i < problem_contacts_end(problem, k); i++) let_point_give(g, i);
  }
}

// Collective. Groups, and columns that change.
static void begin(Giving *g)
{
  if (g->begun) return;
  g->begun = true;
  Problem *problem = g->problem;
  g->groups = contact_groups_new(problem, g->arena);
  contact_groups_join(&g->groups, problem, g->arena);
  const size_t count = (size_t)g->groups.place_count + 1, points = (size_t)problem->point_count;
  g->steps = arena_allocate_zero(g->arena, count, sizeof *g->steps);
  g->give = arena_allocate_zero(g->arena, points + 1, sizeof *g->give);
  g->offset = arena_allocate(g->arena, (points + 1) * sizeof *g->offset);
  g->limited = problem->limits != NULL;
  if (g->limited) return;
  problem->limits = arena_allocate(g->arena, (points + 1) * sizeof *problem->limits);
  for (size_t i = 0; i < points; i++) problem->limits[i] = law_no_limits();
}

Giving giving_new(Problem *problem, SolverParameters parameters, GroupMemories *memories,
                  Arena *arena)
{
  assert(!(parameters.give < 0) && memories != NULL && "a share is not below zero");
  Giving g = {.problem = problem, .memories = memories, .arena = arena};
  g.all = parameters.all_give;
  if (parameters.method != SOLVER_AUTOMATIC || !(parameters.give > 0)) return g;
  if (!g.all && !problem->elastic) return g;
  bool may = g.all;
  for (int k = 0; k < problem->pair_count && !may; k++) may = may_give(&g, &problem->pairs[k]);
  if (!par_any(may)) return g;
  g.share = parameters.give;
  const size_t bytes = (size_t)problem->point_count * sizeof(vec3);
  vec3 *before = arena_allocate(arena, bytes + 1);
  memcpy(before, problem->r, bytes);
  g.before = before;
  bool known = false;
  for (int i = 0; i < GROUP_MEMORIES; i++) known |= memories->groups[i].gives > 0;
  if (!known) return g;

  begin(&g);
  const size_t count = (size_t)g.groups.place_count + 1;
  int *entry = arena_allocate(arena, count * sizeof *entry);
  unsigned char *mark = arena_allocate_zero(arena, count, 1);
  group_memories_find(memories, problem, &g.groups, entry, arena);
  for (int p = 0; p < g.groups.place_count; p++) {
    if (entry[p] >= 0) g.steps[p] = memories->groups[entry[p]].gives;
    mark[p] = g.steps[p] > 0;
  }
  let_give(&g, mark);
  return g;
}

SolverParameters giving_first(const Giving *giving, SolverParameters parameters)
{
  assert(parameters.max_sweeps >= 0 && "sweeps are counted");
  if (!(giving->share > 0)) return parameters;
  parameters.max_sweeps = (parameters.max_sweeps + 1) / 2;
  parameters.heap_sweeps = RIGID_HEAP;
  return parameters;
}

SolverParameters giving_second(const Giving *giving, SolverParameters parameters)
{
  assert(giving->share > 0 && "points may give");
  parameters.max_sweeps /= 2;
  return parameters;
}

bool giving_begin(Giving *g, double tolerance)
{
  assert(!(tolerance < 0) && "residuals have an aim");
  if (!(g->share > 0)) return false;
  begin(g);
  const Problem *problem = g->problem;
  const int count = g->groups.place_count, shared = g->groups.shared_count;
  // of each group the square of the largest error, and whether it may
  double *told = arena_allocate_zero(g->arena, 2 * (size_t)count + 1, sizeof *told);
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    double *of_group = &told[2 * contact_groups_place(&g->groups, pair)];
    if (problem->owned[pair->first]) par_raise(&of_group[0], residual_of_pair(problem, k));
    if (may_give(g, pair)) of_group[1] = 1;
  }
  par_max_many(told, 2 * shared);
  unsigned char *mark = arena_allocate_zero(g->arena, (size_t)count + 1, 1);
  for (int p = 0; p < count; p++) {
    if (told[2 * p + 1] == 0 || sqrt(told[2 * p]) <= tolerance || g->steps[p] > 0) continue;
    g->steps[p] = GIVING_STEPS + 1;
    mark[p] = 1;
  }
  let_give(g, mark);
  return true;
}

double giving_end(Giving *g)
{
  if (!g->begun) return 0;
  Problem *problem = g->problem;
  double largest = 0;
  for (int i = 0; i < problem->point_count; i++) {
    if (g->give[i] == 0) continue;
    const vec3 more = vec3_sub(problem->r[i], g->before[i]);
    if (problem->owned[i]) par_raise(&largest, g->give[i] * vec3_norm(more));
    problem->offset[i] = g->offset[i];
    problem->limits[i] = law_no_limits();
  }
  if (!g->limited) problem->limits = NULL;
  for (int p = 0; p < g->groups.place_count; p++)
    if (g->steps[p] > 0) g->steps[p]--;
  group_memories_give(g->memories, problem, &g->groups, g->steps, g->arena);
  return par_max(largest);
}
