// Stages in case files: what each has in place of the keys of the case, and from when its functions
// of time count. Refusals are in the corpus.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "case_reader.h"
#include "ground.h"
#include "harness.h"
#include "memory.h"
#include "scene.h"

static const char text[] =
    "gravity: [0, 0, -9.81]\n"
    "time: {step: 1e-3, end: 9}\n"
    "materials: {stone: {density: 2000}, wood: {density: 600}}\n"
    "contacts:\n"
    "  - {between: [stone, stone], friction: 0.6}\n"
    "  - {between: [stone, wood], friction: 0.5, restitution: 0.1}\n"
    "  - {between: [wood, wood], friction: 0.4}\n"
    "bodies:\n"
    "  - {box: [1, 1, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}\n"
    "  - {box: [1, 1, 1], at: [0, 0, 0.5], material: stone, name: block}\n"
    "  - {box: [1, 1, 1], at: [3, 0, 0.5], material: wood, motion: {velocity: [1, 0, 0]}, name: "
    "cart}\n"
    "loads: [{on: block, force: {table: [[0, 0, 0, 0], [4, 8, 0, 0]]}}]\n"
    "damping: {mass: 1}\n"
    "servos: [{on: block, axis: y, force: 7, speed: 1},\n"
    "  {on: block, axis: -z, pressure: 1000, area: 3, speed: 1}]\n"
    "output: {frames: {every: 0.5}}\n"
    "partition: {every: 7, balance: false}\n"
    "stages:\n"
    "  - {name: settle, damping: 0.7, until: {unbalanced: 1e-4, time: 5}}\n"
    "  - {name: push, loads: [{on: block, force: {table: [[0, 0, 0, 0], [2, 8, 0, 0]]}}],\n"
    "     until: {time: 2}, contacts: [{between: [wood, stone], friction: 0.3}], time: {step: "
    "5e-4},\n"
    "     output: {frames: {every: 0.1}}}\n"
    "  - {name: tilt, tilt: {axis: [0, 1, 0], rate: 90}, gravity: [0, 0, -5],\n"
    "     motions: [{on: floor, motion: {spin: [0, 0, 1]}}, {on: cart, fixed: true}],\n"
    "     servos: [{on: block, axis: -z, pressure: {table: [[0, 0], [2, 200]]}},\n"
    "       {on: block, axis: y, pressure: 2}]}\n";

static bool read_text(const char *words, Case *c)
{
  char error[1024] = "";
  const bool sound = case_parse((CaseFile){"a.yaml", words, strlen(words)}, &(CaseOptions){0}, c,
                                (ErrorText){error, sizeof error});
  if (!CHECK(sound)) printf("  %s\n", error);
  return sound;
}

static double force_at(const Case *stage, double time)
{
  return time_vector_at(&stage->loads[0].force, time).x;
}

