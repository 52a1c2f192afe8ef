// Erleben's suite (Methodology for assessing mesh-based contact point methods, 2018): every normal
// feasible, every feasible normal there, as many points as needed and no more, true areas. And the
// suite itself: its solids, its true polygons, and that it sees what is wrong.
#include <stdio.h>

#include "fan_fillings.h"
#include "harness.h"
#include "planar.h"
#include "quality_published.h"
#include "quality_suite.h"

#define PI 3.14159265358979323846

static double hexagon_area(double radius) { return 1.5 * sqrt(3) * radius * radius; }

static QualityScore score_of(const QualityScenes *scenes, int scene, const QualitySetup *setup,
                             PatchParameters parameters, double tolerance,
                             const QualityFilling *fillings, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  const QualityScene *which = &scenes->scenes[scene];
  const QualityRule rule = {CONTACT_MODEL_PATCH, parameters, tolerance};
  const PosedBody *bodies = quality_setup_bodies(scenes, which, setup, fillings, arena);
  const ModelFinder finder = quality_points_finder(bodies, setup, &rule);
  const QualityScore score =
      quality_score(&(ShownScene){scenes, which, setup}, &finder.base, tolerance, arena);
  arena_release(arena, mark);
  return score;
}

static void check_right(const QualityScenes *scenes, int scene, const QualityScore *s,
                        const char *what)
{
  const bool right = s->quality >= 100 && s->coverage >= 100 && s->points == s->least_points &&
                     s->failed == 0 && fabs(s->low_ratio - 1) <= 1e-11 &&
                     fabs(s->high_ratio - 1) <= 1e-11;
  if (CHECK(right)) return;
  fprintf(stderr, "  %s, %s: quality %g coverage %g points %d of %d, areas %g to %g, %g carried\n",
          scenes->scenes[scene].name, what, s->quality, s->coverage, s->points, s->least_points,
          s->low_ratio, s->high_ratio, s->low_carried);
}

// The suite's variants that need no mesh, then bodies in tetrahedra, over margins and steps.
static void test_suite(const QualityScenes *scenes, Arena *arena)
{
  const QualityFilling *none[CUT_COUNT] = {NULL};
  const QualityResults results = quality_suite_run(scenes, none, arena);
  int judged = 0;
  for (int i = 0; i < results.count; i++) {
    const QualityEntry *entry = &results.entries[i];
    judged += entry->judged;
    if (CHECK(entry->holds)) continue;
    check_right(scenes, entry->scene, &entry->score, entry->variant->name);
  }
  const int of_patch = 4 * SCENE_COUNT + 3 * 3, of_lmd = of_patch;
  CHECK(judged == of_patch + of_lmd);

  const QualityFilling *fillings = fan_fillings(scenes, arena);
  const double margins[4] = {1e-8, 1e-4, 2e-3, 1e-2}, steps[2] = {1e-4, 0.01};
  for (int run = 0; run < 32; run++) {
    QualitySetup setup = {.step = steps[run & 1],
                          .growth = run & 2 ? 1e-3 : 0,
                          .cut = run & 4 ? CUT_RAW : CUT_NONE,
                          .mirrored = run % 3 == 1,
                          .turned = run % 3 > 0,
                          .distance = 100,
                          .seed = (uint64_t)run};
    const PatchParameters parameters = {margins[run / 8], 2e-3, 8};
    for (int scene = 0; scene < SCENE_COUNT; scene++) {
      const QualityScore score = score_of(scenes, scene, &setup, parameters, 1e-9, fillings, arena);
      char what[99];
      snprintf(what, sizeof what, "run %d, margin %g", run, parameters.margin);
      check_right(scenes, scene, &score, what);
    }
  }
}

// Bodies in pieces that are turned a little: each pair of pieces sees other axes, and what they
// choose must not hold a tip or a ridge from both sides.
static void test_turned_pieces(const QualityScenes *scenes, Arena *arena)
{
  const QualityFilling *fillings = fan_fillings(scenes, arena);
  const double tilts[3] = {1e-6, 1e-4, 1e-3};
  int wrong = 0, missing = 0, failed = 0, few = 0;
  for (int run = 0; run < 60; run++) {
    const double tilt = tilts[run % 3];
    const QualitySetup setup = {
        .step = 0.01, .tilt = tilt, .cut = CUT_RAW, .seed = (uint64_t)run + 1};
    for (int scene = 0; scene < SCENE_FUNDAMENTAL; scene++) {
      const QualityScore score =
          score_of(scenes, scene, &setup, QUALITY_SUITE_PARAMETERS, 2 * tilt, fillings, arena);
      wrong += score.quality < 100;
      missing += score.coverage < 100;
      few += score.points < score.least_points;
      failed += score.failed;
    }
  }
  CHECK(wrong == 0);
  CHECK(few == 0);
  CHECK(missing == 0);
  CHECK(failed == 0);
}

