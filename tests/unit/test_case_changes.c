// What a restart finds changed in a case: values and not spellings, key by key.
#include "case_changes.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "case_keys.h"
#include "case_reader.h"
#include "harness.h"
#include "memory.h"

static const char whole[] =
    "title: all keys\n"
    "units: SI\n"
    "seed: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "tilt: {axis: [0, 1, 0], rate: 1}\n"
    "base: {acceleration: [0, 0, 0]}\n"
    "time: {step: 1e-3, end: 1.0}\n"
    "materials:\n"
    "  stone: {density: 2400}\n"
    "  ice: {density: 900}\n"
    "contacts:\n"
    "  - {between: [stone, stone], friction: 0.5, bond: {cohesion: 3e5, tensile_strength: 2e5}}\n"
    "  - {between: [stone, ice], friction: 0.05}\n"
    "bodies:\n"
    "  - {wall: {courses: 2, bricks: 3, brick: [0.4, 0.2, 0.2]}, material: stone, name: wall}\n"
    "  - {arch: {voussoirs: 5, radius: 4, thickness: 0.5, width: 1}, at: [0, 9, 0], material: "
    "stone, where: [{match: 4, motion: {velocity: [0, 0, 1]}}]}\n"
    "  - stones:\n"
    "      shapes: [{random: {points: 12}, share: 2}, {box: [1, 1, 2]}]\n"
    "      sizes: {table: [[0.1, 0], [0.2, 1]]}\n"
    "      lattice: {count: [2, 2, 1], spacing: [1, 1, 1]}\n"
    "    at: [20, 0, 0]\n"
    "    material: stone\n"
    "  - {mesh: {file: cube.obj}, at: [0, 30, 0], material: ice}\n"
    "  - {grid: {box: [1, 1, 1], count: [1, 1, 2], spacing: [1, 1, 1.5]}, at: [40, 0, 0],\n"
    "     material: stone, motion: {velocity: [0, 0, 1], spin: [0, 0, 1]}}\n"
    "  - {voussoir: {radius: 3, thickness: 0.5, width: 1, angle: 20}, at: [60, 0, 0], "
    "material: stone}\n"
    "  - {sphere: {radius: 0.5}, at: [70, 0, 0], turn: {axis: [0, 0, 1], angle: 5}, "
    "material: stone}\n"
    "  - {convex: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], faces: [[0, 2, 1], "
    "[0, 1, 3], [1, 2, 3], [2, 0, 3]]}, at: [80, 0, 0], material: stone}\n"
    "  - {parts: [{box: [1, 1, 1]}], at: [90, 0, 0], material: stone}\n"
    "  - stones:\n"
    "      shapes: [{random: {size: 0.1}}]\n"
    "      inlet: {size: [1, 1], count: 9}\n"
    "    at: [0, 0, 50]\n"
    "    velocity: [0, 0, -1]\n"
    "    birth: 0.75\n"
    "    material: stone\n"
    "  - {compas: {file: gate.json}, at: [0, 40, 0], material: stone}\n"
    "  - {vault: {span: 2, thickness: 0.2, n: 3, length: 1, rows: 1}, at: [0, 50, 0], "
    "material: stone}\n"
    "  - {dome: {span: 2, thickness: 0.2, meridians: 4, hoops: 2}, at: [0, 60, 0], "
    "material: stone}\n"
    "  - {column: {drums: 2, radius: 0.2, height: 2}, at: [0, 70, 0], material: stone}\n"
    "  - {wall: {courses: 3, bricks: 4, brick: [0.4, 0.2, 0.2], openings: [{at: [0.5, 0], size: "
    "[0.4, 0.2]}]}, at: [0, 80, 0], material: stone}\n"
    "  - {container: {box: [1, 1, 1], thickness: 0.1}, at: [20, 60, 0], material: stone}\n"
    "  - {container: {drum: {radius: 1, height: 1}, thickness: 0.1}, at: [20, 70, 0], "
    "motion: {spin: [0, 0, 1]}, material: stone}\n"
    "  - {rubble: {size: [1, 1, 1], stones: 8}, at: [20, 80, 0], material: stone}\n"
    "  - stones:\n"
    "      shapes: [{random: {size: 0.3}}]\n"
    "      fill: {cylinder: {radius: 0.5, height: 1}, fraction: 0.3}\n"
    "    at: [20, 90, 0]\n"
    "    material: stone\n"
    "loads:\n"
    "  - {on: wall, force: {cosine: {amplitude: [8, 0, 0], angular_frequency: 1}}}\n"
    "  - {on: wall, pressure: 5, faces: {direction: [1, 0, 0]}}\n"
    "  - {wheel: {path: [[0, 0, 9], [1, 0, 9]], speed: 1}, force: [0, 0, -1]}\n"
    "joints:\n"
    "  - {tie: [[0, 0, 0], [0, 9, 4]], between: [wall.0, wall.1], stiffness: 1e6, damping: 5,\n"
    "     repeat: {count: 2}}\n"
    "  - {dowel: [0, 0, 0], axis: [1, 0, 0], between: [wall.0, wall.1], stiffness: {shear: 1e6},\n"
    "     yield: {shear: 5}}\n"
    "servos: [{on: wall.1, axis: z, force: 5, speed: 1}]\n"
    "solver: {tolerance: 1e-6, stop: {unbalanced: 0}}\n"
    "contact: {sparsify: {threshold: 0}}\n"
    "domain: {low: [-100, -100, -100], high: [100, 100, 100]}\n"
    "barrier: {stiffness: 1e7, newton: {most: 200}}\n"
    "partition: {every: 0}\n"
    "stages: [{name: all}]\n"
    "output: {frames: {every: 0}, checkpoint: {steps: 0}, ranks: {every: 10}}\n";

