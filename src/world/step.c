// One time step, stage by stage: begin, scheme, end.
#include <assert.h>

#include "correction.h"
#include "deformed_gaps.h"
#include "guides.h"
#include "jointed.h"
#include "kind.h"
#include "loads.h"
#include "parallel.h"
#include "population.h"
#include "prescribed.h"
#include "record.h"
#include "scene.h"
#include "scheme.h"
#include "servos.h"
#include "stage_hash.h"
#include "step_check.h"
#include "work.h"

// What loads and prescribed motions change of all rows in the step, or NULL. Rows are at its
// middle.
static const MotionChange *changes_of_step(World *world, const Step *step)
{
  const Case *c = world->c;
  const Bodies *b = &world->bodies;
  const LoadSum *loads = step->acting.loads;
  const Twist *end = step->free;   // of prescribed bodies
  if (!loads && c->motion_count == 0 && c->guide_count == 0 && !c->founded) return NULL;
  MotionChange *changes =
      arena_allocate_zero(&world->scratch, (size_t)b->table.count + 1, sizeof *changes);
  const GuideInterval interval = world_guide_interval(world);
  for (int i = 0; i < b->table.count; i++) {
    if (prescribed_row(b, i)) {
      changes[i] =
          (MotionChange){vec3_sub(end[i].v, b->velocity[i]), vec3_sub(end[i].w, b->spin[i]), 0};
      // gravity is added to what is dynamic
      if (kind_founded(b, i)) changes[i].velocity = vec3_sub(changes[i].velocity, interval.fall);
    } else if (b->drive[i] == DRIVE_DYNAMIC) {
      const MotionChange none = {.path_excess = 0};
      changes[i] =
          guides_change(c, b, i, interval, loads ? loads_change(world, loads[i], i) : none);
    }
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

// The scheme will find its own; those of the last step are done with.
static void leave_contacts(World *world, Step *step)
{
  const size_t own = (size_t)world->bodies.table.owned + 1;
  step->detected =
      (DetectReport){.counts = arena_allocate_zero(&world->scratch, own, sizeof(DetectCount))};
  world->contacts.table.owned = world->contacts.table.count = 0;
}

// the contacts of this step replace those of the last one
static void find_contacts(World *world, Step *step, const MotionChange *changes, bool births)
{
  const Case *c = world->c;
  const bool remembers =
      c->surfaces.bonded || c->contact.initial > 0 || c->contact.model == CONTACT_MODEL_LMD;
  const DetectInput input = {.bodies = &world->bodies,
                             .mid = step->mid,
                             .shapes = &world->shapes,
                             .bases = world->bases.shapes ? &world->bases : NULL,
                             .inner = world->inner.shapes ? &world->inner : NULL,
                             .settings = &c->contact,
                             .motion = {world_interval(world), world_gravity(world), changes},
                             .surfaces = &c->surfaces,
                             .pass_count = c->pass_count,
                             .passes = c->passes,
                             .newborn = remembers && births ? find_newborn(world) : NULL,
                             .candidates = c->contact.keep_pairs ? &world->candidates : NULL,
                             .volumes = world_volumes(world) ? &world->volumes : NULL,
                             .hash_pairs = world->hash_stages};
  step->detected =
      detect_contacts(&input, step->boxes, &world->contacts, &world->contacts, &world->scratch);
  jointed_add_space(world, step);
  distribute_pair_rows(world, &step->halo);
  if (!c->deforms) return;
  if (world->bodies.nodes)
    step->places = contact_places_new(&world->bodies, step->mid, &world->contacts, &world->scratch);
  deformed_gaps_add(&world->bodies, step->mid, &step->places, &world->contacts);
}

// forces of the volumetric law act as loads, of own bodies in the order of rows, of ghosts as their
// owners have them
static void add_volumes(World *world, Step *step)
{
  step->case_loads = damping_external(step->damping, &step->acting);
  if (!world_volumes(world)) return;
  const Bodies *b = &world->bodies;
  Arena *arena = &world->scratch;
  LoadSum *loads = arena_allocate_zero(arena, (size_t)b->table.count + 1, sizeof *loads);
  const LoadSum *others = step->acting.loads;
  for (int i = 0; others && i < b->table.owned; i++) loads[i] = others[i];
  step->volumes = (VolumeForces){.volumes = &world->volumes,
                                 .bodies = b,
                                 .mid = step->mid,
                                 .laws = &world->c->surfaces,
                                 .step = world_interval(world)};
  world->stiff = volume_forces_add(&step->volumes, loads, arena);
  halo_refresh(&step->halo.plan, loads, sizeof *loads, arena);
  step->acting.loads = loads;
}

static void count_rank(World *world, const Halo *halo, const Problem *problem, int64_t work)
{
  assert(halo->ghost_count >= 0 && work >= 0 && "a rank counts what it has");
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

// who owns what
static void share_out(World *world)
{
  const PartitionSettings *partition = &world->c->partition;
  world->record.moved_bodies = 0;
  world->balance.last = SHARING_NONE;
  if (partition->every > 0 && world->step > 0 && world->step % partition->every == 0)
    distribute_repartition(world, SHARING_ASKED);
  else if (partition->balance && balance_is_due(&world->balance))
    distribute_repartition(world, SHARING_BALANCE);
}

// configuration at t + h/2 and what acts there
static void go_to_middle(World *world, Step *step)
{
  assert(world_interval(world) > 0 && "time goes on");
  Arena *scratch = &world->scratch;
  const size_t rows = (size_t)world->bodies.table.count + 1;
  step->mid = arena_allocate(scratch, rows * sizeof *step->mid);
  step->start = arena_allocate(scratch, rows * sizeof *step->start);
  step->free = arena_allocate(scratch, rows * sizeof *step->free);
  if (world->scheme->from_start)
    motion_at_start(&world->bodies, &world->shapes, world->densities, step->mid);
  else
    motion_first_half(&world->bodies, &world->shapes, world->densities, world_interval(world),
                      step->mid);
  prescribed_first_half(world, step->mid, step->start, step->free);
  const ServoTime pressed = {world->c, &world->bodies, world_time(world, 0.5),
                             world_gravity(world)};
  const LoadValues values = loads_at_middle(world, scratch);
  LoadSum *loads = servos_on_all(&pressed, loads_on_all(world, &values, scratch), scratch);
  if (!world->scheme->from_start) loads_ask_others(world, scratch);
  loads = loads_add_others(world, loads, &step->halo.plan, scratch);
  step->acting = (MotionForces){
      world_interval(world),
      &world->shapes,
      world->densities,
      step->mid,
      world_gravity(world),
      loads,
      loads_begin_deforming(world, &values, scratch),
      world->c->founded ? prescribed_hold(world, step->start, step->free, scratch)
                        : guides_hold(world->c, &world->bodies, world_time(world, 1), scratch)};
  step->damping = damping_begin(&world->bodies, &world->c->damping, &step->acting, scratch);
}

// Configuration at t + h; overlap that is left is opened apart from the velocities. Returns how
// many sweeps that took.
static int go_to_end(World *world, Step *step)
{
  timers_stage(&world->timers, "correction");
  record_step(world, step);
  if (world->middle.call) world->middle.call(world->middle.context, step->mid);
  const CorrectionInput input = {&world->contacts,
                                 world_joints(world),
                                 &world->shapes,
                                 {world->c->correction, world_interval(world)}};
  if (world->scheme->from_start) {
    timers_stage(&world->timers, "motion");
    motion_shift(&world->bodies, step->way);
    return 0;
  }
  const Correction correction = correction_solve(&step->problem, &input, &world->scratch);
  timers_stage(&world->timers, "motion");
  motion_second_half(&world->bodies, world_interval(world));
  prescribed_second_half(world, step->free);
  if (correction.acted) {
    record_correction(world, &correction, step);
    motion_shift(&world->bodies, correction.shift);
  }
  return correction.sweeps;
}

// What a step has taken so far.
typedef struct {
  int sweeps;
  WorkSum work;
} Effort;

static void add_effort(World *world, const Step *step, int sweeps, Effort *effort)
{
  assert(sweeps >= 0 && "sweeps are counted");
  const StepWork done = {step->detected.counts, &step->problem, sweeps};
  work_add(&effort->work, &world->bodies, &world->shapes, &done, &world->scratch);
  effort->sweeps += sweeps;
}

// From the start of an interval to the velocities at its end, h being its length.
static void solve_interval(World *world, bool births, Step *step)
{
  *step = (Step){0};
  Timers *timers = &world->timers;

  // which bodies of the neighbours we must see
  timers_stage(timers, "ghosts");
  if (world->scheme->from_start) loads_ask_others(world, &world->scratch);
  world->reach = world->scheme->reach ? world->scheme->reach(world) : 0;
  step->halo = distribute_ghosts(world, &step->boxes);
  step_check_ghosts(world, &step->halo);

  // what touches what at t + h/2; known contacts keep their reaction as a first guess
  timers_stage(timers, "motion");
  go_to_middle(world, step);
  timers_stage(timers, "contacts");
  if (world->scheme->from_start) leave_contacts(world, step);
  else find_contacts(world, step, changes_of_step(world, step), births);
  add_volumes(world, step);
  step_check_contacts(world);
  stage_hash_contacts(world, &step->detected);

  // from contacts to the velocities at t + h
  world->scheme->solve(world, step);
  if (world->scheme->from_start) distribute_pair_rows(world, &step->halo);
  damping_keep(&world->bodies, step->damping, &step->acting, step->start);
}

// Configuration at the end of the interval.
static void end_interval(World *world, Step *step, Effort *effort)
{
  assert(step->problem.row_count == world->bodies.table.count && "the interval is solved");
  const int sweeps = step->solved.sweeps + go_to_end(world, step);
  add_effort(world, step, sweeps, effort);
}

// ------------------------------------------------------------------------------------------------
// A step that is made again in two halves.

// Back to the state before the step, at the start of the first half. Reactions are from here on
// impulses of half a step.
static void begin_halves(World *world, const State *kept)
{
  assert(kept->step == world->step && world->interval.count == 1 && "the step is given up");
  state_take_back(&world->state, kept);
  solver_memory_restore(&world->solver, &kept->words);
  world->interval = (Interval){0, 2};
  world->bodies.elastic = &world->half_elastic;
  world_scale_impulses(world, 0.5);   // exact, as all powers of two
}

// From the end of the first half to the start of the second. Returns what joints have done so far,
// without rows where there are none.
static Joints begin_second_half(World *world, Arena *arena)
{
  assert(world->interval.count == 2 && world->interval.number == 0 && "one half is done");
  world->interval.number = 1;
  Joints first = {0};
  table_begin(&first.table, &JOINTS_SCHEMA);
  if (world_joints(world)) table_copy_owned(&first.table, &world->joints.table, arena);
  return first;
}

// What joints took and whether they yielded is told of the whole step.
static void add_joints(Joints *joints, const Joints *first)
{
  assert(joints->table.owned == first->table.owned && "joints stay within a step");
  for (int i = 0; i < first->table.owned; i++) {
    joints->damped[i] += first->damped[i];
    joints->spent[i] += first->spent[i];
    if (first->status[i] == JOINT_YIELDING && joints->status[i] == JOINT_WHOLE)
      joints->status[i] = JOINT_YIELDING;
  }
}

// After the last half. Reactions are those of a whole step again: twice those of the last half.
// first: from above, NULL: there was no second half.
static void end_halves(World *world, const Joints *first)
{
  assert(world->interval.count == 2 && "a step was made in halves");
  if (first && world_joints(world)) add_joints(&world->joints, first);
  world_scale_impulses(world, 2);
  world->interval = (Interval){0, 1};
  world->bodies.elastic = &world->elastic;
}

// The step once more, from the state before it, as two steps of half its length.
static void make_halves(World *world, const State *kept, bool births, Step *step, Effort *effort)
{
  const ArenaMark mark = arena_mark(&world->scratch);
  world->record.halved = true;
  world->record.whole = step->solved;
  begin_halves(world, kept);
  step_check_tables(world, "at the start of a step that is halved");
  solve_interval(world, births, step);
  end_interval(world, step, effort);
  stage_hash_bodies(world);
  const bool finite = record_end_half(world);
  const StepRecord first = world->record;

  Joints joints = {0};
  if (finite) {
    arena_release(&world->scratch, mark);
    step_check_tables(world, "after the first half of a step");
    joints = begin_second_half(world, &world->scratch);
    solve_interval(world, false, step);
    end_interval(world, step, effort);
    record_join_halves(world, &first);
  }
  end_halves(world, finite ? &joints : NULL);
}

// From the start of the step to its end. A step above the tolerance is made again in two halves
// where the case asks for it: once, and they stand whatever their residual.
static void make_step(World *world, bool births, Step *step, Effort *effort)
{
  assert(world->interval.count == 1 && "a whole step comes first");
  Arena *scratch = &world->scratch;
  const bool may_halve = world->c->solver.unsolved == UNSOLVED_HALVE;
  world->record.halved = false;
  State kept = {0};
  if (may_halve) {
    const State before = world_state(world);
    kept = state_copy(&before, scratch);
  }
  const ArenaMark mark = arena_mark(scratch);
  solve_interval(world, births, step);
  if (!may_halve || step->solved.converged) {
    end_interval(world, step, effort);
    return;
  }
  stage_hash_unsolved(world);
  add_effort(world, step, step->solved.sweeps, effort);
  arena_release(scratch, mark);
  make_halves(world, &kept, births, step, effort);
}

int world_step(World *world)
{
  assert(world->step >= 0 && "a world has a time");
  if (!world->scheme) world->scheme = world->c->barrier.given ? &SCHEME_BARRIER : &SCHEME_NONSMOOTH;
  Timers *timers = &world->timers;
  Step step = {0};

  // bodies that appear now; who owns what
  timers_stage(timers, "partition");
  step_check_tables(world, "before the step");
  const bool births = world->step == 0 || world->step >= world->next_birth;
  population_insert_due(world);
  share_out(world);
  step_check_tables(world, "after bodies came and went to their owners");

  // ghosts, contacts, impulses, configuration at its end
  arena_reset(&world->scratch);
  Effort effort = {0, work_begin(&world->bodies, &world->scratch)};
  make_step(world, births, &step, &effort);
  work_end(&effort.work, &world->bodies);
  world->step++;

  // bodies that have left; numbers of the step
  population_remove_outside(world, &step.halo);
  stage_hash_bodies(world);
  stage_hash_end(world);
  const int code = record_finish(world, effort.work.rank, effort.sweeps);
  if (code == EXIT_DONE) {
    step_check_solution(&step.problem);
    step_check_tables(world, "after the step");
  }
  count_rank(world, &step.halo, &step.problem, effort.work.rank);
  timers_stage(timers, NULL);
  return world->refused ? EXIT_USER : code;
}
