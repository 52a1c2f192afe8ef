// Fills the record of a step: counts, energies, momenta.
#include "record.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "anchorage.h"
#include "contact_status.h"
#include "exact_sum.h"
#include "finite_bend.h"
#include "guides.h"
#include "kind.h"
#include "loads.h"
#include "parallel.h"
#include "plural.h"
#include "record_balance.h"
#include "scene.h"
#include "servos.h"

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

// Work of a point's impulse on the side of one body, r.(u(n) + u(n+1))/2, where that is prescribed.
// both: u(n) + u(n+1)
static double prescribed_side(const SolverPoint *p, MaterialPoint point, const Twist *both)
{
  const vec3 sum = material_point_velocity(&point, both[point.row]);
  return 0.5 * vec3_dot(p->r, mat3_mul(p->basis, sum));
}

// Over own points: r.(U(n) + U(n+1))/2 of contacts to work[0] and of joints to work[2], what
// prescribed bodies do to the others to work[1]; and what each contact does.
static PointCounts count_points(const Problem *problem, const Bodies *bodies, Velocities start,
                                ExactSum *work, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  const VelocityColumns all = problem_copy_velocities(problem, start, arena);
  Twist *both = all.twist;
  for (int b = 0; b < problem->row_count; b++)
    both[b] =
        (Twist){vec3_add(both[b].v, problem->twist[b].v), vec3_add(both[b].w, problem->twist[b].w)};
  for (int b = 0; b < problem->row_count && problem->elastic; b++)
    all.stretch[b] = mat3_add(all.stretch[b], problem->stretch[b]);
  const int nodes = problem->finite ? finite_rows_nodes(problem->finite, problem->row_count) : 0;
  for (int n = 0; n < nodes; n++) all.nodes[n] = vec3_add(all.nodes[n], problem->nodes[n]);
  const Velocities sums = {both, all.stretch, all.nodes};
  PointCounts counts = {0, 0};
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    if (!problem->owned[pair->first]) continue;
    for (int i = pair->first; i < pair->end; i++) {
      const SolverPoint p = problem_point(problem, k, i);
      if (p.r.x == 0 && p.r.y == 0 && p.r.z == 0) continue;
      exact_sum_add(&work[p.joined ? 2 : 0], 0.5 * vec3_dot(p.r, problem_velocity(&p, sums)));
      if (bodies->drive[p.low] == DRIVE_PRESCRIBED)
        exact_sum_add(&work[1], -prescribed_side(&p, problem_low_point(&p), both));
      if (bodies->drive[p.high] == DRIVE_PRESCRIBED)
        exact_sum_add(&work[1], prescribed_side(&p, problem_high_point(&p), both));
      if (p.joined) continue;
      const uint32_t status = contact_status_of(&p);
      counts.sticking += status == CONTACT_STICKS;
      counts.sliding += status == CONTACT_SLIDES;
    }
  }
  arena_release(arena, mark);
  return counts;
}

// Collective. The lowest of the pairs that ranks have.
static IdPair lowest_pair(bool any, IdPair own)
{
  ParFirst first = {any ? 1 : 0, own.low, own.high};
  par_reduce(&(Reduction){REDUCE_FIRST, &first, 1}, 1);
  return (IdPair){first.low, first.high};
}

// totals: of all ranks
static void record_bonds(StepRecord *record, const BondCount *bonds, const int64_t totals[5])
{
  record->bonds = totals[0];
  record->bonds_made = totals[1];
  record->broken_tension = totals[2];
  record->broken_shear = totals[3];
  record->doubtful_bonds = totals[4];
  if (totals[2] + totals[3] > 0)
    record->first_broken = lowest_pair(bonds->tension + bonds->shear > 0, bonds->first);
}

// Separation of a row in the directions in which it is rigid and holds, m.
static double rigid_separation(const Joints *joints, int row)
{
  const JointRule *rule = joints_rule(joints, row);
  const vec3 s = vec3_sub(joints->elongation[row], joints->plastic[row]);
  const bool pulled = s.x > 0 ? rule->tension > 0 : rule->push > 0;
  double square = 0;
  if (pulled && rule->stiffness[JOINT_NORMAL] == INFINITY) square += s.x * s.x;
  if (rule->shear > 0 && rule->stiffness[JOINT_TANGENT] == INFINITY)
    square += s.y * s.y + s.z * s.z;
  return sqrt(square);
}