// Gaps are as deep as the bodies were moved into each other, along the normal.
static void test_gaps(const QualityScenes *scenes, Arena *arena)
{
  const double deep = 1e-3, tip = 0.75 * SPIKE_HEIGHT, ridge = 2.0 / 3 * SPIKE_HEIGHT;
  const double b = 1 / sqrt(10), a = sqrt(0.5);
  const double expected[SCENE_FUNDAMENTAL] = {tip * b,   tip * b, ridge * b, tip * a, tip * a,
                                              ridge * a, tip,     ridge,     1,       1.6};
  const QualitySetup setup = {.step = 0.01, .growth = deep};
  for (int scene = 0; scene < SCENE_FUNDAMENTAL; scene++) {
    const QualityScore s =
        score_of(scenes, scene, &setup, QUALITY_SUITE_PARAMETERS, 1e-9, NULL, arena);
    CHECK_NEAR(s.low_gap, -deep * expected[scene], 1e-12);
    CHECK_NEAR(s.high_gap, -deep * expected[scene], 1e-12);
  }
}

// The suite sees points that are missing, wrong normals, and areas that are not true.
static void test_suite_judges(const QualityScenes *scenes, Arena *arena)
{
  // stones shrunk by more than the margin touch nothing
  QualitySetup setup = {.growth = -1e-2};
  QualityScore s =
      score_of(scenes, SCENE_WALL, &setup, QUALITY_SUITE_PARAMETERS, 1e-9, NULL, arena);
  CHECK(s.points == 0 && s.quality <= 0 && s.coverage <= 0 && s.low_ratio <= 0);
  // three points hold a patch: half of a square, two thirds of a hexagon at most
  setup = (QualitySetup){.step = 0};
  s = score_of(scenes, SCENE_WALL, &setup, (PatchParameters){2e-3, 2e-3, 3}, 1e-9, NULL, arena);
  CHECK(s.points == 3 * 213 && s.quality >= 100);
  CHECK_NEAR(s.area_ratio, 0.5, 1e-12);
  // normals of tilted stones beyond a tolerance below the tilt
  setup = (QualitySetup){.tilt = 1e-3};
  s = score_of(scenes, SCENE_PILLAR, &setup, QUALITY_SUITE_PARAMETERS, 1e-9, NULL, arena);
  CHECK(s.quality < 50 && s.worst_normal > 1e-4 && s.worst_normal <= 1e-3);
  // two points that leave to the other side have the other normal
  QualityScene mirrored = scenes->scenes[0];
  QualityBody bodies[2] = {mirrored.bodies[0], mirrored.bodies[1]};
  bodies[1].velocity.x = -bodies[1].velocity.x;
  mirrored.bodies = bodies;
  setup = (QualitySetup){.step = 0.01};
  const QualityRule rule = {CONTACT_MODEL_PATCH, QUALITY_SUITE_PARAMETERS, 1e-9};
  const PosedBody *posed = quality_setup_bodies(scenes, &mirrored, &setup, NULL, arena);
  const ModelFinder finder = quality_points_finder(posed, &setup, &rule);
  s = quality_score(&(ShownScene){scenes, &mirrored, &setup}, &finder.base, rule.tolerance, arena);
  CHECK(s.points == 1 && s.quality <= 0 && s.coverage <= 0);
  CHECK_NEAR(s.worst_normal, 2 * 3 / sqrt(10), 1e-12);
}

