#include "bond_law.h"
#include "correction.h"
#include "detect.h"
#include "distribute.h"
#include "loads.h"
#include "parallel.h"
#include "population.h"
#include "prescribed.h"
#include "record.h"
#include "residual.h"
#include "scene.h"
#include "solver.h"
#include "stage_hash.h"
#include "work.h"
#include "world.h"

#define IMPACT_STEPS \
  5.0   // restitution below the speed that gravity gives in this many steps is nil

// u_free = u(n) + h M^-1 f at the middle of the step; torque-free rotation conserves angular
// momentum. Prescribed rows have theirs.
static void free_velocities(World *world, const MidState *mid, vec3 gravity, const LoadSum *loads,
                            Twist *start, Twist *free)
{
  const Bodies *b = &world->bodies;
  const double h = world->c->step;
  for (int i = 0; i < b->table.count; i++) {
    if (b->kind[i] == BODY_PRESCRIBED) continue;
    start[i] = (Twist){b->velocity[i], b->spin[i]};
    if (b->kind[i] == BODY_FIXED) {
      start[i] = free[i] = (Twist){{0, 0, 0}, {0, 0, 0}};
      continue;
    }
    const mat3 inertia = motion_inertia(b, i, &world->shapes, world->densities);
    free[i].v = vec3_axpy(h, gravity, b->velocity[i]);
    vec3 momentum = b->angular[i];
    if (loads) {
      free[i].v = vec3_axpy(h / b->mass[i], loads[i].force, free[i].v);
      momentum = vec3_axpy(h, loads[i].torque, momentum);
    }
    free[i].w = motion_spin_of_momentum(mid[i].rotation, inertia, momentum, 0.5 * h, b->spin[i]);
  }
}

// Velocities at the end of the step. Angular momentum is state of its own, changed by torques
// alone, so that it is conserved to rounding however long a body tumbles; spins follow from it.
static void apply_impulses(World *world, const Problem *problem, const MidState *mid,
                           const LoadSum *loads, const Twist *free)
{
  Bodies *b = &world->bodies;
  for (int i = 0; i < b->table.owned; i++) {
    if (b->kind[i] != BODY_DYNAMIC) continue;
    b->velocity[i] = problem->twist[i].v;
    vec3 momentum = b->angular[i];
    if (loads) momentum = vec3_axpy(world->c->step, loads[i].torque, momentum);
    for (int k = problem->body_start[i]; k < problem->body_start[i + 1]; k++) {
      const PairSide side = problem_side(problem, problem->body_pairs[k]);
      for (int j = side.first; j < side.end; j++) {
        const PointLever *lever = &problem->levers[j];
        const vec3 impulse = mat3_mul_transposed(lever_frame(lever), problem->r[j]);
        const vec3 arm = vec3_add(lever->low_arm, side.shift);
        momentum = vec3_axpy(side.sign, vec3_cross(arm, impulse), momentum);
      }
    }
    b->angular[i] = momentum;
    const mat3 inertia = motion_inertia(b, i, &world->shapes, world->densities);
    b->spin[i] = problem->body_start[i] == problem->body_start[i + 1]
                     ? free[i].w
                     : motion_spin_of_momentum(mid[i].rotation, inertia, momentum,
                                               0.5 * world->c->step, problem->twist[i].w);
  }
}

static void shift_bodies(World *world, const Twist *shift)
{
  Bodies *b = &world->bodies;
  for (int i = 0; i < b->table.owned; i++) {
    if (b->kind[i] != BODY_DYNAMIC) continue;
    b->position[i] = vec3_add(b->position[i], shift[i].v);
    b->orientation[i] = motion_rotate(b->orientation[i], shift[i].w, 1);
  }
}

