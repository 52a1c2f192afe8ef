// Runs methods and models on turned scenes and sorts their scores.
#include "quality_spread.h"

#include <assert.h>
#include <stdlib.h>

#include "order.h"
#include "quality_suite.h"
#include "random.h"

// A scene in a state, and the scores of its turns.
typedef struct {
  const QualityScenes *scenes;
  const QualityScene *scene, *printed;   // NULL: Table 4 has no other normal
  const QualityFilling *fillings;
  const SpreadRuns *runs;
  MethodBodies bodies;
  QualityScore *scores, *printed_scores;   // [SPREAD_ROWS * turns]
} SpreadScene;

SpreadRow quality_spread_row(int row)
{
  assert(row >= 0 && row < SPREAD_ROWS && "the table has that row");
  if (row >= SPREAD_METHODS) return (SpreadRow){.model = (ContactModel)(row - SPREAD_METHODS)};
  const MethodWording wording = (MethodWording)(row % WORDING_COUNT);
  return (SpreadRow){.is_method = true,
                     .rule = {.method = (Method)(row / WORDING_COUNT),
                              .wording = wording,
                              .single = wording == WORDING_PROGRAM,
                              .envelope = METHODS_ENVELOPE}};
}

static QualitySetup setup_of_state(SpreadState state)
{
  assert(state < STATE_COUNT && "a state that there is");
  QualitySetup setup = {.cut = CUT_MESH, .step = SUITE_STEP};
  if (state == STATE_OVERLAP) setup.growth = SUITE_OVERLAP;
  if (state == STATE_STEP) setup.fall = SUITE_STEP;
  return setup;
}

// The scene with normals on the other side of the plane x = 0.
static const QualityScene *printed_scene(const QualityScene *scene, Arena *arena)
{
  assert(scene->interface_count == 1 && "two bodies touch");
  QualityScene *printed = arena_allocate(arena, sizeof *printed);
  *printed = *scene;
  printed->interfaces = arena_allocate(arena, sizeof *printed->interfaces);
  printed->interfaces[0] = scene->interfaces[0];
  for (int k = 0; k < SCENE_MAX_NORMALS; k++)
    printed->interfaces[0].normals[k].x = -printed->interfaces[0].normals[k].x;
  return printed;
}

// All rows on one turn of the scene.
static void score_turn(SpreadScene *own, const QualitySetup *setup, int turn, Arena *arena)
{
  assert(turn >= 0 && turn < own->runs->turns && "a turn has a number");
  const double tolerance = own->runs->within;
  PosedBody *posed = quality_setup_bodies(own->scenes, own->scene, setup, own->fillings, arena);
  quality_setup_surfaces(posed, own->scene->body_count, arena);
  const ShownScene shown = {own->scenes, own->scene, setup};
  const ShownScene printed = {own->scenes, own->printed, setup};
  for (int k = 0; k < SPREAD_ROWS; k++) {
    const ArenaMark mark = arena_mark(arena);
    const SpreadRow row = quality_spread_row(k);
    const QualityRule rule = {row.model, QUALITY_SUITE_PARAMETERS, tolerance};
    const ModelFinder model = quality_points_finder(posed, setup, &rule);
    MethodFinder method;
    if (row.is_method) method = quality_methods_finder(&own->bodies, setup, &row.rule, arena);
    const QualityFinder *finder = row.is_method ? &method.base : &model.base;
    const int at = k * own->runs->turns + turn;
    own->scores[at] = quality_score(&shown, finder, tolerance, arena);
    if (own->printed) own->printed_scores[at] = quality_score(&printed, finder, tolerance, arena);
    arena_release(arena, mark);
  }
}

// -- spreads --------------------------------------------------------------------------------------

static double score_number(const QualityScore *score, int which)
{
  switch (which) {
  case 0: return score->quality;
  case 1: return score->coverage;
  case 2: return quality_excess(score);
  case 3: return score->points;
  default: return score->area_ratio;
  }
}

static SpreadValues spread_of(const QualityScore *scores, int which, const SpreadRuns *runs,
                              Arena *arena)
{
  assert(runs->turns > 0 && "a spread is of turns");
  const ArenaMark mark = arena_mark(arena);
  double *numbers = arena_allocate(arena, (size_t)runs->turns * sizeof *numbers);
  for (int i = 0; i < runs->turns; i++) numbers[i] = score_number(&scores[i], which);
  qsort(numbers, (size_t)runs->turns, sizeof *numbers, order_f64s);
  const int last = runs->turns - 1;
  const SpreadValues values = {numbers[0], 0.5 * (numbers[last / 2] + numbers[(last + 1) / 2]),
                               numbers[last]};
  arena_release(arena, mark);
  return values;
}

static void spread_scores(SpreadEntry *entry, const QualityScore *scores, const SpreadRuns *runs,
                          Arena *arena)
{
  assert(scores != NULL && "scores were made");
  entry->has_area = scores[0].has_area;
  SpreadValues *const values[5] = {&entry->quality, &entry->coverage, &entry->excess,
                                   &entry->points, &entry->area_ratio};
  for (int which = 0; which < 5; which++) *values[which] = spread_of(scores, which, runs, arena);
}

static void run_state(SpreadScene *own, SpreadState state, Arena *arena)
{
  QualitySetup setup = setup_of_state(state);
  own->bodies =
      quality_methods_bodies(&(ShownScene){own->scenes, own->scene, &setup}, own->fillings, arena);
  setup.turned = true;
  for (int turn = 0; turn < own->runs->turns; turn++) {
    const ArenaMark mark = arena_mark(arena);
    setup.seed = random_stream(own->runs->seed, (uint64_t)turn);
    score_turn(own, &setup, turn, arena);
    arena_release(arena, mark);
  }
}

SpreadResults quality_spread_run(const QualityScenes *scenes, const QualityFilling *fillings,
                                 const SpreadRuns *runs, Arena *arena)
{
  assert(runs->turns > 0 && runs->scenes <= SCENE_COUNT && "scenes are turned");
  assert(runs->within > 0 && "a normal is right within a distance");
  const size_t most = (SCENE_COUNT + SCENE_TIPS) * STATE_COUNT * SPREAD_ROWS;
  SpreadResults results = {.entries = arena_allocate_zero(arena, most, sizeof *results.entries)};
  const size_t scores = (size_t)(SPREAD_ROWS * runs->turns);
  SpreadScene own = {.scenes = scenes, .fillings = fillings, .runs = runs};
  own.scores = arena_allocate(arena, scores * sizeof *own.scores);
  own.printed_scores = arena_allocate(arena, scores * sizeof *own.printed_scores);
  for (int k = 0; k < runs->scenes * STATE_COUNT; k++) {
    const int scene = k / STATE_COUNT;
    const SpreadState state = (SpreadState)(k % STATE_COUNT);
    const ArenaMark mark = arena_mark(arena);
    own.scene = &scenes->scenes[scene];
    own.printed = scene < SCENE_TIPS ? printed_scene(own.scene, arena) : NULL;
    run_state(&own, state, arena);
    for (int i = 0; i < SPREAD_ROWS * (own.printed ? 2 : 1); i++) {
      const bool printed = i >= SPREAD_ROWS;
      const int row = i % SPREAD_ROWS;
      SpreadEntry *entry = &results.entries[results.count++];
      *entry = (SpreadEntry){.scene = scene, .row = row, .state = state, .printed = printed};
      const QualityScore *list = printed ? own.printed_scores : own.scores;
      spread_scores(entry, list + row * runs->turns, runs, arena);
    }
    arena_release(arena, mark);
  }
  return results;
}