static bool parse(const char *option, Case *c, char error[1024])
{
  const CaseOptions options = {
      .override_count = option ? 1 : 0, .overrides = &option, .read_mesh = mesh_read_here};
  error[0] = 0;
  return case_parse((CaseFile){"all.yaml", whole, strlen(whole)}, &options, c,
                    (ErrorText){error, 1024});
}

// Two overrides of the same text, or another text; the changes stay in the arena.
static CaseChanges changes_of(Arena *arena, const char *then_text, const char *then_set,
                              const char *now_text, const char *now_set, const char *allow)
{
  const CaseTexts then = {"then.yaml", then_text, then_set, ""};
  const CaseTexts now = {"now.yaml", now_text, now_set, ""};
  const CaseAllowance allowed = {allow ? 1 : 0, &allow};
  CaseChanges changes;
  char error[1024] = "";
  CHECK(case_changes_find(&(CaseRestart){then, now, 0.5, &allowed}, arena, &changes,
                          (ErrorText){error, sizeof error}));
  CHECK(error[0] == 0);
  return changes;
}

// One override makes exactly that change.
static void check_one(const char *set, const char *allow, ChangeVerdict verdict, const char *key,
                      const char *was, const char *is)
{
  Arena arena = arena_new();
  const CaseChanges found = changes_of(&arena, whole, "", whole, set, allow);
  const int failures = test_failures();
  if (CHECK(found.count == 1)) {
    const CaseChange *c = &found.changes[0];
    CHECK(c->verdict == verdict && strcmp(c->key, key) == 0);
    CHECK(strcmp(c->was, was) == 0 && strcmp(c->is, is) == 0);
    CHECK(found.refused == (verdict == CHANGE_REFUSED) && found.never == (verdict == CHANGE_NEVER));
    CHECK((c->reason != NULL) == (verdict == CHANGE_NEVER));
  }
  for (int i = 0; i < found.count && test_failures() > failures; i++)
    printf("  %s: %s: was %s, is %s\n", set, found.changes[i].key, found.changes[i].was,
           found.changes[i].is);
  arena_destroy(&arena);
}

// From one motion to another one: what is held of the bodies stays, or is refused for good.
static void check_motion(const char *was, const char *is, const char *key, ChangeVerdict verdict)
{
  Arena arena = arena_new();
  char then[256], now[256];
  snprintf(then, sizeof then, "bodies.4.motion=%s", was);
  snprintf(now, sizeof now, "bodies.4.motion=%s", is);
  const CaseChanges found = changes_of(&arena, whole, then, whole, now, "bodies.4.motion");
  if (!CHECK(found.count == 1 && strcmp(found.changes[0].key, key) == 0 &&
             found.changes[0].verdict == verdict))
    printf("  %s, then %s: %d changes, %s\n", was, is, found.count,
           found.count > 0 ? found.changes[0].key : "");
  arena_destroy(&arena);
}

