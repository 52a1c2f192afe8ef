// Bodies that a key means: names, members, patterns, boxes, kinds, and what of them loads take.
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
  test_keys();
  test_several();
  test_shares();
  test_refusals();
  test_text();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
