// Scenarios of drystone bench are what they promise; its figures are in order, and sums of what was
// found agree between kernels.
#include <float.h>
#include <math.h>
#include <string.h>

#include "box_overlap.h"
#include "geometry_bench.h"
#include "harness.h"
#include "intersection.h"
#include "lmd_bench.h"
#include "lmd_search.h"
#include "memory.h"
#include "overlap_bench.h"
#include "overlap_scenarios.h"
#include "pair_scenarios.h"
#include "separation.h"
#include "surface_base.h"
#include "surface_scenarios.h"

#define PAIRS 600
#define BOXES 3000

static void test_pairs(int number)
{
  Arena arena = arena_new();
  const PairScenario scenario = pair_scenario_new(number, PAIRS, &arena);
  SolidPair *pairs = arena_allocate(&arena, PAIRS * sizeof *pairs);
  pair_scenario_place(&scenario, 0, PAIRS, pairs, &arena);
  const bool apart = strcmp(pair_scenario_name(number), "separated") == 0;
  const bool rests = strncmp(pair_scenario_name(number), "box-resting", 11) == 0;
  int wanted = 0, separated = 0, resting = 0, repeated = 0;
  for (int i = 0; i < PAIRS; i++) {
    const Polyhedron *a = &pairs[i].solid_a, *b = &pairs[i].solid_b;
    const Intersection common = intersection_clip(a, b, 0, &arena);
    wanted += common.status == (apart ? INTERSECTION_EMPTY : INTERSECTION_OK);
    SeparatingFace hint = SEPARATING_FACE_NONE;
    separated += separation_find(a, b, 1e-4, &hint);
    // as wide as both, as high as the overlap
    const double base = common.volume / 1e-6;
    resting += base > 0.48 && base < 1.7 && common.face_count == 6;
    for (int k = 0; k < i; k++)
      repeated += memcmp(pairs[k].solid_a.vertices, a->vertices, 4 * sizeof(vec3)) == 0 &&
                  memcmp(pairs[k].solid_b.vertices, b->vertices, 4 * sizeof(vec3)) == 0;
  }
  CHECK(wanted == PAIRS);
  CHECK(separated == (apart ? PAIRS : 0));
  CHECK(resting == PAIRS || !rests);
  CHECK(repeated == 0);

  // a part of a scenario is the same as in the whole, and so is a smaller scenario
  SolidPair one;
  pair_scenario_place(&scenario, 77, 1, &one, &arena);
  CHECK(memcmp(one.solid_b.vertices, pairs[77].solid_b.vertices, 4 * sizeof(vec3)) == 0);
  const PairScenario small = pair_scenario_new(number, 78, &arena);
  pair_scenario_place(&small, 77, 1, &one, &arena);
  CHECK(memcmp(one.solid_b.vertices, pairs[77].solid_b.vertices, 4 * sizeof(vec3)) == 0);
  arena_destroy(&arena);
}

static void test_boxes(int scenario)
{
  Arena arena = arena_new();
  Box *boxes = arena_allocate(&arena, BOXES * sizeof *boxes);
  overlap_scenario_fill(scenario, boxes, BOXES);
  int valid = 0;
  for (int i = 0; i < BOXES; i++) valid += box_is_valid(boxes[i]);
  CHECK(valid == BOXES);
  const BoxPairs found = box_overlap_find(boxes, BOXES, &arena);
  const BoxPairs all = box_overlap_brute_force(boxes, BOXES, &arena);
  CHECK(found.count == all.count);
  CHECK(overlap_checksum(found.pairs, found.count) == overlap_checksum(all.pairs, all.count));
  // about 4 pairs for each box, 8 in walls
  const double share = (double)all.count / BOXES;
  CHECK(share > 2.5 && share < 9);
  arena_destroy(&arena);
}

// Bricks are the same in any order, and polydisperse cubes span two decades.
static void test_box_sizes(void)
{
  static Box ordered[BOXES], shuffled[BOXES], mixed[BOXES];
  overlap_scenario_fill(2, ordered, BOXES);
  overlap_scenario_fill(3, shuffled, BOXES);
  overlap_scenario_fill(1, mixed, BOXES);
  vec3 sum = {0, 0, 0};
  int moved = 0;
  double least = INFINITY, largest = 0;
  for (int i = 0; i < BOXES; i++) {
    sum = vec3_add(sum, vec3_sub(ordered[i].low, shuffled[i].low));
    moved += memcmp(&ordered[i], &shuffled[i], sizeof(Box)) != 0;
    const double side = mixed[i].high.x - mixed[i].low.x;
    least = fmin(least, side);
    largest = fmax(largest, side);
  }
  CHECK(sum.x == 0 && sum.y == 0 && sum.z == 0 && moved > BOXES / 2);
  CHECK(largest / least > 95 && largest / least < 100.001);
}

// How much two kernels may differ in the sum of volumes. Planes and corners are known to roundings
// of coordinates, of eps L for bodies of diameter L, however small the overlap is; a rounding of a
// corner changes the volume by it times the surface there, at most about L^2. Each kernel may do a
// few to each pair, eight of them.
static double volume_tolerance(int pairs)
{
  const double diameter = 1.3 * sqrt(3);   // of the largest box
  return pairs * 2 * 8 * DBL_EPSILON * diameter * diameter * diameter;
}

