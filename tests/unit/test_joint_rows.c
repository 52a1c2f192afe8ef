// Rows of joints: what each kind holds and where, in both orders of ids; pairs that pass through
// each other; joints that contradict each other.
#include "joint_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "case_reader.h"
#include "harness.h"
#include "memory.h"
#include "scene.h"

// bodies 0 to 5: floor, low, high, crank, two bars; low is 1 x 1 x 1, high 3 x 4 x 12: diagonal 13
static const char bodies[] =
    "gravity: [0, 0, -9.81]\n"
    "time: {step: 1e-3, end: 1.0}\n"
    "materials: {stone: {density: 2400}}\n"
    "contacts: [{between: [stone, stone], friction: 0.6}]\n"
    "bodies:\n"
    "  - {box: [9, 9, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}\n"
    "  - {box: [1, 1, 1], at: [0, 0, 0.5], material: stone, name: low}\n"
    "  - {box: [3, 4, 12], at: [0, 0, 7], material: stone, name: high}\n"
    "  - {box: [1, 1, 1], at: [0, 20, 5], material: stone, name: crank,\n"
    "     motion: {velocity: [1, 0, 0], spin: [0, 0, 2]}}\n"
    "  - {grid: {box: [1, 1, 1], count: [4, 1, 1], spacing: [2, 0, 0]}, at: [20, 0, 0], "
    "material: stone, name: bar}\n"
    "  - {sphere: {radius: 0.5}, at: [30, 9, 0], material: stone, name: bar.1x}\n"
    "  - {sphere: {radius: 0.5}, at: [30, 19, 0], material: stone, name: bar.3}\n"
    "  - {sphere: {radius: 0.5}, at: [30, 29, 0], material: stone, name: late, birth: 0.5}\n";
enum { FLOOR = 0, LOW = 1, HIGH = 2, CRANK = 3, BAR = 4, EXACT = 9, LATE = 10 };
#define SPACE_ID BODIES_SPACE

static const double most = INFINITY;

// A case with these joints; false with a message.
static bool make(const char *joints, Case *c, char message[1024])
{
  char text[8192];
  snprintf(text, sizeof text, "%sjoints:\n%s", bodies, joints);
  message[0] = 0;
  if (!case_parse((CaseFile){"a.yaml", text, strlen(text)}, NULL, c, (ErrorText){message, 1024}))
    return false;
  const char *refusal = scene_prepare(c);
  if (!refusal) return true;
  snprintf(message, 1024, "%s", refusal);
  case_destroy(c);
  return false;
}

static bool sound(const char *joints, Case *c)
{
  char message[1024];
  const bool made = CHECK(make(joints, c, message));
  if (!made) printf("  %s\n  %s\n", joints, message);
  for (int i = 0; made && i < c->joint_row_count; i++) {
    CHECK(joint_rule_is_valid(&c->joint_rules[i]));
    CHECK(c->joint_rows[i].bodies.low < c->joint_rows[i].bodies.high);
    CHECK_NEAR(vec3_norm(c->joint_rows[i].normal), 1, 1e-15);
    if (i == 0) continue;
    const int *order = c->joint_order;
    const int64_t last = c->joint_rows[order[i - 1]].begin, begin = c->joint_rows[order[i]].begin;
    CHECK(last < begin || (last == begin && order[i - 1] < order[i]));
  }
  return made;
}

static void refused(const char *joints, const char *expected)
{
  Case c;
  char message[1024];
  if (!CHECK(!make(joints, &c, message))) {
    case_destroy(&c);
    printf("  not refused: %s", joints);
  } else if (!CHECK(strstr(message, expected) != NULL)) printf("  %s\n", message);
}

static void check_vector(vec3 v, double x, double y, double z)
{
  CHECK_NEAR(v.x, x, 1e-12);
  CHECK_NEAR(v.y, y, 1e-12);
  CHECK_NEAR(v.z, z, 1e-12);
}