// Collective. Works and energies of joints: sums[0] is their work so far, on this rank.
static void record_joints(World *world, const JointCount *count, ExactSum *work)
{
  StepRecord *record = &world->record;
  if (world->c->joint_row_count == 0) return;
  const Joints *j = &world->joints;
  ExactSum sums[3] = {exact_sum_new(), exact_sum_new(), exact_sum_new()};
  double widest = 0;
  for (int i = 0; i < j->table.owned; i++) {
    exact_sum_add(&sums[0], j->elastic[i]);
    exact_sum_add(&sums[1], j->damped[i]);
    exact_sum_add(&sums[2], j->spent[i]);
    if (j->status[i] == JOINT_BROKEN) continue;
    par_raise(&widest, rigid_separation(j, i));
  }
  int64_t totals[2] = {count->yielded, count->broken};
  const Reduction all[] = {exact_sum_reduction(work),     exact_sum_reduction(&sums[0]),
                           exact_sum_reduction(&sums[1]), exact_sum_reduction(&sums[2]),
                           {REDUCE_SUM, totals, 2},       {REDUCE_MAX, &widest, 1}};
  par_reduce(all, sizeof all / sizeof *all);
  record->joint_work = exact_sum_value(work);
  record->joint_energy = exact_sum_value(&sums[0]);
  record->joint_damping = exact_sum_value(&sums[1]);
  record->joint_yielding = exact_sum_value(&sums[2]);
  record->joint_separation = widest;
  record->yielded = totals[0];
  record->broken_joints = totals[1];
  if (totals[1] > 0) record->first_joint = lowest_pair(count->broken > 0, count->first);
}

// Collective. Works of the volumetric law to sums[0], of prescribed bodies by it to sums[1]. Ghosts
// have the velocities at the end from their owners.
static void add_volume_works(World *world, const Step *step, ExactSum *sums)
{
  if (!step->volumes.volumes) return;
  Arena *arena = &world->scratch;
  const ArenaMark mark = arena_mark(arena);
  const size_t rows = (size_t)step->problem.row_count;
  Twist *end = arena_allocate(arena, (rows + 1) * sizeof *end);
  memcpy(end, step->problem.twist, rows * sizeof *end);
  halo_refresh(&step->halo.plan, end, sizeof *end, arena);
  const VolumeWorks works = {step->before.twist, end, &sums[0], &sums[1]};
  volume_forces_work(&step->volumes, &works);
  arena_release(arena, mark);
}

// Collective. Energies of rows of the volumetric law, and what they lost in the step.
static void record_volumes(World *world)
{
  if (!world_volumes(world)) return;
  StepRecord *record = &world->record;
  const Volumes *v = &world->volumes;
  ExactSum sums[4] = {exact_sum_new(), exact_sum_new(), exact_sum_new(), exact_sum_new()};
  int64_t counts[3] = {v->table.owned, 0, world->stiff.count};
  ParFirst first = {world->stiff.count > 0 ? 1 : 0, world->stiff.first, 0};
  for (int i = 0; i < v->table.owned; i++) {
    exact_sum_add(&sums[0], v->elastic[i]);
    exact_sum_add(&sums[1], v->damped[i]);
    exact_sum_add(&sums[2], v->rolled[i]);
    exact_sum_add(&sums[3], v->rubbed[i]);
    counts[1] += v->slides[i] != 0;
  }
  const Reduction all[] = {exact_sum_reduction(&sums[0]), exact_sum_reduction(&sums[1]),
                           exact_sum_reduction(&sums[2]), exact_sum_reduction(&sums[3]),
                           {REDUCE_SUM, counts, 3},       {REDUCE_FIRST, &first, 1}};
  par_reduce(all, sizeof all / sizeof *all);
  record->volumes = counts[0];
  record->volumes_sliding = counts[1];
  record->stiff = counts[2];
  record->first_stiff = first.low;
  record->volume_energy = exact_sum_value(&sums[0]);
  record->volume_damping = exact_sum_value(&sums[1]);
  record->volume_rolling = exact_sum_value(&sums[2]);
  record->volume_friction = exact_sum_value(&sums[3]);
}