static ProblemInput problem_input(World *world, const Halo *halo, const MidState *mid,
                                  const Twist *start, const Twist *free, vec3 gravity)
{
  const Case *c = world->c;
  return (ProblemInput){
      .bodies = &world->bodies,
      .mid = mid,
      .contacts = &world->contacts,
      .ghost_ranks = halo->ghost_ranks,
      .start = start,
      .free = free,
      .laws = {c->material_count, world->friction, world->restitution, world->cohesion,
               world->tensile_strength},
      .shapes = &world->shapes,
      .slop = c->slop,
      .step = c->step,
      .impact_speed =
          c->impact_speed >= 0 ? c->impact_speed : IMPACT_STEPS * vec3_norm(gravity) * c->step,
  };
}

// What loads and prescribed motions change of all rows in the step, or NULL. Rows are at its
// middle.
static const DetectChange *changes_of_step(World *world, const LoadSum *loads, const Twist *end)
{
  const Case *c = world->c;
  const Bodies *b = &world->bodies;
  if (!loads && c->motion_count == 0) return NULL;
  DetectChange *changes =
      arena_allocate_zero(&world->scratch, (size_t)b->table.count + 1, sizeof *changes);
  for (int i = 0; i < b->table.count; i++) {
    if (b->kind[i] == BODY_PRESCRIBED)
      changes[i] =
          (DetectChange){vec3_sub(end[i].v, b->velocity[i]), vec3_sub(end[i].w, b->spin[i]), 0};
    else if (b->kind[i] == BODY_DYNAMIC && loads) changes[i] = loads_change(world, loads[i], i);
  }
  return changes;
}

// 1 for every row whose body appears in this step, ghosts included
static const unsigned char *find_newborn(World *world)
{
  const Bodies *b = &world->bodies;
  unsigned char *newborn = arena_allocate_zero(&world->scratch, (size_t)b->table.count + 1, 1);
  for (int i = 0; i < b->table.count; i++)
    newborn[i] = scene_birth(world->c, b->id[i]) == world->step;
  return newborn;
}

// the contacts of this step replace those of the last one
static DetectReport find_contacts(World *world, const Halo *halo, const Box *boxes,
                                  const MidState *mid, const DetectChange *changes, bool births)
{
  const Case *c = world->c;
  const DetectInput input = {.bodies = &world->bodies,
                             .mid = mid,
                             .shapes = &world->shapes,
                             .patch = world_patch_parameters(world),
                             .motion = {c->step, world_gravity(world), changes},
                             .model = (ContactModel)c->contact_model,
                             .sparsify = {.threshold = c->sparsify_threshold,
                                          .min_area = c->sparsify_min_area,
                                          .min_distance = c->sparsify_min_distance},
                             .material_count = c->material_count,
                             .excluded = world->excluded,
                             .bonded = world->bonded,
                             .newborn = world->bonded && births ? find_newborn(world) : NULL,
                             .candidates = c->keep_pairs ? &world->candidates : NULL,
                             .hash_pairs = world->hash_stages};
  const DetectReport report =
      detect_contacts(&input, boxes, &world->contacts, &world->contacts, &world->scratch);
  distribute_contacts(&world->contacts, &world->bodies, halo, &world->scratch);
  return report;
}

static void count_rank(World *world, const Halo *halo, const Problem *problem, int64_t work)
{
  uint64_t *of = world->rank.of;
  of[RANK_COUNT_bodies] = (uint64_t)world->bodies.table.owned;
  of[RANK_COUNT_ghosts] = (uint64_t)halo->ghost_count;
  of[RANK_COUNT_neighbours] = (uint64_t)halo->plan.neighbour_count;
  of[RANK_COUNT_contacts] = (uint64_t)world->contacts.table.owned;
  of[RANK_COUNT_points] = (uint64_t)problem->point_count;
  of[RANK_COUNT_colours] = (uint64_t)problem->colour_count;
  of[RANK_COUNT_work] += (uint64_t)work;
  rank_counts_traffic(&world->rank);
}