// Row of a place with limits; infinite stiffness.
static void check_rule(const JointRule *rule, double tension, double push, double shear)
{
  CHECK(rule->tension == tension && rule->push == push && rule->shear == shear);
  CHECK(isinf(rule->stiffness[0]) && isinf(rule->stiffness[1]));
  CHECK(rule->damping[0] == 0 && rule->damping[1] == 0 && rule->pretension == 0);
}

static void check_place(const Case *c, int row, double x, double y, double z)
{
  check_vector(c->joint_rows[row].place, x, y, z);
  check_vector(c->joint_rows[row].place_high, x, y, z);
  CHECK(!c->joint_rules[row].along_line);
}

// The axis looks from the second body to the first, the normal from the higher id to the lower one.
static void test_orders(void)
{
  static const struct {
    const char *between;
    uint64_t low, high;
    double sign;   // of the normal
    bool frame_low;
  } orders[] = {
      {"[low, high]", LOW, HIGH, 1, false},           {"[high, low]", LOW, HIGH, -1, true},
      {"[low, floor]", FLOOR, LOW, -1, true},         {"[floor, low]", FLOOR, LOW, 1, false},
      {"[low, space]", LOW, SPACE_ID, 1, false},      {"[low]", LOW, SPACE_ID, 1, false},
      {"[bar.2, bar.1]", BAR + 1, BAR + 2, -1, true}, {"[bar.3, low]", LOW, EXACT, -1, true},
  };
  for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
    char joints[400];
    snprintf(
        joints, sizeof joints,
        "  - {dowel: [1, 2, 3], axis: [0, 0, 5], between: %s, yield: {tension: 3, compression: "
        "4, shear: 5}}\n",
        orders[i].between);
    Case c;
    if (!sound(joints, &c)) continue;
    CHECK(c.joint_count == 1 && c.joint_row_count == 1 && c.pass_count == 0);
    const JointRow *row = &c.joint_rows[0];
    CHECK(row->bodies.low == orders[i].low && row->bodies.high == orders[i].high);
    check_vector(row->normal, 0, 0, orders[i].sign);
    check_place(&c, 0, 1, 2, 3);
    CHECK(c.joint_rules[0].frame_low == orders[i].frame_low && !c.joint_rules[0].breaks);
    check_rule(&c.joint_rules[0], 3, 4, 5);
    case_destroy(&c);
  }

  // a line: from the place of the higher body to that of the lower one, as the file has them or not
  for (int back = 0; back < 2; back++) {
    Case c;
    if (!sound(back ? "  - {tie: [[0, 0, 8], [0, 3, 4]], between: [high, low], pretension: 7,\n"
                      "     stiffness: 1e6, damping: 2, yield: {tension: 9}}\n"
                    : "  - {tie: [[0, 3, 4], [0, 0, 8]], between: [low, high], pretension: 7,\n"
                      "     stiffness: 1e6, damping: 2, yield: {tension: 9}}\n",
               &c))
      continue;
    const JointRow *row = &c.joint_rows[0];
    const JointRule *rule = &c.joint_rules[0];
    check_vector(row->place, 0, 3, 4);
    check_vector(row->place_high, 0, 0, 8);
    check_vector(row->normal, 0, 0.6, -0.8);
    CHECK_NEAR(row->length, 5, 0);
    CHECK(rule->along_line && rule->tension == 9 && rule->push == 0 && rule->shear == 0);
    CHECK(rule->stiffness[0] == 1e6 && isinf(rule->stiffness[1]) && rule->damping[0] == 2);
    CHECK(rule->pretension == 7 && !rule->breaks && rule->joint == 0);
    case_destroy(&c);
  }
}