static void test_motions(void)
{
  const char *whole_motion = "bodies.4.motion";
  check_motion("{velocity: {x: 1}, free: [z]}", "{velocity: {x: 2}, free: [z]}",
               "bodies.4.motion.velocity.x", CHANGE_ALLOWED);
  check_motion("{velocity: {x: 1}, free: [z]}", "{free: [z]}", "bodies.4.motion.velocity",
               CHANGE_ALLOWED);
  check_motion("{velocity: {x: 1}, free: [z]}", "{velocity: {x: 1}, free: [z, y]}", whole_motion,
               CHANGE_NEVER);
  check_motion("{lock: [x]}", "{lock: [x], velocity: {y: 1, z: 0, rx: 0, ry: 0, rz: 0}}",
               whole_motion, CHANGE_NEVER);
  check_motion("{lock: [x, y], velocity: {z: 1, rx: 0, ry: 0, rz: 0}}", "{lock: [x, y]}",
               whole_motion, CHANGE_NEVER);
  check_motion("{velocity: [1, 0, 0]}", "{velocity: {x: 1}, free: [z]}", whole_motion,
               CHANGE_NEVER);
  check_motion("{velocity: [1, 0, 0]}", "{velocity: {x: 1}}", "bodies.4.motion.velocity",
               CHANGE_ALLOWED);
}

static void check_none(const char *set)
{
  Arena arena = arena_new();
  const CaseChanges found = changes_of(&arena, whole, "", whole, set, NULL);
  if (!CHECK(found.count == 0))
    printf("  %s: %s: was %s, is %s\n", set, found.changes[0].key, found.changes[0].was,
           found.changes[0].is);
  arena_destroy(&arena);
}

static void test_values(void)
{
  // other spellings of the same
  check_none("time.step=0.001");
  check_none("time.step=1.0E-3\ntime.end=1");
  check_none("contacts.0.friction=5e-1");
  check_none("contacts.1.restitution=0");
  check_none("solver.max_sweeps=2000");
  check_none("solver={method: automatic, slop: 1e-5, tolerance: 0.000001}");
  check_none("bodies.3.mesh=cube.obj");
  check_none("bodies.3.mesh={up: z, file: cube.obj, scale: 1.0}");
  check_none("materials={stone: {density: 2.4e3}, ice: {density: 900}}");
  check_none("bodies.10.compas=gate.json");
  check_one("bodies.10.compas=other.json", NULL, CHANGE_FREE, "bodies.10.compas.file", "gate.json",
            "other.json");
  check_none("bodies.0.at=[0, 0.0, 0]");
  check_none("loads.0.frame=world");

  // one key, of every rule
  check_one("time.end=2", NULL, CHANGE_FREE, "time.end", "1.0", "2");
  check_one("title=x", NULL, CHANGE_FREE, "title", "all keys", "x");
  check_one("output.frames.every=0.5", NULL, CHANGE_FREE, "output.frames.every", "0", "0.5");
  check_none("joints.0.tension_only=true");
  check_one("contacts.0.friction=0.4", NULL, CHANGE_REFUSED, "contacts.0.friction", "0.5", "0.4");
  check_one("contacts.0.friction=0.4", "contacts", CHANGE_ALLOWED, "contacts.0.friction", "0.5",
            "0.4");
  check_one("contacts.0.friction=0.4", "contacts.0.friction", CHANGE_ALLOWED, "contacts.0.friction",
            "0.5", "0.4");
  check_one("contacts.0.friction=0.4", "contacts.1", CHANGE_REFUSED, "contacts.0.friction", "0.5",
            "0.4");
  check_one("contacts.0.friction=0.4", "contacts.0.fric", CHANGE_REFUSED, "contacts.0.friction",
            "0.5", "0.4");
  check_one("gravity=[0, 0, -9.8]", "solver", CHANGE_REFUSED, "gravity", "[0, 0, -9.81]",
            "[0, 0, -9.8]");
  check_one("solver.slop=1e-4", "solver", CHANGE_ALLOWED, "solver.slop", "1e-5 by default", "1e-4");
  check_one("solver.tolerance=1e-8", NULL, CHANGE_REFUSED, "solver.tolerance", "1e-6", "1e-8");
  check_one("contacts.1.bond={cohesion: 1e5, tensile_strength: 1e4}", NULL, CHANGE_REFUSED,
            "contacts.1.bond", "nothing", "{cohesion: 1e5, tensile_strength: 1e4}");
  check_one("time.step=2e-3", "time", CHANGE_NEVER, "time.step", "1e-3", "2e-3");
  check_one("seed=2", "seed", CHANGE_NEVER, "seed", "1", "2");
  check_one("materials.ice.density=917", "materials", CHANGE_NEVER, "materials.ice.density", "900",
            "917");
  check_one("bodies.3.mesh={file: cube.obj, scale: 2}", "bodies", CHANGE_NEVER,
            "bodies.3.mesh.scale", "1 by default", "2");
  check_one("bodies.3.mesh.file=other.obj", NULL, CHANGE_FREE, "bodies.3.mesh.file", "cube.obj",
            "other.obj");
  check_one("bodies.7.convex.points.2=[0, 2, 0]", "bodies", CHANGE_NEVER,
            "bodies.7.convex.points.2", "[0, 1, 0]", "[0, 2, 0]");
  check_one("joints.0.name=x", NULL, CHANGE_FREE, "joints.0.name", "'' by default", "x");
  check_one("loads.0.name=x", NULL, CHANGE_FREE, "loads.0.name", "'' by default", "x");
  check_one("joints.0.stiffness=2e6", NULL, CHANGE_REFUSED, "joints.0.stiffness", "1e6", "2e6");
  check_one("joints.1.yield.shear=6", "joints", CHANGE_ALLOWED, "joints.1.yield.shear", "5", "6");
  check_one("joints.0.length=2", "joints", CHANGE_NEVER, "joints.0.length", "nothing", "2");
  check_one("joints.0.touch=false", "joints", CHANGE_NEVER, "joints.0.touch", "true by default",
            "false");
  check_one("joints.1.between=[wall.0, wall.2]", "joints", CHANGE_NEVER, "joints.1.between",
            "[wall.0, wall.1]", "[wall.0, wall.2]");
  check_one("bodies.0.name='1'", NULL, CHANGE_REFUSED, "bodies.0.name", "wall", "'1'");
  check_one("materials={ice: {density: 900}, stone: {density: 2400}}", NULL, CHANGE_REFUSED,
            "materials", "stone, ice", "ice, stone");
}

