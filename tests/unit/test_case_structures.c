// Structures in case files: their keys, names and supports, the shapes prism and pipe, refusals.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "case_members.h"
#include "case_reader.h"
#include "group.h"
#include "harness.h"
#include "kind.h"
#include "memory.h"
#include "scene.h"

#define HEAD                                               \
  "gravity: [0, 0, -9.81]\n"                               \
  "time: {step: 1e-3, end: 1}\n"                           \
  "materials: {stone: {density: 2000, young: 1e7}}\n"      \
  "contacts: [{between: [stone, stone], friction: 0.6}]\n" \
  "bodies:\n"

static bool load(const char *entry, Case *c, char error[1024])
{
  char text[4096];
  snprintf(text, sizeof text, HEAD "  - {material: stone, name: it, %s}\n", entry);
  error[0] = 0;
  if (!case_parse((CaseFile){"a.yaml", text, strlen(text)}, &(CaseOptions){0}, c,
                  (ErrorText){error, 1024}))
    return false;
  const char *refusal = scene_prepare(c);
  if (!refusal) return true;
  snprintf(error, 1024, "%s", refusal);
  case_destroy(c);
  return false;
}

static void refuses(const char *entry, const char *expected)
{
  Case c;
  char error[1024];
  if (!CHECK(!load(entry, &c, error))) {
    printf("  %s\n", entry);
    case_destroy(&c);
  } else if (!CHECK(strstr(error, expected) != NULL)) {
    printf("  expected '%s' in '%s'\n", expected, error);
  }
}

// Bodies, fixed ones among them, and the volume of all.
static void check_entry(const char *entry, uint64_t bodies, uint64_t fixed, double volume)
{
  Case c;
  char error[1024];
  if (!CHECK(load(entry, &c, error))) {
    printf("  %s\n", error);
    return;
  }
  Arena arena = arena_new();
  double sum = 0;
  uint64_t held = 0;
  for (uint64_t id = 0; id < c.body_count; id++) {
    const BodyRecipe body = scene_body(&c, id);
    Shape shape;
    const ArenaMark mark = arena_mark(&arena);
    if (CHECK(shape_build(&c.shapes[body.shape], &arena, &shape).status == SHAPE_OK))
      sum += shape.volume;
    arena_release(&arena, mark);
    held += body.drive == DRIVE_FIXED;
  }
  if (!CHECK(c.body_count == bodies && held == fixed) || !CHECK_NEAR(sum, volume, 1e-9 * volume))
    printf("  %s: %d bodies, %d fixed, %.12g m3\n", entry, (int)c.body_count, (int)held, sum);
  arena_destroy(&arena);
  case_destroy(&c);
}

static void test_shapes(void)
{
  check_entry("prism: {sides: 4, width: 2, height: 3}", 1, 0, 12);
  check_entry("prism: {sides: 6, radius: 1, height: 2}", 1, 0, 3 * sqrt(3));
  check_entry("prism: {sides: 4, width: 2, height: 3, taper: 0.5}", 1, 0, 7);
  check_entry("prism: {sides: 4, width: 2, height: 3, taper: 0}", 1, 0, 4);
  check_entry("pipe: {sides: 4, radius: 2, thickness: 1, height: 1}", 1, 0, 6);
  check_entry(
      "parts: [{prism: {sides: 4, width: 2, height: 1}}, {box: [2, 2, 1], at: [0, 0, 1.5]}]", 1, 0,
      8);
  check_entry("grid: {prism: {sides: 4, width: 1, height: 1}, count: [2, 2, 1], "
              "spacing: [2, 2, 2]}",
              4, 0, 4);
  check_entry("stones: {shapes: [{prism: {sides: 4, width: 1, height: 1}}], "
              "lattice: {count: [2, 1, 1], spacing: [3, 3, 3]}}",
              2, 0, 2);
  refuses("prism: {sides: 2, width: 1, height: 1}", "prism.sides");
  refuses("prism: {width: 1, height: 1}", "'sides' is missing");
  refuses("prism: {sides: 5, height: 1}", "'radius' is missing");
  refuses("prism: {sides: 5, radius: 1, width: 1, height: 1}", "prism.width");
  refuses("prism: {sides: 5, radius: 1, height: 1, taper: 1e-9}", "prism.taper");
  refuses("prism: {sides: 5, radius: 0, height: 1}", "prism.radius");
  refuses("prism: {sides: 5, radius: .nan, height: 1}", "prism.radius");
  refuses("pipe: {radius: 1, thickness: 1, height: 1}", "pipe.thickness");
  refuses("pipe: {radius: 1, thickness: 0.1, height: 1, sides: 1001}", "pipe.sides");
  refuses("parts: [{pipe: {radius: 1, thickness: 0.1, height: 1}}]", "unknown key");
}