// Collective where the scheme has barriers; its steps are never made in halves.
static void record_barriers(World *world, const Step *step)
{
  if (!world->c->barrier.given) return;
  StepRecord *record = &world->record;
  ExactSum energy = step->barriers.energy;
  double largest[2] = {-step->barriers.least_gap, step->barriers.creep};
  const Reduction all[] = {exact_sum_reduction(&energy), {REDUCE_MAX, largest, 2}};
  par_reduce(all, sizeof all / sizeof *all);
  record->line_searches = step->barriers.searches;
  record->barrier_energy = exact_sum_value(&energy);
  record->least_gap = -largest[0];
  record->creep = largest[1];
}

// Collective where the case has damping.
static void record_damping(World *world, const Step *step)
{
  ExactSum sums[2] = {exact_sum_new(), exact_sum_new()};
  damping_add_works(&world->bodies, step->damping, step->start, step->acting.step, sums);
  if (step->damping) exact_sum_reduce(sums, 2);
  world->record.local_damping = exact_sum_value(&sums[0]);
  world->record.mass_damping = exact_sum_value(&sums[1]);
}

// Servos act by loads and joints, and their work stands with that of prescribed motions.
static void add_servos(const World *world, const Step *step, ExactSum *sums)
{
  assert(step->acting.loads != NULL && "servos are loads");
  const ServoTime at = {world->c, &world->bodies, world_time(world, 0.5),
                        step->acting.acceleration};
  const ServoSums to = {&sums[1], &sums[3], &sums[2]};
  servos_add_work(&at, &world->joints, step->start, step->acting.step, to);
}

