// One time step, stage by stage: begin, scheme, end.
#include <assert.h>

#include "correction.h"
#include "deformed_gaps.h"
#include "jointed.h"
#include "loads.h"
#include "parallel.h"
#include "population.h"
#include "prescribed.h"
#include "record.h"
#include "scene.h"
#include "scheme.h"
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
  if (!loads && c->motion_count == 0) return NULL;
  MotionChange *changes =
      arena_allocate_zero(&world->scratch, (size_t)b->table.count + 1, sizeof *changes);
  for (int i = 0; i < b->table.count; i++) {
    if (b->drive[i] == DRIVE_PRESCRIBED)
      changes[i] =
          (MotionChange){vec3_sub(end[i].v, b->velocity[i]), vec3_sub(end[i].w, b->spin[i]), 0};
    else if (b->drive[i] == DRIVE_DYNAMIC && loads) changes[i] = loads_change(world, loads[i], i);
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
static void find_contacts(World *world, Step *step, const MotionChange *changes, bool births)
{
  const Case *c = world->c;
  const DetectInput input = {.bodies = &world->bodies,
                             .mid = step->mid,
                             .shapes = &world->shapes,
                             .settings = &c->contact,
                             .motion = {world_interval(world), world_gravity(world), changes},
                             .surfaces = &c->surfaces,
                             .pass_count = c->pass_count,
                             .passes = c->passes,
                             .newborn = c->surfaces.bonded && births ? find_newborn(world) : NULL,
                             .candidates = c->contact.keep_pairs ? &world->candidates : NULL,
                             .hash_pairs = world->hash_stages};
  step->detected =
      detect_contacts(&input, step->boxes, &world->contacts, &world->contacts, &world->scratch);
  if (c->deforms) deformed_gaps_add(&world->bodies, step->mid, &world->contacts);
  jointed_add_space(world, step);
  distribute_pair_rows(world, &step->halo);
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
  motion_first_half(&world->bodies, &world->shapes, world->densities, world_interval(world),
                    step->mid);
  prescribed_first_half(world, step->mid, step->start, step->free);
  step->acting = (MotionForces){world_interval(world),
                                &world->shapes,
                                world->densities,
                                step->mid,
                                world_gravity(world),
                                loads_on_all(world, scratch),
                                loads_begin_deforming(world, scratch)};
}

// Configuration at t + h; overlap that is left is opened apart from the velocities. Returns how
// many sweeps that took.
static int go_to_end(World *world, Step *step)
{
  record_step(world, step);
  const CorrectionInput input = {&world->contacts,
                                 world_joints(world),
                                 &world->shapes,
                                 {world->c->correction, world_interval(world)}};
  const Correction correction = correction_solve(&step->problem, &input, &world->scratch);
  timers_stage(&world->timers, "motion");
  motion_second_half(&world->bodies, world_interval(world));
  prescribed_second_half(world, step->free);
  if (correction.acted) {
    record_correction(world, &correction, &step->acting);
    motion_shift(&world->bodies, correction.shift);
  }
  return correction.sweeps;
}

int world_step(World *world)
{
  assert(world->scheme != NULL && world->step >= 0 && "a world has a scheme and a time");
  Timers *timers = &world->timers;
  Step step = {0};

  // bodies that appear now; who owns what
  timers_stage(timers, "partition");
  step_check_tables(world, "before the step");
  const bool births = world->step == 0 || world->step >= world->next_birth;
  population_insert_due(world);
  share_out(world);
  step_check_tables(world, "after bodies came and went to their owners");

  // which bodies of the neighbours we must see
  timers_stage(timers, "ghosts");
  arena_reset(&world->scratch);
  step.halo = distribute_ghosts(world, &step.boxes);
  step_check_ghosts(world, &step.halo);

  // what touches what at t + h/2; known contacts keep their reaction as a first guess
  timers_stage(timers, "motion");
  go_to_middle(world, &step);
  timers_stage(timers, "contacts");
  find_contacts(world, &step, changes_of_step(world, &step), births);
  step_check_contacts(world);
  stage_hash_contacts(world, &step.detected);

  // from contacts to the velocities at t + h
  world->scheme->solve(world, &step);

  // configuration at t + h
  timers_stage(timers, "correction");
  const int sweeps = step.solved.sweeps + go_to_end(world, &step);
  const StepWork done = {step.detected.counts, &step.problem, sweeps};
  const int64_t work = work_count(&world->bodies, &world->shapes, &done, &world->scratch);
  world->step++;

  // bodies that have left; numbers of the step
  population_remove_outside(world, &step.halo);
  stage_hash_bodies(world);
  const int code = record_finish(world, work, sweeps);
  if (code == EXIT_DONE) {
    step_check_solution(&step.problem);
    step_check_tables(world, "after the step");
  }
  count_rank(world, &step.halo, &step.problem, work);
  timers_stage(timers, NULL);
  return code;
}
