#include "record.h"

#include "exact_sum.h"
#include "parallel.h"
#include "scene.h"

static void add_vector(ExactSum *sums, vec3 v)
{
  exact_sum_add(&sums[0], v.x);
  exact_sum_add(&sums[1], v.y);
  exact_sum_add(&sums[2], v.z);
}

static vec3 vector_value(const ExactSum *sums)
{
  return (vec3){exact_sum_value(&sums[0]), exact_sum_value(&sums[1]), exact_sum_value(&sums[2])};
}

typedef struct {
  int64_t sliding, sticking;
} PointCounts;

// r.(U(n) + U(n+1))/2 over own points, and what each point does
static PointCounts count_points(const Problem *problem, const Twist *start, ExactSum *work)
{
  PointCounts counts = {0, 0};
  for (int i = 0; i < problem->point_count; i++) {
    const SolverPoint *p = &problem->points[i];
    if (!problem->owned[i]) continue;
    const vec3 before = problem_velocity(p, start), after = problem_velocity(p, problem->twist);
    exact_sum_add(work, 0.5 * vec3_dot(p->r, vec3_add(before, after)));
    const double tangential = sqrt(p->r.y * p->r.y + p->r.z * p->r.z);
    if (!(p->r.x > 0)) continue;
    if (tangential < (1 - 1e-9) * p->law.friction * p->r.x) counts.sticking++;
    else counts.sliding++;
  }
  return counts;
}

// Collective. The lowest of the pairs that ranks have.
static IdPair lowest_pair(bool any, IdPair own)
{
  const double low = par_min(any ? (double)own.low : INFINITY);
  const double high = par_min(any && (double)own.low == low ? (double)own.high : INFINITY);
  return (IdPair){(uint64_t)low, (uint64_t)high};
}

void record_step(World *world, const DetectReport *detected, const Problem *problem,
                 const Twist *start, const Convergence *solved, vec3 gravity, int ghosts)
{
  StepRecord *record = &world->record;
  const Bodies *b = &world->bodies;
  const Contacts *contacts = &world->contacts;
  record->solve = *solved;
  record->colours = problem->colour_count;

  // work of contacts and of gravity, h m g.(v(n) + v(n+1))/2
  ExactSum sums[2] = {exact_sum_new(), exact_sum_new()};
  const PointCounts counts = count_points(problem, start, &sums[0]);
  for (int i = 0; i < b->table.owned; i++)
    if (b->kind[i] == BODY_DYNAMIC)
      exact_sum_add(&sums[1], world->c->step * b->mass[i] *
                                  (0.5 * vec3_dot(gravity, vec3_add(start[i].v, b->velocity[i]))));
  exact_sum_reduce(sums, 2);
  record->contact_work = exact_sum_value(&sums[0]);
  record->load_work = exact_sum_value(&sums[1]);
  record->correction_work = 0;
  record->correction_angular = (vec3){0, 0, 0};
  record->correction_sweeps = 0;

  int64_t totals[7] = {detected->pairs,  contacts->table.owned, counts.sliding,    counts.sticking,
                       detected->failed, detected->sparsified,  detected->rerouted};
  par_sum_many(totals, 7);
  record->pairs = totals[0];
  record->points = totals[1];
  record->sliding = totals[2];
  record->sticking = totals[3];
  record->open = record->points - record->sliding - record->sticking;
  record->failed = totals[4];
  record->sparsified = totals[5];
  record->rerouted = totals[6];
  double deepest[2] = {0, (double)ghosts};
  for (int i = 0; i < contacts->table.owned; i++)
    if (-contacts->gap[i] > deepest[0]) deepest[0] = -contacts->gap[i];
  par_max_many(deepest, 2);
  record->penetration = deepest[0];
  record->ghosts = (int64_t)deepest[1];
  if (record->failed > 0)
    record->first_failed = lowest_pair(detected->failed > 0, detected->first_failed);
  if (record->rerouted > 0)
    record->first_rerouted = lowest_pair(detected->rerouted > 0, detected->first_rerouted);
}

