// The door of schemes: a step hands its contacts to the scheme of the world and goes on with the
// velocities that it gives.
#include "scheme.h"

#include <string.h>

#include "case_reader.h"
#include "harness.h"
#include "memory.h"
#include "parallel.h"
#include "scene.h"

#define STEPS 40

// a small pile on a floor
static const char case_text[] =
    "units: SI\n"
    "gravity: [0.5, 0, -9.81]\n"
    "time: {step: 2e-3, end: 1}\n"
    "materials: {stone: {density: 2400}}\n"
    "contacts: [{between: [stone, stone], friction: 0.4}]\n"
    "solver: {correction: 0}\n"
    "bodies:\n"
    "  - {box: [9, 9, 1], at: [0, 0, -0.5], material: stone, fixed: true}\n"
    "  - {grid: {box: [0.2, 0.2, 0.2], count: [3, 3, 3], spacing: [0.21, 0.2, 0.201]},"
    " at: [0, 0, 0.1], material: stone}\n";

static int calls, points;

// the non-smooth one, looked at
static void solve_watched(World *world, Step *step)
{
  CHECK(step->detected.pairs >= 0 && step->problem.point_count == 0);
  SCHEME_NONSMOOTH.solve(world, step);
  calls++;
  points += step->problem.owned_points;
}

// a scheme without forces of contact: bodies fall through each other
static void solve_freely(World *world, Step *step)
{
  SCHEME_NONSMOOTH.solve(world, step);
  Bodies *b = &world->bodies;
  for (int i = 0; i < b->table.owned; i++) {
    if (b->drive[i] != DRIVE_DYNAMIC) continue;
    b->velocity[i] = step->free[i].v;
    b->spin[i] = step->free[i].w;
  }
}

static const Scheme WATCHED = {.name = "watched", .solve = solve_watched},
                    FREE = {.name = "free", .solve = solve_freely};

// Steps with a scheme (NULL: the usual one); *lowest is the centre of the lowest dynamic body, m.
static Hash128 make_steps(const Case *c, const Scheme *scheme, double *lowest)
{
  World world;
  world_begin(&world, c);
  if (scheme) world.scheme = scheme;
  distribute_start(&world);
  for (int i = 0; i < STEPS; i++) CHECK(world_step(&world) == EXIT_DONE);
  *lowest = 1e9;
  for (int i = 0; i < world.bodies.table.owned; i++)
    if (world.bodies.drive[i] == DRIVE_DYNAMIC) *lowest = fmin(*lowest, world.bodies.position[i].z);
  *lowest = par_min(*lowest);
  const Hash128 hash = world_hash(&world);
  world_end(&world);
  return hash;
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  const int64_t live = memory_live_bytes();
  char error[512] = "";
  Case c;
  CHECK(case_parse((CaseFile){"pile", case_text, strlen(case_text)}, NULL, &c,
                   (ErrorText){error, sizeof error}));
  CHECK(scene_prepare(&c) == NULL);
  double rest, watched, fallen;
  const Hash128 usual = make_steps(&c, NULL, &rest), looked_at = make_steps(&c, &WATCHED, &watched);
  CHECK(usual.low == looked_at.low && usual.high == looked_at.high && rest == watched);
  CHECK(calls == STEPS && par_sum(points) > 0);

  // the floor holds the pile up, unless the scheme does not
  const double fall = 0.5 * 9.81 * (STEPS * c.step) * (STEPS * c.step);
  const Hash128 free_fall = make_steps(&c, &FREE, &fallen);
  CHECK(free_fall.low != usual.low);
  CHECK(rest > 0.1 - 1e-3);
  CHECK_NEAR(fallen, 0.1 - fall, 0.1 * fall);
  case_destroy(&c);
  CHECK(memory_live_bytes() == live);
  const int code = test_report_parallel();
  par_end();
  return code;
}
