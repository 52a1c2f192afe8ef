// Counts points that do not give, and asks limit analysis for ranges of thrusts.
#include "forces.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "checkpoint.h"
#include "distribute.h"
#include "kind.h"
#include "log.h"
#include "memory.h"
#include "parallel.h"
#include "scene.h"
#include "statics.h"

#define MOST_POINTS 20000   // of ranges: about two seconds each
#define TOLERANCE 1e-6      // of their bounds, in mean weights of a body

// ------------------------------------------------------------------------------------------------
// Points

// Whether a point of two bodies gives along its normal and, where friction holds it, along the
// joint (elastic_points.c).
static bool gives(const SurfaceLaw *law, double area)
{
  const bool slides = law->friction == 0 && !law->bonded;
  return area > 0 && law->normal_stiffness > 0 && (law->shear_stiffness > 0 || slides);
}

Forces forces_of_step(World *world)
{
  const Case *c = world->c;
  // forces of barriers follow from gaps, and no step of the other law is in balance with them
  if (c->barrier.given) return (Forces){.kind = FORCES_UNKNOWN};
  const Contacts *contacts = &world->contacts;
  int64_t counts[3] = {0, 0, 0};   // points that touch, those without springs, equations
  for (int i = 0; i < contacts->table.owned; i++) {
    const BodyRecipe low = scene_body(c, contacts->bodies[i].low),
                     high = scene_body(c, contacts->bodies[i].high);
    const double extent = fmin(shape_set_get(&world->shapes, low.shape)->extent,
                               shape_set_get(&world->shapes, high.shape)->extent);
    const vec3 r = contacts->reaction[i];
    const bool carries = r.x != 0 || r.y != 0 || r.z != 0;
    if (!carries && !(contacts->gap[i] <= c->correction.slop * extent)) continue;
    const SurfaceLaw *law =
        surface_laws_between(&c->surfaces, (LawSide){contacts->bodies[i].low, low.material},
                             (LawSide){contacts->bodies[i].high, high.material});
    counts[0]++;
    counts[1] += !gives(law, contacts->area[i]);
  }
  for (int i = 0; i < world->bodies.table.owned; i++) {
    if (world->bodies.drive[i] != DRIVE_DYNAMIC) continue;
    const int nodes = kind_nodes(&world->bodies, i);
    counts[2] += nodes > 0 ? 3 * nodes : 6;
  }
  par_sum_many(counts, 3);
  Forces forces = {.closed = counts[0], .rigid = counts[1]};
  // what sticks has three impulses, what slides one
  const StepRecord *record = &world->record;
  const int64_t impulses = 3 * record->sticking + record->sliding;
  if (forces.closed == 0 && record->volumes == 0) forces.kind = FORCES_UNKNOWN;
  else if (forces.rigid == 0 && c->joint_row_count == 0) forces.kind = FORCES_UNIQUE;
  else if (impulses > counts[2]) forces.kind = FORCES_MANY;
  else forces.kind = FORCES_OPEN;
  return forces;
}

// ------------------------------------------------------------------------------------------------
// Thrusts

// The step that would follow, whose problem has the impulses of the last one.
typedef struct {
  World world;
  Case sparing;   // that is not to be solved
  Forces *forces;
  bool met;
  Arena arena;
} Look;

static void find_range(StaticsScene *scene, ForcesThrust *thrust, Arena *arena)
{
  LimitProblem limit = scene->limit;
  const LimitResult most = limit_solve(&limit, TOLERANCE, arena);
  vec3 *turned = arena_allocate(arena, ((size_t)limit.point_count + 1) * sizeof *turned);
  for (int i = 0; i < limit.point_count; i++) turned[i] = vec3_neg(limit.wanted[i]);
  limit.wanted = turned;
  const LimitResult least = limit_solve(&limit, TOLERANCE, arena);
  thrust->least_is = least.status;
  thrust->most_is = most.status;
  if (least.status == LIMIT_FOUND) {
    thrust->least = -least.low;
    thrust->balance = least.balance;
  }
  if (most.status == LIMIT_FOUND) {
    thrust->most = most.low;
    thrust->balance = fmax(thrust->balance, most.balance);
  }
}

static void add_thrust(Look *look, const Problem *problem, vec3 way)
{
  const StaticsQuestion question = {.kind = STATICS_THRUST, .way = way, .load = -1};
  Forces *forces = look->forces;
  StaticsScene scene;
  statics_gather(&look->world, problem, &question, &look->arena, &scene);
  if (scene.thrusting == 0) return;   // no supports on two sides
  ForcesThrust *thrust = &forces->thrusts[forces->thrust_count++];
  *thrust = (ForcesThrust){
      .way = way, .now = scene.now, .least_is = LIMIT_STALLED, .most_is = LIMIT_STALLED};
  if (forces->kind == FORCES_UNIQUE) {
    thrust->least_is = thrust->most_is = LIMIT_FOUND;
    thrust->least = thrust->most = thrust->now;
    return;
  }
  if (*scene.refusal) snprintf(forces->untold, FORCES_REASON, "%s", scene.refusal);
  else if (par_rank() == 0) find_range(&scene, thrust, &look->arena);
  par_broadcast(thrust, sizeof *thrust, 0);
}

static void meet_problem(void *context, Problem *problem, Velocities free)
{
  (void)free;
  Look *look = context;
  if (look->met) return;
  look->met = true;
  const vec3 gravity = world_gravity(&look->world);
  const vec3 size = {fabs(gravity.x), fabs(gravity.y), fabs(gravity.z)};
  const double most = fmax(size.x, fmax(size.y, size.z));
  if (!(most > 0)) return;
  // the axis nearest to gravity is left out
  const int down = size.z == most ? 2 : size.y == most ? 1 : 0;
  const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; k++)
    if (k != down) add_thrust(look, problem, axes[k]);
}

// A world at the step of another one, which steps once more.
static bool look_on(const World *world, const char *folder, Look *look)
{
  World *w = &look->world;
  world_begin(w, world->whole);
  State state = world_state(w);
  if (!checkpoint_read_step(folder, world->step, world->whole, &state)) return false;
  world_restore(w, &state);
  look->sparing = *w->c;
  look->sparing.solver.solve.method = w->c->deforms ? SOLVER_ADMM : SOLVER_GAUSS_SEIDEL;
  look->sparing.solver.solve.max_sweeps = 1;
  look->sparing.solver.unsolved = UNSOLVED_KEEP;
  look->sparing.contact.stop_on_large_steps = false;
  w->c = &look->sparing;
  distribute_start(w);
  w->hook = (ProblemHook){meet_problem, look};
  // what it was for has been seen by then
  return world_step(w) == EXIT_DONE || look->met;
}

bool forces_add_thrusts(const World *world, const char *folder, Forces *forces)
{
  assert(forces->thrust_count == 0 && "thrusts are added once");
  if (forces->closed == 0) return true;
  if (!folder || forces->closed > MOST_POINTS) {
    if (folder)
      snprintf(forces->untold, FORCES_REASON,
               "there are %lld points, and ranges are looked for up to %d: ask drystone statics",
               (long long)forces->closed, MOST_POINTS);
    else snprintf(forces->untold, FORCES_REASON, "the run keeps no checkpoint");
    return true;
  }
  Look *look = memory_allocate_zero(1, sizeof *look);
  look->forces = forces;
  look->arena = arena_new();
  const bool read = look_on(world, folder, look);
  world_end(&look->world);
  arena_destroy(&look->arena);
  memory_free(look);
  return read;
}
