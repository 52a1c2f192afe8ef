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
    "output: {frames: {every: 0.5}}\n"
    "stages:\n"
    "  - {name: settle, damping: 0.7, until: {unbalanced: 1e-4, time: 5}}\n"
    "  - {name: push, loads: [{on: block, force: {table: [[0, 0, 0, 0], [2, 8, 0, 0]]}}],\n"
    "     until: {time: 2}, contacts: [{between: [wood, stone], friction: 0.3}], time: {step: "
    "5e-4},\n"
    "     output: {frames: {every: 0.1}}}\n"
    "  - {name: tilt, tilt: {axis: [0, 1, 0], rate: 90}, gravity: [0, 0, -5],\n"
    "     motions: [{on: floor, motion: {spin: [0, 0, 1]}}, {on: cart, fixed: true}]}\n";

static bool read(Case *c)
{
  char error[1024] = "";
  const bool sound = case_parse((CaseFile){"a.yaml", text, strlen(text)}, &(CaseOptions){0}, c,
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
  if (!read(&c)) return;
  CHECK(scene_prepare(&c) == NULL);
  CHECK(c.stage_count == 3 && strcmp(c.stages[1].stage_name, "push") == 0);
  const Case *settle = scene_stage(&c, 0), *push = scene_stage(&c, 1), *tilt = scene_stage(&c, 2);

  // what a stage does not give is that of the case, and not that of the stage before
  CHECK(settle->damping.local == 0.7 && settle->damping.mass == 0);
  CHECK(push->damping.local == 0 && push->damping.mass == 1 && tilt->damping.mass == 1);
  CHECK(settle->step == 1e-3 && push->step == 5e-4 && tilt->step == 1e-3);
  CHECK(settle->output.frame_every == 0.5 && push->output.frame_every == 0.1);
  CHECK(settle->until.time == 5 && settle->until.unbalanced == 1e-4 && settle->until.every == 10);
  CHECK(push->until.time == 2 && !tilt->until.given && tilt->end == 9);
  CHECK(settle->body_count == 3 && push->shape_count == c.shape_count && push->arena == c.arena);

  // contacts: the keys that are given, of the pairs that are given
  const SurfaceLaw *law = &push->surfaces.laws[surface_laws_index(0, 1)];
  CHECK(law->friction == 0.3 && law->restitution == 0.1);
  CHECK(push->surfaces.laws[surface_laws_index(0, 0)].friction == 0.6);
  CHECK(tilt->surfaces.laws[surface_laws_index(0, 1)].friction == 0.5);

  // functions of time of a stage count from its start, those of the case from that of the run
  *push->origin = 5;
  *tilt->origin = 5;
  CHECK(force_at(&c, 2) == 4 && force_at(settle, 2) == 4 && force_at(tilt, 2) == 4);
  CHECK(force_at(push, 5) == 0 && force_at(push, 6) == 4 && force_at(push, 7) == 8);
  const vec3 turned = ground_gravity(tilt, 6);
  CHECK(ground_gravity(tilt, 5).z == -5 && ground_gravity(settle, 6).z == -9.81);
  CHECK(fabs(turned.x - 5) < 1e-15 && fabs(turned.z) < 1e-15);

  // how bodies are driven
  CHECK(scene_body(&c, 0).drive == DRIVE_FIXED && scene_body(push, 2).drive == DRIVE_PRESCRIBED);
  CHECK(scene_body(tilt, 0).drive == DRIVE_PRESCRIBED && scene_body(tilt, 2).drive == DRIVE_FIXED);
  CHECK(scene_body(tilt, 1).drive == DRIVE_DYNAMIC && tilt->motion_count == 1);
  case_destroy(&c);
}

int main(void)
{
  test_stages();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
