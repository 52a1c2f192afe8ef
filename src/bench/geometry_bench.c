// Times the kernels of the narrow phase for drystone bench geometry.
#include "geometry_bench.h"

#include <assert.h>
#include <string.h>

#include "gjk.h"
#include "intersection.h"
#include "intersection_reference.h"
#include "pair_scenarios.h"
#include "patch.h"
#include "separation.h"

#define BATCH 250   // pairs in place at once: few enough for the caches, many for the clock

static const PatchParameters patch_parameters = {
    .margin = 1e-3, .feature_width = 2e-3, .max_points = 8};

// One pair by one kernel: what is summed; counts in *failed.
typedef double (*KernelCall)(const SolidPair *pair, SeparatingFace *hint, int64_t *failed,
                             Arena *arena);

typedef struct {
  const char *name;
  KernelCall call;
  const char *only;   // the one scenario it is for; NULL: all
} Kernel;

static double call_clip(const SolidPair *pair, SeparatingFace *hint, int64_t *failed, Arena *arena)
{
  (void)hint;
  const Intersection common = intersection_clip(&pair->solid_a, &pair->solid_b, 0, arena);
  *failed += common.status == INTERSECTION_FAILED;
  return common.volume;
}

static double call_labels(const SolidPair *pair, SeparatingFace *hint, int64_t *failed,
                          Arena *arena)
{
  (void)hint;
  const IntersectionLabels common = intersection_labels(&pair->solid_a, &pair->solid_b, 0, arena);
  *failed += common.status == INTERSECTION_FAILED;
  return common.volume;
}

static double call_reference(const SolidPair *pair, SeparatingFace *hint, int64_t *failed,
                             Arena *arena)
{
  (void)hint;
  const Intersection common = intersection_reference(&pair->solid_a, &pair->solid_b, 0, arena);
  *failed += common.status == INTERSECTION_FAILED;
  return common.volume;
}

static double call_patch(const SolidPair *pair, SeparatingFace *hint, int64_t *failed, Arena *arena)
{
  (void)hint;
  const PatchSet set = patch_find(&pair->a, &pair->b, &patch_parameters, 0, arena);
  double area = 0;
  for (int i = 0; i < set.patch_count; i++) area += set.patches[i].area;
  *failed += set.failed;
  return area;
}

static double call_gjk(const SolidPair *pair, SeparatingFace *hint, int64_t *failed, Arena *arena)
{
  (void)hint, (void)failed, (void)arena;
  const Polyhedron *a = &pair->solid_a, *b = &pair->solid_b;
  return gjk_distance(a->vertices, a->vertex_count, b->vertices, b->vertex_count).distance;
}

static double call_planes(const SolidPair *pair, SeparatingFace *hint, int64_t *failed,
                          Arena *arena)
{
  (void)hint, (void)failed, (void)arena;
  SeparatingFace none = SEPARATING_FACE_NONE;
  return separation_find(&pair->solid_a, &pair->solid_b, 0, &none);
}

static double call_cached_plane(const SolidPair *pair, SeparatingFace *hint, int64_t *failed,
                                Arena *arena)
{
  (void)failed, (void)arena;
  return separation_find(&pair->solid_a, &pair->solid_b, 0, hint);
}

static const Kernel kernels[] = {
    {"clip", call_clip, NULL},
    {"labels", call_labels, NULL},
    {"reference", call_reference, NULL},
    {"patch", call_patch, NULL},
    {"gjk", call_gjk, NULL},
    {"planes", call_planes, "separated"},
    {"cached plane", call_cached_plane, "separated"},
};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

// What a kernel is meant to take on one core of a current server, ns per pair.
static double budget_of(const char *scenario, const char *kernel)
{
  static const struct {
    const char *scenario, *kernel;
    double budget;
  } budgets[] = {{"box-box", "clip", 200},
                 {"box-resting", "clip", 200},
                 {"box-turned", "clip", 200},
                 {"hull-20", "clip", 3000},
                 {"separated", "cached plane", 30}};
  for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++)
    if (strcmp(budgets[i].scenario, scenario) == 0 && strcmp(budgets[i].kernel, kernel) == 0)
      return budgets[i].budget;
  return 0;
}