static void test_places(void)
{
  Case c;
  if (!sound("  - {ball: [0, 0, 1], between: [low, high]}\n"
             "  - {pin: [0, 0, 1], axis: [1, 0, 0], between: [low, high]}\n"
             "  - {roller: [0, 0, 1], normal: [0, 2, 0], between: [low, high], strength: {tension: "
             "0}}\n"
             "  - {direction: [0, 0, 1], axis: [0, 2, 0], between: [low, high]}\n"
             "  - {ball: [0, 0, 1], axis: [0, 1, 0], between: [low, high], strength: {shear: 3}}\n"
             "  - {dowel: [0, 0, 1], axis: [0, 1, 0], between: [low, high], stiffness: 5, "
             "pretension: 2}\n"
             "  - {dowel: [0, 0, 1], axis: [0, 1, 0], between: [low, high],\n"
             "     stiffness: {shear: 5}, damping: {shear: 6}}\n",
             &c))
    return;
  CHECK(c.joint_row_count == 7);
  check_rule(&c.joint_rules[0], most, most, most);
  check_rule(&c.joint_rules[1], 0, 0, most);
  check_vector(c.joint_rows[1].normal, 1, 0, 0);
  check_rule(&c.joint_rules[2], 0, most, 0);
  check_vector(c.joint_rows[2].normal, 0, 1, 0);
  check_rule(&c.joint_rules[3], most, most, 0);
  check_rule(&c.joint_rules[4], most, most, 3);
  CHECK(c.joint_rules[4].breaks && c.joint_rules[2].breaks && !c.joint_rules[3].breaks);
  const JointRule *both = &c.joint_rules[5], *shear = &c.joint_rules[6];
  CHECK(both->stiffness[0] == 5 && both->stiffness[1] == 5 && both->pretension == 2);
  CHECK(isinf(shear->stiffness[0]) && shear->stiffness[1] == 5);
  CHECK(shear->damping[0] == 0 && shear->damping[1] == 6);
  for (int j = 0; j < c.joint_count; j++)
    CHECK(c.joints[j].first_row == j && c.joints[j].row_count == 1 && c.joint_rules[j].joint == j);
  case_destroy(&c);
}

static void test_lines(void)
{
  Case c;
  if (!sound("  - {rod: [[0, 0, 1], [0, 0, 3]], between: [low, high]}\n"
             "  - {cable: [[0, 0, 1], [0, 0, 3]], between: [low, high], length: 2.5}\n"
             "  - {strut: [[0, 0, 1], [0, 0, 3]], between: [low, high], length: 1.5}\n"
             "  - {tie: [[0, 0, 1], [0, 0, 3]], between: [low, high]}\n"
             "  - {tie: [[0, 0, 1], [0, 0, 3]], between: [low, high], tension_only: false}\n"
             "  - {spring: [[0, 0, 1], [0, 0, 3]], between: [low, high], stiffness: 4, length: 1}\n"
             "  - {spring: [[0, 0, 1], [0, 0, 3]], between: [low, high], damping: 4}\n"
             "  - {cable: [[0, 0, 1], [0, 0, 3]], between: [low, high], length: 1.9999999999}\n",
             &c))
    return;
  check_rule(&c.joint_rules[0], most, most, 0);
  check_rule(&c.joint_rules[1], most, 0, 0);
  check_rule(&c.joint_rules[2], 0, most, 0);
  check_rule(&c.joint_rules[3], most, 0, 0);
  check_rule(&c.joint_rules[4], most, most, 0);
  static const double lengths[] = {2, 2.5, 1.5, 2, 2, 1, 2, 2};
  for (int i = 0; i < 8; i++) {
    CHECK(c.joint_rows[i].length == lengths[i] && c.joint_rules[i].along_line);
    check_vector(c.joint_rows[i].normal, 0, 0, -1);
  }
  const JointRule *spring = &c.joint_rules[5], *damper = &c.joint_rules[6];
  CHECK(spring->stiffness[0] == 4 && spring->damping[0] == 0 && spring->push == most);
  CHECK(damper->stiffness[0] == 0 && damper->damping[0] == 4 && damper->tension == most);
  case_destroy(&c);
}

