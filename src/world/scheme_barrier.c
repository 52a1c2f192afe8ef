// The barrier scheme: velocities at the end of the step that keep all surfaces apart.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "barrier_newton.h"
#include "barrier_system.h"
#include "box_overlap.h"
#include "law_in_time.h"
#include "loads.h"
#include "parallel.h"
#include "rigid.h"
#include "scene.h"
#include "scheme.h"
#include "step_check.h"

#define RANGE_OF_SPEED 2.0     // of what the fastest body does, each one may do in the step
#define RANGE_OF_GRAVITY 4.0   // of what gravity does in it from rest

// -- range ----------------------------------------------------------------------------------------

// Collective. How far a body goes at most in the step, and as far as barriers act: the fastest
// one's way with what gravity and loads add to it. A body that others strike may become faster than
// they are.
static double reach(World *world)
{
  const Bodies *b = &world->bodies;
  const double h = world_interval(world), gravity = vec3_norm(world_gravity(world));
  const LoadValues values = loads_at_middle(world, &world->scratch);
  double fastest = 0;
  for (int i = 0; i < b->table.owned; i++) {
    if (b->drive[i] != DRIVE_DYNAMIC) continue;
    const double radius = barrier_skins_get(world->skins, b->shape[i])->radius;
    const double others = world->loaded ? vec3_norm(world->loaded[i].force) : 0;
    const double force = vec3_norm(loads_on(world, &values, i).force) + others;
    par_raise(&fastest,
              vec3_norm(b->velocity[i]) + vec3_norm(b->spin[i]) * radius + h * force / b->mass[i]);
  }
  return h * (RANGE_OF_SPEED * par_max(fastest) + RANGE_OF_GRAVITY * h * gravity) +
         2 * world->c->barrier.scale.distance;
}

// -- couples --------------------------------------------------------------------------------------

typedef struct {
  IdPair ids;
  BarrierCouple couple;
} FoundCouple;

static int order_couples(const void *a, const void *b)
{
  return id_pair_compare(((const FoundCouple *)a)->ids, ((const FoundCouple *)b)->ids);
}

// Boxes of skins with what their bodies may do.
static Box *find_boxes(World *world, double range)
{
  const Bodies *b = &world->bodies;
  Arena *arena = &world->scratch;
  Box *boxes = arena_allocate(arena, ((size_t)b->table.count + 1) * sizeof *boxes);
  for (int i = 0; i < b->table.count; i++) {
    const BarrierSurface *skin = barrier_skins_get(world->skins, b->shape[i]);
    const ArenaMark mark = arena_mark(arena);
    vec3 *at = arena_allocate(arena, (size_t)skin->vertex_count * sizeof *at);
    const mat3 rotation = quat_to_mat3(b->orientation[i]);
    for (int v = 0; v < skin->vertex_count; v++)
      at[v] = vec3_add(b->position[i], mat3_mul(rotation, skin->vertices[v]));
    const double grow =
        0.5 * world->c->barrier.scale.distance + (b->drive[i] == DRIVE_DYNAMIC ? range : 0);
    boxes[i] = box_grow(box_of_points(at, skin->vertex_count), grow);
    arena_release(arena, mark);
  }
  return boxes;
}

// All couples of own bodies that move, in order of ids.
static const BarrierCouple *find_couples(World *world, double range, int *count)
{
  const Case *c = world->c;
  const Bodies *b = &world->bodies;
  Arena *arena = &world->scratch;
  const int own = b->table.owned;
  const SurfaceLaws *laws = law_in_time_at(&c->surfaces, c->law_changes, c->law_change_count,
                                           world_time(world, 0.5), arena);
  const BoxPairs near = box_overlap_find(find_boxes(world, range), b->table.count, arena);
  FoundCouple *found = arena_allocate(arena, ((size_t)near.count + 1) * sizeof *found);
  *count = 0;
  for (int64_t k = 0; k < near.count; k++) {
    const BoxPair p = near.pairs[k];
    const bool ours = (p.a < own && b->drive[p.a] == DRIVE_DYNAMIC) ||
                      (p.b < own && b->drive[p.b] == DRIVE_DYNAMIC);
    const SurfaceLaw *law = surface_laws_of(laws, b, p.a, p.b);
    if (!ours || law->excluded) continue;
    const IdPair ids = id_pair_of(b->id[p.a], b->id[p.b]);
    const int low = b->id[p.a] == ids.low ? p.a : p.b, high = low == p.a ? p.b : p.a;
    const bool counted = bodies_pair_owner(b, low, high) < own;
    found[(*count)++] = (FoundCouple){ids, {low, high, law->friction, counted}};
  }
  qsort(found, (size_t)*count, sizeof *found, order_couples);
  BarrierCouple *couples = arena_allocate(arena, ((size_t)*count + 1) * sizeof *couples);
  for (int k = 0; k < *count; k++) couples[k] = found[k].couple;
  return couples;
}