// Bodies that are there stay what they are; those to come (birth 0.75, checkpoint at 0.5) need not.
static void test_bodies(void)
{
  check_one("bodies.0.velocity=[1, 0, 0]", "bodies", CHANGE_NEVER, "bodies.0.velocity",
            "[0, 0, 0] by default", "[1, 0, 0]");
  check_one("bodies.0.fixed=true", "bodies", CHANGE_NEVER, "bodies.0.fixed", "false by default",
            "true");
  check_one("bodies.15.fixed=false", "bodies", CHANGE_NEVER, "bodies.15.fixed", "true by default",
            "false");
  check_none("bodies.15.fixed=true");
  check_one("bodies.16.container.lid=true", "bodies", CHANGE_NEVER, "bodies.16.container.lid",
            "false by default", "true");
  check_one("bodies.17.rubble.joint=0.01", "bodies", CHANGE_NEVER, "bodies.17.rubble.joint",
            "0 by default", "0.01");
  check_one("bodies.9.velocity=[0, 0, -2]", NULL, CHANGE_REFUSED, "bodies.9.velocity", "[0, 0, -1]",
            "[0, 0, -2]");
  check_one("bodies.9.velocity=[0, 0, -2]", "bodies.9", CHANGE_ALLOWED, "bodies.9.velocity",
            "[0, 0, -1]", "[0, 0, -2]");
  check_one("bodies.9.birth=0.8", "bodies.9", CHANGE_ALLOWED, "bodies.9.birth", "0.75", "0.8");
  check_one("bodies.9.birth=0.5", "bodies.9", CHANGE_NEVER, "bodies.9.birth", "0.75", "0.5");
  check_one("bodies.9.stones.inlet.count=10", "bodies", CHANGE_NEVER, "bodies.9.stones.inlet.count",
            "9", "10");
  check_one("bodies.18.stones.fill.fraction=0.35", "bodies", CHANGE_NEVER,
            "bodies.18.stones.fill.fraction", "0.3", "0.35");
  check_one("bodies.4.motion.velocity=[0, 0, 2]", "bodies.4.motion", CHANGE_ALLOWED,
            "bodies.4.motion.velocity", "[0, 0, 1]", "[0, 0, 2]");
  check_one("bodies.0.motion={velocity: [0, 0, 2]}", "bodies", CHANGE_NEVER, "bodies.0.motion",
            "nothing", "{velocity: [0, 0, 2]}");

  check_one("bodies.1.where.0.motion.velocity=[0, 0, 2]", "bodies.1.where", CHANGE_ALLOWED,
            "bodies.1.where.0.motion.velocity", "[0, 0, 1]", "[0, 0, 2]");
  check_one("bodies.1.where.0.match=3", "bodies", CHANGE_NEVER, "bodies.1.where.0.match", "4", "3");
  check_one("bodies.1.where.0.material=ice", "bodies", CHANGE_NEVER, "bodies.1.where.0.material",
            "nothing", "ice");
  check_one("bodies.9.where=[{number: 1, birth: 0.25}]", "bodies", CHANGE_NEVER, "bodies.9.where",
            "nothing", "[{number: 1, birth: 0.25}]");

  Arena arena = arena_new();
  static const char *const two = "bodies: [{box: [1, 1, 1]}, {box: [2, 2, 2], birth: 0.3}]\n";
  static const char *const births[] = {"0.4", "0.5", "0.6"};
  for (int i = 0; i < 3; i++) {
    char three[200];
    snprintf(three, sizeof three,
             "bodies: [{box: [1, 1, 1]}, {box: [2, 2, 2], birth: 0.3}, "
             "{box: [3, 3, 3], birth: %s}]\n",
             births[i]);
    for (int back = 0; back < 2; back++) {
      const CaseChanges c =
          changes_of(&arena, back ? three : two, "", back ? two : three, "", "bodies");
      CHECK(c.count == 1 && strcmp(c.changes[0].key, "bodies") == 0);
      CHECK(c.changes[0].verdict == (i < 2 ? CHANGE_NEVER : CHANGE_ALLOWED));
      CHECK(strcmp(c.changes[0].was, back ? "a list of 3" : "a list of 2") == 0);
    }
  }
  arena_destroy(&arena);
}