// Kinds of several rows: half of the reach of the smaller body apart, whose diagonal is sqrt 3.
static void test_several_rows(void)
{
  Case c;
  const double apart = sqrt(3) / 4, root = sqrt(3) / 2;
  if (!sound("  - {hinge: [0, 0, 1], axis: [0, -2, 0], between: [low, high]}\n"
             "  - {hinge: [0, 0, 1], axis: [0, 1, 0], between: [high], strength: {tension: 6, "
             "shear: 9}}\n"
             "  - {slider: [0, 0, 1], axis: [0, 0, 1], between: [high, low], yield: {shear: 9}}\n"
             "  - {weld: [0, 0, 1], axis: [0, 0, 1], between: [high, low], strength: {tension: 6, "
             "compression: 12, shear: 9}}\n",
             &c))
    return;
  CHECK(c.joint_row_count == 10);
  check_place(&c, 0, 0, apart, 1);
  check_place(&c, 1, 0, -apart, 1);
  for (int i = 0; i < 2; i++) {
    check_rule(&c.joint_rules[i], most, most, most);
    check_vector(c.joint_rows[i].normal, 0, -1, 0);
  }

  // space has no size: that of the other body
  check_place(&c, 2, 0, -13.0 / 4, 1);
  check_place(&c, 3, 0, 13.0 / 4, 1);
  for (int i = 2; i < 4; i++) check_rule(&c.joint_rules[i], 3, most, 4.5);

  check_place(&c, 4, 0, 0, 1 - apart / 2);
  check_place(&c, 5, 0, 0, 1 + apart / 2);
  CHECK_NEAR(c.joint_rows[6].place.z, 1, 1e-15);
  CHECK_NEAR(hypot(c.joint_rows[6].place.x, c.joint_rows[6].place.y), apart, 1e-15);
  for (int i = 4; i < 7; i++) check_rule(&c.joint_rules[i], 0, 0, 3);

  vec3 sum = {0, 0, 0};
  for (int i = 7; i < 10; i++) {
    const vec3 place = c.joint_rows[i].place, next = c.joint_rows[i == 9 ? 7 : i + 1].place;
    sum = vec3_add(sum, place);
    check_rule(&c.joint_rules[i], 2, 4, 3);
    check_vector(c.joint_rows[i].normal, 0, 0, -1);
    CHECK_NEAR(vec3_norm(vec3_sub(place, next)), 2 * root * apart, 1e-14);
    CHECK(c.joint_rules[i].joint == 3 && c.joint_rules[i].frame_low && c.joint_rules[i].breaks);
  }
  check_vector(sum, 0, 0, 3);
  CHECK(c.joints[3].first_row == 7 && c.joints[3].row_count == 3);
  case_destroy(&c);
}

static void test_repeat(void)
{
  Case c;
  if (!sound("  - {ball: [21, 0, 0], between: [bar.0, bar.1], touch: false, name: x,\n"
             "     repeat: {count: 3, spacing: [2, 0, 0]}}\n"
             "  - {ball: [20, 0, 0], between: [bar.2, low], repeat: {count: 3, step: -1}, touch: "
             "false}\n"
             "  - {ball: [20, 0, 0], between: [low, bar.2], touch: false}\n"
             "  - {rod: [[20, 0, 0], [0, 0, 0]], between: [bar.0, space],\n"
             "     repeat: {count: 2, step: 3, spacing: [6, 0, 0]}, touch: false}\n",
             &c))
    return;
  CHECK(c.joint_count == 9 && c.joint_row_count == 9);
  for (int k = 0; k < 3; k++) {
    const IdPair pair = {BAR + (uint64_t)k, BAR + 1 + (uint64_t)k};
    CHECK(id_pair_equal(c.joint_rows[k].bodies, pair) && strcmp(c.joints[k].name, "x") == 0);
    check_place(&c, k, 21 + 2 * k, 0, 0);
    CHECK(id_pair_equal(c.joint_rows[3 + k].bodies, (IdPair){LOW, BAR + 2 - (uint64_t)k}));
  }
  CHECK(id_pair_equal(c.joint_rows[8].bodies, (IdPair){BAR + 3, SPACE_ID}));
  check_vector(c.joint_rows[8].place, 26, 0, 0);
  check_vector(c.joint_rows[8].place_high, 6, 0, 0);

  // in order, none twice, and none of space
  static const IdPair passes[] = {{LOW, BAR},     {LOW, BAR + 1},     {LOW, BAR + 2},
                                  {BAR, BAR + 1}, {BAR + 1, BAR + 2}, {BAR + 2, BAR + 3}};
  if (CHECK(c.pass_count == 6))
    for (int i = 0; i < 6; i++) CHECK(id_pair_equal(c.passes[i], passes[i]));
  case_destroy(&c);
}

