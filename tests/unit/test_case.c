// The case reader: values, defaults, places in messages, overrides, limits, the summary.
#include <stdio.h>
#include <string.h>

#include "case_reader.h"
#include "case_summary.h"
#include "case_tree.h"
#include "harness.h"
#include "memory.h"
#include "model.h"
#include "scene.h"

static const char minimal[] =
    "title: one block on a slope\n"
    "units: SI                         # metres, kilograms, seconds\n"
    "gravity: [4.905, 0, -8.4957]\n"
    "time: {step: 1e-3, end: 1.0}\n"
    "materials:\n"
    "  granite: {density: 2700}\n"
    "contacts:\n"
    "  - {between: [granite, granite], friction: 0.5, restitution: 0}\n"
    "bodies:\n"
    "  - {box: [10, 10, 1], at: [0, 0, -0.5], material: granite, fixed: true, name: floor}\n"
    "  - {box: [1, 0.5, 0.5], at: [0, 0, 0.25], material: granite, name: block}\n"
    "solver: {tolerance: 1e-6, max_sweeps: 2000}\n"
    "output:\n"
    "  frames: {every: 0.05}\n"
    "  checkpoint: {steps: 100}\n";

static bool parse(const char *text, int count, const char *const *overrides, Case *c,
                  char error[1024])
{
  const CaseOptions options = {.override_count = count, .overrides = overrides};
  error[0] = 0;
  return case_parse((CaseFile){"a.yaml", text, strlen(text)}, &options, c,
                    (ErrorText){error, 1024});
}

static void check_vector(vec3 value, double x, double y, double z, double tolerance)
{
  CHECK_NEAR(value.x, x, tolerance);
  CHECK_NEAR(value.y, y, tolerance);
  CHECK_NEAR(value.z, z, tolerance);
}

static void test_minimal(void)
{
  Case c;
  char error[1024];
  if (!CHECK(parse(minimal, 0, NULL, &c, error))) return;
  CHECK(strcmp(c.path, "a.yaml") == 0 && strcmp(c.text, minimal) == 0 && c.overrides[0] == 0);
  CHECK(strcmp(c.title, "one block on a slope") == 0);
  CHECK(time_vector_is_constant(&c.gravity));
  check_vector(time_vector_at(&c.gravity, 7), 4.905, 0, -8.4957, 0);
  CHECK(c.step == 1e-3 && c.end == 1.0 && c.seed == 1);
  CHECK(c.material_count == 1 && strcmp(c.materials[0].name, "granite") == 0);
  CHECK(c.materials[0].density == 2700);
  CHECK(c.surfaces.material_count == 1 && !c.surfaces.bonded);
  const SurfaceLaw *law = surface_laws_find(&c.surfaces, 0, 0);
  CHECK(law->friction == 0.5 && law->restitution == 0 && !law->excluded && !law->bonded);
  CHECK(c.solver.solve.tolerance == 1e-6 && c.solver.solve.max_sweeps == 2000);
  CHECK(c.solver.solve.give == 1e-3 && !c.solver.solve.all_give);
  CHECK(c.output.frame_every == 0.05 && c.output.checkpoint_steps == 100 &&
        c.output.checkpoint_minutes == 15);
  CHECK(c.output.ranks_every == 10);

  // what the file does not say
  CHECK(c.solver.stops.unbalanced == 0 && c.solver.stops.penetration == 0);
  CHECK(c.solver.unsolved == UNSOLVED_KEEP && c.correction.share == 0.2 &&
        c.correction.slop == 1e-5 && c.solver.impact_speed < 0);
  CHECK(c.contact.patch.margin == 1e-3 && c.contact.patch.feature_width == 2e-3 &&
        c.contact.patch.max_points == 8 && c.contact.initial == 0);
  CHECK(c.contact.model == CONTACT_MODEL_PATCH && c.contact.sparsify.threshold == 0);
  CHECK(c.contact.lmd.dilation == 5e-3 && c.contact.lmd.turn == 0.02);
  CHECK(c.contact.sparsify.min_area == 0 && c.contact.sparsify.min_distance == 0);
  CHECK(c.contact.keep_pairs && !c.contact.stop_on_large_steps && c.partition.every == 0 &&
        c.partition.balance);

  if (CHECK(c.group_count == 2)) {
    const BodyGroup *floor = &c.groups[0], *block = &c.groups[1];
    CHECK(floor->kind == GROUP_BODY && floor->fixed && !block->fixed);
    CHECK(strcmp(floor->name, "floor") == 0 && strcmp(block->name, "block") == 0);
    CHECK(floor->line == 10 && block->line == 11);
    check_vector(block->at, 0, 0, 0.25, 0);
    check_vector(block->velocity, 0, 0, 0, 0);
    CHECK(block->turn.w == 1 && block->turn.x == 0 && block->turn.y == 0 && block->turn.z == 0);
    CHECK(block->shape.part_count == 1 && block->shape.parts[0].count == 8);
  }
  case_destroy(&c);
}

static void test_excluded_pair(void)
{
  static const char *const overrides[] = {
      "contacts.0={between: [granite, granite], contact: false}"};
  Case c;
  char error[1024];
  if (!CHECK(parse(minimal, 1, overrides, &c, error))) return;
  CHECK(c.surfaces.material_count == 1 && c.surfaces.laws[0].excluded);
  case_destroy(&c);
}

