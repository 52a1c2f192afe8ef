// The non-smooth scheme: velocities without contact, impulses, velocities with contact.
#include "bond_law.h"
#include "contact_status.h"
#include "impact.h"
#include "joint_points.h"
#include "scheme.h"
#include "solver.h"
#include "step_check.h"

#define IMPACT_STEPS \
  5.0   // restitution below the speed that gravity gives in this many steps is nil

// Velocities at the end of the step.
static void apply_impulses(World *world, const Problem *problem, const MotionForces *acting,
                           const Twist *free)
{
  Bodies *b = &world->bodies;
  if (acting->deforming) {
    unsigned char *touched =
        arena_allocate_zero(&world->scratch, (size_t)b->table.owned + 1, sizeof *touched);
    for (int i = 0; i < b->table.owned; i++)
      touched[i] = problem->body_start[i] < problem->body_start[i + 1];
    motion_spread(b, acting, problem_now(problem), touched);
  }
  for (int i = 0; i < b->table.owned; i++) {
    if (b->drive[i] != DRIVE_DYNAMIC) continue;
    motion_take_loads(b, i, acting);
    problem_take_impulses(problem, b, i);
    const bool touched = problem->body_start[i] < problem->body_start[i + 1];
    motion_end_velocity(b, i, acting, problem->twist[i], touched ? NULL : &free[i]);
  }
}

// Velocities of all rows, by what their nodes have: those at the start of the step, or without
// contact.
static Velocities velocities_of(World *world, const Step *step, const Twist *twist, bool start)
{
  const Deforming *deforming = step->acting.deforming;
  if (!deforming) return velocities_of_rigid(twist);
  const size_t rows = (size_t)world->bodies.table.count + 1;
  mat3 *stretch = arena_allocate(&world->scratch, rows * sizeof *stretch);
  const vec3 *nodes = start ? deforming->start : deforming->end;
  motion_gather(&world->bodies, &step->acting, nodes, twist, stretch);
  return (Velocities){twist, stretch, world->bodies.nodes ? nodes : NULL};
}

static ProblemInput problem_input(World *world, const Step *step, Velocities free)
{
  const Case *c = world->c;
  const double gravity = vec3_norm(step->acting.acceleration), h = world_interval(world);
  return (ProblemInput){
      .bodies = &world->bodies,
      .mid = step->mid,
      .contacts = &world->contacts,
      .joints = world_joints(world),
      .ghost_ranks = step->halo.ghost_ranks,
      .start = velocities_of(world, step, step->start, true),
      .free = free,
      .first_node = world->bodies.nodes ? step->acting.deforming->first : NULL,
      .places = world->bodies.nodes ? &step->places : NULL,
      .laws = law_in_time_at(&c->surfaces, c->law_changes, c->law_change_count,
                             world_time(world, 0.5), &world->scratch),
      .shapes = &world->shapes,
      .slop = c->correction.slop,
      .step = h,
      .gravity_speed = gravity * h,
      .stops = stops_over(c->solver.stops, c->solver.solve.tolerance),
      .impact_speed =
          c->solver.impact_speed >= 0 ? c->solver.impact_speed : IMPACT_STEPS * gravity * h,
  };
}

static void solve(World *world, Step *step)
{
  const Case *c = world->c;
  Arena *scratch = &world->scratch;

  // velocities without contact, and the points where they are not allowed
  timers_stage(&world->timers, "set-up");
  motion_free_velocities(&world->bodies, &step->acting, step->start, step->free);
  const Velocities free = velocities_of(world, step, step->free, false);
  const ProblemInput input = problem_input(world, step, free);
  step->before = input.start;
  step->problem = problem_new(&input, c->contact.keep_pairs ? &world->graph : NULL, scratch);
  Problem *problem = &step->problem;
  step_check_problem(world, problem, "before the solution");
  if (world->hook.call) world->hook.call(world->hook.context, problem, free);

  // impulses, which make no energy
  timers_stage(&world->timers, "solver");
  step->solved = solver_solve(problem, free, c->solver.solve, &world->solver, scratch);
  const ImpactInput rebound = {input.start, free, input.laws, c->solver.solve};
  world->record.impacts = impact_bound(problem, &rebound, &world->solver, &step->solved, scratch);
  solver_store(problem, &world->contacts);

  // what yields to them, and the velocities with contact
  step->bonds = step->detected.bonds;
  const double residual = step->solved.residual_max;
  bond_law_break(problem, &world->contacts, residual, &step->bonds);
  joint_points_end(problem, &world->joints, residual, &step->joints);
  apply_impulses(world, problem, &step->acting, step->free);
  if (!world->shows) return;
  contact_status_fill(&world->contacts, problem, c->step);
  contact_status_fill_nodes(&world->bodies, problem);
}

const Scheme SCHEME_NONSMOOTH = {.name = "non-smooth", .solve = solve};