static void test_texts(void)
{
  Arena arena = arena_new();

  // names that look like numbers are names
  const CaseChanges names = changes_of(&arena, "bodies: [{name: 1, at: [1, 2, 3]}]\n", "",
                                       "bodies: [{at: [1.0, 2, 3], name: 1.0}]\n", "", NULL);
  CHECK(names.count == 1 && strcmp(names.changes[0].key, "bodies.0.name") == 0);

  // layout, comments, order; what --set says is part of the case
  const CaseChanges layout = changes_of(
      &arena, "gravity: [0, 0, -9.81]   # down\ntime: {step: 1e-3, end: 2}\n", "time.step=1e-2",
      "time:\n  end: 2.0\n  step: 0.01\ngravity:\n- 0\n- 0\n- -9.81\n", "", NULL);
  CHECK(layout.count == 0);

  // many: as many as fit, then a count
  char then[4000] = "contacts:\n", now[4000] = "contacts:\n";
  for (int i = 0; i < 50; i++) {
    snprintf(then + strlen(then), sizeof then - strlen(then), "- {friction: 0.%d1}\n", i);
    snprintf(now + strlen(now), sizeof now - strlen(now), "- {friction: 0.%d2}\n", i);
  }
  const CaseChanges many = changes_of(&arena, then, "", now, "", NULL);
  CHECK(many.count == 50 && many.refused == 50 && many.never == 0);
  char lines[3000], few[200];
  case_changes_refusal(&many, lines, sizeof lines);
  CHECK(strstr(lines, "  contacts.0.friction: was 0.01, is 0.02\n") == lines);
  CHECK(strstr(lines, "contacts.19.friction") && !strstr(lines, "contacts.20.friction"));
  CHECK(strcmp(lines + strlen(lines) - strlen("\n  and 30 more"), "\n  and 30 more") == 0);
  case_changes_refusal(&many, few, sizeof few);
  CHECK(strlen(few) < sizeof few && strstr(few, "\n  and 4"));

  // a text that is none
  const CaseTexts broken = {"then.yaml", "time: [", "", ""}, fine = {"now.yaml", whole, "", ""};
  CaseChanges none;
  char error[1024] = "";
  CHECK(!case_changes_find(&(CaseRestart){broken, fine, 0, NULL}, &arena, &none,
                           (ErrorText){error, sizeof error}));
  CHECK(strstr(error, "then.yaml:") == error);
  arena_destroy(&arena);
}

static void test_meshes(void)
{
  Arena arena = arena_new();
  static const char *const then_list = "00000001 0000000a bodies.0.mesh a.obj\n"
                                       "00000002 0000000b bodies.1.mesh my stone.obj\n"
                                       "00000003 0000000c bodies.2.grid.mesh c.obj\n";
  static const char *const now_list = "00000001 0000000a bodies.0.mesh a.obj\n"
                                      "00000007 0000000b bodies.1.mesh my stone.obj\n"
                                      "00000008 0000000d bodies.2.grid.mesh c.obj\n";
  const char *allow = "bodies.1.mesh";
  for (int allowed = 0; allowed < 2; allowed++) {
    const CaseTexts then = {"a", "title: x\n", "", then_list},
                    now = {"a", "title: x\n", "", now_list};
    const CaseAllowance allowance = {allowed, &allow};
    CaseChanges c;
    char error[100] = "";
    CHECK(case_changes_find(&(CaseRestart){then, now, 0, &allowance}, &arena, &c,
                            (ErrorText){error, sizeof error}));
    if (!CHECK(c.count == 2)) continue;
    CHECK(strcmp(c.changes[0].key, "bodies.1.mesh") == 0);
    CHECK(c.changes[0].verdict == (allowed ? CHANGE_ALLOWED : CHANGE_REFUSED));
    CHECK(strcmp(c.changes[0].is, "my stone.obj of sum 00000007") == 0);
    CHECK(strcmp(c.changes[1].key, "bodies.2.grid.mesh") == 0);
    CHECK(c.changes[1].verdict == CHANGE_NEVER);
  }
  arena_destroy(&arena);
}