void record_correction(World *world, const Twist *shift, int sweeps, vec3 gravity)
{
  const Bodies *b = &world->bodies;
  ExactSum sums[4] = {exact_sum_new(), exact_sum_new(), exact_sum_new(), exact_sum_new()};
  for (int i = 0; i < b->table.owned; i++) {
    if (b->kind[i] == BODY_FIXED) continue;
    exact_sum_add(&sums[0], b->mass[i] * vec3_dot(gravity, shift[i].v));
    add_vector(&sums[1], vec3_scale(b->mass[i], vec3_cross(shift[i].v, b->velocity[i])));
  }
  exact_sum_reduce(sums, 4);
  world->record.correction_work = exact_sum_value(&sums[0]);
  world->record.correction_angular = vector_value(&sums[1]);
  world->record.correction_sweeps = sweeps;
}

void record_work(World *world, int64_t work, int sweeps)
{
  StepRecord *record = &world->record;
  record->work = par_sum(work);
  const double most = par_max((double)work);   // exact below 2^53
  record->imbalance = record->work > 0 ? most * par_size() / (double)record->work : 1;
  balance_count_step(&world->balance, (int64_t)most, record->work, par_size(), sweeps);
}

// kinetic energy, momentum, angular momentum about the origin and mass of own dynamic bodies
static void add_motion(const World *world, ExactSum *sums)
{
  const Bodies *b = &world->bodies;
  for (int i = 0; i < b->table.owned; i++) {
    if (b->kind[i] == BODY_FIXED) continue;
    const vec3 momentum = vec3_scale(b->mass[i], b->velocity[i]);
    exact_sum_add(&sums[0], 0.5 * vec3_dot(momentum, b->velocity[i]));
    exact_sum_add(&sums[0], 0.5 * vec3_dot(b->angular[i], b->spin[i]));
    add_vector(&sums[1], momentum);
    add_vector(&sums[4], vec3_cross(b->position[i], momentum));
    add_vector(&sums[4], b->angular[i]);
    exact_sum_add(&sums[7], b->mass[i]);
  }
}

static const char *body_name(const World *world, uint64_t id)
{
  const BodyGroup *group = scene_group(world->c, id);
  return group->name && group->name[0] ? group->name : "unnamed";
}

int record_finish(World *world)
{
  StepRecord *record = &world->record;
  const Bodies *b = &world->bodies;
  ExactSum sums[8];
  for (int i = 0; i < 8; i++) sums[i] = exact_sum_new();
  add_motion(world, sums);
  exact_sum_reduce(sums, 8);
  record->step = world->step;
  record->time = (double)world->step * world->c->step;
  record->kinetic = exact_sum_value(&sums[0]);
  record->momentum = vector_value(&sums[1]);
  record->angular_momentum = vector_value(&sums[4]);
  record->mass = exact_sum_value(&sums[7]);

  // bodies that are lost to infinity, and those that moved too far for their contacts to be trusted
  uint64_t wild = UINT64_MAX, large = UINT64_MAX;
  int64_t large_count = 0, dynamic_count = 0;
  for (int i = 0; i < b->table.owned; i++) {
    if (b->kind[i] == BODY_FIXED) continue;
    dynamic_count++;
    const quat q = b->orientation[i];
    const bool finite = vec3_is_finite(b->position[i]) && vec3_is_finite(b->velocity[i]) &&
                        vec3_is_finite(b->spin[i]) && vec3_is_finite(b->angular[i]) &&
                        isfinite(q.w + q.x + q.y + q.z);
    if (!finite && wild == UINT64_MAX) wild = b->id[i];
    if (!motion_is_large(b, i, shape_set_get(&world->shapes, b->shape[i]), world->c->step))
      continue;
    large_count++;
    if (b->id[i] < large) large = b->id[i];
  }
  if (!all_ok(wild == UINT64_MAX,
              "body %llu (%s): position, orientation or velocity is not finite after step %lld",
              (unsigned long long)wild, wild == UINT64_MAX ? "" : body_name(world, wild),
              (long long)world->step))
    return EXIT_BUG;
  int64_t counts[2] = {large_count, dynamic_count};
  par_sum_many(counts, 2);
  record->large = counts[0];
  record->bodies = counts[1];
  record->first_large = record->large ? (uint64_t)par_min((double)large) : 0;
  if (record->large && world->c->stop_on_large_steps) {
    all_ok(par_rank() != 0,
           "step %lld: %lld bodies move more than half their inradius or turn more than 0.2 rad in "
           "one step, the first "
           "is body %llu (%s): use a smaller time.step",
           (long long)world->step, (long long)record->large,
           (unsigned long long)record->first_large, body_name(world, record->first_large));
    return EXIT_USER;
  }
  return EXIT_DONE;
}