static void test_volumetric(void)
{
  static const char *const good[] = {
      "contacts.0={between: [granite, granite], law: volumetric, stiffness: 1e6, friction: 0.5, "
      "restitution: 0.5, restitution_speed: 2, static_friction: 0.7, stick_speed: 0.1}",
      "contact={rows: body}"};
  Case c;
  char error[1024];
  if (!CHECK(parse(minimal, 2, good, &c, error))) {
    printf("  %s\n", error);
    return;
  }
  const SurfaceLaw *law = &c.surfaces.laws[0];
  CHECK(c.surfaces.compliant && law->volumetric.stiffness == 1e6 && law->friction == 0.5);
  CHECK(law->restitution == 0 && c.contact.rows_of_bodies);
  CHECK_NEAR(law->volumetric.damping, 1.43275053 / 2, 1e-7);
  CHECK(law->volumetric.static_friction == 0.7 && law->volumetric.stick_speed == 0.1);
  CHECK(law->volumetric.tangential_stiffness == 1e6 && law->volumetric.tangential_damping < 0);
  CHECK(law->volumetric.rolling && law->volumetric.spinning == SPINNING_MEAN);
  case_destroy(&c);
  static const struct {
    const char *law, *why;
  } bad[] = {
      {"stiffness: 1e6", "of the law 'volumetric'"},
      {"law: non-smooth, spinning: mean", "of the law 'volumetric'"},
      {"law: penalty, stiffness: 1e6", "expected 'non-smooth' or 'volumetric', found 'penalty'"},
      {"law: volumetric", "stiffness"},
      {"law: volumetric, stiffness: 0", "a stiffness from 1e-9"},
      {"law: volumetric, stiffness: 1, damping: 1, restitution: 0.5, restitution_speed: 1",
       "say the same thing"},
      {"law: volumetric, stiffness: 1, restitution: 0, restitution_speed: 1", "larger than 0"},
      {"law: volumetric, stiffness: 1, restitution: 1.5, restitution_speed: 1", "from 0 to 1"},
      {"law: volumetric, stiffness: 1, restitution: 0.5", "restitution_speed"},
      {"law: volumetric, stiffness: 1, restitution_speed: 1", "no use without 'restitution'"},
      {"law: volumetric, stiffness: 1, friction: 0.5, static_friction: 0.4, stick_speed: 1",
       "at least the friction"},
      {"law: volumetric, stiffness: 1, friction: 0.5, static_friction: 0.6", "stick_speed"},
      {"law: volumetric, stiffness: 1, stick_speed: 1", "no use without 'static_friction'"},
      {"law: volumetric, stiffness: 1, spinning: sum", "'mean', 'integrated' or 'viscous'"},
      {"law: volumetric, stiffness: 1, joint_stiffness: {normal: 1, shear: 1}", "no use beside"},
      {"law: volumetric, stiffness: 1, bond: {cohesion: 2, tensile_strength: 1}", "no use beside"},
      {"law: volumetric, stiffness: 1, contact: false", "no use beside"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[256];
    snprintf(text, sizeof text, "contacts.0={between: [granite, granite], %s}", bad[i].law);
    const char *const overrides[] = {text};
    if (!CHECK(!parse(minimal, 1, overrides, &c, error) && strstr(error, bad[i].why) != NULL))
      printf("  %s: %s\n", bad[i].law, error);
  }
  static const char *const rows[] = {"contact={rows: body}"}, *const word[] = {"contact={rows: 3}"};
  CHECK(!parse(minimal, 1, rows, &c, error) && strstr(error, "no use where no pair") != NULL);
  CHECK(!parse(minimal, 1, word, &c, error) && strstr(error, "'parts' or 'body'") != NULL);
}

static void test_stiffness(void)
{
  static const char *const good[] = {
      "contacts.0={between: [granite, granite], joint_stiffness: {normal: 1e9, shear: 0}}"};
  Case c;
  char error[1024];
  if (!CHECK(parse(minimal, 1, good, &c, error))) return;
  CHECK(c.surfaces.elastic && c.surfaces.laws[0].normal_stiffness == 1e9);
  CHECK(c.surfaces.laws[0].shear_stiffness == 0);
  case_destroy(&c);
  static const struct {
    const char *law, *why;
  } bad[] = {
      {"joint_stiffness: {normal: -1, shear: 1}", "a stiffness from 0"},
      {"joint_stiffness: {normal: nan, shear: 1}", "joint_stiffness"},
      {"joint_stiffness: {normal: 1}", "shear"},
      {"joint_stiffness: {normal: 1, shear: 1}, restitution: 0.5", "do not go together"},
      {"joint_stiffness: {normal: 1, shear: 1}, contact: false", "no use beside"},
      {"joint_stiffness: {normal: 1, shear: 0}, bond: {cohesion: 2, tensile_strength: 1}",
       "both stiffnesses"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[256];
    snprintf(text, sizeof text, "contacts.0={between: [granite, granite], %s}", bad[i].law);
    const char *const overrides[] = {text};
    if (!CHECK(!parse(minimal, 1, overrides, &c, error) && strstr(error, bad[i].why) != NULL))
      printf("  %s: %s\n", bad[i].law, error);
  }
}

static void test_every_key(void)
{
  static const char *const overrides[] = {
      "solver={tolerance: 1e-8, max_sweeps: 7, demand_convergence: true, correction: 0, slop: "
      "1e-4, "
      "impact_speed: 0.25, stop: {unbalanced: 0.01, penetration: 1e-5}}",
      "contact={margin: 1e-4, initial: 0.01, feature_width: 0, max_points: 4, model: volumetric, "
      "sparsify: {threshold: 0.1, min_area: 1e-4, min_distance: 0.02}, stop_on_large_steps: true, "
      "lmd: {dilation: 2e-3, turn: 0.05}}",
      "partition={every: 12, balance: false}",
      "output={ranks: {every: 3}, checkpoint: {minutes: 0.5}}",
      "gravity={table: [[0, 0, 0, -1], [2, 4, 0, -3]]}",
      "contacts.0.restitution=0.75",
      "domain={low: [-1, -2, -3], high: [1, 2, 3]}",
      "bodies.1.birth=0.25",
      "contact.keep_pairs=false",
  };
  Case c;
  char error[1024];
  if (!CHECK(parse(minimal, 9, overrides, &c, error))) return;
  CHECK(c.solver.solve.tolerance == 1e-8 && c.solver.solve.max_sweeps == 7 &&
        c.solver.unsolved == UNSOLVED_END);
  CHECK(c.correction.share == 0 && c.correction.slop == 1e-4 && c.solver.impact_speed == 0.25);
  CHECK(c.solver.stops.unbalanced == 0.01 && c.solver.stops.penetration == 1e-5);
  CHECK(c.contact.patch.margin == 1e-4 && c.contact.patch.feature_width == 0 &&
        c.contact.patch.max_points == 4 && c.contact.stop_on_large_steps);
  CHECK(c.contact.initial == 0.01);
  CHECK(c.contact.model == CONTACT_MODEL_VOLUMETRIC && c.contact.sparsify.threshold == 0.1);
  CHECK(c.contact.lmd.dilation == 2e-3 && c.contact.lmd.turn == 0.05);
  CHECK(c.contact.sparsify.min_area == 1e-4 && c.contact.sparsify.min_distance == 0.02);
  CHECK(c.partition.every == 12 && !c.partition.balance && c.output.frame_every == 0 &&
        c.output.checkpoint_steps == 0 && c.output.checkpoint_minutes == 0.5 &&
        c.output.ranks_every == 3);
  CHECK(!c.contact.keep_pairs);
  CHECK(c.surfaces.laws[0].restitution == 0.75 && c.surfaces.laws[0].friction == 0.5);
  CHECK(!time_vector_is_constant(&c.gravity));
  CHECK(c.domain.given && c.domain.low.y == -2 && c.domain.high.z == 3);
  CHECK(c.groups[0].birth == 0 && c.groups[1].birth == 0.25);
  check_vector(time_vector_at(&c.gravity, 0.5), 1, 0, -1.5, 1e-15);
  CHECK(strncmp(c.overrides, "solver={", 8) == 0);
  CHECK(strstr(c.overrides, "\npartition={every: 12, balance: false}\noutput={ranks: {every: 3}, "
                            "checkpoint: {minutes: 0.5}}\n") != NULL);
  case_destroy(&c);
}

// Loads and motions, and the functions of time they are made of.
static void test_loads(void)
{
  static const char *const overrides[] = {
      "bodies.0.fixed=false",
      "bodies.0.motion={acceleration: {table: [[0, 0, 0, 0], [2, 4, 0, 0]]}, spin: [0, 0, 3], "
      "about: [1, 2, 3]}",
      "bodies.0.velocity=[0, 1, 0]",
      "loads=[{on: block, force: [1, 2, 3], at: [0.5, 0, 0], frame: body}, {on: block, torque: "
      "{sum: [[1, 0, 0], {cosine: {amplitude: [0, 2, 0], angular_frequency: 3, phase: 90, mean: "
      "[0, 0, 5]}}]}}]",
  };
  Case c;
  char error[1024];
  if (!CHECK(parse(minimal, 4, overrides, &c, error))) {
    fprintf(stderr, "%s\n", error);
    return;
  }
  const BodyGroup *floor = &c.groups[0], *block = &c.groups[1];
  CHECK(c.motion_count == 1 && !block->motion && floor->load_span_count == 0);
  if (CHECK(floor->motion != NULL)) {
    const Motion *m = floor->motion;
    CHECK(m->accelerated && !m->spun_up && m->has_about && m->about.y == 2);
    check_vector(time_vector_at(&m->travel, 0.5), 1, 0, 0, 0);
    check_vector(time_vector_at(&m->turning, 9), 0, 0, 3, 0);
    CHECK(floor->velocity.y == 1);
  }
  CHECK(c.load_count == 2 && block->load_span_count == 1);
  const LoadSpan *span = block->load_spans;
  CHECK(span->begin == 0 && span->end == 1 && span->count == 2);
  CHECK(span->loads[0] == 0 && span->loads[1] == 1);
  const BodyLoad *push = &c.loads[0], *turn = &c.loads[1];
  CHECK(push->has_at && push->at.x == 0.5 && push->follows && !turn->has_at && !turn->follows);
  check_vector(time_vector_at(&push->force, 7), 1, 2, 3, 0);
  check_vector(time_vector_at(&push->torque, 7), 0, 0, 0, 0);
  check_vector(time_vector_at(&turn->torque, 0.5), 1, -2 * sin(1.5), 5, 1e-15);
  CHECK(!scene_prepare(&c) && scene_body(&c, 0).drive == DRIVE_PRESCRIBED &&
        scene_body(&c, 1).drive == DRIVE_DYNAMIC);
  case_destroy(&c);
}

// The only message for the text with the overrides.
static void check_message(const char *text, int count, const char *const *overrides,
                          const char *expected)
{
  Case c;
  char error[1024];
  const bool same =
      CHECK(!parse(text, count, overrides, &c, error)) && CHECK(strcmp(error, expected) == 0);
  if (!same) printf("  found    %s\n  expected %s\n", error, expected);
  CHECK(c.arena == NULL);   // nothing to destroy
  case_destroy(&c);
}

static void test_override_messages(void)
{
  static const struct {
    const char *option, *expected;
  } rows[] = {
      {"solver.tolerence=1",
       "--set solver.tolerence=1: solver.tolerence: unknown key (did you mean "
       "'tolerance'?); known here: method, tolerance, max_sweeps, "
       "unsolved, demand_convergence, correction, slop, impact_speed, stop, give"},
      {"solver.stop={unbalanced: 0.6}", "--set solver.stop={unbalanced: 0.6}: solver.stop."
                                        "unbalanced: expected a share of forces from 0 to 0.5, "
                                        "found '0.6'"},
      {"solver.stop={penetration: -1}", "--set solver.stop={penetration: -1}: solver.stop."
                                        "penetration: expected a distance from 0 to 1e9 m, found "
                                        "'-1'"},
      {"solver.stop={force: 1}", "--set solver.stop={force: 1}: solver.stop.force: unknown key; "
                                 "known here: unbalanced, penetration"},
      {"bodies.1.at=[0, 0]", "--set bodies.1.at=[0, 0]: bodies.1.at: expected a list of 3 numbers, "
                             "found a list of 2"},
      {"bodies.2.at=[0, 0, 0]", "--set bodies.2.at=[0, 0, 0]: expected a number from 0 to 1 for a "
                                "member of the list, found '2'"},
      {"bodies.-1.at=0", "--set bodies.-1.at=0: expected a number from 0 to 1 for a member of the "
                         "list, found '-1'"},
      {"title.x=1", "--set title.x=1: nothing can be under 'one block on a slope', where 'x' was "
                    "looked for"},
      {"time.step=", "--set time.step=: expected a value after '='"},
      {"time.step", "--set time.step: expected KEY=VALUE with '=' between them"},
      {"time..step=1", "--set time..step=1: expected keys with dots between them before '='"},
      {"=1", "--set =1: expected keys with dots between them before '='"},
      {"time={step: 1", "--set time={step: 1: bad YAML: did not find expected ',' or '}', while "
                        "parsing a flow mapping which began on line 1"},
      {"time.step=1\n2", "--set time.step=1\\x0a2: expected one line"},
      {"bodies=[{box: [1, 1, 1]}]", "--set bodies=[{box: [1, 1, 1]}]: bodies.0: the key 'material' "
                                    "is missing"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    check_message(minimal, 1, &rows[i].option, rows[i].expected);
}

static void test_overrides(void)
{
  static const char *const overrides[] = {"time.end=5", "bodies.1.at=[0, 0, 1]",
                                          "bodies.1.name='x=y'", "time.end=6", "partition.every=3"};
  Case c;
  char error[1024];
  if (!CHECK(parse(minimal, 5, overrides, &c, error))) return;
  CHECK(c.end == 6 && c.step == 1e-3 && c.partition.every == 3);
  check_vector(c.groups[1].at, 0, 0, 1, 0);
  CHECK(strcmp(c.groups[1].name, "x=y") == 0);
  case_destroy(&c);
}

static void test_messages(void)
{
  check_message("gravity: [0, 0, -9.81]\ntime: {end: 1}\n", 0, NULL,
                "a.yaml:2:7: time: the key 'step' is missing");
  check_message("gravity: [0, 0, -9.81]\ntime: {step: fast, end: 1}\n", 0, NULL,
                "a.yaml:2:14: time.step: expected a time from 1e-12 to 1e9 s, found 'fast'");
  check_message("units: SI\ngravity: [0, 0, 1]\n  grvty: 1\n", 0, NULL,
                "a.yaml:3:3: bad YAML: did not find expected key, while parsing a block mapping "
                "which began on line 1");
  check_message("time: 1\nunits: SI\ntime: 1\n", 0, NULL,
                "a.yaml:3:1: time: key given twice, first at line 1, column 1");
  check_message("", 0, NULL, "a.yaml: the file is empty");
}

// A list that repeats a member is refused for its length.
static void check_many(const char *before, const char *member, int count, const char *expected)
{
  const size_t length = strlen(member), head = strlen(before);
  const size_t bytes = head + (size_t)count * length + 3;
  char *text = memory_allocate(bytes + 1), *end = text + head;
  memcpy(text, before, head);
  for (int i = 0; i < count; i++, end += length) memcpy(end, member, length);
  memcpy(end, "]}]", 4);
  Case c;
  char error[1024] = "";
  CHECK(!case_parse((CaseFile){"a.yaml", text, bytes}, NULL, &c, (ErrorText){error, sizeof error}));
  if (!CHECK(strstr(error, expected) != NULL)) printf("  found %s\n", error);
  memory_free(text);
}

static void test_long_lists(void)
{
#define SOUND                                                                   \
  "gravity: [0, 0, 0]\ntime: {step: 1, end: 1}\nmaterials: {m: {density: 1}}\n" \
  "contacts: [{between: [m, m], friction: 0}]\nbodies: [{material: m, "
  check_many(SOUND "hull: [", "[0,0,0],", 100001,
             "bodies.0.hull: expected at most 100000 points, found 100001");
  check_many(SOUND "parts: [", "{box: [1, 1, 1]},", 10001,
             "bodies.0.parts: expected at most 10000 parts, found 10001");
#undef SOUND
}

// Texts that would be long, deep or slow.
static void test_limits(void)
{
  const size_t bytes = TREE_MAX_BYTES + 1;
  char *text = memory_allocate(bytes);
  Case c;
  char error[1024] = "";
  memset(text, '\n', bytes);
  CHECK(!case_parse((CaseFile){"a.yaml", text, bytes}, NULL, &c, (ErrorText){error, sizeof error}));
  CHECK(strcmp(error, "a.yaml: a case file holds at most 16 MiB, this one 16") == 0);

  static const char letters[] = "[{-?:!&*|\"'% ,#a";
  for (size_t i = 0; i + 1 < sizeof letters; i++) {
    memset(text, letters[i], 20000);
    CHECK(
        !case_parse((CaseFile){"a.yaml", text, 20000}, NULL, &c, (ErrorText){error, sizeof error}));
    CHECK(strncmp(error, "a.yaml:", 7) == 0);
    for (size_t k = 1; k < 20000; k += 2) text[k] = ' ';
    CHECK(
        !case_parse((CaseFile){"a.yaml", text, 20000}, NULL, &c, (ErrorText){error, sizeof error}));
    CHECK(strncmp(error, "a.yaml:", 7) == 0);
  }

  // a message that does not fit is cut
  char small[16];
  CHECK(!case_parse((CaseFile){"a.yaml", "a: 1\n", 5}, NULL, &c, (ErrorText){small, sizeof small}));
  CHECK(strcmp(small, "a.yaml:1:1: a: ") == 0);
  memory_free(text);
}

static void test_shapes(void)
{
  static const char *const overrides[] = {
      "bodies.1={material: granite, parts: [{wedge: [2, 3, 1]}, {box: [1, 1, 1], at: [5, 0, 0], "
      "turn: {axis: [0, 0, 3], angle: 90}}, {hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "
      "at: [1, 2, 3], turn: {axis: [1, 0, 0], angle: 0}}]}",
      "bodies.0.turn={axis: [1e-200, 0, -1e-200], angle: 0}"};
  Case c;
  char error[1024];
  if (!CHECK(parse(minimal, 2, overrides, &c, error))) return;
  const ShapeRecipe *shape = &c.groups[1].shape;
  if (CHECK(shape->part_count == 3 && shape->parts[0].count == 6)) {
    // the high end of a wedge is at +x
    double height_right = 0, height_left = 0;
    for (int i = 0; i < 6; i++) {
      const vec3 p = shape->parts[0].points[i];
      CHECK((p.x == 1 || p.x == -1) && (p.y == 1.5 || p.y == -1.5));
      double *height = p.x > 0 ? &height_right : &height_left;
      if (p.z > *height) *height = p.z;
    }
    CHECK(height_right == 1 && height_left == 0);

    // a quarter turn about z takes (0.5, 0.5) to (-0.5, 0.5), about the part's own origin
    const vec3 before = {0.5, 0.5, 0.5};
    const vec3 *points = shape->parts[1].points;
    CHECK(shape->parts[1].count == 8);
    check_vector(points[7], 5 - before.y, before.x, before.z, 1e-15);
    check_vector(shape->parts[2].points[3], 1, 2, 4, 0);
  }
  // faces are judged and change nothing
  static const char *const convex[] = {
      "bodies.1={material: granite, convex: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "
      "faces: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]}, at: [1, 2, 3]}"};
  Case other;
  if (CHECK(parse(minimal, 1, convex, &other, error))) {
    const ShapeRecipe *stated = &other.groups[1].shape;
    CHECK(stated->part_count == 1 && !stated->surface_known);
    CHECK(stated->parts[0].count == 4 && stated->parts[0].triangle_count == 0);
    check_vector(stated->parts[0].points[3], 0, 0, 1, 0);
    case_destroy(&other);
  }
  const quat q = c.groups[0].turn;
  const quat one = {1, 0, 0, 0};
  CHECK(memcmp(&q, &one, sizeof q) == 0);   // no -0 either
  case_destroy(&c);
}

static void test_containers(void)
{
  static const char *const overrides[] = {
      "bodies=[{container: {box: [2, 1, 1.5], thickness: 0.1}, material: granite}, {container: "
      "{drum: {radius: 1, height: 2}, thickness: 0.1, floor: false, lid: "
      "true}, motion: {spin: [0, 0, 1]}, material: granite}, {container: {drum: {radius: 1, "
      "height: 2, sides: 6}, thickness: 0.1}, fixed: "
      "false, velocity: [0, 0, 1], material: granite}]"};
  Case c;
  char error[1024];
  if (!CHECK(parse(minimal, 1, overrides, &c, error))) return;
  const BodyGroup *box = &c.groups[0], *drum = &c.groups[1], *loose = &c.groups[2];
  CHECK(box->kind == GROUP_BODY && box->fixed && box->shape.part_count == 5);
  CHECK(!drum->fixed && drum->motion && drum->shape.part_count == 25);
  CHECK(!loose->fixed && !loose->motion && loose->shape.part_count == 7);
  if (CHECK(scene_prepare(&c) == NULL))
    CHECK(strstr(case_summary_text(&c), "3 (1 dynamic, 1 fixed, 1 prescribed)") != NULL);
  case_destroy(&c);
}

static void test_rubble(void)
{
  static const char *const overrides[] = {
      "bodies.0={rubble: {size: [3, 0.5, 2], stones: 30, flatness: 2, jitter: 0.5, relaxations: 3, "
      "joint: 0.01}, material: granite}",
      "bodies.1={rubble: {size: [3, 0.5, 2], stone: 0.5}, at: [0, 0, 2], material: granite}"};
  Case c;
  char error[1024];
  if (!CHECK(parse(minimal, 2, overrides, &c, error))) return;
  const Rubble *all = c.groups[0].rubble, *few = c.groups[1].rubble;
  CHECK(c.groups[0].kind == GROUP_RUBBLE && all->stones == 30 && all->flatness == 2);
  check_vector(all->size, 3, 0.5, 2, 0);
  CHECK(all->jitter == 0.5 && all->relaxations == 3 && all->joint == 0.01);
  // what the file does not say
  CHECK(few->stones == 24 && few->flatness == 1.5 && few->jitter == 0.7);
  CHECK(few->relaxations == 0 && few->joint == 0);
  if (CHECK(scene_prepare(&c) == NULL)) {
    const char *text = case_summary_text(&c);
    CHECK(strstr(text, "\nbodies       54 (54 dynamic, 0 fixed)\n") != NULL);
    CHECK(strstr(text, "\nbounding box [0, -0.25, 0] to [3, 0.25, 4] m\n") != NULL);
  }
  case_destroy(&c);
}

static void test_stones(void)
{
  static const char *const overrides[] = {
      "seed=7",
      "bodies.0={stones: {shapes: [{random: {points: 20, ratios: [0.6, 1.6, 0.8], variety: 12}, "
      "share: 3}, {box: [1, 1, 2]}], sizes: {table: [[0.08, 0], [0.12, 0.4], [0.2, 1]], by: "
      "number, classes: 8}, lattice: {count: [6, 5, 10], spacing: [0.5, 0.6, 0.7], jitter: 0.5}, "
      "turn: none}, material: granite}",
      "bodies.1={stones: {shapes: [{random: {size: 0.1}}], inlet: {size: [0.6, 0.7], count: 300}}, "
      "birth: 0.5, material: granite}"};
  Case c;
  char error[1024];
  if (!CHECK(parse(minimal, 3, overrides, &c, error))) return;
  const BodyGroup *lattice = &c.groups[0], *inlet = &c.groups[1];
  const Stones *s = lattice->stones;
  CHECK(c.seed == 7 && lattice->kind == GROUP_STONES && s->kind_count == 2);
  CHECK(s->kinds[0].corners == 20 && s->kinds[0].variety == 12 && s->kinds[0].share == 3);
  check_vector(s->kinds[0].ratios, 2, 1, 0.75, 1e-15);
  CHECK(s->kinds[1].variety == 0 && s->kinds[1].share == 1);
  CHECK(s->kinds[1].shape.parts[0].points[7].z == 1);
  CHECK(s->row_count == 3 && s->rows[1].size == 0.12 && s->rows[1].share == 0.4);
  CHECK(s->by_number && s->classes == 8 && !s->turned && s->jitter == 0.5);
  CHECK(lattice->count[0] == 6 && lattice->count[1] == 5 && lattice->count[2] == 10);
  check_vector(lattice->spacing, 0.5, 0.6, 0.7, 0);

  // what the file does not say
  s = inlet->stones;
  CHECK(inlet->kind == GROUP_INLET && s->width[0] == 0.6 && s->width[1] == 0.7);
  CHECK(s->count == 300 && s->every == 0 && s->turned && s->row_count == 0);
  CHECK(s->kinds[0].corners == 16 && s->kinds[0].variety == 10 && s->kinds[0].size == 0.1);
  check_vector(s->kinds[0].ratios, 1, 1, 1, 0);
  case_destroy(&c);
}

// A fill is packed while the case is read, so that members of it have keys of their own.
static void test_fill(void)
{
  static const char *const overrides[] = {
      "bodies.0={stones: {shapes: [{random: {variety: 3}}, {sphere: {radius: 1}}], sizes: {table: "
      "[[0.2, 0], [0.3, 1]]}, fill: {cylinder: {radius: 0.5, height: 1.5}, fraction: 0.4}}, at: "
      "[3, 0, 0], material: granite, name: fill, where: [{number: [0, 1], fixed: true}, {box: "
      "[[2, -1, 1], [4, 1, 2]], leave: true}]}",
      "bodies.1={stones: {shapes: [{box: [0.3, 0.2, 0.1]}], fill: {box: [1, 2, 3], fraction: "
      "0.1}, turn: none}, material: granite, name: boxes}",
      "loads=[{on: boxes.3, force: [0, 0, 1]}]"};
  Case c;
  char error[1024];
  if (!CHECK(parse(minimal, 3, overrides, &c, error))) {
    puts(error);
    return;
  }
  if (CHECK(scene_prepare(&c) == NULL)) {
    const Fill *fill = c.groups[0].stones->fill;
    CHECK(c.groups[0].kind == GROUP_FILL && c.groups[0].stones->classes == 100);
    CHECK(fill->room.kind == ROOM_CYLINDER && fill->room.radius == 0.5 &&
          fill->room.height == 1.5 && fill->fraction == 0.4 && fill->count > 30);
    const BodyGroup *last = &c.groups[c.group_count - 1];
    const Fill *boxes = last->stones->fill;
    CHECK(boxes->room.kind == ROOM_BOX && boxes->room.size.y == 2 && !last->stones->turned);
    CHECK(boxes->count == 100 && last->stones->row_count == 0);
    // those above the height are left out, two of the largest are fixed
    int fixed = 0;
    for (uint64_t id = 0; id < c.body_count; id++) {
      const BodyRecipe body = scene_body(&c, id);
      fixed += body.drive == DRIVE_FIXED;
      if (body.origin.x > 2) CHECK(body.origin.z < 1);
    }
    CHECK(fixed > 0 && fixed <= 2);
    CHECK(c.body_count < (uint64_t)(fill->count + boxes->count) && c.body_count > 100);
    CHECK(strstr(case_summary_text(&c), "\nfill         100 stones are 0.1 of 6 m3\n") != NULL);
  }
  case_destroy(&c);
}

// Stones of two shapes, some of which appear later, some after the end.
static void test_summary_of_stones(void)
{
  static const char *const overrides[] = {
      "bodies.1={stones: {shapes: [{box: [0.3, 0.3, 0.3]}], inlet: {size: [0.6, 1.2], count: 11, "
      "every: 0.35}, turn: none}, at: [0, 0, 5], material: granite}",
      "bodies.0={stones: {shapes: [{box: [1, 2, 3]}, {box: [1, 2, 3]}], lattice: {count: [4, 1, "
      "1], "
      "spacing: [4, 4, 4]}, turn: none}, fixed: true, material: granite}"};
  Case c;
  char error[1024];
  if (!CHECK(parse(minimal, 2, overrides, &c, error))) return;
  if (CHECK(scene_prepare(&c) == NULL)) {
    const char *text = case_summary_text(&c);
    CHECK(strstr(text, "\nbodies       15 (11 dynamic, 4 fixed)\n") != NULL);
    CHECK(strstr(text, "\nshapes       3, bodies of 15 convex parts in all\n") != NULL);
    CHECK(strstr(text, "\nmass         801.9 kg dynamic, 64800 kg fixed\n") != NULL);
    CHECK(strstr(text, "\nbirths       9 bodies appear after the start, the last at t = 1.75 s; 5 "
                       "of them not before time.end\n") != NULL);
    CHECK(strstr(text, "\nbounding box [-0.5, -1, -1.5] to [12.5, 1, 5.") != NULL);
  }
  case_destroy(&c);
}

static void test_spheres(void)
{
  static const char *const overrides[] = {
      "bodies=[{box: [2, 2, 1], at: [0, 0, -0.5], material: granite, fixed: true}, {sphere: "
      "{radius: 0.25}, at: [0, 0, 5], material: granite}, {grid: {sphere: {radius: 0.5}, "
      "count: "
      "[2, 1, 3], spacing: [1, 1, 1.5]}, at: [4, 0, 0], material: granite}]"};
  Case c;
  char error[1024];
  if (!CHECK(parse(minimal, 1, overrides, &c, error))) return;
  CHECK(c.groups[1].kind == GROUP_BODY && c.groups[1].shape.radius == 0.25 &&
        c.groups[1].shape.part_count == 0 && c.groups[2].shape.radius == 0.5);
  CHECK(c.groups[0].shape.radius == 0);
  if (CHECK(scene_prepare(&c) == NULL)) {
    const char *text = case_summary_text(&c);
    CHECK(strstr(text, "\nshapes       3, bodies of 1 convex part and 7 spheres in all\n") != NULL);
    CHECK(strstr(text, "\nbounding box [-1, -1, -1] to [5.5, 1, 5.25] m\n") != NULL);
    char mass[64];
    snprintf(mass, sizeof mass, "\nmass         %.6g kg dynamic, 10800 kg fixed\n",
             2700 * 3.14159265358979 * 4 / 3 * (0.25 * 0.25 * 0.25 + 6 * 0.125));
    CHECK(strstr(text, mass) != NULL);
  }
  case_destroy(&c);
}

static void test_ellipsoids(void)
{
  static const char *const overrides[] = {
      "bodies=[{box: [2, 2, 1], at: [0, 0, -0.5], material: granite, fixed: true}, {ellipsoid: "
      "{radii: [3, 1, 2]}, at: [0, 0, 5], turn: {axis: [0, 0, 1], angle: 90}, material: granite}, "
      "{ellipsoid: {radii: [0.5, 0.5, 0.5]}, at: [9, 0, 0], material: granite}]"};
  Case c;
  char error[1024];
  if (!CHECK(parse(minimal, 1, overrides, &c, error))) return;
  const ShapeRecipe *shape = &c.groups[1].shape;
  CHECK(shape->radii.x == 3 && shape->radii.y == 1 && shape->radii.z == 2 && shape->radius == 0 &&
        shape->part_count == 0);
  // three equal radii make a sphere
  CHECK(c.groups[2].shape.radius == 0.5 && c.groups[2].shape.radii.x == 0);
  if (CHECK(scene_prepare(&c) == NULL)) {
    const char *text = case_summary_text(&c);
    CHECK(strstr(text, "\nshapes       3, bodies of 1 convex part, 1 sphere and 1 ellipsoid in "
                       "all\n") != NULL);
    CHECK(strstr(text, "\nbounding box [-1, -3, -1] to [9.5, 3, 7] m\n") != NULL);
    char mass[64];
    snprintf(mass, sizeof mass, "\nmass         %.6g kg dynamic, 10800 kg fixed\n",
             2700 * 3.14159265358979 * 4 / 3 * (6 + 0.125));
    CHECK(strstr(text, mass) != NULL);
  }
  case_destroy(&c);
}

// Points of hulls that are no corners are taken, and said.
static void test_spare_points(void)
{
  static const char *const overrides[] = {
      "bodies=[{grid: {hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1], [0.5, "
      "0, 0], [0.2, 0.2, 0]], count: [2, 2, 2], spacing: [2, 2, 2]}, material: granite}, {box: "
      "[1, 1, 1], at: [0, 0, 9], material: granite}]"};
  Case c;
  char error[1024];
  if (!CHECK(parse(minimal, 1, overrides, &c, error))) return;
  if (CHECK(scene_prepare(&c) == NULL)) {
    const char *text = case_summary_text(&c);
    CHECK(strstr(text, "\nhulls        3 of 15 points are no corners: inside, or flat\n") != NULL);
  }
  case_destroy(&c);
}

// The model of contacts, and what is left out.
static void test_summary_of_contacts(void)
{
  static const char *const overrides[] = {
      "contact={model: volumetric, sparsify: {min_area: 1e-3}}",
      "contacts=[{between: [granite, granite], contact: false}]"};
  for (int count = 0; count <= 2; count++) {
    Case c;
    char error[1024];
    if (!CHECK(parse(minimal, count, overrides, &c, error))) return;
    if (CHECK(scene_prepare(&c) == NULL)) {
      static const char *const lines[] = {
          "\ncontacts     model patch\n", "\ncontacts     model volumetric, sparsified\n",
          "\ncontacts     model volumetric, sparsified; 1 pair of materials without contact\n"};
      CHECK(strstr(case_summary_text(&c), lines[count]) != NULL);
    }
    case_destroy(&c);
  }
}

// When checkpoints are written.
static void test_summary_of_checkpoints(void)
{
  static const char *const lines[][2] = {
      {"output.checkpoint={}", "every 15 minutes of wall time, and at the end"},
      {"output.checkpoint={steps: 7}", "every 7 steps, or 15 minutes of wall time, and at the end"},
      {"output.checkpoint={steps: 1, minutes: 0}", "every 1 step, and at the end"},
      {"output.checkpoint={minutes: 1}", "every 1 minute of wall time, and at the end"},
      {"output.checkpoint={minutes: 0}", "at the end"}};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    Case c;
    char error[1024], line[128];
    if (!CHECK(parse(minimal, 1, lines[i], &c, error))) return;
    snprintf(line, sizeof line, "\ncheckpoints  %s", lines[i][1]);
    if (CHECK(scene_prepare(&c) == NULL)) {
      const char *text = case_summary_text(&c), *end = text + strlen(text) - strlen(line);
      CHECK(strcmp(end, line) == 0);
    }
    case_destroy(&c);
  }
}

static void test_summary(void)
{
  static const char *const overrides[] = {
      "bodies=[{box: [10, 10, 1], at: [2, 0, -0.5], material: granite, fixed: true}, {wall: "
      "{courses: 20, bricks: 10, brick: [0.4, 0.2, 0.2], joint: 0.002}, material: granite}, "
      "{grid: "
      "{box: [1, 1, 1], count: [3, 4, 5], spacing: [2, 2, -2]}, material: granite, at: [0, 50, "
      "0]}]"};
  Case c;
  char error[1024];
  if (!CHECK(parse(minimal, 1, overrides, &c, error))) return;
  if (CHECK(scene_prepare(&c) == NULL)) {
    const char *text = case_summary_text(&c);
    CHECK(strstr(text, "title        one block on a slope\n") == text);
    CHECK(strstr(text, "\nbodies       271 (270 dynamic, 1 fixed)\n") != NULL);
    CHECK(strstr(text, "\nshapes       4, bodies of 271 convex parts in all\n") != NULL);
    CHECK(strstr(text, "\nmaterials    1: granite 2700 kg/m3\n") != NULL);
    char mass[64];
    const double bricks = 190 * 0.398 + 20 * 0.198;   // m of length
    snprintf(mass, sizeof mass, "\nmass         %.6g kg dynamic, 270000 kg fixed\n",
             2700 * (bricks * 0.2 * 0.2 + 60));
    CHECK(strstr(text, mass) != NULL);
    CHECK(strstr(text, "\nbounding box [-3, -5, -8.5] to [7, 56.5, 4] m\n") != NULL);
    CHECK(strstr(text, "\nsteps        1000 of 0.001 s, to 1 s") != NULL);
    CHECK(strstr(text, "\nhulls ") == NULL);
  }
  case_destroy(&c);
}

int main(void)
{
  test_loads();
  test_minimal();
  test_every_key();
  test_excluded_pair();
  test_stiffness();
  test_volumetric();
  test_overrides();
  test_override_messages();
  test_messages();
  test_limits();
  test_long_lists();
  test_shapes();
  test_containers();
  test_rubble();
  test_stones();
  test_fill();
  test_spheres();
  test_ellipsoids();
  test_spare_points();
  test_summary();
  test_summary_of_contacts();
  test_summary_of_stones();
  test_summary_of_checkpoints();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
