// Bodies and points of all ranks, sorted on rank 0, so that the answer is that of one rank.
#include "statics.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gathered_rows.h"
#include "kind.h"
#include "loads.h"
#include "log.h"
#include "motion.h"
#include "parallel.h"
#include "scene.h"

typedef struct {
  uint64_t id;
  double extent, weight;
  LimitLoad dead, live;
} StaticsBody;

// What is added to a point that is gathered.
enum { AT, FORCE };   // in world, m; by the last step's impulse in its basis, N

// ------------------------------------------------------------------------------------------------
// What a rank has

static LimitLoad limit_load(LoadSum sum) { return (LimitLoad){sum.force, sum.torque}; }

static StaticsBody *gather_bodies(World *world, const Problem *problem,
                                  const StaticsQuestion *question, int *total, Arena *arena)
{
  const Case *c = world->c;
  const Bodies *b = problem->bodies;
  const LoadValues all = loads_at_middle(world, arena);
  const int load = question->kind == STATICS_LOAD ? question->load : -1;
  const LoadValues dead = loads_choose(c, &all, load, false, arena);
  const LoadValues live = loads_choose(c, &all, load, true, arena);
  const vec3 gravity = world_gravity(world);
  StaticsBody *bodies = arena_allocate(arena, ((size_t)problem->own_rows + 1) * sizeof *bodies);
  size_t count = 0;
  for (int row = 0; row < problem->own_rows; row++) {
    if (!motion_moves(&problem->mid[row])) continue;
    StaticsBody *body = &bodies[count++];
    memset(body, 0, sizeof *body);
    const double mass = motion_mass(b, row, &problem->mid[row]).mass;
    body->id = b->id[row];
    body->extent = shape_set_get(&world->shapes, b->shape[row])->extent;
    body->weight = mass * vec3_norm(gravity);
    body->dead = limit_load(loads_on(world, &dead, row));
    body->dead.force = vec3_axpy(mass, gravity, body->dead.force);
    if (question->kind == STATICS_LOAD) body->live = limit_load(loads_on(world, &live, row));
    if (question->kind == STATICS_WEIGHT)
      body->live.force = vec3_scale(body->weight, question->way);
  }
  return gathered_bodies(bodies, count, sizeof *bodies, total, arena);
}

// Whether a contact point can carry: its gap is one that the solver takes as closed.
static bool is_closed(World *world, const Problem *problem, int k, int i)
{
  const int contact = problem_contact(problem, k, i);
  const SolverPair *pair = &problem->pairs[k];
  const double extent = problem_extent(problem->bodies, &world->shapes, pair->low, pair->high);
  return problem->contacts && world->contacts.gap[contact] <= world->c->correction.slop * extent;
}

typedef struct {
  World *world;
  const Problem *problem;
  int64_t *gaping;
} StaticsTaker;

static bool take_point(const void *context, int k, int i, const SolverPoint *p, vec3 more[2])
{
  const StaticsTaker *taker = context;
  if (problem_contact(taker->problem, k, i) < 0) return false;   // of a joint
  if (!is_closed(taker->world, taker->problem, k, i)) {
    ++*taker->gaping;
    return false;
  }
  more[AT] = vec3_add(taker->problem->bodies->position[p->low], p->low_arm);
  more[FORCE] = vec3_scale(1 / taker->problem->step, p->r);
  return true;
}

// ------------------------------------------------------------------------------------------------
// What they have together

static void set_bodies(StaticsScene *scene, const StaticsBody *bodies, bool live, Arena *arena)
{
  const size_t count = (size_t)scene->limit.body_count;
  uint64_t *ids = arena_allocate(arena, count * sizeof *ids);
  double *extent = arena_allocate(arena, count * sizeof *extent);
  LimitLoad *dead = arena_allocate(arena, count * sizeof *dead);
  LimitLoad *alive = arena_allocate(arena, count * sizeof *alive);
  for (size_t b = 0; b < count; b++) {
    ids[b] = bodies[b].id;
    extent[b] = bodies[b].extent;
    dead[b] = bodies[b].dead;
    alive[b] = bodies[b].live;
    scene->weight += bodies[b].weight;
  }
  scene->ids = ids;
  scene->limit.extent = extent;
  scene->limit.dead = dead;
  scene->limit.live = live ? alive : NULL;
}

static void set_points(StaticsScene *scene, const GatheredPoint *points, const StaticsBody *bodies,
                       Arena *arena)
{
  const int bodies_known = scene->limit.body_count;
  LimitPoint *plain = arena_allocate(arena, ((size_t)scene->limit.point_count + 1) * sizeof *plain);
  for (int i = 0; i < scene->limit.point_count; i++) {
    const GatheredPoint *p = &points[i];
    plain[i] = (LimitPoint){.low = -1,
                            .high = -1,
                            .basis = p->basis,
                            .low_arm = p->low_arm,
                            .high_arm = p->high_arm,
                            .friction = p->friction};
    if (p->low_moves)
      plain[i].low = gathered_body(bodies, bodies_known, sizeof *bodies, p->ids.low);
    if (p->high_moves)
      plain[i].high = gathered_body(bodies, bodies_known, sizeof *bodies, p->ids.high);
  }
  scene->limit.points = plain;
}

