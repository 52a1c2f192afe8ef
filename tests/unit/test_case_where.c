// Bodies of an entry told apart: which, with what keys, and by which names loads and joints find
// them.
#include <stdio.h>
#include <string.h>

#include "case_members.h"
#include "case_reader.h"
#include "group.h"
#include "harness.h"
#include "memory.h"
#include "mesh_share.h"
#include "scene.h"

#define HEAD                                                                                      \
  "gravity: [0, 0, -9.81]\n"                                                                      \
  "time: {step: 1e-3, end: 1}\n"                                                                  \
  "materials: {stone: {density: 2000}, brick: {density: 1800, young: 1e7}}\n"                     \
  "contacts: [{between: [stone, stone]}, {between: [stone, brick]}, {between: [brick, brick]}]\n" \
  "bodies:\n"
#define WALL \
  "  - {wall: {courses: 3, bricks: 3, brick: [0.4, 0.2, 0.2]}, material: stone, name: wall"
#define STONES                                                                                  \
  "  - {stones: {shapes: [{random: {size: 0.1}}], lattice: {count: [4, 4, 1], spacing: [1, 1, " \
  "1]}},"                                                                                       \
  " material: stone, name: heap"
#define ARCH \
  "  - {arch: {voussoirs: 5, radius: 2, thickness: 0.4, width: 1}, material: stone, name: ring"
#define GATE "  - {compas: " TESTS_FOLDER "/meshes/gate.json, material: stone, name: gate"

static bool load(const char *text, Case *c, char error[1024])
{
  const CaseOptions options = {.read_mesh = mesh_read_here};
  error[0] = 0;
  if (!case_parse((CaseFile){"a.yaml", text, strlen(text)}, &options, c, (ErrorText){error, 1024}))
    return false;
  const char *refusal = scene_prepare(c);
  if (!refusal) return true;
  snprintf(error, 1024, "%s", refusal);
  case_destroy(c);
  return false;
}

static Case good(const char *text)
{
  Case c;
  char error[1024];
  if (!CHECK(load(text, &c, error))) printf("  %s\n", error);
  return c;
}

static void refuses(const char *text, const char *expected)
{
  Case c;
  char error[1024];
  if (!CHECK(!load(text, &c, error))) case_destroy(&c);
  else if (!CHECK(strstr(error, expected) != NULL)) printf("  %s\n", error);
}

// What each body is: its letter by drive, material and speed.
static void check_bodies(const char *text, const char *expected)
{
  Case c = good(text);
  if (!CHECK(c.body_count == strlen(expected))) printf("  %d\n", (int)c.body_count);
  char found[64] = "";
  for (uint64_t id = 0; id < c.body_count && id < 63; id++) {
    const BodyRecipe body = scene_body(&c, id);
    const bool fast = vec3_norm(body.velocity) > 0;
    found[id] = body.drive == DRIVE_FIXED        ? 'f'
                : body.drive == DRIVE_PRESCRIBED ? 'm'
                : body.kind == 1                 ? 'e'
                : scene_birth(&c, id) > 0        ? 'l'
                : fast                           ? 'v'
                : body.material == 1             ? 'b'
                                                 : '.';
  }
  if (!CHECK(strcmp(found, expected) == 0)) printf("  %s, expected %s\n", found, expected);
  case_destroy(&c);
}

static void test_choices(void)
{
  check_bodies(HEAD WALL "}\n", "..........");
  check_bodies(HEAD WALL ", where: [{number: 3, fixed: true}]}\n", "...f......");
  check_bodies(HEAD WALL ", where: [{number: [3, 5], fixed: true}]}\n", "...fff....");
  check_bodies(HEAD WALL ", where: [{match: 4, fixed: true}]}\n", "....f.....");
  check_bodies(HEAD WALL ", where: [{match: ['1', '?'], fixed: true}]}\n", "ffffffffff");
}

static void test_layers(void)
{
  // later items lie on top
  check_bodies(HEAD WALL ", where: [{match: '*', fixed: true}, {number: 1, fixed: false}]}\n",
               "f.ffffffff");
  // what is held loses its velocity; what is freed has that of the entry again
  check_bodies(HEAD WALL ", velocity: [1, 0, 0], where: [{number: [0, 1], fixed: true}, "
                         "{number: 1, fixed: false}]}\n",
               "fvvvvvvvvv");
  check_bodies(HEAD WALL ", fixed: true, where: [{number: 2, motion: {velocity: [0, 0, 1]}}, "
                         "{number: 3, fixed: false, material: brick}]}\n",
               "ffmbffffff");
  check_bodies(HEAD WALL ", motion: {velocity: [0, 0, 1]}, where: [{number: 2, fixed: true}, "
                         "{number: 3, velocity: [0, 1, 0], fixed: false}]}\n",
               "mmfvmmmmmm");
  check_bodies(HEAD WALL ", where: [{number: 2, material: brick, elastic: affine}, "
                         "{number: 3, birth: 0.5}, {number: 4, material: brick}]}\n",
               "..elb.....");
  check_bodies(HEAD WALL ", where: [{number: [0, 3], leave: true}, {number: 2, leave: false, "
                         "fixed: true}]}\n",
               "f......");
}