void record_step(World *world, const Step *step)
{
  assert(step->problem.row_count == world->bodies.table.count && "the problem is of these bodies");
  assert(step->acting.step > 0 && step->bonds.doubtful >= 0 && "a step takes time");
  const DetectReport *detected = &step->detected;
  const Problem *problem = &step->problem;
  const BondCount *bonds = &step->bonds;
  const Twist *start = step->start;
  const MotionForces *acting = &step->acting;
  const LoadSum *loads = step->case_loads;
  StepRecord *record = &world->record;
  const Bodies *b = &world->bodies;
  const Contacts *contacts = &world->contacts;
  record->solve = step->solved;
  record->colours = problem->colour_count;

  // work of contacts, of prescribed motions, and of gravity and loads, h m g.(v(n) + v(n+1))/2
  ExactSum sums[4] = {exact_sum_new(), exact_sum_new(), exact_sum_new(), exact_sum_new()};
  ExactSum deforming[LOADS_WORKS];
  for (int i = 0; i < LOADS_WORKS; i++) deforming[i] = exact_sum_new();
  if (acting->deforming) loads_add_works(world, acting->deforming, deforming);
  const double h = world_interval(world);
  PointCounts counts = count_points(problem, b, step->before, sums, &world->scratch);
  if (world->scheme->from_start) {
    counts = (PointCounts){step->sliding, step->sticking};
    exact_sum_join(&sums[0], &step->work);
  }
  guides_add_work(b, acting, problem, start, &sums[1]);
  anchorage_record(world, step, &sums[1]);
  if (world->c->servo_count > 0) add_servos(world, step, sums);
  add_volume_works(world, step, sums);
  for (int i = 0; i < b->table.owned; i++) {
    if (b->drive[i] != DRIVE_DYNAMIC) continue;
    exact_sum_add(&sums[3], motion_work_of_acceleration(b, i, acting->acceleration, start[i], h));
    if (loads) exact_sum_add(&sums[3], motion_work_of_load(b, i, loads[i], start[i], h));
  }
  int64_t totals[8] = {detected->pairs,  contacts->table.owned, counts.sliding,     counts.sticking,
                       detected->failed, detected->sparsified,  detected->rerouted, detected->met};
  double deepest[2] = {0, (double)step->halo.ghost_count};
  for (int i = 0; i < contacts->table.owned; i++)
    if (-contacts->gap[i] > deepest[0]) deepest[0] = -contacts->gap[i];
  int64_t bonded[5] = {0, bonds->made, bonds->tension, bonds->shear, bonds->doubtful};
  for (int i = 0; i < contacts->table.owned; i++) bonded[0] += contacts_whole(contacts, i);

  const Reduction all[] = {exact_sum_reduction(&sums[0]), exact_sum_reduction(&sums[1]),
                           exact_sum_reduction(&sums[3]), {REDUCE_SUM, totals, 8},
                           {REDUCE_SUM, bonded, 5},       {REDUCE_MAX, deepest, 2}};
  par_reduce(all, sizeof all / sizeof *all);
  if (acting->deforming) exact_sum_reduce(deforming, LOADS_WORKS);
  record_damping(world, step);
  record->damping_work = exact_sum_value(&deforming[LOADS_DAMPING]);
  record->scheme_work = exact_sum_value(&deforming[LOADS_SCHEME]);
  record->contact_work = exact_sum_value(&sums[0]);
  record->prescribed_work = exact_sum_value(&sums[1]);
  record->load_work = exact_sum_value(&sums[3]) + exact_sum_value(&deforming[LOADS_STRAIN]);
  record->correction_work = 0;
  record->correction_angular = (vec3){0, 0, 0};
  record->correction_sweeps = 0;

  record->pairs = totals[0];
  record->points = totals[1];
  record->sliding = totals[2];
  record->sticking = totals[3];
  record->open = record->points - record->sliding - record->sticking;
  assert(record->open >= 0 && "a point slides, sticks or is open");
  record->failed = totals[4];
  record->sparsified = totals[5];
  record->rerouted = totals[6];
  record->met = totals[7];
  record->penetration = deepest[0];
  record->ghosts = (int64_t)deepest[1];
  if (record->failed > 0)
    record->first_failed = lowest_pair(detected->failed > 0, detected->first_failed);
  if (record->met > 0) record->first_met = lowest_pair(detected->met > 0, detected->first_met);
  if (record->rerouted > 0)
    record->first_rerouted = lowest_pair(detected->rerouted > 0, detected->first_rerouted);
  record_bonds(record, bonds, bonded);
  record_joints(world, &step->joints, &sums[2]);
  record_volumes(world);
  record_barriers(world, step);
  record_balance_of_step(world, step);
}

void record_correction(World *world, const Correction *correction, const Step *step)
{
  assert(correction->acted && correction->shift != NULL && "positions have been corrected");
  const Twist *shift = correction->shift;
  const LoadSum *loads = step->case_loads;
  const Bodies *b = &world->bodies;
  ExactSum sums[4] = {exact_sum_new(), exact_sum_new(), exact_sum_new(), exact_sum_new()};
  for (int i = 0; i < b->table.owned; i++) {
    if (b->drive[i] != DRIVE_DYNAMIC) continue;
    exact_sum_add(&sums[0], b->mass[i] * vec3_dot(step->acting.acceleration, shift[i].v));
    if (loads) {
      exact_sum_add(&sums[0], vec3_dot(loads[i].force, shift[i].v));
      exact_sum_add(&sums[0], vec3_dot(loads[i].torque, shift[i].w));
    }
    add_vector(&sums[1], vec3_scale(b->mass[i], vec3_cross(shift[i].v, b->velocity[i])));
  }
  exact_sum_reduce(sums, 4);
  world->record.correction_work = exact_sum_value(&sums[0]);
  world->record.correction_angular = vector_value(&sums[1]);
  world->record.correction_sweeps = correction->sweeps;
}

// kinetic energy, momentum, angular momentum about the origin and mass of own dynamic bodies
static void add_motion(const World *world, ExactSum *sums)
{
  const Bodies *b = &world->bodies;
  for (int i = 0; i < b->table.owned; i++) {
    if (b->drive[i] != DRIVE_DYNAMIC) continue;
    const Momenta of = motion_momenta(b, i);
    for (int k = 0; k < 2; k++) exact_sum_add(&sums[0], of.energy[k]);
    add_vector(&sums[1], of.momentum);
    for (int k = 0; k < 2; k++) add_vector(&sums[4], of.angular[k]);
    exact_sum_add(&sums[7], b->mass[i]);
  }
}

