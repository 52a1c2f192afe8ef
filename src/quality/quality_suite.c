// Runs all variants of all scenes, and knows the scores that are promised.
#include "quality_suite.h"

#include <assert.h>
#include <math.h>

#define TURNS 6
#define TILTS 4
#define SHOVES 4

const PatchParameters QUALITY_SUITE_PARAMETERS = {
    .margin = 2e-3, .feature_width = 2e-3, .max_points = 8};

#define AT_GAP_0 "at gap 0"
#define AT_OVERLAP "at overlap: upper bodies and stones scaled by 1.001"
#define MESHED "bodies of tetrahedra of quality 2.0, after TetGen"
#define FINE "bodies of fine tetrahedra, after TetGen"
#define FREE_STEP "after one free step of so many seconds"
#define TILTED "each stone, each upper body turned about a random axis, in radians"
#define TILTED_CUT "the same, bodies in raw tetrahedra"
#define SHOVED "each stone moved aside by up to so many metres"
#define VOLUMETRIC "the model volumetric: one point for each pair of parts with a common volume"
#define LMD "the model lmd: places where surfaces are nearest, locally"
#define LMD_CUT "the model lmd, bodies in raw tetrahedra"
#define LMD_TILTED "the model lmd, each stone turned by so many rad"

static const QualityVariant variants[] = {
    {.group = AT_GAP_0,
     .heading = "whole",
     .name = "gap 0",
     .promised = true,
     .bar = BAR_RIGHT,
     .runs = 1,
     .setup = {.step = SUITE_STEP}},
    {.group = AT_GAP_0,
     .heading = "whole turned",
     .name = "scene turned",
     .promised = true,
     .bar = BAR_RIGHT,
     .runs = TURNS,
     .setup = {.step = SUITE_STEP, .turned = true}},
    {.group = AT_GAP_0,
     .heading = "tetrahedra",
     .name = "raw tetrahedra",
     .promised = true,
     .bar = BAR_RIGHT,
     .runs = 1,
     .setup = {.step = SUITE_STEP, .cut = CUT_RAW}},
    {.group = AT_GAP_0,
     .heading = "tetra. turned",
     .name = "scene turned, raw tetrahedra",
     .promised = true,
     .bar = BAR_RIGHT,
     .runs = TURNS,
     .setup = {.step = SUITE_STEP, .cut = CUT_RAW, .turned = true}},
    {.group = AT_OVERLAP,
     .heading = "whole",
     .name = "overlap",
     .promised = true,
     .bar = BAR_RIGHT,
     .runs = 1,
     .setup = {.step = SUITE_STEP, .growth = SUITE_OVERLAP}},
    {.group = AT_OVERLAP,
     .heading = "whole turned",
     .name = "scene turned, overlap",
     .promised = true,
     .bar = BAR_RIGHT,
     .runs = TURNS,
     .setup = {.step = SUITE_STEP, .growth = SUITE_OVERLAP, .turned = true}},
    {.group = AT_OVERLAP,
     .heading = "tetrahedra",
     .name = "raw tetrahedra, overlap",
     .promised = true,
     .bar = BAR_RIGHT,
     .runs = 1,
     .setup = {.step = SUITE_STEP, .growth = SUITE_OVERLAP, .cut = CUT_RAW}},
    {.group = AT_OVERLAP,
     .heading = "tetra. turned",
     .name = "scene turned, raw tetrahedra, overlap",
     .promised = true,
     .bar = BAR_RIGHT,
     .runs = TURNS,
     .setup = {.step = SUITE_STEP, .growth = SUITE_OVERLAP, .cut = CUT_RAW, .turned = true}},
    {.group = FREE_STEP,
     .heading = "1e-4",
     .name = "free step 1e-4 s",
     .runs = 1,
     .setup = {.step = 1e-4, .fall = 1e-4}},
    {.group = FREE_STEP,
     .heading = "1e-3",
     .name = "free step 1e-3 s",
     .runs = 1,
     .setup = {.step = 1e-3, .fall = 1e-3}},
    {.group = FREE_STEP,
     .heading = "1e-2",
     .name = "free step 1e-2 s",
     .runs = 1,
     .setup = {.step = 1e-2, .fall = 1e-2}},
    {.group = TILTED,
     .heading = "1e-6",
     .name = "stones turned 1e-6 rad",
     .bar = BAR_TILTED,
     .runs = TILTS,
     .setup = {.step = SUITE_STEP, .tilt = 1e-6}},
    {.group = TILTED,
     .heading = "1e-4",
     .name = "stones turned 1e-4 rad",
     .bar = BAR_TILTED,
     .runs = TILTS,
     .setup = {.step = SUITE_STEP, .tilt = 1e-4}},
    {.group = TILTED,
     .heading = "1e-3",
     .name = "stones turned 1e-3 rad",
     .bar = BAR_TILTED,
     .runs = TILTS,
     .setup = {.step = SUITE_STEP, .tilt = 1e-3}},
    {.group = TILTED_CUT,
     .heading = "1e-6",
     .name = "stones turned 1e-6 rad, raw tetrahedra",
     .bar = BAR_TILTED,
     .runs = TILTS,
     .setup = {.step = SUITE_STEP, .tilt = 1e-6, .cut = CUT_RAW}},
    {.group = TILTED_CUT,
     .heading = "1e-4",
     .name = "stones turned 1e-4 rad, raw tetrahedra",
     .bar = BAR_TILTED,
     .runs = TILTS,
     .setup = {.step = SUITE_STEP, .tilt = 1e-4, .cut = CUT_RAW}},
    {.group = TILTED_CUT,
     .heading = "1e-3",
     .name = "stones turned 1e-3 rad, raw tetrahedra",
     .bar = BAR_TILTED,
     .runs = TILTS,
     .setup = {.step = SUITE_STEP, .tilt = 1e-3, .cut = CUT_RAW}},
    {.group = SHOVED,
     .heading = "0.01",
     .name = "perturbed 0.01 m",
     .range = SUITE_STRUCTURES,
     .runs = SHOVES,
     .setup = {.step = SUITE_STEP, .shove = 0.01}},
    {.group = SHOVED,
     .heading = "0.02",
     .name = "perturbed 0.02 m",
     .range = SUITE_STRUCTURES,
     .runs = SHOVES,
     .setup = {.step = SUITE_STEP, .shove = 0.02}},
    {.group = SHOVED,
     .heading = "0.03",
     .name = "perturbed 0.03 m",
     .range = SUITE_STRUCTURES,
     .runs = SHOVES,
     .setup = {.step = SUITE_STEP, .shove = 0.03}},
    {.group = MESHED,
     .heading = "gap 0",
     .name = "meshed 2.0, gap 0",
     .runs = 1,
     .setup = {.step = SUITE_STEP, .cut = CUT_MESH}},
    {.group = MESHED,
     .heading = "gap 0 turned",
     .name = "meshed 2.0, scene turned, gap 0",
     .runs = TURNS,
     .setup = {.step = SUITE_STEP, .cut = CUT_MESH, .turned = true}},
    {.group = MESHED,
     .heading = "overlap",
     .name = "meshed 2.0, overlap",
     .runs = 1,
     .setup = {.step = SUITE_STEP, .cut = CUT_MESH, .growth = SUITE_OVERLAP}},
    {.group = MESHED,
     .heading = "overlap turned",
     .name = "meshed 2.0, scene turned, overlap",
     .runs = TURNS,
     .setup = {.step = SUITE_STEP, .cut = CUT_MESH, .growth = SUITE_OVERLAP, .turned = true}},
    {.group = FINE,
     .heading = "gap 0",
     .name = "meshed fine, gap 0",
     .range = SUITE_PILLAR,
     .runs = 1,
     .setup = {.step = SUITE_STEP, .cut = CUT_FINE}},
    {.group = FINE,
     .heading = "overlap",
     .name = "meshed fine, overlap",
     .range = SUITE_PILLAR,
     .runs = 1,
     .setup = {.step = SUITE_STEP, .cut = CUT_FINE, .growth = SUITE_OVERLAP}},
    {.group = VOLUMETRIC,
     .heading = "whole, gap 0",
     .name = "volumetric, gap 0",
     .model = CONTACT_MODEL_VOLUMETRIC,
     .runs = 1,
     .setup = {.step = SUITE_STEP}},
    {.group = VOLUMETRIC,
     .heading = "whole, overlap",
     .name = "volumetric, overlap",
     .model = CONTACT_MODEL_VOLUMETRIC,
     .runs = 1,
     .setup = {.step = SUITE_STEP, .growth = SUITE_OVERLAP}},
    {.group = VOLUMETRIC,
     .heading = "tetra. gap 0",
     .name = "volumetric, raw tetrahedra, gap 0",
     .model = CONTACT_MODEL_VOLUMETRIC,
     .runs = 1,
     .setup = {.step = SUITE_STEP, .cut = CUT_RAW}},
    {.group = VOLUMETRIC,
     .heading = "tetra. overlap",
     .name = "volumetric, raw tetrahedra, overlap",
     .model = CONTACT_MODEL_VOLUMETRIC,
     .runs = 1,
     .setup = {.step = SUITE_STEP, .cut = CUT_RAW, .growth = SUITE_OVERLAP}},
    {.group = LMD,
     .heading = "gap 0",
     .name = "lmd, gap 0",
     .bar = BAR_RIGHT,
     .model = CONTACT_MODEL_LMD,
     .runs = 1,
     .setup = {.step = SUITE_STEP}},
    {.group = LMD,
     .heading = "gap 0 turned",
     .name = "lmd, scene turned, gap 0",
     .bar = BAR_RIGHT,
     .model = CONTACT_MODEL_LMD,
     .runs = TURNS,
     .setup = {.step = SUITE_STEP, .turned = true}},
    {.group = LMD,
     .heading = "overlap",
     .name = "lmd, overlap",
     .bar = BAR_POINTS,
     .model = CONTACT_MODEL_LMD,
     .runs = 1,
     .setup = {.step = SUITE_STEP, .growth = SUITE_OVERLAP}},
    {.group = LMD,
     .heading = "overlap turned",
     .name = "lmd, scene turned, overlap",
     .bar = BAR_POINTS,
     .model = CONTACT_MODEL_LMD,
     .runs = TURNS,
     .setup = {.step = SUITE_STEP, .growth = SUITE_OVERLAP, .turned = true}},
    {.group = LMD_CUT,
     .heading = "gap 0",
     .name = "lmd, raw tetrahedra, gap 0",
     .bar = BAR_RIGHT,
     .model = CONTACT_MODEL_LMD,
     .runs = 1,
     .setup = {.step = SUITE_STEP, .cut = CUT_RAW}},
    {.group = LMD_CUT,
     .heading = "gap 0 turned",
     .name = "lmd, scene turned, raw tetrahedra, gap 0",
     .bar = BAR_RIGHT,
     .model = CONTACT_MODEL_LMD,
     .runs = TURNS,
     .setup = {.step = SUITE_STEP, .cut = CUT_RAW, .turned = true}},
    {.group = LMD_CUT,
     .heading = "overlap",
     .name = "lmd, raw tetrahedra, overlap",
     .bar = BAR_POINTS,
     .model = CONTACT_MODEL_LMD,
     .runs = 1,
     .setup = {.step = SUITE_STEP, .growth = SUITE_OVERLAP, .cut = CUT_RAW}},
    {.group = LMD_CUT,
     .heading = "overlap turned",
     .name = "lmd, scene turned, raw tetrahedra, overlap",
     .bar = BAR_POINTS,
     .model = CONTACT_MODEL_LMD,
     .runs = TURNS,
     .setup = {.step = SUITE_STEP, .cut = CUT_RAW, .growth = SUITE_OVERLAP, .turned = true}},
    {.group = LMD_TILTED,
     .heading = "1e-6",
     .name = "lmd, stones turned 1e-6 rad",
     .bar = BAR_TILTED,
     .model = CONTACT_MODEL_LMD,
     .runs = TILTS,
     .setup = {.step = SUITE_STEP, .tilt = 1e-6}},
    {.group = LMD_TILTED,
     .heading = "1e-4",
     .name = "lmd, stones turned 1e-4 rad",
     .bar = BAR_TILTED,
     .model = CONTACT_MODEL_LMD,
     .runs = TILTS,
     .setup = {.step = SUITE_STEP, .tilt = 1e-4}},
    {.group = LMD_TILTED,
     .heading = "1e-3",
     .name = "lmd, stones turned 1e-3 rad",
     .bar = BAR_TILTED,
     .model = CONTACT_MODEL_LMD,
     .runs = TILTS,
     .setup = {.step = SUITE_STEP, .tilt = 1e-3}},
};

