// The eight local methods of Erleben 2018 between two tetrahedra: contacts worked out by hand, in
// both precisions, as the author's program has them and as the text does.
#include <stdio.h>

#include "harness.h"
#include "methods.h"
#include "random_numbers.h"

#define DEEP 0.125    // m, exact in both precisions
#define NEAR 0.0625   // m: a gap within the envelope of the tests
#define ENVELOPE 0.25

static const char *const names[METHOD_COUNT] = {"closest",    "intersection", "vertex",
                                                "consistent", "volume-SAT",   "surface-SAT",
                                                "opposing",   "growth"};

// Counts contacts that differ by more than rounding, and checks that they are the expected ones.
static void expect(Method method, MethodWording wording, const MethodTetra pair[2], int count,
                   const MethodContact *expected)
{
  for (int single = 0; single < 2; single++) {
    const double tolerance = single ? 1e-6 : 1e-14;
    const MethodRule rule = {method, wording, single == 1, ENVELOPE};
    static MethodContacts found;
    methods_find(&rule, &pair[0], &pair[1], &found);
    const int left = methods_leave_distinct(found.list, found.count, tolerance);
    int known = 0;
    for (int i = 0; i < count; i++) {
      bool seen = false;
      for (int k = 0; k < left && !seen; k++) {
        const MethodContact *c = &found.list[k];
        seen = vec3_norm(vec3_sub(c->place, expected[i].place)) <= tolerance &&
               vec3_norm(vec3_sub(c->normal, expected[i].normal)) <= tolerance &&
               fabs(c->depth - expected[i].depth) <= tolerance;
      }
      known += seen;
    }
    if (CHECK(left == count && known == count)) continue;
    fprintf(stderr, "  %s, %s, %s:\n", names[method], wording ? "text" : "program",
            single ? "single" : "double");
    for (int k = 0; k < left; k++) {
      const MethodContact *c = &found.list[k];
      fprintf(stderr, "    at %g %g %g, normal %g %g %g, depth %g\n", c->place.x, c->place.y,
              c->place.z, c->normal.x, c->normal.y, c->normal.z, c->depth);
    }
  }
}

static void expect_both(Method method, const MethodTetra pair[2], int count,
                        const MethodContact *expected)
{
  expect(method, WORDING_PROGRAM, pair, count, expected);
  expect(method, WORDING_TEXT, pair, count, expected);
}

static const vec3 up = {0, 1, 0};

// -- a tip in a face: the face lies at y = 0 below, the tip hangs down above ---------------------

// Face 3 (corners 0 2 1) looks up.
static MethodTetra table(void)
{
  return (MethodTetra){{{-4, 0, -4}, {4, 0, -4}, {0, 0, 8}, {0, -4, 0}},
                       {false, false, false, true}};
}

// The tip is corner 3; faces 0, 1, 2 hold it. Four wide and two high.
static MethodTetra tip(double height)
{
  return (MethodTetra){
      {{-2, height + 2, -1}, {2, height + 2, -1}, {0, height + 2, 2}, {0, height, 0}},
      {true, true, true, false}};
}

static double volume_of(const MethodTetra *tetra)
{
  const vec3 *c = tetra->corners;
  return vec3_dot(vec3_sub(c[3], c[0]), vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]))) / 6;
}

