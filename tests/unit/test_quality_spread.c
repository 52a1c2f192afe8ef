// The eight methods on bodies of tetrahedra: how bodies are shrunk, scores that can be told without
// running anything, and how scores are spread over turns. Bodies are cut into tetrahedra between
// their triangles and their centres, so that each has one face on the surface.
#include <stdio.h>
#include <string.h>

#include "fan_fillings.h"
#include "harness.h"
#include "quality_spread.h"
#include "quality_suite.h"

#define SLIDING_SPIKE 6
#define INTERNAL_EDGES 8
#define WITHIN 1.4e-3

// A cube's corners go in by as much along each axis; the base below it is scaled in the program,
// and its points on a flat top go straight down in the text.
static void test_erosion(const QualityScenes *scenes, const QualityFilling *fillings, Arena *arena)
{
  const QualityScene *scene = &scenes->scenes[INTERNAL_EDGES];
  const QualitySetup setup = {.step = 0};
  const MethodBodies bodies =
      quality_methods_bodies(&(ShownScene){scenes, scene, &setup}, fillings, arena);
  CHECK(bodies.body_count == 2);
  const MethodBody *cube = &bodies.bodies[1];
  CHECK(cube->point_count == 9 && cube->tetra_count == 12);
  for (int i = 0; i < 8; i++) {
    const vec3 whole = cube->places[EROSION_NONE][i], middle = {0, 1, 0};
    const vec3 arm = vec3_sub(whole, middle);
    const vec3 expected = vec3_axpy(-METHODS_EROSION / sqrt(3), arm, whole);
    for (int k = EROSION_PROGRAM; k <= EROSION_TEXT; k++)
      CHECK_NEAR(vec3_norm(vec3_sub(cube->places[k][i], expected)), 0, 1e-12);
  }
  // the centre is inside
  CHECK_NEAR(cube->places[EROSION_TEXT][8].y, 1, 1e-12);
  const MethodBody *base = &bodies.bodies[0];
  const vec3 *whole = base->places[EROSION_NONE];
  for (int i = 0; i < base->point_count; i++) {
    const vec3 scaled = {0.99 * whole[i].x, 0.99 * (whole[i].y + 1) - 1, 0.99 * whole[i].z};
    CHECK_NEAR(vec3_norm(vec3_sub(base->places[EROSION_PROGRAM][i], scaled)), 0, 1e-12);
  }
  int flat = 0;   // points within the top
  for (int i = 0; i < base->point_count; i++) {
    if (fabs(whole[i].x) > 1.5 || fabs(whole[i].z) > 1.5 || whole[i].y < 0) continue;
    flat++;
    CHECK_NEAR(base->places[EROSION_TEXT][i].x, whole[i].x, 1e-12);
    CHECK_NEAR(base->places[EROSION_TEXT][i].y, -METHODS_EROSION, 1e-12);
  }
  CHECK(flat == 2);
}

static const SpreadEntry *entry_of(const SpreadResults *results, int scene, SpreadState state,
                                   int row, bool printed)
{
  for (int i = 0; i < results->count; i++) {
    const SpreadEntry *entry = &results->entries[i];
    if (entry->scene == scene && entry->state == state && entry->row == row &&
        entry->printed == printed)
      return entry;
  }
  return NULL;
}

static bool is_all(SpreadValues values, double wanted)
{
  return fabs(values.low - wanted) < 1e-12 && fabs(values.high - wanted) < 1e-12 &&
         fabs(values.middle - wanted) < 1e-12;
}

static int row_of(Method method, MethodWording wording)
{
  return (int)method * WORDING_COUNT + (int)wording;
}