static void test_boxes(void)
{
  // courses are 0.2 m high; the wall is turned to the y axis and lifted by 1 m
  check_bodies(HEAD WALL ", where: [{box: [[0, -1, 0], [2, 1, 0.2]], fixed: true}]}\n",
               "fff.......");
  check_bodies(HEAD WALL ", at: [0, 0, 1], turn: {axis: [0, 0, 1], angle: 90}, "
                         "where: [{box: [[-1, 0.35, 1.2], [1, 0.45, 1.4]], fixed: true}]}\n",
               "....f.....");
  // a mesh by its centres of mass: the lintel is the highest
  check_bodies(HEAD GATE ", where: [{box: [[0, 0, 2], [9, 9, 9]], material: brick}]}\n", "ffb");
}

static void test_names(void)
{
  check_bodies(HEAD GATE ", where: [{match: 'pier_*', fixed: false}]}\n", "...");
  check_bodies(HEAD GATE ", where: [{match: lintel, leave: true}]}\n", "ff");
  refuses(HEAD GATE ", where: [{match: pier, fixed: true}]}\n",
          "bodies.0.where.0.match: no body of this entry is called 'pier'; it has 3, pier_left, "
          "pier_right, lintel");
  CHECK(case_member_fits("pier_12", "pier_*") && case_member_fits("pier_12", "*_1?"));
  CHECK(case_member_fits("aXbXc", "a*X?") && case_member_fits("", "*") &&
        case_member_fits("a", "a"));
  CHECK(!case_member_fits("pier_12", "pier_") && !case_member_fits("pier_12", "pier_?"));
  CHECK(!case_member_fits("", "?") && !case_member_fits("abc", "*d"));
}

// Supports of an arch and of a file are fixed before any item counts.
static void test_supports(void)
{
  check_bodies(HEAD GATE "}\n", "ff.");
  check_bodies(HEAD GATE ", velocity: [1, 0, 0]}\n", "ffv");
  check_bodies(HEAD GATE ", where: [{match: pier_left, motion: {velocity: [0, 0, 1]}}]}\n", "mf.");
  check_bodies(HEAD "  - {compas: {file: " TESTS_FOLDER "/meshes/gate.json, body: pier_right}, "
                    "material: stone}\n",
               "f");
  refuses(HEAD "  - {mesh: " TESTS_FOLDER "/meshes/gate.json, material: stone}\n",
          "bodies.0.mesh: a COMPAS file: expected it under 'compas'");
  refuses(HEAD "  - {compas: " TESTS_FOLDER "/meshes/l.obj, material: stone}\n",
          "bodies.0.compas: no COMPAS file");
  check_bodies(HEAD ARCH "}\n", ".....ff");
  check_bodies(HEAD ARCH ", where: [{number: 2, material: brick}]}\n", "..b..ff");
  check_bodies(HEAD ARCH ", where: [{number: 6, fixed: false}]}\n", ".....f.");
  check_bodies(HEAD ARCH
               ", velocity: [0, 0, 1], where: [{number: 6, motion: {velocity: [1, 0, 0]}}]"
               "}\n",
               "vvvvvfm");
}

// Stones told apart are the same stones, also behind an entry in parts.
static void test_stones(void)
{
  Case whole = good(HEAD WALL "}\n" STONES "}\n");
  Case parts = good(HEAD WALL ", where: [{number: 1, fixed: true}]}\n" STONES
                              ", where: [{number: [3, 4], fixed: true}]}\n");
  CHECK(whole.group_count == 2 && parts.group_count == 6 && whole.body_count == parts.body_count);
  CHECK(whole.shape_count == parts.shape_count);
  for (uint64_t id = 0; id < whole.body_count; id++) {
    const BodyRecipe p = scene_body(&whole, id), q = scene_body(&parts, id);
    CHECK(p.shape == q.shape && p.turn.w == q.turn.w && p.turn.x == q.turn.x);
    CHECK(p.origin.x == q.origin.x && p.origin.y == q.origin.y && p.origin.z == q.origin.z);
  }
  for (int i = 0; i < whole.shape_count; i++)
    for (int k = 0; k < whole.shapes[i].parts[0].count; k++)
      CHECK(whole.shapes[i].parts[0].points[k].x == parts.shapes[i].parts[0].points[k].x);
  case_destroy(&whole);
  case_destroy(&parts);
}

// How many loads act on each body.
static void check_loads(const char *text, const char *expected)
{
  Case c = good(text);
  char found[64] = "";
  for (uint64_t id = 0; id < c.body_count && id < 63; id++)
    found[id] = (char)('0' + (scene_loads(&c, id) ? scene_loads(&c, id)->count : 0));
  if (!CHECK(strcmp(found, expected) == 0)) printf("  %s, expected %s\n", found, expected);
  case_destroy(&c);
}