static void test_tip(void)
{
  const MethodTetra pair[2] = {table(), tip(-DEEP)};
  CHECK(volume_of(&pair[0]) > 0 && volume_of(&pair[1]) > 0);
  const vec3 at = {0, -DEEP, 0};
  const MethodContact one = {at, up, -DEEP};
  // the tip is inside, and three edges go out through the one face
  expect_both(METHOD_VERTEX, pair, 1, &one);
  expect_both(METHOD_CONSISTENT, pair, 1, &one);
  // a cut at height 0, half way up in projection; the edges' share of the way is DEEP / 2
  const double x = 2 * DEEP / 2, z = DEEP / 2, y = -0.5 * DEEP;
  const MethodContact middle[4] = {{{0, y, 0}, up, -DEEP},
                                   {{-x, y, -z}, up, -DEEP},
                                   {{x, y, -z}, up, -DEEP},
                                   {{0, y, 2 * z}, up, -DEEP}};
  expect(METHOD_VOLUME_SAT, WORDING_PROGRAM, pair, 4, middle);
  expect(METHOD_SURFACE_SAT, WORDING_PROGRAM, pair, 4, middle);
  // the mean of three points at 0 and of one at the tip
  MethodContact mean[4];
  for (int k = 0; k < 4; k++) {
    mean[k] = middle[k];
    mean[k].place.y = -0.25 * DEEP;
  }
  expect(METHOD_VOLUME_SAT, WORDING_TEXT, pair, 4, mean);
  expect(METHOD_SURFACE_SAT, WORDING_TEXT, pair, 4, mean);
  // the line of centres is within 4 degrees of the face's normal; the points are not moved
  const MethodContact grown[4] = {{{0, -DEEP, 0}, up, -DEEP},
                                  {{-x, 0, -z}, up, -DEEP},
                                  {{x, 0, -z}, up, -DEEP},
                                  {{0, 0, 2 * z}, up, -DEEP}};
  expect_both(METHOD_GROWTH, pair, 4, grown);
  // the program's normals are as long as twice the face's area, and so are its depths
  const double twice_area = 8 * 12;
  const MethodContact scaled = {at, {0, twice_area, 0}, -DEEP * twice_area};
  expect(METHOD_INTERSECTION, WORDING_PROGRAM, pair, 1, &scaled);
  expect(METHOD_INTERSECTION, WORDING_TEXT, pair, 1, &one);
}

// Faces that look at each other: the flat side of a tip that leans.
static void test_opposing(void)
{
  MethodTetra pair[2] = {table(), tip(-DEEP)};
  pair[1].on_surface[0] = pair[1].on_surface[1] = false;
  // face 2 has the corners 0, 1 and the tip: down and towards -z
  const vec3 out = vec3_scale(1 / sqrt(5), vec3_new(0, -1, -2));
  static MethodContacts found;
  methods_find(&(MethodRule){METHOD_OPPOSING, WORDING_PROGRAM, false, 0}, &pair[0], &pair[1],
               &found);
  CHECK(found.count == 4);
  for (int k = 0; k < found.count; k++) {
    CHECK_NEAR(vec3_norm(vec3_sub(found.list[k].normal, up)), 0, 1e-15);
    CHECK_NEAR(found.list[k].depth, -DEEP, 1e-15);
  }
  vec3 between = vec3_sub(up, out);
  between = vec3_scale(1 / vec3_norm(between), between);
  methods_find(&(MethodRule){METHOD_OPPOSING, WORDING_TEXT, false, 0}, &pair[0], &pair[1], &found);
  CHECK(found.count == 4);
  for (int k = 0; k < found.count; k++)
    CHECK_NEAR(vec3_norm(vec3_sub(found.list[k].normal, between)), 0, 1e-15);

  // faces that look apart oppose in no way
  pair[0].on_surface[3] = false;
  pair[0].on_surface[2] = true;
  pair[1].on_surface[2] = false;
  pair[1].on_surface[3] = true;
  methods_find(&(MethodRule){METHOD_OPPOSING, WORDING_TEXT, false, 0}, &pair[0], &pair[1], &found);
  CHECK(found.count == 0);
}

