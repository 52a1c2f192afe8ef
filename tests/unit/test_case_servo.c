// Servos in a case: the body, the force, the rows that limit its speed, and what contradicts what.
#include <stdio.h>
#include <string.h>

#include "case_reader.h"
#include "harness.h"
#include "scene.h"

#define HEAD                                                                                      \
  "gravity: [0, 0, -9.81]\n"                                                                      \
  "time: {step: 1e-3, end: 1}\n"                                                                  \
  "materials: {steel: {density: 7800}}\n"                                                         \
  "contacts: [{between: [steel, steel]}]\n"                                                       \
  "bodies:\n"                                                                                     \
  "  - {box: [9, 9, 1], material: steel, fixed: true, name: floor}\n"                             \
  "  - {box: [2, 3, 0.2], at: [0, 0, 1], material: steel, name: lid, motion: {free: [z]}}\n"      \
  "  - {sphere: {radius: 0.2}, at: [0, 0, 3], material: steel, name: ball}\n"                     \
  "  - {box: [1, 1, 1], at: [4, 0, 2], turn: {axis: [0, 0, 1], angle: 5}, material: steel, "      \
  "name: block}\n"                                                                                \
  "  - {box: [1, 1, 1], at: [7, 0, 2], material: steel, name: belt, motion: {spin: [0, 0, 1]}}\n" \
  "  - {grid: {box: [2, 1, 1], count: [3, 1, 1], spacing: [3, 1, 1]}, at: [0, 9, 2], material: "  \
  "steel, name: row}\n"                                                                           \
  "joints: [{ball: [0, 0, 3], between: [ball]}]\n"                                                \
  "servos: ["

static bool load(const char *servos, Case *c, char error[1024])
{
  char text[2048];
  snprintf(text, sizeof text, HEAD "%s]\n", servos);
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

static void refuses(const char *servos, const char *expected)
{
  Case c;
  char error[1024];
  if (!CHECK(!load(servos, &c, error))) case_destroy(&c);
  else if (!CHECK(strstr(error, expected) != NULL)) printf("  %s\n", error);
}

static void test_values(void)
{
  Case c;
  char error[1024];
  if (!CHECK(load("{on: lid, axis: z, pressure: 1e5, speed: 0.1}, {on: ball, axis: -x, force: "
                  "{ramp: {from: 0, to: 8, start: 0, duration: 1}}, speed: 3}",
                  &c, error))) {
    printf("  %s\n", error);
    return;
  }
  CHECK(c.servo_count == 2 && c.joint_count == 3 && c.joint_row_count == 5);
  const Servo *lid = &c.servos[0], *ball = &c.servos[1];
  CHECK(lid->id == 1 && lid->axis == 2 && lid->sign == 1 && lid->area == 6 && lid->speed == 0.1);
  CHECK(time_vector_at(&lid->force, 0.3).x == 1e5);
  CHECK(ball->id == 2 && ball->axis == 0 && ball->sign == -1 && ball->area == 1);
  CHECK_NEAR(time_vector_at(&ball->force, 0.5).x, 4, 1e-12);
  for (int k = 0; k < c.joint_row_count; k++) {
    const JointRule *rule = &c.joint_rules[k];
    if (k == 0) {
      CHECK(rule->speed == 0);
      continue;
    }
    const double way = k % 2 ? 1 : -1;
    const vec3 n = c.joint_rows[k].normal;
    CHECK(rule->speed == (k < 3 ? 0.1 : 3) && rule->tension == 0 && isinf(rule->push));
    CHECK(rule->shear == 0 && !rule->breaks && c.joint_rows[k].bodies.high == BODIES_SPACE);
    CHECK((k < 3 ? n.z : n.x) == way);
  }
  case_destroy(&c);
}

// A box of a grid has faces as one alone has, and its pattern means it.
static void test_members(void)
{
  Case c;
  char error[1024];
  if (!CHECK(load("{on: row.1, axis: z, pressure: 1, speed: 1}, {on: '*w.2', axis: x, pressure: 1, "
                  "speed: 1}",
                  &c, error))) {
    printf("  %s\n", error);
    return;
  }
  CHECK(c.servos[0].id == 6 && c.servos[0].area == 2);
  CHECK(c.servos[1].id == 7 && c.servos[1].area == 1);
  case_destroy(&c);
}

static void test_refusals(void)
{
  refuses("{on: floor, axis: z, force: 1, speed: 1}", "'floor' is fixed: a servo moves");
  refuses("{on: belt, axis: z, force: 1, speed: 1}", "'belt' is moved by its 'motion'");
  refuses("{on: lid, axis: y, force: 1, speed: 1}",
          "servos.0.axis: 'motion' of 'lid' (line 7) does not leave y free");
  refuses("{on: block, axis: z, pressure: 1, speed: 1}", "expected 'area' beside it, in m2");
  refuses("{on: ball, axis: z, pressure: 1, speed: 1}", "expected 'area' beside it, in m2");
  refuses("{on: ball, axis: z, pressure: 1, force: 1, speed: 1}", "found both");
  refuses("{on: ball, axis: z, speed: 1}", "expected 'force' or 'pressure', found none");
  refuses("{on: ball, axis: z, force: 1, area: 2, speed: 1}", "an area goes with 'pressure'");
  refuses("{on: ball, axis: z, force: 1}", "speed");
  refuses("{on: ball, axis: z, force: 1, speed: -1}", "expected a speed");
  refuses("{on: ball, axis: w, force: 1, speed: 1}", "expected one of x, y, z, -x, -y, -z");
  refuses("{on: ball, axis: z, force: [1, 2, 3], speed: 1}", "servos.0.force");
  refuses("{on: nobody, axis: z, force: 1, speed: 1}", "servos.0.on");
  refuses("{on: lid, axis: z, force: 1, speed: 1}, {on: lid, axis: -z, force: 1, speed: 1}",
          "servos.1.axis: the servo of line 13 moves this body along z already");
  refuses("{on: lid, axis: z, force: 1, speed: 1, gain: 2}", "gain");
}

int main(void)
{
  test_values();
  test_members();
  test_refusals();
  return test_report();
}