int quality_suite_variants(const QualityVariant **list)
{
  *list = variants;
  return (int)(sizeof variants / sizeof *variants);
}

// Further random numbers, and where they move the scene to; every other run exchanges the bodies.
static QualitySetup setup_of_run(const QualityVariant *variant, int scene, int run)
{
  assert(run >= 0 && run < variant->runs && "a run has a number");
  static const double distances[3] = {0, 100, 900};   // below 1 km
  QualitySetup setup = variant->setup;
  setup.seed = (uint64_t)run;
  setup.mirrored = run % 2 == 1;
  if (setup.turned) setup.distance = distances[run % 3];
  // aside means along the faces that touch
  setup.shove_x = scene == SCENE_PILLAR;
  setup.shove_z = true;
  return setup;
}

static double normal_tolerance(const QualityVariant *variant)
{
  if (variant->bar == BAR_RIGHT || variant->bar == BAR_POINTS) return SUITE_NORMAL;
  if (variant->bar == BAR_TILTED) return variant->setup.tilt + SUITE_NORMAL;
  // |n - n_true|^2 = 2 (1 - n.n_true)
  return sqrt(2 * SUITE_PAPER_NORMAL);
}

static bool score_holds(const QualityScore *score, QualityBar bar)
{
  const bool right = score->failed == 0 && score->quality >= 100 && score->coverage >= 100 &&
                     score->points == score->least_points;
  if (bar == BAR_POINTS) return right;
  if (bar == BAR_TILTED) return right && score->low_carried >= 1 - SUITE_TILTED_AREA;
  return right && fabs(score->area_ratio - 1) <= SUITE_AREA && score->low_ratio >= 1 - SUITE_AREA &&
         score->high_ratio <= 1 + SUITE_AREA && score->tributary_error <= SUITE_AREA;
}