// A tip that slid into flat ground, every tetrahedron of which has one face on the surface: both
// methods of vertices see it as it is.
static void test_known_scores(const SpreadResults *results)
{
  for (int wording = 0; wording < WORDING_COUNT; wording++) {
    for (int method = METHOD_VERTEX; method <= METHOD_CONSISTENT; method++) {
      const SpreadEntry *entry = entry_of(results, SLIDING_SPIKE, STATE_STEP,
                                          row_of((Method)method, (MethodWording)wording), false);
      CHECK(is_all(entry->quality, 100) && is_all(entry->coverage, 100));
      CHECK(is_all(entry->excess, 1) && is_all(entry->points, 1));
    }
  }
  // the program's normals of Intersection are as long as twice the faces' areas
  const SpreadEntry *program = entry_of(results, SLIDING_SPIKE, STATE_STEP,
                                        row_of(METHOD_INTERSECTION, WORDING_PROGRAM), false);
  CHECK(is_all(program->quality, 0) && program->points.low >= 1);
  // the model patch is right, and by the printed normal of two tips it is wrong
  for (int scene = 0; scene <= SLIDING_SPIKE; scene++) {
    const SpreadEntry *patch = entry_of(results, scene, STATE_TOUCHING, SPREAD_METHODS, false);
    CHECK(is_all(patch->quality, 100) && is_all(patch->coverage, 100) && is_all(patch->excess, 1));
    const SpreadEntry *printed = entry_of(results, scene, STATE_TOUCHING, SPREAD_METHODS, true);
    CHECK((printed != NULL) == (scene < SCENE_TIPS));
    if (printed) CHECK(is_all(printed->quality, 0) && is_all(printed->coverage, 0));
  }
}

static bool values_are_ordered(SpreadValues values)
{
  return values.low <= values.middle && values.middle <= values.high;
}

static void test_order(const SpreadResults *results, int scenes)
{
  CHECK(results->count == (scenes + SCENE_TIPS) * STATE_COUNT * SPREAD_ROWS);
  int spread = 0;
  for (int i = 0; i < results->count; i++) {
    const SpreadEntry *entry = &results->entries[i];
    const SpreadRow row = quality_spread_row(entry->row);
    CHECK(row.is_method == (entry->row < SPREAD_METHODS));
    CHECK(!row.is_method || row.rule.single == (row.rule.wording == WORDING_PROGRAM));
    CHECK(values_are_ordered(entry->quality) && values_are_ordered(entry->coverage) &&
          values_are_ordered(entry->excess) && values_are_ordered(entry->points));
    CHECK(entry->quality.low >= 0 && entry->quality.high <= 100 && entry->coverage.high <= 100);
    spread += entry->quality.low < entry->quality.high;
  }
  // rounding decides, in many of them
  CHECK(spread > results->count / 20);
}

static bool same_results(const SpreadResults *a, const SpreadResults *b)
{
  if (a->count != b->count) return false;
  for (int i = 0; i < a->count; i++) {
    const SpreadEntry *p = &a->entries[i], *q = &b->entries[i];
    if (memcmp(&p->quality, &q->quality, sizeof p->quality) != 0 ||
        memcmp(&p->points, &q->points, sizeof p->points) != 0 ||
        memcmp(&p->area_ratio, &q->area_ratio, sizeof p->area_ratio) != 0)
      return false;
  }
  return true;
}

int main(void)
{
  Arena arena = arena_new();
  const QualityScenes scenes = quality_scenes_new(&arena);
  const QualityFilling *fillings = fan_fillings(&scenes, &arena);
  test_erosion(&scenes, fillings, &arena);

  const SpreadRuns runs = {.turns = 5, .seed = 3, .scenes = SLIDING_SPIKE + 1, .within = WITHIN};
  const SpreadResults results = quality_spread_run(&scenes, fillings, &runs, &arena);
  test_order(&results, runs.scenes);
  test_known_scores(&results);

  // a function of the seed; one turn has one score
  SpreadRuns few = {.turns = 1, .seed = 3, .scenes = SCENE_TIPS, .within = WITHIN};
  const SpreadResults once = quality_spread_run(&scenes, fillings, &few, &arena);
  const SpreadResults again = quality_spread_run(&scenes, fillings, &few, &arena);
  few.seed = 4;
  const SpreadResults other = quality_spread_run(&scenes, fillings, &few, &arena);
  CHECK(same_results(&once, &again) && !same_results(&once, &other));
  for (int i = 0; i < once.count; i++)
    CHECK(is_all(once.entries[i].quality, once.entries[i].quality.middle));
  arena_destroy(&arena);
  return test_report();
}
