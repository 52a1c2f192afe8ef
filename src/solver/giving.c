// Lets contact points give where they do not converge.
#include "giving.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "parallel.h"
#include "residual.h"

#define GIVING_STEPS 200   // that a group gives in after a step that it missed
#define RIGID_HEAP 60      // sweeps of a heap before it gives
#define TIMES_MORE 10      // as much where a group gave and missed the tolerance all the same

enum { GIVES_NOT, GIVES, GIVES_MORE };

static bool may_give(SolverParameters parameters, const GroupLook *look)
{
  return parameters.all_give || look->count[LOOK_AFFINE] > 0 || group_look_heap(look);
}

int giving_sweeps(SolverParameters parameters, const GroupLook *look, bool gives)
{
  const int most = parameters.max_sweeps, half = (most + 1) / 2;
  assert(most >= 0 && "sweeps are counted");
  if (parameters.stage == GIVING_NONE) return most;
  if (!may_give(parameters, look)) return parameters.stage == GIVING_FIRST ? most : 0;
  if (parameters.stage == GIVING_SECOND) return most / 2;
  return gives || !group_look_heap(look) || half < RIGID_HEAP ? half : RIGID_HEAP;
}

// Points that nothing else makes give, and that are no bond.
static bool may_point_give(const Problem *problem, int i)
{
  const PointLimits *limits = &problem->limits[i];
  return problem->rho[i] > 0 && !law_bounds(limits) && !law_gives(limits) &&
         problem->offset[i] < DBL_MAX;
}

static void let_point_give(Giving *g, int i, double share)
{
  Problem *problem = g->problem;
  PointLimits *limits = &problem->limits[i];
  if (g->give[i] == 0) {
    if (!may_point_give(problem, i)) return;
    g->offset[i] = problem->offset[i];
  }
  const double give = share / problem->rho[i];
  const vec3 r = g->before[i];
  g->give[i] = give;
  problem->offset[i] = g->offset[i] - give * r.x;
  *limits =
      (PointLimits){.push = INFINITY, .give = {give, give}, .along = {-give * r.y, -give * r.z}};
}

// Points of the groups that are marked.
static void let_give(Giving *g, const unsigned char *mark)
{
  const Problem *problem = g->problem;
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    const int gives = mark[contact_groups_place(&g->groups, pair)];
    if (gives == GIVES_NOT) continue;
    const double give = g->parameters.give;
    const double share = gives == GIVES_MORE ? TIMES_MORE * give : give;
    for (int i = pair->first; i < problem_contacts_end(problem, k); i++)
      let_point_give(g, i, share);
  }
}

// Collective. Groups, none of which gives.
static void find_groups(Giving *g)
{
  if (g->steps) return;
  g->groups = contact_groups_new(g->problem, g->arena);
  contact_groups_join(&g->groups, g->problem, g->arena);
  g->steps = arena_allocate_zero(g->arena, (size_t)g->groups.place_count + 1, sizeof *g->steps);
}

static void keep_impulses(Giving *g)
{
  if (g->before) return;
  const size_t bytes = (size_t)g->problem->point_count * sizeof(vec3);
  g->before = arena_allocate(g->arena, bytes + 1);
  memcpy(g->before, g->problem->r, bytes);
}

// Columns that change, on all ranks alike.
static void make_columns(Giving *g)
{
  if (g->give) return;
  keep_impulses(g);
  Problem *problem = g->problem;
  const size_t points = (size_t)problem->point_count;
  g->give = arena_allocate_zero(g->arena, points + 1, sizeof *g->give);
  g->offset = arena_allocate(g->arena, (points + 1) * sizeof *g->offset);
  g->limited = problem->limits != NULL;
  if (g->limited) return;
  problem->limits = arena_allocate(g->arena, (points + 1) * sizeof *problem->limits);
  for (size_t i = 0; i < points; i++) problem->limits[i] = law_no_limits();
}

// Groups that begin to give, but those with affine bodies, whatever others do.
static void begin_from_now(Giving *g, const unsigned char *mark, const GroupLook *looks)
{
  const Problem *problem = g->problem;
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    const int place = contact_groups_place(&g->groups, pair);
    if (mark[place] != GIVES || looks[place].count[LOOK_AFFINE] > 0) continue;
    for (int i = pair->first; i < pair->end; i++) g->before[i] = problem->r[i];
  }
}

Giving giving_new(Problem *problem, SolverParameters parameters, GroupMemories *memories,
                  Arena *arena)
{
  assert(!(parameters.give < 0) && memories != NULL && "a share is not below zero");
  Giving g = {.problem = problem, .memories = memories, .arena = arena, .parameters = parameters};
  if (parameters.method != SOLVER_AUTOMATIC || !(parameters.give > 0)) return g;
  g.parameters.stage = GIVING_FIRST;
  if (problem->elastic) keep_impulses(&g);   // the case has affine bodies
  bool known = false;
  for (int i = 0; i < GROUP_MEMORIES; i++) known |= memories->groups[i].gives > 0;
  if (!known) return g;

  find_groups(&g);
  make_columns(&g);
  const size_t count = (size_t)g.groups.place_count + 1;
  int *entry = arena_allocate(arena, count * sizeof *entry);
  unsigned char *mark = arena_allocate_zero(arena, count, 1);
  group_memories_find(memories, problem, &g.groups, entry, arena);
  for (int p = 0; p < g.groups.place_count; p++) {
    if (entry[p] >= 0) g.steps[p] = memories->groups[entry[p]].gives;
    mark[p] = g.steps[p] > 0 ? GIVES : GIVES_NOT;
  }
  let_give(&g, mark);
  return g;
}

bool giving_begin(Giving *g, SolverParameters *second)
{
  assert(second != NULL && "what is asked for has a place");
  if (g->parameters.stage == GIVING_NONE) return false;
  find_groups(g);
  const Problem *problem = g->problem;
  const int count = g->groups.place_count;
  const GroupLooks looks = group_looks_new(problem, &g->groups, g->arena);
  // of each group the square of the largest error
  double *told = arena_allocate_zero(g->arena, (size_t)count + 1, sizeof *told);
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    if (problem->owned[pair->first])
      par_raise(&told[contact_groups_place(&g->groups, pair)], residual_of_pair(problem, k));
  }
  par_max_many(told, g->groups.shared_count);
  unsigned char *mark = arena_allocate_zero(g->arena, (size_t)count + 1, 1);
  bool any = false;
  for (int p = 0; p < count; p++) {
    if (sqrt(told[p]) <= g->parameters.tolerance || !may_give(g->parameters, &looks.of[p]))
      continue;
    any = true;
    mark[p] = g->steps[p] > 0 ? GIVES_MORE : GIVES;
    if (g->steps[p] == 0) g->steps[p] = GIVING_STEPS + 1;
  }
  if (!par_any(any)) return false;
  make_columns(g);
  begin_from_now(g, mark, looks.of);
  let_give(g, mark);
  *second = g->parameters;
  second->stage = GIVING_SECOND;
  return true;
}

double giving_end(Giving *g)
{
  if (!g->give) return 0;
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