// One variant of one scene, as the suite runs it.
static QualityEntry run_one(const QualityScenes *scenes, const QualityVariant *variant, int scene,
                            const QualityFilling *fillings, Arena *arena)
{
  assert(scene >= 0 && scene < SCENE_COUNT && variant->runs > 0 && "a variant has runs");
  QualityEntry entry = {.variant = variant, .scene = scene};
  const QualityRule rule = {variant->model, QUALITY_SUITE_PARAMETERS, normal_tolerance(variant)};
  for (int run = 0; run < variant->runs; run++) {
    const ArenaMark mark = arena_mark(arena);
    const QualitySetup setup = setup_of_run(variant, scene, run);
    const QualityScene *which = &scenes->scenes[scene];
    PosedBody *bodies = quality_setup_bodies(scenes, which, &setup, fillings, arena);
    if (variant->model == CONTACT_MODEL_LMD)
      quality_setup_surfaces(bodies, which->body_count, arena);
    entry.parts = 0;
    for (int i = 0; i < which->body_count; i++) entry.parts += bodies[i].shape->part_count;
    const ModelFinder finder = quality_points_finder(bodies, &setup, &rule);
    const QualityScore score =
        quality_score(&(ShownScene){scenes, which, &setup}, &finder.base, rule.tolerance, arena);
    entry.score = run == 0 ? score : quality_score_worse(&entry.score, &score);
    arena_release(arena, mark);
  }
  // of tilted bodies the structures are what something is promised of
  const bool plain = variant->bar == BAR_RIGHT || variant->bar == BAR_POINTS;
  entry.judged = plain || (variant->bar == BAR_TILTED && scene >= SCENE_FUNDAMENTAL);
  entry.holds = !entry.judged || score_holds(&entry.score, variant->bar);
  return entry;
}

static bool in_range(QualityRange range, int scene)
{
  return range == SUITE_ALL || scene == SCENE_PILLAR ||
         (range == SUITE_STRUCTURES && scene >= SCENE_FUNDAMENTAL);
}

QualityResults quality_suite_run(const QualityScenes *scenes,
                                 const QualityFilling *const fillings[CUT_COUNT], Arena *arena)
{
  assert(scenes != NULL && fillings != NULL && "scenes have their fillings");
  const int count = (int)(sizeof variants / sizeof *variants);
  const size_t most = (size_t)count * SCENE_COUNT;
  QualityResults results = {.entries = arena_allocate(arena, most * sizeof *results.entries)};
  for (int i = 0; i < count; i++) {
    const QualityVariant *variant = &variants[i];
    const QualityFilling *own = fillings[variant->setup.cut];
    if (variant->setup.cut != CUT_NONE && !own) continue;
    for (int scene = 0; scene < SCENE_COUNT; scene++) {
      if (!in_range(variant->range, scene)) continue;
      results.entries[results.count++] = run_one(scenes, variant, scene, own, arena);
    }
  }
  return results;
}
