// Makes points of the problem from contacts: arms, offsets, limits, first guesses.
#include "make_points.h"

#include <assert.h>
#include <float.h>
#include <stddef.h>

#include "bond_law.h"
#include "check.h"
#include "delassus.h"
#include "delassus_lanes.h"
#include "elastic_points.h"
#include "joint_points.h"
#include "split.h"

// Of the trace of W: below it W_NN is rounding.
#define ROUNDING_OF_PLACES (0.5 * DBL_EPSILON)   // of how far a body is from the origin
#define LEAST_NORMAL 1e-12

// Points and states of bodies are read and written as rows of numbers, four at once.
_Static_assert(sizeof(PointLever) == 9 * sizeof(double) &&
                   offsetof(PointLever, tangent) == 3 * sizeof(double) &&
                   offsetof(PointLever, low_arm) == 6 * sizeof(double),
               "store_lanes knows the order of the numbers of a point");
_Static_assert(sizeof(MidState) == 19 * sizeof(double) &&
                   offsetof(MidState, inverse_mass) == 9 * sizeof(double) &&
                   offsetof(MidState, inverse_inertia) == 10 * sizeof(double),
               "load_bodies knows the order of the numbers of a body");

// What a point is made of, beside its contact the same for all points of a pair.
typedef struct {
  int contact, low, high;
  const SurfaceLaw *surface;
  double closed;   // gaps up to here count as closed, m
} PointSource;

static PointSource source_of(const ProblemInput *in, const SolverPair *pair)
{
  const Bodies *b = in->bodies;
  return (PointSource){
      .low = pair->low,
      .high = pair->high,
      .surface = surface_laws_of(in->laws, b, pair->low, pair->high),
      .closed = in->slop * problem_extent(b, in->shapes, pair->low, pair->high),
  };
}

// Bodies of four points.
typedef struct {
  Mat3Lane low_rotation, low_inertia, high_inertia;
  Vec3Lane between;   // from the higher body's centre to the lower one's
  Lane inverse_mass;
} BodyLane;

static inline void load_columns(const double *const rows[LANES], int first, Lane columns[LANES])
{
  for (int i = 0; i < LANES; i++) columns[i] = lane_load(rows[i] + first);
  lane_transpose(columns);
}

static inline void load_bodies(const ProblemInput *in, const PointSource sources[LANES],
                               BodyLane *bodies)
{
  const double *low[LANES], *high[LANES];
  const vec3 *low_center[LANES], *high_center[LANES];
  for (int i = 0; i < LANES; i++) {
    low[i] = (const double *)(const void *)&in->mid[sources[i].low];
    high[i] = (const double *)(const void *)&in->mid[sources[i].high];
    low_center[i] = &in->bodies->position[sources[i].low];
    high_center[i] = &in->bodies->position[sources[i].high];
  }
  Lane a[LANES], b[LANES], c[LANES], d[LANES], e[LANES], f[LANES], g[LANES], h[LANES];
  load_columns(low, 0, a);
  load_columns(low, 4, b);
  load_columns(low, 8, c);
  load_columns(low, 12, d);
  load_columns(low, 15, e);
  load_columns(high, 9, f);
  load_columns(high, 13, g);
  load_columns(high, 15, h);
  const Vec3Lane p = lane3_load(low_center), q = lane3_load(high_center);
  bodies->low_rotation.row[0] = (Vec3Lane){a[0], a[1], a[2]};
  bodies->low_rotation.row[1] = (Vec3Lane){a[3], b[0], b[1]};
  bodies->low_rotation.row[2] = (Vec3Lane){b[2], b[3], c[0]};
  bodies->low_inertia.row[0] = (Vec3Lane){c[2], c[3], d[0]};
  bodies->low_inertia.row[1] = (Vec3Lane){d[1], d[2], d[3]};
  bodies->low_inertia.row[2] = (Vec3Lane){e[1], e[2], e[3]};
  bodies->high_inertia.row[0] = (Vec3Lane){f[1], f[2], f[3]};
  bodies->high_inertia.row[1] = (Vec3Lane){g[0], g[1], g[2]};
  bodies->high_inertia.row[2] = (Vec3Lane){h[1], h[2], h[3]};
  bodies->between = (Vec3Lane){p.x - q.x, p.y - q.y, p.z - q.z};
  bodies->inverse_mass = c[1] + f[0];
}