// gate.json, with a support less where that is asked for.
static void write_gate(bool freed)
{
  static char text[16384];
  FILE *from = fopen(TESTS_FOLDER "/meshes/gate.json", "r"), *to = fopen("gate.json", "w");
  if (!CHECK(from != NULL && to != NULL)) return;
  text[fread(text, 1, sizeof text - 1, from)] = 0;
  char *support = strstr(text, "\"is_support\": true");
  if (CHECK(support != NULL) && freed) memcpy(support, "\"is_support\": null", 18);
  fputs(text, to);
  fclose(from);
  fclose(to);
}

// Records: where they lie is free, what they hold is not; keys that are left out have defaults.
static void test_records(void)
{
  static const char text[] =
      "gravity: {sum: [[0, 0, -9.81], {file: a.at2, axis: x}]}\n"
      "loads: [{on: b, force: {sine: {amplitude: [1, 0, 0], frequency: 2}}}]";
  static const struct {
    const char *set, *key;
    ChangeVerdict verdict;
  } rows[] = {{"gravity.sum.1.file=b/a.at2", "gravity.sum.1.file", CHANGE_FREE},
              {"gravity.sum.1.scale=2", "gravity.sum.1.scale", CHANGE_REFUSED},
              {"gravity.sum.1.after=zero", "gravity.sum.1.after", CHANGE_REFUSED},
              {"loads.0.force.sine.start=1", "loads.0.force.sine.start", CHANGE_REFUSED},
              {"gravity.sum.1.scale=1.0", NULL, CHANGE_FREE},
              {"gravity.sum.1.start=0", NULL, CHANGE_FREE},
              {"loads.0.force.sine.phase=0", NULL, CHANGE_FREE}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena arena = arena_new();
    const CaseChanges found = changes_of(&arena, text, "", text, rows[i].set, NULL);
    const bool fits = CHECK(found.count == (rows[i].key ? 1 : 0)) &&
                      (!rows[i].key || (CHECK(found.changes[0].verdict == rows[i].verdict) &&
                                        CHECK(strcmp(found.changes[0].key, rows[i].key) == 0)));
    if (!fits) printf("  %s: %d changes\n", rows[i].set, found.count);
    arena_destroy(&arena);
  }
}

// The reader's list of meshes: the shapes count, not the file.
static void test_mesh_list(void)
{
  Case c;
  char error[1024], first[200], second[200];
  if (!CHECK(parse(NULL, &c, error))) {
    puts(error);
    return;
  }
  snprintf(first, sizeof first, "%s", c.meshes);
  case_destroy(&c);
  CHECK(strstr(first, " bodies.3.mesh cube.obj\n") != NULL);
  CHECK(strstr(first, " bodies.10.compas gate.json\n") != NULL);
  FILE *file = fopen("cube.obj", "a");
  fputs("# a remark\n", file);
  fclose(file);
  if (CHECK(parse(NULL, &c, error))) CHECK(strcmp(c.meshes, first) == 0);
  case_destroy(&c);
  // the shapes and another support are another mesh of the same layout
  write_gate(true);
  if (CHECK(parse(NULL, &c, error))) {
    const char *then = strstr(first, "\n") + 1, *now = strstr(c.meshes, "\n") + 1;
    CHECK(strncmp(c.meshes, first, 8) == 0 && strncmp(then, now, 8) != 0);
    CHECK(strcmp(then + 8, now + 8) == 0);
  }
  case_destroy(&c);
  write_gate(false);
  if (!CHECK(parse("bodies.3.mesh={file: cube.obj, scale: 3}", &c, error))) return;
  snprintf(second, sizeof second, "%s", c.meshes);
  CHECK(strncmp(first, second, 8) != 0 && strncmp(first + 9, second + 9, 8) == 0);
  case_destroy(&c);
}

static bool same_surfaces(const SurfaceLaws *a, const SurfaceLaws *b)
{
  bool same = a->material_count == b->material_count && a->bonded == b->bonded;
  for (int i = 0; same && i < surface_laws_count(a->material_count); i++) {
    const SurfaceLaw *p = &a->laws[i], *q = &b->laws[i];
    same = p->friction == q->friction && p->restitution == q->restitution &&
           p->cohesion == q->cohesion && p->tensile_strength == q->tensile_strength &&
           p->normal_stiffness == q->normal_stiffness && p->shear_stiffness == q->shear_stiffness &&
           p->excluded == q->excluded && p->bonded == q->bonded;
  }
  return same;
}

