// Bodies that a key means: names, members, patterns, boxes, kinds, and what of them loads, joints,
// servos and stages take.
#include <stdio.h>
#include <string.h>

#include "case_reader.h"
#include "case_selection.h"
#include "harness.h"
#include "memory.h"
#include "scene.h"

// ids: 0 to 6 ring (0 to 4 voussoirs, 5 and 6 springers), 7 to 10 heap, 11 ground, 12 and 13 pegs
static const char head[] =
    "gravity: [0, 0, -9.81]\n"
    "time: {step: 1e-3, end: 1}\n"
    "materials: {stone: {density: 2000}}\n"
    "contacts: [{between: [stone, stone]}]\n"
    "bodies:\n"
    "  - {arch: {voussoirs: 5, radius: 2, thickness: 0.4, width: 1}, material: stone, name: ring}\n"
    "  - {grid: {sphere: {radius: 0.1}, count: [4, 1, 1], spacing: [1, 1, 1]}, at: [0, 0, 5], "
    "material: stone, name: heap}\n"
    "  - {box: [9, 9, 1], at: [0, 0, -3], material: stone, name: ground, fixed: true}\n"
    "  - {ellipsoid: {radii: [0.1, 0.2, 0.3]}, at: [0, 0, 7], material: stone, name: peg}\n"
    "  - {ellipsoid: {radii: [0.1, 0.2, 0.3]}, at: [3, 0, 7], material: stone, name: peg}\n";

static bool load(const char *more, Case *c, char error[1024])
{
  char text[4096];
  snprintf(text, sizeof text, "%s%s", head, more);
  error[0] = 0;
  if (!case_parse((CaseFile){"a.yaml", text, strlen(text)}, NULL, c, (ErrorText){error, 1024}))
    return false;
  const char *refusal = scene_prepare(c);
  if (!refusal) return true;
  snprintf(error, 1024, "%s", refusal);
  case_destroy(c);
  return false;
}

// How many loads act on each body.
static void check_loads(const char *loads, const char *expected)
{
  Case c;
  char error[1024], found[64] = "";
  if (!CHECK(load(loads, &c, error))) {
    printf("  %s: %s\n", loads, error);
    return;
  }
  for (uint64_t id = 0; id < c.body_count && id < 63; id++) {
    const LoadSpan *span = scene_loads(&c, id);
    found[id] = (char)('0' + (span ? span->count : 0));
    for (int k = 1; span && k < span->count; k++) CHECK(span->loads[k - 1] < span->loads[k]);
  }
  if (!CHECK(strcmp(found, expected) == 0))
    printf("  %s:\n  %s, expected %s\n", loads, found, expected);
  case_destroy(&c);
}

static void check_on(const char *on, const char *expected)
{
  char loads[512];
  snprintf(loads, sizeof loads, "loads: [{on: %s, force: [1, 0, 0]}]\n", on);
  check_loads(loads, expected);
}

static void refuses(const char *on, const char *expected)
{
  char loads[512], error[1024];
  snprintf(loads, sizeof loads, "loads: [{on: %s, force: [1, 0, 0]}]\n", on);
  Case c;
  if (!CHECK(!load(loads, &c, error))) case_destroy(&c);
  else if (!CHECK(strstr(error, expected) != NULL)) printf("  %s\n  %s\n", on, error);
}

static void test_names(void)
{
  check_on("ring", "11111000000000");
  check_on("peg", "00000000000011");
  check_on("ring.3", "00010000000000");
  check_on("[ring.3, heap, ring.3]", "00010001111000");
  check_on("'heap.?'", "00000001111000");
  check_on("'*'", "11111001111011");
  check_on("'*.0'", "10000001000011");
  check_on("'?e?'", "00000000000011");
}

static void test_keys(void)
{
  check_on("{kind: ellipsoid}", "00000000000011");
  check_on("{kind: sphere}", "00000001111000");
  check_on("{kind: polyhedron}", "11111000000000");
  check_on("{kind: grid}", "00000001111000");
  check_on("{name: ring, number: [1, 2]}", "01100000000000");
  check_on("{name: ['ring.*', peg], box: [[-1, -1, 1], [1, 1, 9]]}", "00100000000010");
  check_on("{box: [[0.5, -1, 4], [9, 1, 9]]}", "00000000111001");
  check_on("{box: [[0.5, -1, 4], [9, 1, 9]], kind: sphere}", "00000000111000");
  check_on("[ring.0, heap.1, {name: ring, number: 3}, {name: [heap, ring], number: 2}, ring.4]",
           "10111000110000");
  check_on("[{kind: ellipsoid}, {name: heap, number: 1}]", "00000000100011");
}

static void test_several(void)
{
  check_loads("loads:\n"
              "  - {on: {name: ring, number: [0, 3]}, force: [1, 0, 0]}\n"
              "  - {on: {name: ring, number: [2, 4]}, force: [1, 0, 0]}\n"
              "  - {on: ring.2, force: [1, 0, 0]}\n"
              "  - {on: '*', force: [1, 0, 0]}\n",
              "22432001111011");
}