// contacts_basis of four normals
static inline Mat3Lane bases_of(Vec3Lane n)
{
  const Lane zero = lane_all(0), one = lane_all(1), near_x = lane_all(0.8);
  const Lane size = lane_abs(n.x);
  const Vec3Lane axis = {lane_select(size < near_x, one, zero),
                         lane_select(size < near_x, zero, one), zero};
  const Lane along = lane3_dot(axis, n);
  const Vec3Lane across = lane3_axpy(zero - along, n, axis);
  const Lane length = lane_sqrt(lane3_dot(across, across));
  const Vec3Lane first = lane3_scale(one / length, across);
  return (Mat3Lane){{n, first, lane3_cross(n, first)}};
}

// Four points at once.
typedef struct {
  Mat3Lane basis;
  Vec3Lane low_arm, reaction;
  Lane rho, offset;
} PointLane;

// law_diagonalize of four points: the tangents of the basis turn, and the reaction with them.
static void turn_tangents(const SymmetricLane *w, PointLane *p)
{
  const Lane zero = lane_all(0), one = lane_all(1), minus = lane_all(-1);
  const NormalLane n = delassus_lanes_normal(w);
  const Lane a = w->yy - n.w1 * n.g1, b = w->yz - n.w1 * n.g2, c = w->zz - n.w2 * n.g2;

  // Jacobi rotation of the symmetric 2x2 matrix (a b; b c)
  const Lane tau = (c - a) / (2.0 * b);
  const Lane size = lane_abs(tau);
  const Lane root = lane_sqrt(one + tau * tau);
  const Lane sign = lane_select(tau < zero, minus, one);
  const Lane b_size = lane_abs(b);
  const Lane tangent = lane_select(zero < b_size, sign / (size + root), zero);
  const Lane cosine = one / lane_sqrt(one + tangent * tangent);
  const Lane sine = tangent * cosine, back = zero - sine;

  const Vec3Lane t1 = p->basis.row[1], t2 = p->basis.row[2];
  p->basis.row[1] = lane3_axpy(back, t2, lane3_scale(cosine, t1));
  const Lane r1 = p->reaction.y, r2 = p->reaction.z;
  p->reaction.y = back * r2 + cosine * r1;
  p->reaction.z = sine * r1 + cosine * r2;
}

static inline void make_lanes(const ProblemInput *in, const PointSource sources[LANES],
                              PointLane *p)
{
  const Contacts *c = in->contacts;
  const vec3 *normals[LANES], *anchors[LANES], *reactions[LANES];
  double gaps[LANES], closed[LANES];
  for (int i = 0; i < LANES; i++) {
    normals[i] = &c->normal[sources[i].contact];
    anchors[i] = &c->anchor[sources[i].contact];
    reactions[i] = &c->reaction[sources[i].contact];
    gaps[i] = c->gap[sources[i].contact];
    closed[i] = sources[i].closed;
  }
  BodyLane bodies;
  load_bodies(in, sources, &bodies);
  p->basis = bases_of(lane3_load(normals));
  p->low_arm = lane3_mul(bodies.low_rotation.row, lane3_load(anchors));
  p->reaction = lane3_load(reactions);

  // bodies are without overlap at the middle of the next step; gaps at the level of the slop change
  // sign from step to step while bodies rest: they count as closed, or the impulses of a statically
  // indeterminate assembly would jump among its points
  const Lane zero = lane_all(0), gap = lane_load(gaps);
  p->offset = lane_select(lane_load(closed) < gap, gap / in->step, zero);

  const Lane mass = bodies.inverse_mass;
  SymmetricLane w = {mass, zero, zero, mass, zero, mass};
  delassus_lanes_add(p->basis.row, bodies.low_inertia.row, p->low_arm, &w);
  delassus_lanes_add(p->basis.row, bodies.high_inertia.row, lane3_add(p->low_arm, bodies.between),
                     &w);
  const Lane largest = lane_largest_eigenvalue(&w);
  p->rho = lane_select(zero < largest, 1.0 / largest, zero);
  turn_tangents(&w, p);
}

// Four numbers each of some rows of numbers, row_size apart.
static inline void store_columns(double *rows, size_t row_size, int count, Lane a, Lane b, Lane c,
                                 Lane d)
{
  Lane turned[LANES] = {a, b, c, d};
  lane_transpose(turned);
  for (int i = 0; i < count; i++) lane_store(rows + row_size * (size_t)i, turned[i]);
}

static inline void store_column(double *rows, size_t row_size, int count, Lane a)
{
  for (int i = 0; i < count; i++) rows[row_size * (size_t)i] = a[i];
}

