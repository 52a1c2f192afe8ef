// Times the search of the contact model lmd for drystone bench lmd.
#include "lmd_bench.h"

#include <assert.h>
#include <string.h>

#include "lmd_model.h"
#include "lmd_search.h"
#include "surface_base.h"
#include "surface_scenarios.h"

#define DILATION 5e-3   // of the extent
#define TURN 0.02
#define FEW_SIMPLICES 200   // of both surfaces: all pairs are timed too
#define FAR_EXTENTS 2.0     // no corner of a scenario is so far from the centre

enum { BY_TREES, BY_PLACE_ALONE, BY_TURNED_CUTS, BY_ALL_PAIRS, BY_MODEL, SEARCHES };

static const char *const SEARCH_NAMES[SEARCHES] = {"trees", "no kinds", "turned cuts", "all pairs",
                                                   "model"};

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
  return search == BY_MODEL && strcmp(scenario, "bricks") == 0 ? 5 : 0;
}

// What one search looked at and found.
static LmdSet search_once(const LmdQuery *query, int search, Arena *arena)
{
  assert(search >= 0 && search < SEARCHES && "one of the searches");
  if (search != BY_MODEL)
    return search == BY_ALL_PAIRS ? lmd_search_pairs(query, arena) : lmd_search_trees(query, arena);
  // all of the model, of surfaces alone at rest
  const LmdBody *own[2] = {query->a, query->b};
  Shape shapes[2];
  PosedBody bodies[2];
  for (int k = 0; k < 2; k++) {
    const SurfaceComplex *sharp = &own[k]->surface->sharp;
    shapes[k] = (Shape){.extent = sharp->extent, .radius = FAR_EXTENTS * sharp->extent};
    bodies[k] = (PosedBody){.shape = &shapes[k],
                            .surface = own[k]->surface,
                            .rotation = own[k]->rotation,
                            .center = own[k]->center};
  }
  const double extent = smaller_of(shapes[0].extent, shapes[1].extent);
  const PatchParameters parameters = {
      .margin = query->limit / extent, .feature_width = 2e-3, .max_points = 8};
  const PatchSet found = lmd_model_find(
      &(ModelPair){&bodies[0], &bodies[1], .parameters = &parameters, .turn = query->turn}, arena);
  LmdSet set = {.tried = found.count.touching + found.count.parted};
  for (int i = 0; i < found.patch_count; i++) set.count += found.patches[i].point_count;
  return set;
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
    const LmdSet set = search_once(&query, search, arena);
    row->requests += (double)set.tried / s->pose_count;
    row->nodes += (double)set.nodes / s->pose_count;
    row->points += set.count;
    arena_release(arena, mark);
  }
  return spread_clock() - begin;
}

// Both surfaces as one way of cutting trees gives them, and what that took.
typedef struct {
  SurfaceBase surface[2];
  double build, tree;   // s: all of it, and the trees
} BuiltPair;

static BuiltPair build_pair(const SurfaceScenario *s, Arena *arena)
{
  BuiltPair pair;
  const double begin = spread_clock();
  for (int k = 0; k < 2; k++) {
    const SurfaceBaseResult built =
        surface_base_build(&s->pieces[k], DILATION * s->extent, arena, &pair.surface[k]);
    assert(built.status == SURFACE_BASE_OK && "the scenarios bear the dilation");
    (void)built;
  }
  pair.build = spread_clock() - begin;
  return pair;
}

// Times the trees and puts others in their place.
static void cut_pair(BuiltPair *pair, TreeCuts cuts, Arena *arena)
{
  const double begin = spread_clock();
  for (int k = 0; k < 2; k++)
    pair->surface[k].tree = surface_tree_build(&pair->surface[k].base, cuts, arena);
  pair->tree = spread_clock() - begin;
}

// All searches on one scenario; returns how many rows they fill.
static int run_scenario(int scenario, LmdLoad load, LmdRow *rows)
{
  Arena arena = arena_new();
  const SurfaceScenario s = surface_scenario_new(scenario, load.poses, &arena);
  double *seconds = arena_allocate(&arena, SEARCHES * (size_t)load.repeats * sizeof *seconds);
  BuiltPair by_place = build_pair(&s, &arena), in_turn = by_place;
  cut_pair(&by_place, TREE_CUTS_BY_PLACE, &arena);
  cut_pair(&in_turn, TREE_CUTS_IN_TURN, &arena);
  in_turn.build += in_turn.tree - by_place.tree;
  const int simplices = by_place.surface[0].tree.count / 2 + by_place.surface[1].tree.count / 2 + 2;
  const char *name = surface_scenario_name(scenario);
  int which[SEARCHES], count = 0;
  for (int k = 0; k < SEARCHES; k++) {
    if (k == BY_ALL_PAIRS && simplices > FEW_SIMPLICES) continue;
    const BuiltPair *pair = k == BY_TURNED_CUTS ? &in_turn : &by_place;
    which[count] = k;
    rows[count++] = (LmdRow){.scenario = name,
                             .search = SEARCH_NAMES[k],
                             .triangles = s.pieces[0].count + s.pieces[1].count,
                             .simplices = simplices,
                             .build = pair->build,
                             .tree = pair->tree,
                             .budget = budget_of(name, k)};
  }
  for (int r = 0; r < load.repeats; r++) {
    for (int k = 0; k < count; k++) {
      const BuiltPair *pair = which[k] == BY_TURNED_CUTS ? &in_turn : &by_place;
      const double total = time_search(&s, pair->surface, which[k], &rows[k], &arena);
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