// Collective where the case has bodies that deform.
static double elastic_energy(const World *world)
{
  if (!world->c->deforms) return 0;
  const Bodies *b = &world->bodies;
  ExactSum sum = exact_sum_new();
  for (int i = 0; i < b->table.owned; i++)
    if (b->drive[i] == DRIVE_DYNAMIC) exact_sum_add(&sum, loads_elastic_energy(world, i));
  exact_sum_reduce(&sum, 1);
  return exact_sum_value(&sum);
}

static const char *body_name(const World *world, uint64_t id)
{
  const BodyGroup *group = scene_group(world->c, id);
  return group->name && group->name[0] ? group->name : "unnamed";
}

// What is odd about bodies after a step.
typedef struct {
  ParFirst lost;         // one whose numbers are not finite
  ParFirst large;        // one that moved too far for its contacts to be trusted
  ParFirst false_turn;   // one that turned too far for its energy
  ParFirst displaced;    // one displaced farther than contacts of its shape bear
  ParFirst turned;       // a cell that turned too far in its frame: body and cell
  // of large motions, of dynamic bodies, of false turns, of displaced bodies, of turned cells
  int64_t count[5];
} Oddities;

static void add_bend(World *world, int row, Oddities *odd)
{
  const Bodies *b = &world->bodies;
  const ElasticFinite *finite = kind_mesh(b, row);
  if (!finite) return;
  const int first = nodes_find(b->nodes, b->id[row]);
  assert(first >= 0 && "nodes are where their body is");
  const FiniteBend bend = finite_bend(&finite->shape->mesh, b->nodes->displacement + first);
  const double extent = shape_set_get(&world->shapes, b->shape[row])->extent;
  const ParFirst displaced = {1, b->id[row], 0}, turned = {1, b->id[row], (uint64_t)bend.first};
  if (bend.farthest > world->c->contact.patch.margin * extent) {
    odd->count[3]++;
    if (par_comes_first(displaced, odd->displaced)) odd->displaced = displaced;
  }
  odd->count[4] += bend.turned;
  if (bend.turned > 0 && par_comes_first(turned, odd->turned)) odd->turned = turned;
}

static Oddities find_oddities(World *world)
{
  const Bodies *b = &world->bodies;
  const double h = world->record.halved ? 0.5 * world->c->step : world->c->step;
  const bool bends = world->c->elastic_meshes != NULL;
  Oddities odd = {.count = {0}};
  for (int i = 0; i < b->table.owned; i++) {
    if (b->drive[i] == DRIVE_FIXED) continue;
    odd.count[1] += b->drive[i] == DRIVE_DYNAMIC;
    const ParFirst found = {1, b->id[i], 0};
    const bool finite = motion_is_finite(b, i);
    if (!finite && par_comes_first(found, odd.lost)) odd.lost = found;
    if (bends && finite) add_bend(world, i, &odd);
    const Shape *shape = shape_set_get(&world->shapes, b->shape[i]);
    if (!motion_is_large(b, i, shape, h)) continue;
    odd.count[0]++;
    if (par_comes_first(found, odd.large)) odd.large = found;
    if (b->drive[i] == DRIVE_DYNAMIC && motion_is_false(b, i, shape, h)) {
      odd.count[2]++;
      if (par_comes_first(found, odd.false_turn)) odd.false_turn = found;
    }
  }
  return odd;
}

// Of both halves of a step, the one with more such bodies tells of it.
static void note_oddities(StepRecord *record, const Oddities *odd, bool second_half)
{
  assert(odd->count[0] >= odd->count[2] && "what turns falsely moves too far");
  if (!second_half || odd->count[0] > record->large) {
    record->large = odd->count[0];
    record->first_large = odd->large.low;
  }
  if (!second_half || odd->count[2] > record->false_turns) {
    record->false_turns = odd->count[2];
    record->first_false = odd->false_turn.low;
  }
  if (!second_half || odd->count[3] > record->displaced) {
    record->displaced = odd->count[3];
    record->first_displaced = odd->displaced.low;
  }
  if (!second_half || odd->count[4] > record->turned) {
    record->turned = odd->count[4];
    record->first_turned = (IdPair){odd->turned.low, odd->turned.high};
  }
}

