// Bodies and points of all ranks, sorted on rank 0, so that the answer is that of one rank.
#include "statics.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_members.h"
#include "case_start.h"
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

typedef struct {
  IdPair ids;
  int order;   // within the pair
  unsigned char low_moves, high_moves;
  LimitPoint point;
  vec3 at;      // world, m
  vec3 force;   // by the last step's impulse, N
} StaticsPoint;

// ------------------------------------------------------------------------------------------------
// What a rank has

static LimitLoad limit_load(LoadSum sum) { return (LimitLoad){sum.force, sum.torque}; }

// Loads of the case without one of them, or that one alone.
static LoadValues choose_loads(const Case *c, LoadValues all, int load, bool alone, Arena *arena)
{
  const size_t count = (size_t)c->load_count + 1;
  vec3 *forces = arena_allocate_zero(arena, count, sizeof *forces);
  vec3 *torques = arena_allocate_zero(arena, count, sizeof *torques);
  for (int k = 0; k < c->load_count; k++) {
    if ((k == load) != alone) continue;
    forces[k] = all.forces[k];
    torques[k] = all.torques[k];
  }
  return (LoadValues){forces, torques};
}

static StaticsBody *gather_bodies(World *world, const Problem *problem,
                                  const StaticsQuestion *question, size_t *counts, Arena *arena)
{
  const Case *c = world->c;
  const Bodies *b = problem->bodies;
  const LoadValues all = loads_at_middle(world, arena);
  const int load = question->kind == STATICS_LOAD ? question->load : -1;
  const LoadValues dead = choose_loads(c, all, load, false, arena);
  const LoadValues live = choose_loads(c, all, load, true, arena);
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
  return par_gather(bodies, count * sizeof *bodies, counts, arena);
}

// Whether a point can carry: its gap is one that the solver takes as closed.
static bool is_closed(World *world, const Problem *problem, int k, int i)
{
  const int contact = problem_contact(problem, k, i);
  const SolverPair *pair = &problem->pairs[k];
  assert(contact >= 0 && "there are no joints");
  const double extent = problem_extent(problem->bodies, &world->shapes, pair->low, pair->high);
  return problem->contacts && world->contacts.gap[contact] <= world->c->correction.slop * extent;
}

static StaticsPoint *gather_points(World *world, const Problem *problem, int64_t *gaping,
                                   size_t *counts, Arena *arena)
{
  StaticsPoint *points = arena_allocate(arena, ((size_t)problem->point_count + 1) * sizeof *points);
  size_t count = 0;
  *gaping = 0;
  for (int k = 0; k < problem->pair_count; k++)
    for (int i = problem->pairs[k].first; i < problem->pairs[k].end; i++) {
      if (!problem->owned[i]) continue;
      if (!is_closed(world, problem, k, i)) {
        ++*gaping;
        continue;
      }
      const SolverPoint p = problem_point(problem, k, i);
      StaticsPoint *point = &points[count++];
      memset(point, 0, sizeof *point);
      point->ids = (IdPair){problem->bodies->id[p.low], problem->bodies->id[p.high]};
      point->order = i - problem->pairs[k].first;
      point->low_moves = motion_moves(&problem->mid[p.low]);
      point->high_moves = motion_moves(&problem->mid[p.high]);
      point->point = (LimitPoint){.low = -1,
                                  .high = -1,
                                  .basis = p.basis,
                                  .low_arm = p.low_arm,
                                  .high_arm = p.high_arm,
                                  .friction = p.law.friction};
      point->at = vec3_add(problem->bodies->position[p.low], p.low_arm);
      point->force = vec3_scale(1 / problem->step, p.r);
    }
  *gaping = par_sum(*gaping);
  return par_gather(points, count * sizeof *points, counts, arena);
}

// ------------------------------------------------------------------------------------------------
// What they have together

static int compare_bodies(const void *a, const void *b)
{
  const StaticsBody *p = a, *q = b;
  return (p->id > q->id) - (p->id < q->id);
}

static int compare_points(const void *a, const void *b)
{
  const StaticsPoint *p = a, *q = b;
  const int order = id_pair_compare(p->ids, q->ids);
  return order != 0 ? order : (p->order > q->order) - (p->order < q->order);
}

static int total(const size_t *counts, size_t bytes)
{
  size_t sum = 0;
  for (int r = 0; r < par_size(); r++) sum += counts[r];
  assert(sum % bytes == 0 && "ranks send whole rows");
  return (int)(sum / bytes);
}

static int body_index(const StaticsBody *bodies, int count, uint64_t id)
{
  const StaticsBody wanted = {.id = id};
  const StaticsBody *found =
      bsearch(&wanted, bodies, (size_t)count, sizeof *bodies, compare_bodies);
  assert(found != NULL && "a body that moves is among the bodies");
  return (int)(found - bodies);
}

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

static void set_points(StaticsScene *scene, const StaticsPoint *points, const StaticsBody *bodies,
                       Arena *arena)
{
  const size_t count = (size_t)scene->limit.point_count;
  IdPair *pairs = arena_allocate(arena, (count + 1) * sizeof *pairs);
  LimitPoint *plain = arena_allocate(arena, (count + 1) * sizeof *plain);
  for (size_t i = 0; i < count; i++) {
    const StaticsPoint *p = &points[i];
    pairs[i] = p->ids;
    plain[i] = p->point;
    if (p->low_moves) plain[i].low = body_index(bodies, scene->limit.body_count, p->ids.low);
    if (p->high_moves) plain[i].high = body_index(bodies, scene->limit.body_count, p->ids.high);
  }
  scene->pairs = pairs;
  scene->limit.points = plain;
}