static inline void store_lanes(const PointLane *p, const PointSource sources[LANES], int count,
                               int first, Problem *problem)
{
  const Vec3Lane n = p->basis.row[0], t = p->basis.row[1];
  double *lever = (double *)(void *)&problem->levers[first];
  store_columns(lever, 9, count, n.x, n.y, n.z, t.x);
  store_columns(lever + 4, 9, count, t.y, t.z, p->low_arm.x, p->low_arm.y);
  store_column(lever + 8, 9, count, p->low_arm.z);
  store_column(&problem->offset[first], 1, count, p->offset);
  store_column(&problem->rho[first], 1, count, p->rho);
  for (int i = 0; i < count; i++) {
    problem->friction[first + i] = sources[i].surface->friction;
    problem->speed[first + i] = problem->size[first + i] = 0;
    problem->r[first + i] = (vec3){p->reaction.x[i], p->reaction.y[i], p->reaction.z[i]};
  }
}

// What deforms has its waves for a rebound.
static bool rebounds(const Problem *problem, const PointSource *source)
{
  return !problem_deforms(problem, source->low) && !problem_deforms(problem, source->high);
}

// Moreau: an impact reverses the approach at the start of the step, where the free motion would
// close the gap.
static void set_impact(const ProblemInput *in, const PointSource *source, Problem *problem, int i)
{
  assert_debug(source->surface->restitution <= 1 && "an impact gives back no more than all");
  const SolverPair pair = {i, i + 1, source->low, source->high};
  const PointLever *lever = &problem->levers[i];
  const SolverPoint p = {.basis = lever_basis(lever),
                         .low_arm = lever->low_arm,
                         .high_arm = vec3_add(lever->low_arm, problem_between(problem, &pair)),
                         .point = i,
                         .contact = source->contact,
                         .low = source->low,
                         .high = source->high,
                         .problem = problem,
                         .by_kind = !rigid_pairs_all(in->bodies)};
  const double before = problem_velocity(&p, in->start).x;
  if (!(-before > in->impact_speed)) return;
  const double ahead =
      in->contacts->gap[source->contact] + 0.5 * in->step * problem_velocity(&p, in->free).x;
  problem->offset[i] = ahead < 0 ? source->surface->restitution * before : INFINITY;
}

// Whole points of mortar hold both ways, wherever the bodies are.
static void set_bond(const ProblemInput *in, const PointSource *source, Problem *problem, int i)
{
  assert_debug(source->contact >= 0 && source->contact < in->contacts->table.count &&
               "a point has a contact");
  if (!contacts_whole(in->contacts, source->contact)) return;
  const PointLaw law = bond_law_of_point(source->surface, in->contacts, source->contact, in->step);
  assert_debug(problem->limits != NULL && "a problem with bonds has their limits");
  problem->limits[i] = law_limits(law, 0, 0);
  problem->friction[i] = law.friction;
  problem->offset[i] = 0;
}

static void make_some(const ProblemInput *in, PointSource sources[LANES], int count, int first,
                      Problem *problem)
{
  assert_debug(count > 0 && count <= LANES && first + count <= problem->point_count &&
               "points that the problem has");
  for (int i = count; i < LANES; i++) sources[i] = sources[0];
  PointLane lanes;
  make_lanes(in, sources, &lanes);
  // (a constant count unrolls)
  if (count == LANES) store_lanes(&lanes, sources, LANES, first, problem);
  else store_lanes(&lanes, sources, count, first, problem);
  for (int i = 0; i < count; i++)
    if (sources[i].surface->restitution > 0 && rebounds(problem, &sources[i]))
      set_impact(in, &sources[i], problem, first + i);
  for (int i = 0; i < count; i++) set_bond(in, &sources[i], problem, first + i);
}

// From the higher body's place of a bond's point to the lower one's, world axes, m.
static vec3 bond_apart(const ProblemInput *in, const Problem *problem, const SolverPoint *p)
{
  const BondBodies held = {.bodies = in->bodies,
                           .mid = in->mid,
                           .low = p->low,
                           .high = p->high,
                           .low_at = problem_place_in(problem, p->low, p->point, false),
                           .high_at = problem_place_in(problem, p->high, p->point, true)};
  return bond_shift(in->contacts, p->contact, held);
}

// Nodes may part by what each step leaves, which no motion of rigid bodies closes: whole points of
// mortar on them close it by the middle of the next step, as joints do. What rounding of places
// makes is nothing to close.
static void close_bond(const ProblemInput *in, Problem *problem, const SolverPoint *p)
{
  const vec3 shift = bond_apart(in, problem, p);
  const double size = vec3_norm(in->bodies->position[p->low]) +
                      problem_extent(in->bodies, in->shapes, p->low, p->high);
  if (vec3_norm(shift) <= ROUNDING_OF_PLACES * size) return;
  const vec3 apart = mat3_mul(p->basis, shift);
  const vec3 back = vec3_scale(1 / in->step, apart);
  problem->offset[p->point] = back.x;
  problem->limits[p->point].along[0] = back.y;
  problem->limits[p->point].along[1] = back.z;
}