static void test_rows(void)
{
  Arena arena = arena_new();
  const GeometryRows rows = geometry_bench_run(300, 2, &arena);
  double clip = 0;
  for (int i = 0; i < rows.count; i++) {
    const GeometryRow *r = &rows.rows[i];
    CHECK(r->pairs == 300 && r->nanoseconds.low > 0);
    CHECK(r->nanoseconds.low <= r->nanoseconds.median &&
          r->nanoseconds.median <= r->nanoseconds.high);
    if (strcmp(r->kernel, "clip") == 0) clip = r->sum;
    if (strcmp(r->kernel, "labels") == 0) CHECK_NEAR(r->sum, clip, volume_tolerance(300));
    if (strcmp(r->kernel, "reference") == 0) CHECK_NEAR(r->sum, clip, volume_tolerance(300));
    if (strstr(r->kernel, "plane")) CHECK(r->sum == 300);
    CHECK(strcmp(r->kernel, "patch") == 0 || r->failed == 0);
  }
  CHECK(rows.count >= 30);
  const OverlapRows overlap = overlap_bench_run(BOXES, 3, &arena);
  CHECK(overlap.count == OVERLAP_SCENARIOS);
  CHECK(overlap.rows[2].pairs == overlap.rows[3].pairs);
  CHECK(overlap.rows[2].checksum != overlap.rows[3].checksum);
  arena_destroy(&arena);
}

// Stones touch without crossing, blocks in a slot have twelve points, bricks lie on four.
static void test_surfaces(int number)
{
  Arena arena = arena_new();
  const SurfaceScenario s = surface_scenario_new(number, 5, &arena);
  const char *name = surface_scenario_name(number);
  const bool stones = strncmp(name, "stones", 6) == 0, bricks = strcmp(name, "bricks") == 0;
  SurfaceBase surface[2], sharp[2];
  for (int k = 0; k < 2; k++) {
    CHECK(surface_base_build(&s.pieces[k], 5e-3 * s.extent, &arena, &surface[k]).status ==
          SURFACE_BASE_OK);
    CHECK(surface_base_build(&s.pieces[k], 0, &arena, &sharp[k]).status == SURFACE_BASE_OK);
  }
  const int triangles = s.pieces[stones ? 1 : 0].count + (stones || bricks ? 0 : s.pieces[1].count);
  CHECK(bricks || triangles == surface_scenario_triangles(number));
  for (int i = 0; i < s.pose_count; i++) {
    const SurfacePose *pose = &s.poses[i];
    const LmdBody a = {&surface[0], pose->rotation[0], {0, 0, 0}};
    const LmdBody b = {&surface[1], pose->rotation[1], pose->center};
    const LmdBody sharp_a = {&sharp[0], pose->rotation[0], {0, 0, 0}};
    LmdBody sharp_b = {&sharp[1], pose->rotation[1], pose->center};
    const LmdSet set =
        lmd_search(&(LmdQuery){.a = &a, .b = &b, .turn = 0.02, .limit = s.limit}, &arena);
    CHECK(!set.meets && (stones ? set.count >= 1 : set.count == (bricks ? set.count : 12)));
    CHECK(!bricks || set.count >= 4);
    if (!stones) continue;
    CHECK(!lmd_search(&(LmdQuery){.a = &sharp_a, .b = &sharp_b}, &arena).meets);
    sharp_b.center = vec3_scale(1 - 1e-5, sharp_b.center);
    CHECK(lmd_search(&(LmdQuery){.a = &sharp_a, .b = &sharp_b}, &arena).meets);
  }
  arena_destroy(&arena);
}

static void test_lmd_rows(void)
{
  Arena arena = arena_new();
  const LmdRows rows =
      lmd_bench_run((LmdLoad){.poses = 2, .repeats = 2, .triangles = 1000}, &arena);
  CHECK(rows.count == 4 + 4 * 5);
  for (int i = 0; i < rows.count; i++) {
    const LmdRow *r = &rows.rows[i];
    CHECK(r->points > 0 && r->build >= r->tree && r->tree > 0 && r->microseconds.low > 0);
    if (i == 0 || strcmp(r->scenario, r[-1].scenario) != 0) continue;
    // the model leaves out points on the chord of their neighbours
    const bool model = strcmp(r->search, "model") == 0;
    CHECK(r->points == r[-1].points || (model && r->points < r[-1].points));
  }
  arena_destroy(&arena);
}

static void test_spread(void)
{
  double odd[] = {3, 1, 2}, even[] = {4, 1, 2, 8}, one[] = {7};
  Spread s = spread_of(odd, 3);
  CHECK(s.median == 2 && s.low == 1 && s.high == 3);
  s = spread_of(even, 4);
  CHECK(s.median == 3 && s.low == 1 && s.high == 8);
  s = spread_of(one, 1);
  CHECK(s.median == 7 && s.low == 7 && s.high == 7);
}

int main(void)
{
  for (int scenario = 0; scenario < PAIR_SCENARIOS; scenario++) test_pairs(scenario);
  for (int scenario = 0; scenario < OVERLAP_SCENARIOS; scenario++) test_boxes(scenario);
  test_box_sizes();
  test_rows();
  for (int k = 0; k < SURFACE_SCENARIOS; k++) {
    if (surface_scenario_triangles(k) <= 5120) test_surfaces(k);
  }
  test_lmd_rows();
  test_spread();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