static void test_kinds(void)
{
  const double ring = 5 * sin(acos(-1.0) / 5) / 2 * (2.5 * 2.5 - 2 * 2);
  check_entry("arch: {span: 4, thickness: 0.5, depth: 2, n: 5}", 7, 2, 2 * (ring + 0.5));
  check_entry("arch: {span: 4, thickness: 0.5, width: 2, voussoirs: 5, supports: false}", 5, 0,
              2 * ring);
  check_entry("arch: {span: 4, rise: 2, thickness: 0.5, depth: 2, n: 5, "
              "piers: {width: 1, height: 3, courses: 2}}",
              9, 2, 2 * (ring + 6));
  check_entry("vault: {span: 4, thickness: 0.5, n: 5, length: 2, rows: 2}", 14, 2,
              2 * (ring + 0.5));
  // pyramids from the centre over a hoop of four fields and a square
  check_entry("dome: {span: 4, thickness: 1, meridians: 4, hoops: 1, bond: stack, supports: false}",
              5, 0, 19.1968964505551);
  check_entry("column: {drums: 4, sides: 4, width: 1, height: 4, base: [2, 2, 0.5]}", 5, 0, 6);
  check_entry("wall: {courses: 4, bricks: 3, brick: [1, 0.5, 0.25], bond: english}", 26, 0, 3);
  check_entry("wall: {courses: 4, bricks: 3, brick: [1, 0.5, 0.25], bond: stack, leaves: 2}", 24, 0,
              3);
  check_entry("wall: {courses: 4, bricks: 4, brick: [1, 0.5, 0.25], ends: [toothed, straight]}", 16,
              0, 1.875);
  check_entry("wall: {courses: 4, bricks: 4, brick: [1, 0.5, 0.25], openings: [{at: [1, 0], "
              "size: [2, 0.5]}]}",
              14, 0, 1.5);
  // the wall of today, with the shapes that it has
  check_entry("wall: {courses: 2, bricks: 3, brick: [1, 0.5, 0.25], bond: running}", 7, 0, 0.75);
}

static int64_t member(const Case *c, const char *name)
{
  return case_member_find(&c->groups[0], name);
}

static void test_names(void)
{
  Case c;
  char error[1024];
  if (CHECK(load("arch: {span: 4, thickness: 0.5, depth: 2, n: 5, piers: {height: 3, courses: 2}}, "
                 "where: [{match: 'pier_right.*', motion: {velocity: [1e-3, 0, 0]}}]",
                 &c, error))) {
    CHECK(member(&c, "keystone") == 2 && member(&c, "2") == 2 && member(&c, "4") == 4);
    CHECK(member(&c, "pier_left.0") == 5 && member(&c, "pier_right.0") == 6);
    CHECK(member(&c, "springer_left") == 7 && member(&c, "springer_right") == 8);
    CHECK(scene_body(&c, 5).drive == DRIVE_FIXED && scene_body(&c, 7).drive == DRIVE_DYNAMIC);
    CHECK(scene_body(&c, 6).drive == DRIVE_PRESCRIBED);
    case_destroy(&c);
  }
  if (CHECK(load("wall: {courses: 6, bricks: 6, brick: [1, 0.5, 0.25], openings: [{at: [1, 0], "
                 "size: [1, 0.5], name: gate}, {at: [3.5, 0.25], size: [1, 0.5], arch: {n: 3, "
                 "rise: 0.2, thickness: 0.2}}]}, "
                 "where: [{match: gate.lintel, fixed: true}, {match: 'opening_1.*', elastic: "
                 "affine}, {box: [[0, -1, 0], [0.9, 1, 0.2]], leave: true}]",
                 &c, error))) {
    const int64_t lintel = member(&c, "gate.lintel");
    CHECK(lintel > 0 && member(&c, "opening_1.voussoir.0") == lintel + 1);
    CHECK(member(&c, "opening_1.keystone") == lintel + 2);
    const uint64_t last = c.body_count - 1;
    CHECK(scene_body(&c, last - 3).drive == DRIVE_FIXED);
    CHECK(scene_body(&c, last).kind == KIND_AFFINE && scene_body(&c, 0).kind == KIND_RIGID);
    case_destroy(&c);
  } else {
    printf("  %s\n", error);
  }
}