// Whether a body, or its entry, has a name that fits one of the patterns.
static bool is_named(const Case *c, uint64_t id, const char *names)
{
  char name[CASE_START_NAME_BYTES], pattern[CASE_START_NAME_BYTES];
  case_start_name(c, id, name);
  while (*names) {
    const size_t length = strcspn(names, ",");
    snprintf(pattern, sizeof pattern, "%.*s", (int)length, names);
    if (case_member_fits(scene_group(c, id)->name, pattern) || case_member_fits(name, pattern))
      return true;
    names += length + (names[length] == ',');
  }
  return false;
}

// Between the first and the last point at bodies that are held, along a way, m.
static double middle_of_held(const StaticsScene *scene, const StaticsPoint *points, vec3 way)
{
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < scene->limit.point_count; i++) {
    if (points[i].low_moves && points[i].high_moves) continue;
    const double along = vec3_dot(points[i].at, way);
    low = smaller_of(low, along);
    high = larger_of(high, along);
  }
  return (low + high) / 2;
}

// The force on bodies that are held and asked for, along the way, as a sum over points.
static void set_thrust(const Case *c, const StaticsQuestion *question, const StaticsPoint *points,
                       StaticsScene *scene, Arena *arena)
{
  const size_t count = (size_t)scene->limit.point_count;
  vec3 *wanted = arena_allocate_zero(arena, count + 1, sizeof *wanted);
  const double middle = middle_of_held(scene, points, question->way);
  for (size_t i = 0; i < count; i++) {
    const StaticsPoint *p = &points[i];
    if (p->low_moves && p->high_moves) continue;
    assert((p->low_moves || p->high_moves) && "two bodies that are held have no contact");
    const bool low = !p->low_moves;
    const bool asked = question->names
                           ? is_named(c, low ? p->ids.low : p->ids.high, question->names)
                           : vec3_dot(p->at, question->way) > middle;
    if (!asked) continue;
    scene->thrusting++;
    wanted[i] = vec3_scale(low ? 1 : -1, mat3_mul(p->point.basis, question->way));
    scene->now += vec3_dot(wanted[i], p->force);
  }
  scene->limit.wanted = wanted;
}

// ------------------------------------------------------------------------------------------------

// What limit analysis does not know. False after one message.
static bool check_kinds(const Problem *problem)
{
  int64_t bonds = 0;
  for (int i = 0; i < problem->point_count && problem->limits; i++) {
    const PointLimits *limits = &problem->limits[i];
    bonds += problem->owned[i] && (law_bounds(limits) || law_gives(limits));
  }
  bonds = par_sum(bonds);
  return all_ok(bonds == 0,
                "statics: there are %" PRId64
                " points of bonds, joints or springs, and limit analysis knows contacts alone",
                bonds);
}

static bool check_question(const World *world, const StaticsQuestion *question)
{
  const Case *c = world->c;
  if (question->kind == STATICS_LOAD)
    return all_ok(question->load < c->load_count,
                  "statics: the case has %d loads, counted from 0, and none with number %d",
                  c->load_count, question->load);
  return all_ok(question->kind != STATICS_WEIGHT || vec3_norm(world_gravity(world)) > 0,
                "statics: there is no gravity, so bodies have no weight to turn");
}

int statics_gather(World *world, const Problem *problem, const StaticsQuestion *question,
                   Arena *arena, StaticsScene *scene)
{
  *scene = (StaticsScene){.gaping = 0};
  if (!check_kinds(problem) || !check_question(world, question)) return EXIT_USER;
  size_t *counts = arena_allocate(arena, 2 * (size_t)par_size() * sizeof *counts);
  size_t *point_counts = counts + par_size();
  StaticsBody *bodies = gather_bodies(world, problem, question, counts, arena);
  StaticsPoint *points = gather_points(world, problem, &scene->gaping, point_counts, arena);
  if (par_rank() == 0) {
    LimitProblem *limit = &scene->limit;
    limit->body_count = total(counts, sizeof *bodies);
    limit->point_count = total(point_counts, sizeof *points);
    if (limit->body_count > 1)
      qsort(bodies, (size_t)limit->body_count, sizeof *bodies, compare_bodies);
    if (limit->point_count > 1)
      qsort(points, (size_t)limit->point_count, sizeof *points, compare_points);
    set_bodies(scene, bodies, question->kind != STATICS_THRUST, arena);
    set_points(scene, points, bodies, arena);
    if (question->kind == STATICS_THRUST) set_thrust(world->c, question, points, scene, arena);
  }
  if (!all_ok(par_rank() != 0 || scene->limit.body_count > 0, "statics: no body can move"))
    return EXIT_USER;
  const bool any = question->kind != STATICS_THRUST || par_rank() != 0 || scene->thrusting > 0;
  const bool good =
      question->names
          ? all_ok(any, "statics: no fixed body that touches one that can move fits '%s'",
                   question->names)
          : all_ok(any, "statics: there are no supports on two sides along --thrust; name those "
                        "that are meant by --on");
  return good ? EXIT_DONE : EXIT_USER;
}