// Between the first and the last point at bodies that are held, along a way, m.
static double middle_of_held(const StaticsScene *scene, const GatheredPoint *points, vec3 way)
{
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < scene->limit.point_count; i++) {
    if (points[i].low_moves && points[i].high_moves) continue;
    const double along = vec3_dot(points[i].more[AT], way);
    low = smaller_of(low, along);
    high = larger_of(high, along);
  }
  return (low + high) / 2;
}

// The force on bodies that are held and asked for, along the way, as a sum over points.
static void set_thrust(const Case *c, const StaticsQuestion *question, const GatheredPoint *points,
                       StaticsScene *scene, Arena *arena)
{
  const size_t count = (size_t)scene->limit.point_count;
  vec3 *wanted = arena_allocate_zero(arena, count + 1, sizeof *wanted);
  const double middle = middle_of_held(scene, points, question->way);
  for (size_t i = 0; i < count; i++) {
    const GatheredPoint *p = &points[i];
    if (p->low_moves && p->high_moves) continue;
    assert((p->low_moves || p->high_moves) && "two bodies that are held have no contact");
    const bool low = !p->low_moves;
    const bool asked = question->on.given
                           ? scene_selects(c, &question->on, low ? p->ids.low : p->ids.high)
                           : vec3_dot(p->more[AT], question->way) > middle;
    if (!asked) continue;
    scene->thrusting++;
    wanted[i] = vec3_scale(low ? 1 : -1, mat3_mul(p->basis, question->way));
    scene->now += vec3_dot(wanted[i], p->more[FORCE]);
  }
  scene->limit.wanted = wanted;
}

// ------------------------------------------------------------------------------------------------

// What limit analysis does not know; "" where there is none of it.
static void refuse_kinds(const World *world, const Problem *problem, char text[static 256])
{
  int64_t bonds = 0;
  for (int i = 0; i < problem->point_count && problem->limits; i++) {
    const PointLimits *limits = &problem->limits[i];
    bonds += problem->owned[i] && (law_bounds(limits) || law_gives(limits));
  }
  bonds = par_sum(bonds);
  int64_t guided = 0, deforming = 0;
  for (int b = 0; b < problem->own_rows; b++) {
    guided += kind_held(problem->bodies, b) != 0;
    deforming += kind_nodes(problem->bodies, b) > 0;
  }
  guided = par_sum(guided);
  deforming = par_sum(deforming);
  if (world->c->servo_count > 0)
    snprintf(text, 256, "the case has %d servos, and limit analysis knows loads alone",
             world->c->servo_count);
  else if (deforming > 0)
    snprintf(text, 256, "%" PRId64 " bodies are elastic, and limit analysis knows rigid ones alone",
             deforming);
  else if (guided > 0)
    snprintf(text, 256,
             "%" PRId64
             " bodies have a motion by component, and limit analysis knows free and fixed ones",
             guided);
  else if (bonds > 0)
    snprintf(text, 256,
             "there are %" PRId64
             " points of bonds, joints or springs, and limit analysis knows contacts alone",
             bonds);
}

// A question about what is not there.
static void refuse_question(const World *world, const StaticsQuestion *question,
                            char text[static 256])
{
  assert(question->kind != STATICS_LOAD ||
         (question->load >= 0 && question->load < world->c->load_count && "a load of the case"));
  if (question->kind == STATICS_WEIGHT && !(vec3_norm(world_gravity(world)) > 0))
    snprintf(text, 256, "there is no gravity, so bodies have no weight to turn");
}

// Bodies and points that are not there, as all ranks know of them.
static void refuse_rows(const StaticsQuestion *question, int64_t bodies, StaticsScene *scene)
{
  char *text = scene->refusal;
  const bool thrust = question->kind == STATICS_THRUST && scene->thrusting == 0;
  if (bodies == 0) snprintf(text, 256, "no body can move");
  else if (thrust && question->on.given)
    snprintf(text, 256, "no fixed body that touches one that can move fits '%.150s'",
             question->names);
  else if (thrust)
    snprintf(text, 256,
             "there are no supports on two sides along --thrust; name those that are meant by "
             "--on");
}

void statics_gather(World *world, const Problem *problem, const StaticsQuestion *question,
                    Arena *arena, StaticsScene *scene)
{
  *scene = (StaticsScene){.gaping = 0};
  refuse_kinds(world, problem, scene->refusal);
  if (!*scene->refusal) refuse_question(world, question, scene->refusal);
  if (*scene->refusal && question->kind != STATICS_THRUST) return;
  LimitProblem *limit = &scene->limit;
  const StaticsBody *bodies = gather_bodies(world, problem, question, &limit->body_count, arena);
  const StaticsTaker taker = {world, problem, &scene->gaping};
  const GatheredPoint *points =
      gathered_points(problem, (PointTaker){take_point, &taker}, &limit->point_count, arena);
  scene->gaping = par_sum(scene->gaping);
  if (par_rank() == 0) {
    set_bodies(scene, bodies, question->kind != STATICS_THRUST, arena);
    set_points(scene, points, bodies, arena);
    if (question->kind == STATICS_THRUST) set_thrust(world->c, question, points, scene, arena);
  }
  int64_t counts[2] = {limit->body_count, scene->thrusting};
  par_broadcast(counts, sizeof counts, 0);
  scene->thrusting = counts[1];
  if (!*scene->refusal) refuse_rows(question, counts[0], scene);
}