static void test_tip_above(void)
{
  const MethodTetra pair[2] = {table(), tip(NEAR)};
  // a gap: half way up; depths as each counts them
  const vec3 middle = {0, 0.5 * NEAR, 0};
  expect(METHOD_CLOSEST, WORDING_PROGRAM, pair, 1, &(MethodContact){middle, up, ENVELOPE - NEAR});
  expect(METHOD_CLOSEST, WORDING_TEXT, pair, 1, &(MethodContact){middle, up, NEAR});
  for (int method = METHOD_INTERSECTION; method < METHOD_COUNT; method++)
    expect_both((Method)method, pair, 0, NULL);
  // beyond the envelope, and from inside, closest points see nothing
  const MethodTetra far[2] = {table(), tip(ENVELOPE + NEAR)};
  expect_both(METHOD_CLOSEST, far, 0, NULL);
  const MethodTetra inside[2] = {table(), tip(-DEEP)};
  expect(METHOD_CLOSEST, WORDING_TEXT, inside, 0, NULL);
}

// The other way round normals look down: from the first to the second.
static void test_order(void)
{
  const MethodTetra pair[2] = {tip(-DEEP), table()};
  const MethodContact one = {{0, -DEEP, 0}, {0, -1, 0}, -DEEP};
  expect_both(METHOD_VERTEX, pair, 1, &one);
  expect_both(METHOD_CONSISTENT, pair, 1, &one);
  expect(METHOD_INTERSECTION, WORDING_TEXT, pair, 1, &one);
  const MethodTetra apart[2] = {tip(NEAR), table()};
  expect(METHOD_CLOSEST, WORDING_TEXT, apart, 1,
         &(MethodContact){{0, 0.5 * NEAR, 0}, {0, -1, 0}, NEAR});
}

// -- a face on a face
// ------------------------------------------------------------------------------

static const vec3 shared[3] = {{-4, 0, -4}, {4, 0, -4}, {0, 0, 8}};

// The table with its image above it, so that one face lies on the other.
static void face_on_face(MethodTetra pair[2], double gap)
{
  pair[0] = table();
  pair[1] =
      (MethodTetra){{shared[0], shared[2], shared[1], {0, 4, 0}}, {false, false, false, true}};
  for (int k = 0; k < 4; k++) pair[1].corners[k].y += gap;
}

static void test_faces(void)
{
  MethodTetra pair[2];
  face_on_face(pair, 0);
  CHECK(volume_of(&pair[1]) > 0);
  MethodContact corners[3];
  for (int k = 0; k < 3; k++) corners[k] = (MethodContact){shared[k], up, 0};
  expect_both(METHOD_VERTEX, pair, 3, corners);
  expect_both(METHOD_VOLUME_SAT, pair, 3, corners);
  expect_both(METHOD_SURFACE_SAT, pair, 3, corners);
  expect_both(METHOD_OPPOSING, pair, 3, corners);
  expect_both(METHOD_GROWTH, pair, 3, corners);
  expect(METHOD_INTERSECTION, WORDING_TEXT, pair, 3, corners);
  // no edge goes from a corner to one outside through the face, whose corners it ends in
  expect_both(METHOD_CONSISTENT, pair, 0, NULL);

  face_on_face(pair, NEAR);
  for (int k = 0; k < 3; k++) {
    corners[k].place.y = 0.5 * NEAR;
    corners[k].depth = NEAR;
  }
  expect(METHOD_CLOSEST, WORDING_TEXT, pair, 3, corners);
  // faces that lie on one another and are none of the surface
  pair[0].on_surface[3] = false;
  for (int method = 0; method < METHOD_COUNT; method++) expect_both((Method)method, pair, 0, NULL);
}

// -- an edge across an edge -----------------------------------------------------------------------

// A ridge along x at y = 0, and one along z that hangs at a height.
static void crossed_ridges(MethodTetra pair[2], double height)
{
  pair[0] =
      (MethodTetra){{{-2, 0, 0}, {2, 0, 0}, {0, -2, 2}, {0, -2, -2}}, {false, false, true, true}};
  pair[1] =
      (MethodTetra){{{0, height, -2}, {0, height, 2}, {2, height + 2, 0}, {-2, height + 2, 0}},
                    {false, false, true, true}};
}