// The crank moves with [1, 0, 0] m/s and turns with 2 rad/s about [0, 20, 5].
static void test_conflicts(void)
{
  static const char *const fine[] = {
      "  - {ball: [0, 0, 1], between: [low, floor]}\n  - {ball: [0, 0, 1], between: [low]}\n",
      // twice the same, and more than enough of it
      "  - {weld: [0, 0, 1], between: [low, crank]}\n  - {weld: [3, 0, 9], between: [crank, "
      "low]}\n",
      // it turns about the line between two places at rest
      "  - {hinge: [0, 0, 1], axis: [0, 0, 1], between: [low]}\n"
      "  - {roller: [0, 2, 1], normal: [1, 0, 0], between: [low, crank]}\n",
      // a limit, a spring, slack
      "  - {weld: [0, 0, 1], between: [low]}\n"
      "  - {ball: [2, 2, 1], axis: [0, 0, 1], between: [low, crank],\n"
      "     strength: {tension: 1, compression: 1, shear: 1}}\n",
      "  - {weld: [0, 0, 1], between: [low]}\n"
      "  - {spring: [[2, 2, 1], [5, 5, 5]], between: [low, crank], stiffness: 1}\n",
      "  - {weld: [0, 0, 1], between: [low]}\n"
      "  - {cable: [[2, 2, 1], [5, 5, 5]], between: [low, crank]}\n",
  };
  for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
    Case c;
    if (sound(fine[i], &c)) case_destroy(&c);
  }
  refused(
      "  - {weld: [0, 0, 1], between: [low]}\n  - {ball: [0, 0, 1], between: [crank, low], name: "
      "b}\n",
      "joint 'b' between body 3 and body 1: with other joints it holds body 1 at points that move "
      "apart from the start on, by 41 m/s");
  refused("  - {ball: [0, 0, 1], between: [low]}\n"
          "  - {rod: [[1, 0, 1], [5, 20, 5]], between: [low, crank]}\n"
          "  - {rod: [[0, 0, 1], [5, 20, 5]], between: [low, crank]}\n",
          "a.yaml:18: joint between body 1 and body 3");
  // two places that keep their distance cannot go apart
  refused("  - {ball: [0, 19, 5], between: [low, crank]}\n  - {ball: [2, 19, 5], between: [low]}\n",
          "by 3 m/s");
}

// A joint begins as the last of its bodies appears.
static void test_births(void)
{
  Case c;
  if (!sound("  - {hinge: [30, 28, 0], axis: [0, 1, 0], between: [late, low]}\n"
             "  - {ball: [0, 0, 1], between: [low, high]}\n"
             "  - {ball: [30, 29, 0], between: [late]}\n"
             "  - {ball: [0, 0, 1], between: [low]}\n",
             &c))
    return;
  static const int64_t begins[] = {500, 500, 0, 500, 0};
  static const int order[] = {2, 4, 0, 1, 3};
  CHECK(c.joint_row_count == 5);
  for (int i = 0; i < 5; i++) {
    CHECK(c.joint_rows[i].begin == begins[i]);
    CHECK(c.joint_order[i] == order[i]);
  }
  CHECK(c.joint_rows[0].bodies.high == LATE);
  case_destroy(&c);

  // a body may move before: nothing of the start says that they contradict each other
  if (sound("  - {ball: [0, 0, 1], between: [low]}\n"
            "  - {ball: [0, 20, 5], between: [late, crank]}\n"
            "  - {ball: [1, 20, 5], between: [late]}\n",
            &c))
    case_destroy(&c);
}

int main(void)
{
  test_births();
  test_orders();
  test_places();
  test_lines();
  test_several_rows();
  test_repeat();
  test_conflicts();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
