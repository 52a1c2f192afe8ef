// Times the search of the contact model lmd for drystone bench lmd.
#include "lmd_bench.h"

#include <assert.h>
#include <string.h>

#include "lmd_search.h"
#include "surface_base.h"
#include "surface_scenarios.h"

#define DILATION 5e-3   // of the extent
#define TURN 0.02
#define FEW_SIMPLICES 200   // of both surfaces: all pairs are timed too

enum { BY_TREES, BY_PLACE_ALONE, BY_TURNED_CUTS, BY_ALL_PAIRS, SEARCHES };

static const char *const SEARCH_NAMES[SEARCHES] = {"trees", "no kinds", "turned cuts", "all pairs"};

// What the search is meant to take, us: of stones a third of what FCL's nearest pair took where
// these figures were set (tests/bench/peers).
static double budget_of(const char *scenario, int search)
{
  static const struct {
    const char *scenario;
    double budget;
  } budgets[] = {
      {"stones-320", 42}, {"stones-1280", 69}, {"stones-5120", 109}, {"stones-20480", 168}};
  for (size_t k = 0; search == BY_TREES && k < sizeof budgets / sizeof budgets[0]; k++) {
    if (strcmp(budgets[k].scenario, scenario) == 0) return budgets[k].budget;
  }
  return search == BY_ALL_PAIRS && strcmp(scenario, "bricks") == 0 ? 5 : 0;
}

// One search in all poses; adds what was looked at to the row. Returns seconds.
static double time_search(const SurfaceScenario *s, const SurfaceBase surface[2], int search,
                          LmdRow *row, Arena *arena)
{
  assert(search >= 0 && search < SEARCHES && "one of the searches");
  const ArenaMark mark = arena_mark(arena);
  row->requests = row->nodes = 0;
  row->points = 0;
  const double begin = spread_clock();
  for (int i = 0; i < s->pose_count; i++) {
    const SurfacePose *pose = &s->poses[i];
    const LmdBody a = {&surface[0], pose->rotation[0], {0, 0, 0}};
    const LmdBody b = {&surface[1], pose->rotation[1], pose->center};
    const LmdQuery query = {
        .a = &a, .b = &b, .turn = TURN, .limit = s->limit, .any_kind = search == BY_PLACE_ALONE};
    const LmdSet set =
        search == BY_ALL_PAIRS ? lmd_search_pairs(&query, arena) : lmd_search_trees(&query, arena);
    row->requests += (double)set.tried / s->pose_count;
    row->nodes += (double)set.nodes / s->pose_count;
    row->points += set.count;
    arena_release(arena, mark);
  }
  return spread_clock() - begin;
}

// Both surfaces with the trees of a search. Returns seconds.
static double build_both(const SurfaceScenario *s, int search, SurfaceBase surface[2], Arena *arena)
{
  const double begin = spread_clock();
  for (int k = 0; k < 2; k++) {
    const SurfaceBaseResult built =
        surface_base_build(&s->pieces[k], DILATION * s->extent, arena, &surface[k]);
    assert(built.status == SURFACE_BASE_OK && "the scenarios bear the dilation");
    (void)built;
    if (search == BY_TURNED_CUTS)
      surface[k].tree = surface_tree_build(&surface[k].base, TREE_CUTS_IN_TURN, arena);
  }
  return spread_clock() - begin;
}

// All searches on one scenario; returns how many rows they fill.
static int run_scenario(int scenario, LmdLoad load, LmdRow *rows)
{
  Arena arena = arena_new();
  const SurfaceScenario s = surface_scenario_new(scenario, load.poses, &arena);
  double *seconds = arena_allocate(&arena, SEARCHES * (size_t)load.repeats * sizeof *seconds);
  SurfaceBase surface[SEARCHES][2];
  const char *name = surface_scenario_name(scenario);
  int count = 0;
  for (int k = 0; k < SEARCHES; k++) {
    const double build = build_both(&s, k, surface[k], &arena);
    const int simplices = surface[k][0].tree.count / 2 + surface[k][1].tree.count / 2 + 2;
    if (k == BY_ALL_PAIRS && simplices > FEW_SIMPLICES) continue;
    rows[count++] = (LmdRow){.scenario = name,
                             .search = SEARCH_NAMES[k],
                             .triangles = s.pieces[0].count + s.pieces[1].count,
                             .simplices = simplices,
                             .build = build,
                             .budget = budget_of(name, k)};
  }
  for (int r = 0; r < load.repeats; r++) {
    for (int k = 0; k < count; k++) {
      const double total = time_search(&s, surface[k], k, &rows[k], &arena);
      seconds[k * load.repeats + r] = 1e6 / load.poses * total;
    }
  }
  for (int k = 0; k < count; k++)
    rows[k].microseconds = spread_of(seconds + k * load.repeats, load.repeats);
  arena_destroy(&arena);
  return count;
}

LmdRows lmd_bench_run(LmdLoad load, Arena *arena)
{
  assert(load.poses >= 1 && load.repeats >= 1 && "there is something to time");
  LmdRow *rows = arena_allocate_zero(arena, SURFACE_SCENARIOS * SEARCHES, sizeof *rows);
  LmdRows all = {0, rows};
  for (int l = 0; l < SURFACE_SCENARIOS; l++) {
    if (surface_scenario_triangles(l) <= load.triangles)
      all.count += run_scenario(l, load, &rows[all.count]);
  }
  return all;
}