static bool kernel_is_for(int kernel, int scenario)
{
  assert(kernel >= 0 && scenario >= 0 && scenario < PAIR_SCENARIOS && "one of the scenarios");
  return !kernels[kernel].only || strcmp(kernels[kernel].only, pair_scenario_name(scenario)) == 0;
}

// What one kernel did in one pass over all pairs.
typedef struct {
  double seconds, sum;
  int64_t failed;
} KernelPass;

// A batch by one kernel.
static void time_batch(const Kernel *kernel, const SolidPair *pairs, SeparatingFace *hints,
                       int count, Arena *arena, KernelPass *pass)
{
  assert(count > 0 && count <= BATCH && "pairs of a batch");
  double sum = 0;
  int64_t failed = 0;
  const ArenaMark mark = arena_mark(arena);
  const double begin = spread_clock();
  for (int i = 0; i < count; i++) {
    sum += kernel->call(&pairs[i], &hints[i], &failed, arena);
    arena_release(arena, mark);
  }
  pass->seconds += spread_clock() - begin;
  pass->sum += sum;
  pass->failed += failed;
}

// All kernels on all pairs of a scenario, once: passes[KERNELS].
static void run_scenario(const PairScenario *scenario, Arena *scratch, KernelPass *passes)
{
  assert(scenario->pair_count > 0 && "a scenario has pairs");
  SolidPair *pairs = arena_allocate(scratch, BATCH * sizeof *pairs);
  SeparatingFace *hints = arena_allocate(scratch, BATCH * sizeof *hints);
  for (int first = 0; first < scenario->pair_count; first += BATCH) {
    const int left = scenario->pair_count - first, count = left < BATCH ? left : BATCH;
    const ArenaMark mark = arena_mark(scratch);
    pair_scenario_place(scenario, first, count, pairs, scratch);
    for (int i = 0; i < count; i++) {
      hints[i] = SEPARATING_FACE_NONE;
      (void)separation_find(&pairs[i].solid_a, &pairs[i].solid_b, 0, &hints[i]);
    }
    for (int k = 0; k < KERNELS; k++)
      if (kernel_is_for(k, scenario->scenario))
        time_batch(&kernels[k], pairs, hints, count, scratch, &passes[k]);
    arena_release(scratch, mark);
  }
}

GeometryRows geometry_bench_run(int pairs, int repeats, Arena *arena)
{
  assert(pairs >= 1 && repeats >= 1 && "there is something to time");
  GeometryRow *rows = arena_allocate(arena, PAIR_SCENARIOS * (size_t)KERNELS * sizeof *rows);
  int row_count = 0;
  for (int l = 0; l < PAIR_SCENARIOS; l++) {
    Arena scratch = arena_new();
    const PairScenario scenario = pair_scenario_new(l, pairs, &scratch);
    double *times = arena_allocate(&scratch, (size_t)KERNELS * (size_t)repeats * sizeof *times);
    KernelPass last[KERNELS];
    for (int r = 0; r < repeats; r++) {
      const ArenaMark mark = arena_mark(&scratch);
      memset(last, 0, sizeof last);
      run_scenario(&scenario, &scratch, last);
      for (int k = 0; k < KERNELS; k++) times[k * repeats + r] = 1e9 * last[k].seconds / pairs;
      arena_release(&scratch, mark);
    }
    for (int k = 0; k < KERNELS; k++) {
      if (!kernel_is_for(k, l)) continue;
      rows[row_count++] = (GeometryRow){.scenario = pair_scenario_name(l),
                                        .kernel = kernels[k].name,
                                        .pairs = pairs,
                                        .nanoseconds = spread_of(times + k * repeats, repeats),
                                        .budget = budget_of(pair_scenario_name(l), kernels[k].name),
                                        .sum = last[k].sum,
                                        .failed = last[k].failed};
    }
    arena_destroy(&scratch);
  }
  return (GeometryRows){row_count, rows};
}