bool record_end_half(World *world)
{
  assert(world->interval.count == 2 && world->record.halved && "one half is done");
  Oddities odd = find_oddities(world);
  const Reduction all[] = {{REDUCE_FIRST, &odd.lost, 1},       {REDUCE_FIRST, &odd.large, 1},
                           {REDUCE_FIRST, &odd.false_turn, 1}, {REDUCE_FIRST, &odd.displaced, 1},
                           {REDUCE_FIRST, &odd.turned, 1},     {REDUCE_SUM, odd.count, 5}};
  par_reduce(all, sizeof all / sizeof *all);
  note_oddities(&world->record, &odd, false);
  return odd.lost.size == 0;
}

// What the solver says of a step in halves: all that was done, and the errors of the worse half.
static Convergence join_solutions(const Convergence *whole, const Convergence *first,
                                  const Convergence *second)
{
  const bool first_is_worse = first->residual_max > second->residual_max;
  Convergence all = first_is_worse ? *first : *second;
  all.converged = first->converged && second->converged;
  all.given = fmax(first->given, second->given);
  all.sweeps = whole->sweeps + first->sweeps + second->sweeps;
  all.inner = whole->inner + first->inner + second->inner;
  all.factorisations = whole->factorisations + first->factorisations + second->factorisations;
  return all;
}

static void join_first(IdPair *pair, bool in_first, IdPair first)
{
  if (in_first) *pair = first;
}

// Adds what happened in the first half.
static void join_events(StepRecord *r, const StepRecord *first)
{
  join_first(&r->first_failed, first->failed > 0, first->first_failed);
  join_first(&r->first_met, first->met > 0, first->first_met);
  join_first(&r->first_rerouted, first->rerouted > 0, first->first_rerouted);
  join_first(&r->first_broken, first->broken_tension + first->broken_shear > 0,
             first->first_broken);
  join_first(&r->first_joint, first->broken_joints > 0, first->first_joint);
  r->failed += first->failed;
  r->met += first->met;
  r->rerouted += first->rerouted;
  r->sparsified += first->sparsified;
  r->bonds_made += first->bonds_made;
  r->broken_tension += first->broken_tension;
  r->broken_shear += first->broken_shear;
  r->doubtful_bonds += first->doubtful_bonds;
  if (first->wheels_off > r->wheels_off) {
    r->wheels_off = first->wheels_off;
    r->first_off = first->first_off;
  }
  r->yielded += first->yielded;
  r->broken_joints += first->broken_joints;
}

void record_join_halves(World *world, const StepRecord *first)
{
  StepRecord *r = &world->record;
  assert(r->halved && first->halved && "both halves are done");
  r->solve = join_solutions(&r->whole, &first->solve, &r->solve);
  join_events(r, first);
  r->impacts.groups += first->impacts.groups;
  r->impacts.least_share = fmin(r->impacts.least_share, first->impacts.least_share);
  r->penetration = fmax(r->penetration, first->penetration);
  r->unbalanced = fmax(r->unbalanced, first->unbalanced);
  r->undone = fmax(r->undone, first->undone);
  r->next_penetration = fmax(r->next_penetration, first->next_penetration);
  r->load_work += first->load_work;
  r->contact_work += first->contact_work;
  r->prescribed_work += first->prescribed_work;
  r->correction_work += first->correction_work;
  r->correction_angular = vec3_add(r->correction_angular, first->correction_angular);
  r->correction_sweeps += first->correction_sweeps;
  r->joint_work += first->joint_work;
  r->joint_damping += first->joint_damping;
  r->joint_yielding += first->joint_yielding;
  r->volume_damping += first->volume_damping;
  r->volume_rolling += first->volume_rolling;
  r->volume_friction += first->volume_friction;
  r->damping_work += first->damping_work;
  r->scheme_work += first->scheme_work;
  r->local_damping += first->local_damping;
  r->mass_damping += first->mass_damping;
  if (first->colours > r->colours) r->colours = first->colours;
  if (first->ghosts > r->ghosts) r->ghosts = first->ghosts;
}

