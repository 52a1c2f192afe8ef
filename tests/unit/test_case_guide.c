// Motion by component: what is held of a body, its functions of time, and what contradicts what.
#include <stdio.h>
#include <string.h>

#include "case_reader.h"
#include "guided.h"
#include "harness.h"
#include "kind.h"
#include "scene.h"

#define HEAD                                             \
  "gravity: [0, 0, -9.81]\n"                             \
  "time: {step: 1e-3, end: 1}\n"                         \
  "materials: {steel: {density: 7800, young: 1e7}}\n"    \
  "contacts: [{between: [steel, steel]}]\n"              \
  "bodies:\n"                                            \
  "  - {box: [9, 9, 1], material: steel, fixed: true}\n" \
  "  - {box: [1, 1, 0.2], at: [0, 0, 1], material: steel, name: lid, motion: "

static bool load(const char *motion, Case *c, char error[1024])
{
  char text[2048];
  snprintf(text, sizeof text, HEAD "%s}\n", motion);
  error[0] = 0;
  const CaseOptions options = {.override_count = 0};
  if (!case_parse((CaseFile){"a.yaml", text, strlen(text)}, &options, c, (ErrorText){error, 1024}))
    return false;
  const char *refusal = scene_prepare(c);
  if (!refusal) return true;
  snprintf(error, 1024, "%s", refusal);
  case_destroy(c);
  return false;
}

// What is held, and the velocities at a quarter of a second.
static void holds(const char *motion, unsigned held, vec3 v, vec3 w)
{
  Case c;
  char error[1024];
  if (!CHECK(load(motion, &c, error))) {
    printf("  %s\n", error);
    return;
  }
  const BodyRecipe body = scene_body(&c, 1);
  const Guide *guide = body.guide;
  CHECK(c.guide_count == 1 && c.motion_count == 0 && body.drive == DRIVE_DYNAMIC && !body.motion);
  if (CHECK(guide != NULL)) {
    if (!CHECK(guide->held == held)) printf("  %s: %u for %u\n", motion, guide->held, held);
    CHECK(body.kind == KIND_GUIDED + (int)held - 1);
    CHECK_NEAR(vec3_norm(vec3_sub(time_vector_at(&guide->travel, 0.25), v)), 0, 1e-15);
    CHECK_NEAR(vec3_norm(vec3_sub(time_vector_at(&guide->turning, 0.25), w)), 0, 1e-15);
  }
  case_destroy(&c);
}

static void refuses(const char *motion, const char *expected)
{
  Case c;
  char error[1024];
  if (!CHECK(!load(motion, &c, error))) case_destroy(&c);
  else if (!CHECK(strstr(error, expected) != NULL)) printf("  %s\n", error);
}

static void test_held(void)
{
  const vec3 none = {0, 0, 0};
  holds("{velocity: {x: 0.1}, free: [z], lock: [rx, ry, rz]}", GUIDED_ALL & ~4U, (vec3){0.1, 0, 0},
        none);
  holds("{velocity: {x: 0.1}, free: [z]}", GUIDED_ALL & ~4U, (vec3){0.1, 0, 0}, none);
  holds("{free: [z, rx]}", GUIDED_ALL & ~(4U | 8U), none, none);
  holds("{lock: [rx, ry, rz]}", 8 | 16 | 32, none, none);
  holds("{velocity: {rz: {cosine: {amplitude: 2, angular_frequency: 0, phase: 60}}, y: {ramp: "
        "{from: 1, to: 3, start: 0, duration: 0.5}}}, free: [x, z, rx, ry]}",
        2 | 32, (vec3){0, 2, 0}, (vec3){0, 0, 1});
  holds("{velocity: {x: {table: [[0, 0], [1, 4]]}, z: {sum: [1, {cosine: {amplitude: 1, "
        "angular_frequency: 0, mean: 3}}]}}, free: [y]}",
        GUIDED_ALL & ~2U, (vec3){1, 0, 5}, none);
}

// Where nothing is free, the motion is one as a whole.
static void test_whole(void)
{
  Case c;
  char error[1024];
  if (!CHECK(load("{velocity: {x: 0.1, rz: 2}}", &c, error))) {
    printf("  %s\n", error);
    return;
  }
  const BodyRecipe body = scene_body(&c, 1);
  CHECK(c.guide_count == 0 && c.motion_count == 1 && body.drive == DRIVE_PRESCRIBED);
  CHECK(body.kind == KIND_RIGID && !body.guide);
  if (CHECK(body.motion != NULL)) {
    CHECK(time_vector_at(&body.motion->travel, 0).x == 0.1);
    CHECK(time_vector_at(&body.motion->turning, 0).z == 2 && !body.motion->has_about);
  }
  case_destroy(&c);
}

static void test_refusals(void)
{
  refuses("{velocity: {x: 1}, free: [x, z]}", "'velocity' and 'free' both name x");
  refuses("{velocity: {x: 1, y: 2}, free: [z], lock: [y, x]}",
          "'velocity' and 'lock' both name x, y");
  refuses("{free: [z, rx], lock: [rx]}", "'free' and 'lock' both name rx");
  refuses("{free: [z, z]}", "'z' stands here twice");
  refuses("{free: [w]}", "expected one of x, y, z, rx, ry, rz, found 'w'");
  refuses("{free: z}", "expected a list of x, y, z, rx, ry, rz");
  refuses("{free: [x, y, z, rx, ry, rz]}", "all components are free");
  refuses("{velocity: [1, 0, 0], free: [z]}",
          "as a vector it prescribes all components, and 'free'");
  refuses("{velocity: {table: [[0, 1, 0, 0]]}, lock: [rx]}", "as a vector it prescribes all");
  refuses("{velocity: {x: 1}, lock: [rx, ry, rz]}", "leaves y, z, which are neither");
  refuses("{velocity: {x: 1}, acceleration: [0, 0, 1]}", "and no 'acceleration'");
  refuses("{spin: [0, 0, 1], free: [z]}", "and no 'spin'");
  refuses("{about: [0, 0, 1], lock: [x]}", "and no 'about'");
  refuses("{velocity: {x: [1, 2, 3]}, free: [z]}", "velocity.x");
  refuses("{velocity: {x: 1, speed: 2}, free: [z]}", "speed");
  refuses("{free: [z]}, velocity: [1, 0, 2]", "the start of x is 'motion''s to say");
  refuses("{lock: [rx]}, spin: [1, 1, 0]", "the start of rx is 'motion''s to say");
  refuses("{free: [z]}, fixed: true", "a fixed body has no motion");
  refuses("{free: [z]}, elastic: affine", "a body with a prescribed motion does not deform");
  refuses("{free: [z], lock: [x]}}\n  - {box: [1, 1, 1], at: [5, 0, 0], material: steel, elastic: "
          "affine",
          "a case with bodies that deform knows no motion by component");
  refuses("{velocity: {rz: 2e8}, free: [z]}", "10000 rad");
}

int main(void)
{
  test_held();
  test_whole();
  test_refusals();
  return test_report();
}