// How far the place of a point is from where it would be if its lower body were rigid: the surfaces
// meet where they have moved to, points of mortar between their two places.
static vec3 moved_place(const ProblemInput *in, Problem *problem, const SolverPoint *found)
{
  const FinitePoint *low_at = problem_place_in(problem, found->low, found->point, false),
                    *high_at = problem_place_in(problem, found->high, found->point, true);
  const MaterialPoint low = problem_low_point(found), high = problem_high_point(found);
  const vec3 a = contact_places_moved(in->bodies, &in->mid[found->low], &low, low_at);
  if (problem->finite && contacts_bond(in->contacts, found->contact) != BOND_NONE)
    return vec3_axpy(-0.5, bond_apart(in, problem, found), a);
  const vec3 b = contact_places_moved(in->bodies, &in->mid[found->high], &high, high_at);
  return vec3_scale(0.5, vec3_add(a, b));
}

// Tangents, impulse and rho of a point by the operations of its bodies' kinds.
static void remake_point(const ProblemInput *in, Problem *problem, int k, int i)
{
  const SolverPair *pair = &problem->pairs[k];
  if (problem->elastic) {
    const SolverPoint found = problem_point(problem, k, i);
    if (problem->finite) {
      problem->low_place[i] = in->places->low[found.contact];
      problem->high_place[i] = in->places->high[found.contact];
    }
    problem->levers[i].low_arm = vec3_add(found.low_arm, moved_place(in, problem, &found));
  }
  SolverPoint p = problem_point(problem, k, i);
  const mat3 basis = p.basis = contacts_basis(in->contacts->normal[p.contact]);
  const sym3 w = delassus_in_basis(&p, &in->mid[pair->low], &in->mid[pair->high]);
  law_diagonalize(mat3_of_sym3(w), &p.basis);
  const vec3 reaction = mat3_mul_transposed(basis, in->contacts->reaction[p.contact]);
  problem->levers[i].tangent = p.basis.row[1];
  problem->r[i] = mat3_mul(p.basis, reaction);
  problem->rho[i] = delassus_rho(&w);
  const bool bonded = contacts_whole(in->contacts, p.contact);
  if (bonded && problem->finite && problem_has_nodes(problem, pair)) close_bond(in, problem, &p);
  if (bonded || w.xx > LEAST_NORMAL * (w.xx + w.yy + w.zz)) return;
  // guides hold both bodies along the normal: no impulse changes their approach
  problem->rho[i] = 0;
  problem->offset[i] = DBL_MAX;
}

// Shares of deformation in W of all points of a pair.
static void set_soft(const ProblemInput *in, Problem *problem, int k)
{
  const SolverPair *pair = &problem->pairs[k];
  const bool rigid = rigid_pairs_has(in->bodies, pair->low, pair->high);
  for (int i = pair->first; i < pair->end; i++) {
    const SolverPoint p = problem_point(problem, k, i);
    problem->soft[i] = rigid ? 0 : delassus_soft(&p, &in->mid[pair->low], &in->mid[pair->high]);
  }
}

void make_points(const ProblemInput *in, Problem *problem)
{
  assert((problem->point_count == 0 || problem->levers != NULL) && "points have columns");
  assert(in->step > 0 && in->slop >= 0 && !(in->impact_speed < 0) &&
         "a step takes time, thresholds are sizes");
  PointSource sources[LANES];
  int waiting = 0, first = 0;
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    PointSource source = source_of(in, pair);
    const int contacts = problem_contacts_end(problem, k) - pair->first;
    for (int i = 0; i < contacts; i++) {
      source.contact = problem->contacts[k] + i;
      sources[waiting++] = source;
      if (waiting < LANES) continue;
      make_some(in, sources, LANES, first, problem);
      first += LANES;
      waiting = 0;
    }
    if (pair->first + contacts == pair->end) continue;

    // points of joints follow, which are not made here
    if (waiting > 0) make_some(in, sources, waiting, first, problem);
    first = pair->end;
    waiting = 0;
  }
  if (waiting > 0) make_some(in, sources, waiting, first, problem);
  assert(first + waiting == problem->point_count && "every point has been made");

  // four at once know rigid bodies alone
  for (int k = 0; k < problem->pair_count && !rigid_pairs_all(in->bodies); k++) {
    const SolverPair *pair = &problem->pairs[k];
    if (rigid_pairs_has(in->bodies, pair->low, pair->high)) continue;
    for (int i = pair->first; i < problem_contacts_end(problem, k); i++)
      remake_point(in, problem, k, i);
  }
}