// Collective. One message for a body whose numbers are not finite: what acts on it, since loads,
// sizes and steps that are beyond sense are the usual reason.
static void say_lost(const World *world, uint64_t id)
{
  const Case *c = world->c;
  const BodyGroup *group = scene_group(c, id);
  char loads[80] = "";
  const LoadSpan *on = scene_loads(c, id);
  if (on) snprintf(loads, sizeof loads, ", %d load%s on it", on->count, on->count == 1 ? "" : "s");
  all_ok(
      par_rank() != 0,
      "body %llu (%s): position, orientation or velocity is not finite after step %lld, t %.6g "
      "s: what moves it is too much for steps of %g s (line %d of the case%s); make loads, "
      "speeds, gravity or time.step smaller, or the body heavier; where all of these make sense, "
      "this is a fault of the program",
      (unsigned long long)id, body_name(world, id), (long long)world->step, world_time(world, 0),
      c->step, group->line, loads);
}

// Collective. Says so once where numbers are not finite or a motion is too large for the case.
static int judge_oddities(const World *world, const Oddities *odd)
{
  const long long step = (long long)world->step;
  const bool first = par_rank() == 0;
  if (odd->lost.size > 0) {
    say_lost(world, odd->lost.low);
    return EXIT_OVERFLOW;
  }
  const StepRecord *record = &world->record;
  if (record->large == 0 || !world->c->contact.stop_on_large_steps) return EXIT_DONE;
  all_ok(!first,
         "step %lld: %lld %s more than 0.2 rad in one step, the first is body %llu (%s): use a "
         "smaller time.step",
         step, (long long)record->large,
         plural(record->large, "body moves more than half its inradius or turns",
                "bodies move more than half their inradius or turn"),
         (unsigned long long)record->first_large, body_name(world, record->first_large));
  return EXIT_USER;
}

int record_finish(World *world, int64_t work, int sweeps)
{
  assert(work >= 0 && sweeps >= 0 && "work is counted");
  StepRecord *record = &world->record;
  ExactSum sums[8];
  for (int i = 0; i < 8; i++) sums[i] = exact_sum_new();
  add_motion(world, sums);
  Oddities odd = find_oddities(world);
  int64_t all_work = work;
  double most = (double)work;   // exact below 2^53
  Ballot *ballot = &world->ballot;
  memset(ballot->counted, 0, sizeof ballot->counted);
  if (ballot->cast) ballot->cast(ballot->context, ballot->counted);
  Reduction all[8 + 9];
  for (int i = 0; i < 8; i++) all[i] = exact_sum_reduction(&sums[i]);
  all[8] = (Reduction){REDUCE_FIRST, &odd.lost, 1};
  all[9] = (Reduction){REDUCE_FIRST, &odd.large, 1};
  all[10] = (Reduction){REDUCE_SUM, odd.count, 5};
  all[11] = (Reduction){REDUCE_SUM, &all_work, 1};
  all[12] = (Reduction){REDUCE_MAX, &most, 1};
  all[13] = (Reduction){REDUCE_SUM, ballot->counted, BALLOT_VOTES};
  all[14] = (Reduction){REDUCE_FIRST, &odd.false_turn, 1};
  all[15] = (Reduction){REDUCE_FIRST, &odd.displaced, 1};
  all[16] = (Reduction){REDUCE_FIRST, &odd.turned, 1};
  par_reduce(all, sizeof all / sizeof *all);
  record->step = world->step;
  record->time = world_time(world, 0);
  record->kinetic = exact_sum_value(&sums[0]);
  record->elastic = elastic_energy(world);
  record->momentum = vector_value(&sums[1]);
  record->angular_momentum = vector_value(&sums[4]);
  record->mass = exact_sum_value(&sums[7]);
  record->work = all_work;
  record->imbalance = all_work > 0 ? most * par_size() / (double)all_work : 1;
  balance_count_step(&world->balance, (int64_t)most, all_work, par_size(), sweeps);
  record->bodies = odd.count[1];
  note_oddities(record, &odd, record->halved);
  return judge_oddities(world, &odd);
}
