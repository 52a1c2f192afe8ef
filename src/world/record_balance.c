// Fills the part of a step's record that tells how far forces are from equilibrium.
#include "record_balance.h"

#include <assert.h>
#include <math.h>

#include "exact_sum.h"
#include "kind.h"
#include "parallel.h"
#include "residual.h"

enum { SUM_ACTING, SUM_UNBALANCED, SUM_UNDONE, SUMS };

static void add_forces(const World *world, const Step *step, ExactSum *sums)
{
  const Bodies *b = &world->bodies;
  const MotionForces *acting = &step->acting;
  const LoadSum *loads = step->case_loads;
  for (int i = 0; i < b->table.owned; i++) {
    if (b->drive[i] != DRIVE_DYNAMIC) continue;
    vec3 force = vec3_scale(b->mass[i], acting->acceleration);
    if (loads) force = vec3_add(force, loads[i].force);
    const unsigned held = kind_held(b, i);
    exact_sum_add(&sums[SUM_ACTING], acting->step * vec3_norm(guided_free(held, force)));
    const vec3 change = guided_free(held, vec3_sub(b->velocity[i], step->start[i].v));
    const double net = step->damping && held == 0 ? acting->step * vec3_norm(b->net_force[i])
                                                  : b->mass[i] * vec3_norm(change);
    exact_sum_add(&sums[SUM_UNBALANCED], net);
  }
}

// Impulses of contacts that no problem has.
static void add_impulses(const World *world, ExactSum *acting)
{
  const Contacts *contacts = &world->contacts;
  const Bodies *b = &world->bodies;
  for (int i = 0; i < contacts->table.owned; i++) {
    const int low = bodies_find(b, contacts->bodies[i].low),
              high = bodies_find(b, contacts->bodies[i].high);
    const int times = (b->drive[low] == DRIVE_DYNAMIC) + (b->drive[high] == DRIVE_DYNAMIC);
    exact_sum_add(acting, times * vec3_norm(contacts->reaction[i]));
  }
}

// What the points of own pairs do.
typedef struct {
  ExactSum *sums;
  double deepest;   // overlap that comes, m
} PointBalance;

// Points of a pair in order, then pairs exactly. An impulse acts on each dynamic body that it has.
// The overlap that comes is that after one more interval with the velocities at the end of this
// one; gaps are those of its middle.
static void add_pair(PointBalance *all, const Problem *problem, int k, const World *world)
{
  const SolverPair *pair = &problem->pairs[k];
  const int32_t *drive = world->bodies.drive;
  const Velocities now = problem_now(problem);
  const int contacts_end = problem_contacts_end(problem, k);
  double acts = 0, lacks = 0;
  for (int i = pair->first; i < pair->end; i++) {
    const SolverPoint p = problem_point(problem, k, i);
    const vec3 velocity = problem_velocity(&p, now);
    if (i < contacts_end)
      par_raise(&all->deepest, -(world->contacts.gap[p.contact] + problem->step * velocity.x));
    else if (problem->joint_states[problem_joint(problem, k, i)].is_contact)
      exact_sum_add(&all->sums[SUM_UNBALANCED], vec3_norm(p.r));
    if (!(p.offset.x < INFINITY)) continue;
    acts += vec3_norm(p.r);
    lacks += residual_of_point(&p, velocity);
  }
  const int times = (drive[pair->low] == DRIVE_DYNAMIC) + (drive[pair->high] == DRIVE_DYNAMIC);
  exact_sum_add(&all->sums[SUM_ACTING], times * acts);
  exact_sum_add(&all->sums[SUM_UNDONE], times * lacks);
}

void record_balance_of_step(World *world, const Step *step)
{
  const Problem *problem = &step->problem;
  ExactSum sums[SUMS];
  for (int i = 0; i < SUMS; i++) sums[i] = exact_sum_new();
  add_forces(world, step, sums);
  PointBalance points = {sums, 0};
  for (int k = 0; k < problem->pair_count; k++)
    if (problem->owned[problem->pairs[k].first]) add_pair(&points, problem, k, world);
  if (world->scheme->from_start) add_impulses(world, &sums[SUM_ACTING]);
  if (step->volumes.volumes) volume_forces_impulses(&step->volumes, &sums[SUM_ACTING]);
  const Reduction all[] = {exact_sum_reduction(&sums[SUM_ACTING]),
                           exact_sum_reduction(&sums[SUM_UNBALANCED]),
                           exact_sum_reduction(&sums[SUM_UNDONE]),
                           {REDUCE_MAX, &points.deepest, 1}};
  par_reduce(all, sizeof all / sizeof *all);
  const double acts = exact_sum_value(&sums[SUM_ACTING]);
  StepRecord *record = &world->record;
  record->unbalanced = acts > 0 ? exact_sum_value(&sums[SUM_UNBALANCED]) / acts : 0;
  record->undone = acts > 0 ? exact_sum_value(&sums[SUM_UNDONE]) / acts : 0;
  record->next_penetration = points.deepest;
}