int world_step(World *world)
{
  const Case *c = world->c;
  Arena *scratch = &world->scratch;
  Timers *timers = &world->timers;
  const double h = c->step;

  // bodies that appear now
  timers_stage(timers, "partition");
  const bool births = world->step == 0 || world->step >= world->next_birth;
  population_insert_due(world);

  // who owns what
  world->record.moved_bodies = 0;
  world->balance.last = SHARING_NONE;
  if (c->partition_every > 0 && world->step > 0 && world->step % c->partition_every == 0)
    world_repartition(world, SHARING_ASKED);
  else if (c->partition_balance && balance_is_due(&world->balance))
    world_repartition(world, SHARING_BALANCE);

  // which bodies of the neighbours we must see
  timers_stage(timers, "ghosts");
  arena_reset(scratch);
  const Box *boxes;
  const Halo halo = distribute_ghosts(world, &boxes);

  // configuration at t + h/2, where contacts are detected
  timers_stage(timers, "motion");
  const size_t rows = (size_t)world->bodies.table.count + 1;
  MidState *mid = arena_allocate(scratch, rows * sizeof *mid);
  Twist *start = arena_allocate(scratch, rows * sizeof *start),
        *free = arena_allocate(scratch, rows * sizeof *free);
  motion_first_half(&world->bodies, &world->shapes, world->densities, h, mid);
  prescribed_first_half(world, mid, start, free);
  const LoadSum *loads = loads_on_all(world, scratch);

  // what touches what; known contacts keep their reaction as a first guess
  timers_stage(timers, "contacts");
  const DetectReport detected =
      find_contacts(world, &halo, boxes, mid, changes_of_step(world, loads, free), births);
  stage_hash_contacts(world, &detected);

  // velocities without contact, impulses, velocities with contact
  timers_stage(timers, "set-up");
  const vec3 gravity = world_gravity(world);
  free_velocities(world, mid, gravity, loads, start, free);
  const ProblemInput input = problem_input(world, &halo, mid, start, free, gravity);
  Problem problem = problem_new(&input, c->keep_pairs ? &world->graph : NULL, scratch);
  if (world->hook.call) world->hook.call(world->hook.context, &problem, free);
  timers_stage(timers, "solver");
  const SolverParameters parameters = {(SolverMethod)c->solver_method, c->tolerance, c->max_sweeps,
                                       0};
  const Convergence solved = solver_solve(&problem, free, parameters, &world->solver, scratch);
  solver_store(&problem, &world->contacts);
  BondCount bonds = detected.bonds;
  const double error = world->bonded ? solved.residual_max * residual_scale(&problem, free) : 0;
  bond_law_break(&problem, &world->contacts, error, &bonds);
  apply_impulses(world, &problem, mid, loads, free);

  // configuration at t + h; overlap that is left is opened apart from the velocities
  timers_stage(timers, "correction");
  const StepForces forces = {gravity, loads};
  record_step(world, &detected, &problem, &bonds, start, &solved, forces, halo.ghost_count);
  Twist *shift = arena_allocate(scratch, rows * sizeof *shift);
  const CorrectionParameters correction = {c->correction, c->slop, h};
  const Correction corrected = correction_solve(&problem, &world->contacts, &world->bodies,
                                                &world->shapes, correction, shift, scratch);
  timers_stage(timers, "motion");
  motion_second_half(&world->bodies, h);
  prescribed_second_half(world, free);
  if (corrected.acted) {
    record_correction(world, shift, corrected.sweeps, forces);
    shift_bodies(world, shift);
  }
  const int sweeps = solved.sweeps + corrected.sweeps;
  const int64_t work =
      work_count(&world->bodies, &world->shapes, detected.counts, &problem, sweeps, scratch);
  world->step++;

  // bodies that have left
  population_remove_outside(world, &halo);
  stage_hash_bodies(world);
  const int code = record_finish(world, work, sweeps);
  count_rank(world, &halo, &problem, work);
  timers_stage(timers, NULL);
  return code;
}