static bool same_load(const BodyLoad *a, const BodyLoad *b)
{
  if (a->follows != b->follows || a->per != b->per) return false;
  if ((a->faces != NULL) != (b->faces != NULL) || (a->wheel != NULL) != (b->wheel != NULL))
    return false;
  if (a->faces && a->faces->cosine != b->faces->cosine) return false;
  return !a->wheel || (a->wheel->start == b->wheel->start && a->wheel->length == b->wheel->length &&
                       a->wheel->width == b->wheel->width);
}

// What a key is without being given, where the reader keeps it as plain numbers.
static bool same_case(const Case *a, const Case *b)
{
  const size_t first = offsetof(Case, solver), end = offsetof(Case, body_count);
  bool same = memcmp((const char *)a + first, (const char *)b + first, end - first) == 0 &&
              a->seed == b->seed && strcmp(a->title, b->title) == 0 &&
              a->load_count == b->load_count && strcmp(a->meshes, b->meshes) == 0 &&
              same_surfaces(&a->surfaces, &b->surfaces);
  for (int i = 0; i < a->load_count && same; i++) same = same_load(&a->loads[i], &b->loads[i]);
  same = same && a->joint_count == b->joint_count;
  for (int i = 0; i < a->joint_count && same; i++) {
    const Joint *p = &a->joints[i], *q = &b->joints[i];
    same = p->tension == q->tension && p->push == q->push && p->shear == q->shear &&
           p->pretension == q->pretension && p->passes == q->passes &&
           strcmp(p->name, q->name) == 0;
  }
  for (int i = 0; i < a->group_count && same; i++) {
    const BodyGroup *p = &a->groups[i], *q = &b->groups[i];
    same = memcmp(&p->at, &q->at, sizeof p->at) == 0 && p->fixed == q->fixed &&
           memcmp(&p->velocity, &q->velocity, sizeof p->velocity) == 0 &&
           memcmp(&p->spin, &q->spin, sizeof p->spin) == 0 && p->birth == q->birth &&
           strcmp(p->name, q->name) == 0 && p->joint == q->joint && p->embrace == q->embrace &&
           p->supports == q->supports && p->kind == q->kind && p->solid_count == q->solid_count &&
           (p->kind != GROUP_STRUCTURE ||
            memcmp(p->solids->parts->points, q->solids->parts->points,
                   (size_t)p->solids->parts->count * sizeof(vec3)) == 0) &&
           (!p->stones || p->stones->turned == q->stones->turned) &&
           (!p->rubble || memcmp(p->rubble, q->rubble, sizeof *p->rubble) == 0);
  }
  return same;
}

// A place for the pattern of a key in the case above, where it is not given.
static void place_of(const char *pattern, char *path, size_t bytes)
{
  const char *star = strchr(pattern, '*');
  if (!star) {
    snprintf(path, bytes, "%s", pattern);
    return;
  }
  static const struct {
    const char *below, *number;
  } places[] = {{"bodies.*.wall.", "0"},
                {"bodies.*.arch.", "1"},
                {"bodies.*.stones.", "2"},
                {"bodies.*.vault.", "11"},
                {"bodies.*.dome.", "12"},
                {"bodies.*.column.", "13"},
                {"bodies.*.container.drum.", "16"},
                {"bodies.*.container.", "15"},
                {"bodies.*.rubble.", "17"},
                {"bodies.*.mesh.", "3"},
                {"bodies.*.compas.", "10"},
                {"bodies.*.at", "0"},
                {"bodies.*.name", "5"},
                {"contacts.*.friction", "2"},
                {"contacts.*.", "1"},
                {"materials.*.", "stone"},
                {"bodies.*.", "5"},
                {"loads.*.faces.", "1"},
                {"loads.*.wheel.", "2"},
                {"loads.*.", "0"},
                {"joints.*.", "0"}};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    if (strncmp(pattern, places[i].below, strlen(places[i].below)) != 0) continue;
    snprintf(path, bytes, "%.*s%s%s", (int)(star - pattern), pattern, places[i].number, star + 1);
    return;
  }
  CHECK(!"a place for every key");
}