static void test_shares(void)
{
  Case c;
  char error[1024];
  if (!CHECK(load("loads: [{on: [ring, heap], force: [1, 0, 0], per: shared}, {on: ring.1, force: "
                  "[1, 0, 0], per: mass}, {on: ring.1, force: [1, 0, 0]}]\n",
                  &c, error)))
    return;
  CHECK(c.loads[0].per == LOAD_PER_GROUP && c.loads[0].share == 1.0 / 9);
  CHECK(c.loads[1].per == LOAD_PER_KILOGRAM && c.loads[2].per == LOAD_PER_BODY);
  case_destroy(&c);
}

static void test_refusals(void)
{
  refuses("rung", "loads.0.on: expected the name of an entry of 'bodies', found 'rung' (did");
  refuses("[ring, rung]", "loads.0.on.1: expected the name");
  refuses("ring.7", "loads.0.on: no body of 'ring' is called '7'; it has 7, 0, 1");
  refuses("ring.6", "loads.0.on: 'ring.6', line 6, is fixed, and no load moves it");
  refuses("ground", "loads.0.on: 'ground', line 8, is fixed, and no load moves it");
  refuses("'g*'", "loads.0.on: all bodies that are meant are fixed or moved");
  refuses("'pier_*'", "no entry of 'bodies' and no body of one fits 'pier_*'");
  refuses("{kind: surface}", "loads.0.on: no body is of that kind");
  refuses("{box: [[9, 9, 9], [10, 10, 10]]}", "none has its centre of mass in the box");
  refuses("{box: [[9, 9, 9], [10, 10, 1]]}", "loads.0.on.box: the high corner is below");
  refuses("{name: ring, number: 7}", "loads.0.on.number: expected a whole number from 0 to 6");
  refuses("{name: ring, kind: sphere}", "no body is all of that");
  refuses("{colour: red}", "loads.0.on.colour: unknown key");
  refuses("{}", "expected 'name', 'box', 'kind' or several of them, found none");
  refuses("[]", "expected a name, or a list of names");
  refuses("[[ring]]", "loads.0.on.0: expected the name of an entry");
}

// The same by the text of an option, of all bodies.
// Joints and servos hold one body, however it is named.
static void check_one(const char *body, uint64_t expected)
{
  Case c;
  char more[512], error[1024];
  snprintf(more, sizeof more,
           "joints: [{ball: [0, 0, 9], between: [%s]}, {rod: [[0, 0, 9], [0, 0, 8]], between: "
           "[%s, ground]}]\nservos: [{on: %s, axis: z, force: 1, speed: 1}]\n",
           body, body, body);
  if (!CHECK(load(more, &c, error))) {
    printf("  %s: %s\n", body, error);
    return;
  }
  CHECK(c.joint_count == 3 && c.servos[0].id == expected);
  for (int k = 0; k < c.joint_row_count; k++) {
    const IdPair held = id_pair_of(expected, k == 1 ? 11 : BODIES_SPACE);
    if (!CHECK(id_pair_equal(c.joint_rows[k].bodies, held))) printf("  %s: row %d\n", body, k);
  }
  case_destroy(&c);
}

static void refuses_one(const char *body, const char *expected)
{
  for (int k = 0; k < 2; k++) {
    Case c;
    char more[512], error[1024], whole[256];
    snprintf(more, sizeof more,
             k ? "servos: [{on: %s, axis: z, force: 1, speed: 1}]\n"
               : "joints: [{ball: [0, 0, 9], between: [%s]}]\n",
             body);
    snprintf(whole, sizeof whole, "%s: %s", k ? "servos.0.on" : "joints.0.between.0", expected);
    if (!CHECK(!load(more, &c, error))) case_destroy(&c);
    else if (!CHECK(strstr(error, whole) != NULL)) printf("  %s\n  %s\n", body, error);
  }
}

static void test_one(void)
{
  check_one("ring.3", 3);
  check_one("'ri*.3'", 3);
  check_one("{name: heap, number: 2}", 9);
  check_one("{box: [[1.5, -1, 4], [2.5, 1, 6]]}", 9);
  check_one("{kind: ellipsoid, box: [[2, -1, 6], [4, 1, 8]]}", 13);
  check_one("{name: ['p*', ring], box: [[2, -1, 6], [4, 1, 8]]}", 13);
  refuses_one("'heap.*'", "4 bodies are meant, and one is asked for: name it, as 'heap.0', the "
                          "first, or 'heap.3', the last");
  refuses_one("{name: heap, number: [1, 3]}",
              "3 bodies are meant, and one is asked for: name it, as 'heap.1', the first, or "
              "'heap.3', the last");
  refuses_one("heap", "4 bodies are meant, and one is asked for: name it, as 'heap.0'");
  refuses_one("heap.9", "no body of 'heap' is called '9'");
  refuses_one("{kind: ellipsoid}",
              "2 bodies are meant, and one is asked for: the entries of lines "
              "9 and 10 have such; a name of its own tells one from the other");
  refuses_one("peg",
              "2 bodies are meant, and one is asked for: the entries of lines 9 and 10 have");
  refuses_one("'*g.0'",
              "3 bodies are meant, and one is asked for: the entries of lines 6 and 9 have such");
  refuses_one("'hoop.*'", "no entry of 'bodies' and no body of one fits 'hoop.*'");
  refuses_one("{box: [[90, 0, 0], [91, 1, 1]]}", "no body is there");
}