// Closed surfaces that enclose what they should; true areas of all contacts in closed form.
static void test_solids(const QualityScenes *scenes, Arena *arena)
{
  for (int i = 0; i < scenes->solid_count; i++) {
    const QualitySolid *solid = &scenes->solids[i];
    CHECK(quality_solid_volume(solid) > 0 && solid->triangle_count == 2 * solid->point_count - 4);
  }
  const QualityScene *cases = scenes->scenes;
  const double square = 4 * SPIKE_HALF_BASE * SPIKE_HALF_BASE;
  const struct {
    int scene, body;
    double volume;
  } known[] = {{0, 0, square * SPIKE_HEIGHT / 3},
               {1, 0, SPIKE_HALF_BASE * SPIKE_HEIGHT * 4 * SPIKE_HALF_BASE},
               {3, 0, 4 - 0.5 / 3},
               {4, 0, 8 - 1},
               {8, 0, 32},
               {9, 0, 3.2 / 3 * (4.8 * 4.8 + 4.8 * 3.2 + 3.2 * 3.2)},
               {SCENE_WALL, 1, 0.125},
               {SCENE_ARCH, 7, 2 * 0.5 * sin(PI / 7) * (4 - 2.25)}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const QualitySolid *solid = &scenes->solids[cases[known[i].scene].bodies[known[i].body].solid];
    CHECK_NEAR(quality_solid_volume(solid), known[i].volume, 1e-12);
  }
  CHECK(quality_scene_least_points(&cases[SCENE_PILLAR]) == 40);
  CHECK(quality_scene_least_points(&cases[SCENE_WALL]) == 852);
  CHECK(quality_scene_least_points(&cases[SCENE_ARCH]) == 56);

  // areas of points against what is known of the structures
  const double third = 0.05 / 3;
  const double areas[3] = {0.25 + 2 * hexagon_area(0.25) + hexagon_area(0.2) +
                               hexagon_area(0.2 - third) + hexagon_area(0.2 - 2 * third) +
                               hexagon_area(0.15),
                           37.59375, 14};
  for (int i = 0; i < 3; i++) {
    const QualitySetup setup = {0};
    const QualityScore s =
        score_of(scenes, SCENE_PILLAR + i, &setup, QUALITY_SUITE_PARAMETERS, 1e-9, NULL, arena);
    CHECK_NEAR(s.true_area / areas[i], 1, 1e-14);
  }
}

static void test_planar(void)
{
  const PlanarPolygon square = {4, {{0, 0}, {2, 0}, {2, 2}, {0, 2}}};
  const PlanarPolygon turned = {4, {{1, 3}, {3, 1}, {1, -1}, {-1, 1}}};   // clockwise
  CHECK_NEAR(planar_area(square.corners, 4), 4, 1e-15);
  CHECK_NEAR(planar_area(turned.corners, 4), -8, 1e-15);
  const PlanarPolygon moved = {3, {{1, 1}, {4, 1}, {1, 4}}};
  PlanarPolygon common = planar_common(&square, &moved);
  CHECK_NEAR(planar_area(common.corners, common.count), 1, 1e-15);
  CHECK(planar_corner_count(&common, 1e-9) == 4);
  // corners of one on the sides of the other say nothing
  common = planar_common(&square, &turned);
  CHECK_NEAR(planar_area(common.corners, common.count), 4, 1e-15);
  CHECK(planar_corner_count(&common, 1e-9) == 4);
  const PlanarPolygon away = {3, {{5, 5}, {6, 5}, {5, 6}}};
  common = planar_common(&square, &away);
  CHECK_NEAR(planar_area(common.corners, common.count), 0, 1e-15);
  PlanarPoint points[6] = {{2, 2}, {0, 0}, {1, 1}, {2, 0}, {1, 0}, {0, 2}}, scratch[6];
  CHECK_NEAR(planar_hull_area(points, 6, scratch), 4, 1e-15);
  CHECK_NEAR(planar_hull_area(points, 1, scratch), 0, 1e-15);
}

static void test_published(void)
{
  PublishedScore score;
  CHECK(quality_published_best(0, &score) == 6 && score.quality > 22 && score.quality < 23);
  CHECK(quality_published_best(SCENE_PILLAR, &score) == 0 && score.points == 188);
  CHECK(quality_published_best(SCENE_ARCH, &score) == 6 && !quality_published_score(11, 3, &score));
}

int main(void)
{
  Arena arena = arena_new();
  const QualityScenes scenes = quality_scenes_new(&arena);
  test_planar();
  test_solids(&scenes, &arena);
  test_suite(&scenes, &arena);
  test_turned_pieces(&scenes, &arena);
  test_gaps(&scenes, &arena);
  test_suite_judges(&scenes, &arena);
  test_published();
  arena_destroy(&arena);
  return test_report();
}