static void test_loads(void)
{
  check_loads(HEAD WALL "}\nloads: [{on: wall.5, force: [1, 0, 0]}]\n", "0000010000");
  check_loads(HEAD WALL "}\nloads: [{on: wall.5, force: [1, 0, 0]}, {on: wall, force: [1, 0, 0]}, "
                        "{on: wall.5, torque: [1, 0, 0]}, {on: wall.6, force: [1, 0, 0]}]\n",
              "1111132111");
  check_loads(HEAD GATE "}\n"
                        "loads: [{on: gate.lintel, force: [1, 0, 0]}]\n",
              "001");
  // a name with a dot is a name
  check_loads(HEAD "  - {box: [1, 1, 1], material: stone, name: wall.5}\n" WALL "}\n"
                   "loads: [{on: wall.5, force: [1, 0, 0]}]\n",
              "10000000000");
  check_bodies(HEAD WALL "}\nloads: [{on: wall.5, force: [1, 0, 0]}]\n", "..........");
  refuses(HEAD WALL "}\nloads: [{on: wall.10, force: [1, 0, 0]}]\n",
          "loads.0.on: no body of 'wall' is called '10'; it has 10, 0, 1");
  refuses(HEAD GATE ", where: [{match: lintel, fixed: true}]}\n"
                    "loads: [{on: gate.lintel, force: [1, 0, 0]}]\n",
          "loads.0.on: 'gate.lintel', line 6, is fixed, and no load moves it");
}

static void test_joints(void)
{
  Case c = good(HEAD WALL
                ", where: [{number: 1, leave: true}, {number: 0, fixed: true}]}\n" GATE "}\n"
                "joints:\n"
                "  - {ball: [0, 0, 0], between: [wall.0, wall.2], repeat: {count: 2, step: [0, 3],"
                " spacing: [1, 0, 0]}}\n"
                "  - {ball: [0, 0, 0], between: [gate.lintel, gate.0]}\n");
  CHECK(c.joint_count == 3);
  const uint64_t ids[3][2] = {{0, 1}, {0, 4}, {11, 9}};
  for (int j = 0; j < 3 && j < c.joint_count; j++)
    for (int i = 0; i < 2; i++) {
      const JointEnd end = c.joints[j].ends[i];
      CHECK(c.groups[end.group].first_id + end.index == ids[j][i]);
    }
  case_destroy(&c);
  refuses(HEAD WALL ", where: [{number: 1, leave: true}]}\n"
                    "joints: [{ball: [0, 0, 0], between: [wall.0, wall.1]}]\n",
          "joints.0.between: number 1 of 'wall' is left out by 'where'");
  refuses(
      HEAD GATE "}\njoints: [{ball: [0, 0, 0], between: [gate.lintol, gate.0]}]\n",
      "joints.0.between.0: no body of 'gate' is called 'lintol'; it has 3, pier_left, pier_right, "
      "lintel");
  refuses(HEAD WALL ", where: [{number: [0, 1], fixed: true}]}\n"
                    "joints: [{ball: [0, 0, 0], between: [wall.0, wall.1]}]\n",
          "number 0 of 'wall' is not dynamic, and neither is its partner");
}

// Three tetrahedra, of which two have one name.
static void test_shared_names(void)
{
  FILE *file = fopen("twins.obj", "w");
  if (!CHECK(file != NULL)) return;
  static const char *const names[] = {"key", "leaf", "leaf"};
  for (int k = 0; k < 3; k++)
    fprintf(file,
            "o %s\nv %d 0 0\nv %d.9 0 0\nv %d 0.9 0\nv %d 0 0.9\nf -4 -2 -3\nf -4 -3 -1\n"
            "f -3 -2 -1\nf -4 -1 -2\n",
            names[k], k, k, k, k);
  fclose(file);
#define TWINS "  - {mesh: twins.obj, material: stone, name: door}\n"
  Case c = good(HEAD TWINS "joints: [{ball: [0, 0, 0], between: [door.key, door.2]}]\n");
  CHECK(c.body_count == 3 && c.joints[0].ends[1].index == 2);
  case_destroy(&c);
  refuses(HEAD TWINS "joints: [{ball: [0, 0, 0], between: [door.key, door.leaf]}]\n",
          "joints.0.between.1: 2 bodies are meant, and one is asked for: name it, as 'door.1', the "
          "first, or 'door.2', the last");
  refuses(HEAD TWINS "joints: [{ball: [0, 0, 0], between: [door]}]\n",
          "3 bodies are meant, and one is asked for: name it, as 'door.key', the first, or "
          "'door.2', the last");
  remove("twins.obj");
}

int main(void)
{
  test_choices();
  test_layers();
  test_boxes();
  test_names();
  test_supports();
  test_stones();
  test_loads();
  test_joints();
  test_shared_names();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