// Points whose places others hold take no part.
static void leave_out_held(const ProblemInput *in, Problem *problem)
{
  assert(problem->offset != NULL && "points have columns");
  if (!in->contacts->bond || !problem->finite) return;
  for (int k = 0; k < problem->pair_count; k++)
    for (int i = problem->pairs[k].first; i < problem_contacts_end(problem, k); i++) {
      if (!contacts_held(in->contacts, problem_contact(problem, k, i))) continue;
      problem->offset[i] = INFINITY;
      problem->r[i] = (vec3){0, 0, 0};
    }
}

// Columns of a problem with rows of finite elements.
static void make_nodes(const ProblemInput *in, int point_count, Problem *problem, Arena *arena)
{
  assert(problem->elastic && in->free.nodes && in->places &&
         "rows with nodes deform, points have places");
  problem->finite = finite_rows_new(in->bodies, in->mid, in->first_node, arena);
  const int nodes = finite_rows_nodes(problem->finite, problem->row_count);
  problem->nodes = arena_allocate_zero(arena, (size_t)nodes + 1, sizeof *problem->nodes);
  problem->all_nodes = finite_rows_plan(problem->finite, &problem->all, arena);
  const size_t points = (size_t)point_count + 1;
  problem->low_place = arena_allocate_zero(arena, points, sizeof *problem->low_place);
  problem->high_place = arena_allocate_zero(arena, points, sizeof *problem->high_place);
}

Problem problem_new(const ProblemInput *in, GraphCache *cache, Arena *arena)
{
  assert(in->most_pairs >= 0 && in->most_pairs % 2 == 0 && "copies take an even number of pairs");
  // what making a graph takes is kilobytes a body: points take its place
  const ArenaMark mark = arena_mark(arena);
  const GraphSource source = {in->bodies, in->ghost_ranks, in->contacts, in->joints,
                              in->most_pairs ? in->most_pairs : COPY_PAIRS};
  const ContactGraph *graph = graph_find(cache, source, arena);
  if (cache) arena_release(arena, mark);
  assert(graph->own_rows == in->bodies->table.owned &&
         graph->row_count == in->bodies->table.count && "the graph is of these bodies");
  const size_t rows = (size_t)graph->row_count + (size_t)graph->copies.count;
  Problem problem = {.row_count = graph->row_count,
                     .own_rows = graph->own_rows,
                     .bodies = in->bodies,
                     .ghost_ranks = in->ghost_ranks,
                     .mid = in->mid,
                     .point_count = graph->point_count,
                     .owned_points = graph->owned_points,
                     .owned = graph->owned,
                     .pair_count = graph->pair_count,
                     .pairs = graph->pairs,
                     .contacts = graph->contacts,
                     .jointed = in->joints != NULL,
                     .joints = graph->joints,
                     .step = in->step,
                     .gravity_speed = in->gravity_speed,
                     .stops = in->stops,
                     .parts = in->contacts->parts,
                     .colour_count = graph->colour_count,
                     .colour_start = graph->colour_start,
                     .before_colour = graph->before_colour,
                     .all = graph->all,
                     .swept = graph->swept,
                     .copies = graph->copies.pairs ? &graph->copies : NULL,
                     .body_start = graph->body_start,
                     .body_pairs = graph->body_pairs,
                     .twist = arena_allocate(arena, (rows + 1) * sizeof(Twist)),
                     .elastic =
                         in->free.stretch ? elastic_rows_new(in->bodies, in->mid, arena) : NULL};
  if (in->first_node) make_nodes(in, graph->point_count, &problem, arena);
  if (problem.elastic) {
    problem.stretch = arena_allocate_zero(arena, rows + 1, sizeof *problem.stretch);
    const size_t points = (size_t)graph->point_count + 1;
    problem.soft = arena_allocate(arena, points * sizeof *problem.soft);
    if (graph->joints) problem.apart = arena_allocate_zero(arena, points, sizeof *problem.apart);
  }
  problem_allocate_points(&problem, graph->point_count,
                          in->contacts->bond || graph->joints || in->laws->elastic, arena);
  make_points(in, &problem);
  elastic_points_make(in, &problem);
  leave_out_held(in, &problem);
  joint_points_make(in, &problem, arena);
  for (int k = 0; k < problem.pair_count && problem.soft; k++) set_soft(in, &problem, k);
  split_points(&problem);
  return problem;
}