static void test_defaults(void)
{
  // optional keys of the case above left out, so that each can be put in
  static const char *const shorter[] = {"solver={}", "contact={}", "partition={}"};
  int tried = 0;
  for (const CaseKey *k = case_keys(); k->pattern; k++) {
    if (!k->standard || strcmp(k->pattern, "units") == 0) continue;
    char path[200], option[400], error[1024] = "";
    place_of(k->pattern, path, sizeof path);
    snprintf(option, sizeof option, "%s=%s", path, k->standard);
    // what the case gives in full is made empty first; an empty list is no list at all
    const char *const set[] = {shorter[0], shorter[1], shorter[2],
                               "contacts.2={between: [ice, ice]}", option};
    char text[sizeof whole + 100];
    snprintf(text, sizeof text, "%s", whole);
    char *contacts = strstr(text, "bodies:\n");
    static const char third[] = "  - {between: [ice, ice], restitution: 0}\n";
    memmove(contacts + sizeof third - 1, contacts, strlen(contacts) + 1);
    memcpy(contacts, third, sizeof third - 1);
    if (strcmp(k->pattern, "title") == 0 || strcmp(k->pattern, "seed") == 0) {
      char *line = strstr(text, *k->pattern == 't' ? "title:" : "seed:");
      memmove(line, strchr(line, '\n') + 1, strlen(strchr(line, '\n') + 1) + 1);
    }
    if (strcmp(k->standard, "[]") == 0) continue;   // a list that is empty has nothing to compare
    Case without, with;
    CaseOptions options = {.override_count = 4, .overrides = set, .read_mesh = mesh_read_here};
    if (!CHECK(case_parse((CaseFile){"all.yaml", text, strlen(text)}, &options, &without,
                          (ErrorText){error, sizeof error}))) {
      printf("  %s: %s\n", option, error);
      continue;
    }
    options.override_count = 5;
    if (!CHECK(case_parse((CaseFile){"all.yaml", text, strlen(text)}, &options, &with,
                          (ErrorText){error, sizeof error})))
      printf("  %s: %s\n", option, error);
    else {
      if (!CHECK(same_case(&without, &with))) printf("  not the default: %s\n", option);
      case_destroy(&with);
    }
    case_destroy(&without);
    tried++;
  }
  CHECK(tried > 25);

  // the comparison sees what is no default
  Case a, b;
  char error[1024];
  if (!CHECK(parse(NULL, &a, error))) return;
  static const char *const others[] = {"solver.slop=1e-4",         "contacts.0.restitution=0.1",
                                       "bodies.0.wall.joint=0.1",  "bodies.1.arch.supports=false",
                                       "contact.max_points=9",     "bodies.5.velocity=[1, 0, 0]",
                                       "bodies.12.dome.oculus=1",  "bodies.11.vault.supports=false",
                                       "bodies.0.wall.bond=stack", "bodies.13.column.taper=0.9"};
  for (int i = 0; i < 10; i++)
    if (CHECK(parse(others[i], &b, error))) {
      CHECK(!same_case(&a, &b));
      case_destroy(&b);
    }
  case_destroy(&a);
}

// The manual names every key with its rule: in the paragraph of the rule, in backquotes.
static void test_manual(void)
{
  FILE *file = fopen(TESTS_FOLDER "/../io/README.md", "r");
  if (!CHECK(file != NULL)) return;
  static char text[1 << 20];
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  static const char *const begins[] = {[KEY_FREE] = "| free |",
                                       [KEY_ASKED] = "| on request |",
                                       [KEY_UNBORN] = "| until they appear |",
                                       [KEY_NEVER] = "| never |"};
  for (const CaseKey *k = case_keys(); k->pattern; k++) {
    const char *row = strstr(text, begins[k->rule]);
    if (!CHECK(row != NULL)) return;
    char key[100] = "`", line[4000];
    size_t length = 1;
    for (const char *p = k->pattern; *p; p++) key[length++] = *p == '*' ? 'N' : *p;
    key[length] = '`';
    snprintf(line, sizeof line, "%.*s", (int)strcspn(row, "\n"), row);
    if (!CHECK(strstr(line, key) != NULL))
      printf("  the manual does not name %s as %s\n", key, begins[k->rule]);
  }
}

static void write_cube(void)
{
  FILE *file = fopen("cube.obj", "w");
  if (!CHECK(file != NULL)) return;
  for (int i = 0; i < 8; i++) fprintf(file, "v %d %d %d\n", i & 1, i >> 1 & 1, i >> 2);
  fputs("f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n", file);
  fclose(file);
}

int main(void)
{
  test_motions();
  write_cube();
  write_gate(false);
  test_values();
  test_bodies();
  test_texts();
  test_meshes();
  test_mesh_list();
  test_records();
  test_defaults();
  test_manual();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