// -- the problem ----------------------------------------------------------------------------------

static BarrierProblem problem_of_step(World *world, const Step *step)
{
  const Bodies *b = &world->bodies;
  Arena *arena = &world->scratch;
  const size_t rows = (size_t)b->table.count + 1;
  const BarrierSurface **surfaces = arena_allocate(arena, rows * sizeof *surfaces);
  double *mass = arena_allocate(arena, rows * sizeof *mass);
  mat3 *inertia = arena_allocate(arena, rows * sizeof *inertia);
  for (int i = 0; i < b->table.count; i++) {
    surfaces[i] = barrier_skins_get(world->skins, b->shape[i]);
    mass[i] = 0;
    inertia[i] = mat3_diagonal(1, 1, 1);
    if (!motion_moves(&step->mid[i])) continue;
    const MotionMass of = motion_mass(b, i, &step->mid[i]);
    mass[i] = b->mass[i];
    inertia[i] = of.inertia;
  }
  BarrierProblem problem = {.own = b->table.owned,
                            .count = b->table.count,
                            .ids = b->id,
                            .ghost_ranks = step->halo.ghost_ranks,
                            .plan = step->halo.plan,
                            .surfaces = surfaces,
                            .position = b->position,
                            .orientation = b->orientation,
                            .mass = mass,
                            .inertia = inertia,
                            .free = step->free,
                            .range = world->reach - world->c->barrier.scale.distance,
                            .step = world_interval(world),
                            .settings = world->c->barrier};
  problem.couples = find_couples(world, problem.range, &problem.couple_count);
  return problem;
}

// A problem of the other scheme without points, for all that counts points.
static Problem no_points(World *world, const Step *step)
{
  const Case *c = world->c;
  const double h = world_interval(world);
  const ProblemInput input = {.bodies = &world->bodies,
                              .mid = step->mid,
                              .contacts = &world->contacts,
                              .ghost_ranks = step->halo.ghost_ranks,
                              .start = velocities_of_rigid(step->start),
                              .free = velocities_of_rigid(step->free),
                              .laws = &c->surfaces,
                              .shapes = &world->shapes,
                              .slop = c->correction.slop,
                              .step = h,
                              .gravity_speed = h * vec3_norm(step->acting.acceleration),
                              .stops = stops_over(c->solver.stops, c->solver.solve.tolerance)};
  return problem_new(&input, NULL, &world->scratch);
}

// -- the end --------------------------------------------------------------------------------------

// Velocities, momenta and ways of own bodies. In a step that is solved momenta are those of the
// impulses, else they follow from the velocities.
static void move_bodies(World *world, Step *step, const BarrierProblem *problem,
                        const BarrierIterate *end, const BarrierImpulse *impulses)
{
  Bodies *b = &world->bodies;
  const double h = problem->step;
  for (int i = 0; i < b->table.owned; i++) {
    const Twist u = end->u[i];
    step->way[i] = (Twist){vec3_scale(h, u.v), vec3_scale(h, u.w)};
    if (b->drive[i] != DRIVE_DYNAMIC) continue;
    motion_take_loads(b, i, &step->acting);
    b->spin[i] = u.w;
    if (step->solved.converged) {
      b->velocity[i] = vec3_axpy(1 / problem->mass[i], impulses[i].push, problem->free[i].v);
      b->angular[i] = vec3_add(b->angular[i], impulses[i].turn);
    } else {
      b->velocity[i] = u.v;
      const vec3 change = vec3_sub(u.w, problem->free[i].w);
      b->angular[i] = vec3_add(b->angular[i], mat3_mul(problem->inertia[i], change));
    }
    step->problem.twist[i] = (Twist){b->velocity[i], b->spin[i]};
  }
}