static void test_stages(void)
{
  Case c;
  if (!read_text(text, &c)) return;
  CHECK(scene_prepare(&c) == NULL);
  CHECK(c.stage_count == 3 && strcmp(c.stages[1].stage_name, "push") == 0);
  const Case *settle = scene_stage(&c, 0), *push = scene_stage(&c, 1), *tilt = scene_stage(&c, 2);

  // what a stage does not give is that of the case, and not that of the stage before
  CHECK(settle->damping.local == 0.7 && settle->damping.mass == 0);
  CHECK(push->damping.local == 0 && push->damping.mass == 1 && tilt->damping.mass == 1);
  CHECK(settle->step == 1e-3 && push->step == 5e-4 && tilt->step == 1e-3);
  CHECK(settle->output.frame_every == 0.5 && push->output.frame_every == 0.1);
  CHECK(push->partition.every == 7 && !push->partition.balance && tilt->partition.every == 7);
  CHECK(settle->until.time == 5 && settle->until.unbalanced == 1e-4 && settle->until.every == 10);
  CHECK(push->until.time == 2 && !tilt->until.given && tilt->end == 9);
  CHECK(settle->body_count == 3 && push->shape_count == c.shape_count && push->arena == c.arena);

  // contacts: the keys that are given, of the pairs that are given
  const SurfaceLaw *law = &push->surfaces.laws[surface_laws_index(0, 1)];
  CHECK(law->friction == 0.3 && law->restitution == 0.1);
  CHECK(push->surfaces.laws[surface_laws_index(0, 0)].friction == 0.6);
  CHECK(tilt->surfaces.laws[surface_laws_index(0, 1)].friction == 0.5);

  // servos: the force alone, with the area of the case where both have a pressure
  const Servo *sideways = &tilt->servos[0], *down = &tilt->servos[1];
  CHECK(push->servos[0].area == 1 && push->servos[1].area == 3 && push->servo_count == 2);
  CHECK(sideways->area == 1 && sideways->is_pressure && !push->servos[0].is_pressure);
  CHECK(down->area == 3 && down->axis == 2 && down->sign == -1 && down->speed == 1);
  CHECK(down->id == 1 && sideways->id == 1 && tilt->joint_rules == c.joint_rules);

  // functions of time of a stage count from its start, those of the case from that of the run
  *push->origin = 5;
  *tilt->origin = 5;
  CHECK(force_at(&c, 2) == 4 && force_at(settle, 2) == 4 && force_at(tilt, 2) == 4);
  CHECK(force_at(push, 5) == 0 && force_at(push, 6) == 4 && force_at(push, 7) == 8);
  CHECK(time_vector_at(&push->servos[1].force, 6).x == 1000);
  CHECK(time_vector_at(&down->force, 6).x == 100 && time_vector_at(&sideways->force, 6).x == 2);
  const vec3 turned = ground_gravity(tilt, 6);
  CHECK(ground_gravity(tilt, 5).z == -5 && ground_gravity(settle, 6).z == -9.81);
  CHECK(fabs(turned.x - 5) < 1e-15 && fabs(turned.z) < 1e-15);

  // how bodies are driven
  CHECK(scene_body(&c, 0).drive == DRIVE_FIXED && scene_body(push, 2).drive == DRIVE_PRESCRIBED);
  CHECK(scene_body(tilt, 0).drive == DRIVE_PRESCRIBED && scene_body(tilt, 2).drive == DRIVE_FIXED);
  CHECK(scene_body(tilt, 1).drive == DRIVE_DYNAMIC && tilt->motion_count == 1);
  case_destroy(&c);
}

// Laws that change in time: of a pair that a stage names, what the stage gives counts from its
// start, and the rest from that of the run.
static void test_laws_in_time(void)
{
  static const char laws[] =
      "gravity: [0, 0, -9.81]\n"
      "time: {step: 1e-3, end: 9}\n"
      "materials: {stone: {density: 2000}, wood: {density: 600}}\n"
      "contacts:\n"
      "  - {between: [stone, stone], friction: {table: [[0, 0], [8, 0.8]]},\n"
      "     reduction: {table: [[0, 1], [8, 9]]}}\n"
      "  - {between: [stone, wood], friction: {table: [[0, 0], [8, 0.8]]}, restitution: 0.1,\n"
      "     bond: {cohesion: {table: [[0, 1e5], [8, 9e5]]}, tensile_strength: 1e4}}\n"
      "bodies:\n"
      "  - {box: [1, 1, 1], at: [0, 0, -0.5], material: stone, fixed: true}\n"
      "  - {box: [1, 1, 1], at: [0, 0, 0.5], material: stone}\n"
      "  - {box: [1, 1, 1], at: [0, 0, 1.5], material: wood}\n"
      "stages:\n"
      "  - {name: a, until: {time: 4}}\n"
      "  - {name: b, contacts: [{between: [wood, stone], friction: {table: [[0, 0], [1, 1]]}},\n"
      "     {between: [stone, stone], restitution: 0.2}]}\n";
  Case c;
  if (!read_text(laws, &c)) return;
  Case *b = &c.stages[1];
  *b->origin = 4;
  Arena arena = arena_new();
  const SurfaceLaws *now =
      law_in_time_at(&b->surfaces, b->law_changes, b->law_change_count, 4.5, &arena);
  const SurfaceLaw *stones = surface_laws_find(now, 0, 0), *other = surface_laws_find(now, 0, 1);
  CHECK_NEAR(stones->friction, 0.45 / 5.5, 1e-15);
  CHECK(stones->restitution == 0.2);
  CHECK_NEAR(other->friction, 0.5, 1e-15);
  CHECK_NEAR(other->cohesion, 5.5e5, 1e-9);
  CHECK(other->tensile_strength == 1e4 && other->restitution == 0.1);
  arena_destroy(&arena);
  case_destroy(&c);
}

int main(void)
{
  test_stages();
  test_laws_in_time();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