static void test_refused_arches(void)
{
  refuses("arch: {span: 4, rise: 2.5, thickness: 0.5, depth: 2, n: 5}", "arch.rise");
  refuses("arch: {span: 4, rise: 2.5, thickness: 0.5, depth: 2, n: 5}", "form: pointed");
  refuses("arch: {span: 4, rise: 1.5, thickness: 0.5, depth: 2, n: 5, form: pointed}", "arch.rise");
  refuses("arch: {span: 4, rise: 1, thickness: 0.5, depth: 2, n: 5, form: semicircular}",
          "arch.rise");
  refuses("arch: {span: 4, thickness: 0.5, depth: 2, n: 5, form: segmental}", "'rise' is missing");
  refuses("arch: {span: 4, thickness: 0.5, depth: 2, n: 5, form: round}", "arch.form");
  refuses("arch: {span: 4, thickness: 0.5, depth: 2, n: 0}", "arch.n");
  refuses("arch: {span: 4, thickness: 0.5, depth: 2, n: 1}", "arch.n");
  refuses("arch: {span: 4, thickness: 0.5, depth: 2, n: 5, voussoirs: 5}", "arch.n");
  refuses("arch: {span: 4, thickness: 0.5, depth: 2, width: 2, n: 5}", "arch.width");
  refuses("arch: {span: 4, thickness: 0.5, n: 5}", "'depth' is missing");
  refuses("arch: {span: 4, thickness: 0, depth: 2, n: 5}", "arch.thickness");
  refuses("arch: {span: .nan, thickness: 0.5, depth: 2, n: 5}", "arch.span");
  refuses("arch: {span: 4, radius: 2, thickness: 0.5, depth: 2, n: 5}", "arch.radius");
  refuses("arch: {span: 4, thickness: 0.5, depth: 2, n: 5, piers: {height: 1, width: 0.4}}",
          "arch.piers");
  refuses("arch: {span: 4, thickness: 0.5, depth: 2, n: 5, spandrels: {height: 3, courses: 4, "
          "length: 1}}",
          "arch.spandrels");
  refuses(
      "arch: {span: 4, thickness: 0.5, depth: 2, n: 5, piers: {height: 1}, backing: {height: 1, "
      "courses: 4, length: 1, thickness: 1}}",
      "arch.backing.thickness");
}

static void test_refused_others(void)
{
  refuses("vault: {span: 4, thickness: 0.5, n: 5, rows: 2}", "'length' is missing");
  refuses("vault: {span: 4, thickness: 0.5, n: 5, rows: 2, kind: cross, length: 3}",
          "vault.length");
  refuses("vault: {span: 4, thickness: 0.5, n: 5, rows: 0, kind: cross}", "vault.rows");
  refuses("vault: {span: 4, thickness: 0.5, n: 5, rows: 1, kind: domed}", "vault.kind");
  refuses("dome: {span: 4, thickness: 0.5, meridians: 8, hoops: 3, oculus: 4}", "dome.oculus");
  refuses("dome: {span: 4, thickness: 0.5, meridians: 8, hoops: 3, oculus: -1}", "dome.oculus");
  refuses("dome: {span: 4, rise: 3, thickness: 0.5, meridians: 8, hoops: 3}", "dome.rise");
  refuses("dome: {span: 4, thickness: 0.5, meridians: 2, hoops: 3}", "dome.meridians");
  refuses("column: {drums: 0, radius: 1, height: 2}", "column.drums");
  refuses("column: {drums: 2, radius: 1, height: 2, taper: 0}", "column.taper");
  refuses("column: {drums: 2, radius: 1, height: 2, base: [1, 1]}", "column.base");

#define WALL "wall: {courses: 8, bricks: 6, brick: [1, 0.5, 0.25], "
#define WINDOW WALL "openings: [{at: [1, 0.5], size: [1, 0.5]}, "
  refuses(WALL "bond: dutch}", "wall.bond");
  refuses(WALL "leaves: 0}", "wall.leaves");
  refuses(WALL "bond: flemish, joint: 0.3}", "wall.joint");
  refuses(WALL "leaves: 2, ties: {courses: 2}}", "'bricks' is missing");
  refuses(WALL "bond: english, ties: {courses: 2, bricks: 2}}", "wall.ties");
  refuses(WALL "ends: [toothed]}", "wall.ends");
  refuses(WALL "bond: stack, ends: toothed}", "wall.ends");
  refuses(WALL "openings: []}", "wall.openings");
  refuses(WINDOW "{at: [2.2, 0.5], size: [1, 0.5]}]}", "wall.openings.1.at");
  refuses(WINDOW "{at: [5, 0.5], size: [1, 0.5]}]}", "wall.openings.1: lintel");
  refuses(WINDOW "{at: [5.5, 0.5], size: [1, 0.5]}]}", "wall.openings.1.at");
  refuses(WINDOW "{at: [4, 0.5], size: [1, 0.5], name: opening_0}]}", "wall.openings.1.name");
  refuses(WINDOW "{at: [4, 0.5], size: [1, 0.5], lintel: {}, arch: {n: 5, thickness: 0.2}}]}",
          "wall.openings.1");
  refuses(WINDOW "{at: [4, 0.5], size: [1, 0.5], arch: {n: 5, rise: 0.6, thickness: 0.2}}]}",
          "wall.openings.1.arch");
  refuses(WINDOW "{at: [4, 0.5], size: [1, -0.5]}]}", "wall.openings.1.size");
  refuses(WINDOW "{at: [4, .nan], size: [1, 0.5]}]}", "wall.openings.1.at");
}

int main(void)
{
  test_shapes();
  test_kinds();
  test_names();
  test_refused_arches();
  test_refused_others();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