static IndexPair features_of(BarrierKind kind, const int feature[2])
{
  const unsigned low = kind == BARRIER_POINT_OF_A   ? FEATURE_VERTEX
                       : kind == BARRIER_POINT_OF_B ? FEATURE_FACE
                                                    : FEATURE_EDGE;
  const unsigned high = kind == BARRIER_POINT_OF_A   ? FEATURE_FACE
                        : kind == BARRIER_POINT_OF_B ? FEATURE_VERTEX
                                                     : FEATURE_EDGE;
  const bool of_high = kind == BARRIER_POINT_OF_B;
  return (IndexPair){feature_new(low, of_high ? 0 : feature[0]),
                     feature_new(high, of_high ? feature[0] : feature[1])};
}

static bool is_of_term(const BarrierGrip *grip, const BarrierTerm *term)
{
  return grip->kind == term->kind && grip->feature[0] == term->feature[0] &&
         grip->feature[1] == term->feature[1];
}

// Work of an impulse at a term on the lower body, and of its opposite on the higher one, J.
static double work_of(const Step *step, const BarrierProblem *problem, int c,
                      const BarrierTerm *term, vec3 impulse)
{
  const BarrierCouple *couple = &problem->couples[c];
  const int rows[2] = {couple->low, couple->high};
  vec3 u[2];
  for (int k = 0; k < 2; k++) {
    const Twist start = step->start[rows[k]], end = step->problem.twist[rows[k]];
    u[k] = vec3_add(rigid_velocity(start, term->arm[k]), rigid_velocity(end, term->arm[k]));
  }
  return 0.5 * vec3_dot(impulse, vec3_sub(u[0], u[1]));
}

// A term with its impulse on the lower body as a row of the table of contacts, where the end of the
// step has it. Returns the row.
static int add_contact(World *world, const BarrierCouple *couple, const BarrierIterate *end,
                       const BarrierTerm *term, vec3 impulse)
{
  Contacts *contacts = &world->contacts;
  const Bodies *b = &world->bodies;
  const int row = contacts->table.owned;
  table_reserve(&contacts->table, row + 1);
  const mat3 basis = contacts_basis(term->normal);
  contacts->bodies[row] = (IdPair){b->id[couple->low], b->id[couple->high]};
  contacts->parts[row] = (IndexPair){0, 0};
  contacts->features[row] = features_of(term->kind, term->feature);
  contacts->axis[row] = (IndexPair){0, 0};
  contacts->reaction[row] = mat3_mul(basis, impulse);
  const BarrierBody *low = &end->bodies[couple->low];
  contacts->point[row] = vec3_add(low->position, term->arm[0]);
  contacts->anchor[row] = mat3_mul_transposed(low->rotation, term->arm[0]);
  contacts->normal[row] = term->normal;
  contacts->gap[row] = term->gap;
  contacts->area[row] = term->area;
  contacts->table.owned = contacts->table.count = row + 1;
  return row;
}

// What a frame tells of a row: what friction does, and the way along the surface in a step.
static void show_contact(World *world, int row, bool holds, const BarrierTerm *term,
                         const Twist pair[2])
{
  Contacts *contacts = &world->contacts;
  const vec3 u =
      vec3_sub(rigid_velocity(pair[0], term->arm[0]), rigid_velocity(pair[1], term->arm[1]));
  const vec3 along = vec3_axpy(-vec3_dot(u, term->normal), term->normal, u);
  contacts->status[row] = holds ? CONTACT_STICKS : CONTACT_SLIDES;
  contacts->slip[row] = world->c->step * vec3_norm(along);
}