static void test_ridges(void)
{
  MethodTetra pair[2];
  crossed_ridges(pair, -DEEP);
  CHECK(volume_of(&pair[0]) > 0 && volume_of(&pair[1]) > 0);
  // the ridges cross, and edges far from each other do so in projection: along +-(1, 0, 1) and
  // +-(1, 0, -1), in which both reach as far to either side (Erleben 2018, 7.1)
  MethodContact crossed[9] = {{{0, -0.5 * DEEP, 0}, up, -DEEP}};
  for (int k = 0; k < 8; k++) {
    const double x = k & 1 ? 1 : -1, z = k & 2 ? 1 : -1, s = k & 4 ? sqrt(0.5) : -sqrt(0.5);
    const double off = 1 - 0.5 * DEEP;
    crossed[k + 1] =
        (MethodContact){{x * off, -0.5 * DEEP, z * off}, {s * x, 0, -s * z}, -4 * sqrt(0.5)};
  }
  expect_both(METHOD_INTERSECTION, pair, 9, crossed);
  expect_both(METHOD_VERTEX, pair, 0, NULL);
  expect_both(METHOD_CONSISTENT, pair, 0, NULL);
  // the ridge of each goes through both slopes of the other, DEEP to either side
  const double y = -0.5 * DEEP;
  const MethodContact cut[4] = {{{-DEEP, y, 0}, up, -DEEP},
                                {{DEEP, y, 0}, up, -DEEP},
                                {{0, y, -DEEP}, up, -DEEP},
                                {{0, y, DEEP}, up, -DEEP}};
  expect_both(METHOD_VOLUME_SAT, pair, 4, cut);
  expect_both(METHOD_SURFACE_SAT, pair, 4, cut);
  MethodContact grown[4];
  for (int k = 0; k < 4; k++) {
    grown[k] = cut[k];
    grown[k].place.y = k < 2 ? 0 : -DEEP;
  }
  expect_both(METHOD_GROWTH, pair, 4, grown);

  crossed_ridges(pair, NEAR);
  const vec3 middle = {0, 0.5 * NEAR, 0};
  expect(METHOD_CLOSEST, WORDING_TEXT, pair, 1, &(MethodContact){middle, up, NEAR});
  // the program crosses a's edge (4, 0, 0) with the line to the end of b's (2, NEAR, 2)
  const vec3 slip = vec3_scale(1 / sqrt(4 + NEAR * NEAR), vec3_new(0, 2, -NEAR));
  expect(METHOD_CLOSEST, WORDING_PROGRAM, pair, 1, &(MethodContact){middle, slip, ENVELOPE - NEAR});
}

// Ridges that are parallel cross nowhere; one edge lies on the other.
static void test_parallel_ridges(void)
{
  MethodTetra pair[2];
  crossed_ridges(pair, 0);
  // the hanging one about y by a right angle
  for (int k = 0; k < 4; k++) {
    const vec3 c = pair[1].corners[k];
    pair[1].corners[k] = vec3_new(c.z, c.y, -c.x);
  }
  CHECK(volume_of(&pair[1]) > 0);
  const MethodContact ends[2] = {{{-2, 0, 0}, up, 0}, {{2, 0, 0}, up, 0}};
  expect_both(METHOD_GROWTH, pair, 2, ends);
  // parallel edges have no cross product: slopes and other edges are left, and the first of equal
  // overlaps of 0, a slope's, stays
  const double s = sqrt(0.5);
  static MethodContacts found;
  for (int single = 0; single < 2; single++) {
    methods_find(&(MethodRule){METHOD_VOLUME_SAT, WORDING_PROGRAM, single == 1, 0}, &pair[0],
                 &pair[1], &found);
    CHECK(found.count == 2);
    for (int k = 0; k < found.count; k++) {
      CHECK_NEAR(fabs(found.list[k].normal.z), s, 1e-6);
      CHECK_NEAR(found.list[k].normal.y, s, 1e-6);
    }
  }
  // raised a little, neither edge is within an end of the other's line
  for (int k = 0; k < 4; k++) pair[1].corners[k].y += NEAR;
  methods_find(&(MethodRule){METHOD_CLOSEST, WORDING_TEXT, false, ENVELOPE}, &pair[0], &pair[1],
               &found);
  CHECK(found.count == 0);
}