// Copies count the numbers of bodies on where these are given, and not those of a box.
static void test_repeated(void)
{
  Case c;
  char error[1024];
  const char *joints =
      "joints: [{ball: [0, 0, 9], between: [{name: heap, number: 1}], repeat: {count: 3}}, "
      "{ball: [0, 0, 9], between: [{box: [[-1, -1, 4], [0.5, 1, 6]]}], repeat: {count: 2, spacing: "
      "[0, 0, 1]}}]\n";
  if (!CHECK(load(joints, &c, error))) {
    printf("  %s\n", error);
    return;
  }
  static const uint64_t expected[] = {8, 9, 10, 7, 7};
  CHECK(c.joint_row_count == 5);
  for (int k = 0; k < 5 && k < c.joint_row_count; k++)
    CHECK(c.joint_rows[k].bodies.low == expected[k]);
  case_destroy(&c);
}

// The names of loads.
static void test_load_names(void)
{
  Case c;
  char error[1024];
  if (CHECK(load("loads: [{on: ring, force: [1, 0, 0]}, {on: peg, force: [1, 0, 0], name: wind}]\n",
                 &c, error))) {
    CHECK(strcmp(c.loads[0].name, "") == 0 && strcmp(c.loads[1].name, "wind") == 0);
    case_destroy(&c);
  }
  static const char *const bad[][2] = {
      {"loads: [{on: ring, force: [1, 0, 0], name: a}, {on: peg, force: [1, 0, 0], name: a}]\n",
       "loads.1.name: loads.0 has this name already"},
      {"loads: [{on: ring, force: [1, 0, 0], name: 12}]\n",
       "loads.0.name: expected a name, found a number"}};
  for (int k = 0; k < 2; k++) {
    if (!CHECK(!load(bad[k][0], &c, error))) case_destroy(&c);
    else if (!CHECK(strstr(error, bad[k][1]) != NULL)) printf("  %s\n", error);
  }
}

// Supports of a stage, and bodies that it moves.
static void test_stages(void)
{
  Case c;
  char error[1024];
  const char *stages =
      "stages: [{name: a, until: {time: 1, force: {on: ['ring.5', {kind: ellipsoid}], more: 9}, "
      "opening: {between: ['ri*.0', {name: ring, number: 1}], more: 1}}, motions: [{on: 'gr*', "
      "motion: {velocity: [1, 0, 0]}}]}]\n";
  if (!CHECK(load(stages, &c, error))) {
    printf("  %s\n", error);
    return;
  }
  const UntilSettings *until = &c.stages[0].until;
  static const char among[] = "00000100000011";
  for (uint64_t id = 0; id < 14; id++)
    CHECK(scene_selects(&c, &until->force.on, id) == (among[id] == '1'));
  CHECK(until->opening.ends[0].index == 0 && until->opening.ends[1].index == 1);
  CHECK(c.stages[0].groups[2].motion != NULL && c.groups[2].motion == NULL);
  case_destroy(&c);
}

static void test_text(void)
{
  Case c;
  char error[1024];
  if (!CHECK(load("", &c, error))) return;
  Arena arena = arena_new();
  BodySelection selection;
  const ErrorText message = {error, sizeof error};
  CHECK(case_selection_text(&c, "ring.5,g*", &arena, &selection, message));
  for (uint64_t id = 0; id < c.body_count; id++)
    CHECK(scene_selects(&c, &selection, id) == (id == 5 || id == 11));
  CHECK(case_selection_text(&c, "[peg, {name: ring, number: 0}]", &arena, &selection, message));
  for (uint64_t id = 0; id < c.body_count; id++)
    CHECK(scene_selects(&c, &selection, id) == (id == 0 || id > 11));
  CHECK(!case_selection_text(&c, "ring,nobody", &arena, &selection, message));
  CHECK(strstr(error, "'nobody'") != NULL && strncmp(error, "--on ", 5) == 0);
  CHECK(!case_selection_text(&c, "", &arena, &selection, message));
  arena_destroy(&arena);
  case_destroy(&c);
}

int main(void)
{
  test_names();
  test_one();
  test_repeated();
  test_load_names();
  test_stages();
  test_keys();
  test_several();
  test_shares();
  test_refusals();
  test_text();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