// Terms of own couples that press, with friction, are the contacts of the step.
static void store_contacts(World *world, Step *step, const BarrierProblem *problem,
                           const BarrierIterate *end, const BarrierGrips *grips)
{
  BarrierCount *barriers = &step->barriers;
  for (int c = 0; c < problem->couple_count; c++) {
    const BarrierCouple *couple = &problem->couples[c];
    if (!couple->counted) continue;
    const Twist pair[2] = {end->u[couple->low], end->u[couple->high]};
    int grip = grips->start[c];
    for (int i = end->start[c]; i < end->start[c + 1]; i++) {
      const BarrierTerm *term = &end->terms.of[i];
      exact_sum_add(&barriers->energy, term->energy);
      barriers->least_gap = fmin(barriers->least_gap, term->gap);
      if (!(vec3_norm(term->gradient) > 0)) continue;
      // grips are in the order of the terms that they were made of
      int at = grip;
      while (at < grips->start[c + 1] && !is_of_term(&grips->of[at], term)) at++;
      vec3 friction = {0, 0, 0};
      bool holds = false;
      if (at < grips->start[c + 1]) {
        const double slip = vec3_norm(barrier_problem_slip(&grips->of[at], pair));
        friction = barrier_system_friction(problem, &grips->of[at], pair);
        holds = slip < problem->settings.stick_speed;
        if (holds) par_raise(&barriers->creep, slip);
        grip = at + 1;
      }
      if (holds) step->sticking++;
      else step->sliding++;
      const vec3 push = vec3_scale(-problem->step, vec3_add(term->gradient, friction));
      exact_sum_add(&step->work, work_of(step, problem, c, term, push));
      const int row = add_contact(world, couple, end, term, push);
      if (world->shows && world->contacts.status) show_contact(world, row, holds, term, pair);
    }
  }
  table_sort(&world->contacts.table, 0, world->contacts.table.owned);
}

static Convergence convergence_of(const World *world, const BarrierResult *result)
{
  const double tolerance = world->c->barrier.tolerance;
  const bool direct = result->inner == 0;
  return (Convergence){.converged = result->converged,
                       .method = direct ? SOLVER_ADMM_CHOLESKY : SOLVER_ADMM_AMG,
                       .sweeps = result->newton,
                       .inner = result->inner,
                       .factorisations = result->newton,
                       .residual_max = result->last / tolerance * world->c->solver.solve.tolerance};
}

static void refuse(World *world, const BarrierResult *result)
{
  const unsigned long long low = result->touching.low, high = result->touching.high;
  world->refused = true;
  all_ok(par_rank() != 0,
         "bodies %llu (%s) and %llu (%s) overlap by barrier.distance, %g m, or more before step "
         "%lld: move them apart, or take a larger distance",
         low, scene_group(world->c, low)->name, high, scene_group(world->c, high)->name,
         world->c->barrier.scale.distance, (long long)world->step);
}

static void solve(World *world, Step *step)
{
  Arena *scratch = &world->scratch;
  timers_stage(&world->timers, "set-up");
  motion_free_velocities(&world->bodies, &step->acting, step->start, step->free);
  step->before = velocities_of_rigid(step->start);
  step->problem = no_points(world, step);
  memcpy(step->problem.twist, step->free, (size_t)world->bodies.table.count * sizeof(Twist));
  step->bonds = step->detected.bonds;
  if (world->hook.call) world->hook.call(world->hook.context, &step->problem, step->before);
  const size_t own = (size_t)world->bodies.table.owned + 1;
  step->way = arena_allocate_zero(scratch, own, sizeof *step->way);
  const BarrierProblem problem = problem_of_step(world, step);
  for (int c = 0; c < problem.couple_count; c++) step->detected.pairs += problem.couples[c].counted;

  timers_stage(&world->timers, "solver");
  BarrierIterate end;
  BarrierGrips grips;
  const BarrierResult result =
      barrier_newton_solve(&problem, &world->barrier, &end, &grips, scratch);
  step->solved = convergence_of(world, &result);
  step->work = exact_sum_new();
  step->barriers =
      (BarrierCount){result.searches, problem.settings.scale.distance, 0, exact_sum_new()};
  if (result.apart) {
    BarrierImpulse *impulses = arena_allocate(scratch, own * sizeof *impulses);
    barrier_system_impulses(&problem, &end, &grips, impulses, scratch);
    move_bodies(world, step, &problem, &end, impulses);
    halo_refresh(&step->halo.plan, step->problem.twist, sizeof(Twist), scratch);
    store_contacts(world, step, &problem, &end, &grips);
  } else {
    refuse(world, &result);
  }
  arena_destroy(&end.memory);
}

const Scheme SCHEME_BARRIER = {
    .name = "barrier", .from_start = true, .reach = reach, .solve = solve};