// Two halves of tips that reach 0.1 m into each other, whose cut faces have parallel edges: the
// cross product of these is rounding, and must not part them in any turn.
static void test_turned_tips(void)
{
  const MethodTetra halves[2] = {
      {{{-1, -3, -1}, {-1, -3, 1}, {1, -3, 1}, {0, 0, 0}}, {true, true, false, true}},
      {{{-1, 2.9, 1}, {-1, 2.9, -1}, {1, 2.9, 1}, {0, -0.1, 0}}, {true, false, true, true}}};
  CHECK(volume_of(&halves[0]) > 0 && volume_of(&halves[1]) > 0);
  Random random = {12};
  int lost = 0;
  for (int turn = 0; turn < 200; turn++) {
    const mat3 rotation = random_rotation(&random);
    MethodTetra pair[2] = {halves[0], halves[1]};
    for (int k = 0; k < 8; k++) {
      vec3 *corner = &pair[k / 4].corners[k % 4];
      *corner = mat3_mul(rotation, *corner);
    }
    static MethodContacts found;
    for (int single = 0; single < 2; single++) {
      const MethodRule rule = {METHOD_VOLUME_SAT, WORDING_TEXT, single == 1, 0};
      methods_find(&rule, &pair[0], &pair[1], &found);
      lost += found.count == 0;
    }
  }
  CHECK(lost == 0);
}

// -- depth, and what is one
// ------------------------------------------------------------------------

// A tip deep below one face and shallow behind another: the text takes the nearest, the program the
// least signed distance, which is the deepest.
static void test_depth(void)
{
  const MethodTetra box = {{{0, 0, 0}, {8, 0, 0}, {0, 8, 0}, {0, 0, 8}},
                           {false, true, true, false}};
  CHECK(volume_of(&box) > 0);
  // faces 1 (x = 0) and 2 (y = 0); the tip of the other at x = 1, y = 2
  const MethodTetra other = {{{1, 2, 1}, {-9, -9, 2}, {-9, -8, 3}, {-8, -9, 3}},
                             {false, true, true, true}};
  const MethodTetra pair[2] = {box, other};
  const vec3 at = {1, 2, 1};
  expect(METHOD_VERTEX, WORDING_TEXT, pair, 1, &(MethodContact){at, {-1, 0, 0}, -1});
  expect(METHOD_VERTEX, WORDING_PROGRAM, pair, 1, &(MethodContact){at, {0, -1, 0}, -2});
  // along each edge out x = 0 comes first: 1/10 of the way, y = 0 after 2/11
  expect_both(METHOD_CONSISTENT, pair, 1, &(MethodContact){at, {-1, 0, 0}, -1});
}

static void test_distinct(void)
{
  MethodContact list[5] = {{{1, 2, 3}, {0, 1, 0}, -1},
                           {{1, 2, 3}, {0, 1, 0}, -1},
                           {{1, 2, 3.0000001}, {0, 1, 0}, -1},
                           {{1, 2, 3}, {0, 0, 1}, -1},
                           {{0, 2, 3}, {0, 1, 0}, -1}};
  CHECK(methods_leave_distinct(list, 5, methods_rounding(true)) == 3);
  CHECK_NEAR(list[0].place.x, 0, 0);
  CHECK_NEAR(methods_rounding(true), 1.1920929e-6, 1e-12);
  CHECK_NEAR(methods_rounding(false), 2.220446e-15, 1e-20);
  CHECK(methods_leave_distinct(NULL, 0, 0) == 0);
}

int main(void)
{
  test_tip();
  test_opposing();
  test_tip_above();
  test_order();
  test_faces();
  test_ridges();
  test_parallel_ridges();
  test_turned_tips();
  test_depth();
  test_distinct();
  return test_report();
}
