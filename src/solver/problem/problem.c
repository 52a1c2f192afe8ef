// Columns, points and velocities of a contact problem.
#include "problem.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "halo.h"

// The velocity of a row at point i, world axes; high: it is the higher one of its pair.
static vec3 velocity_of_side(const Problem *problem, int i, bool high, MaterialPoint point,
                             Velocities u)
{
  assert_debug(i >= 0 && i < problem->point_count && "a point of the problem");
  const int row = point.row;
  const FinitePoint *place = problem_place_in(problem, row, i, high);
  if (place)
    return finite_rows_velocity(place, &problem->mid[row], u.nodes + problem->finite->first[row]);
  const vec3 velocity = material_point_velocity(&point, u.twist[row]);
  return u.stretch ? vec3_add(velocity, mat3_mul(u.stretch[row], point.arm)) : velocity;
}

// (out of line, as all that asks kinds: the way of rigid bodies has no stack frame then)
__attribute__((noinline)) vec3 problem_velocity_by_kind(const SolverPoint *p, Velocities u)
{
  const vec3 a = velocity_of_side(p->problem, p->point, false, problem_low_point(p), u),
             b = velocity_of_side(p->problem, p->point, true, problem_high_point(p), u);
  return mat3_mul(p->basis, vec3_sub(a, b));
}

__attribute__((noinline)) Twist problem_push_by_kind(const Problem *problem, const PairSide *side,
                                                     int i, vec3 impulse, Twist u)
{
  const MaterialPoint point = problem_side_point(problem, side, i);
  return material_point_push(&point, &problem->mid[side->row], impulse, side->sign, u);
}

double problem_extent(const Bodies *bodies, ShapeSet *shapes, int low, int high)
{
  assert_debug(low >= 0 && high >= 0 && low != high && "a pair is of two bodies");
  const double a = shape_set_get(shapes, bodies->shape[low])->extent;
  const double b = shape_set_get(shapes, bodies->shape[high])->extent;
  return a < b ? a : b;
}

void problem_allocate_points(Problem *problem, int point_count, bool limits, Arena *arena)
{
  assert(point_count >= 0 && "points are counted");
  const size_t points = (size_t)point_count + 1;
  problem->levers = arena_allocate(arena, points * sizeof *problem->levers);
  double **const columns[] = {&problem->friction, &problem->offset, &problem->rho, &problem->speed,
                              &problem->size};
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
    *columns[k] = arena_allocate(arena, points * sizeof(double));
  problem->r = arena_allocate(arena, points * sizeof *problem->r);
  problem->limits = limits ? arena_allocate(arena, points * sizeof *problem->limits) : NULL;
  for (int i = 0; limits && i < point_count; i++) problem->limits[i] = law_no_limits();
}

void problem_set_point(Problem *problem, int i, const SolverPoint *p)
{
  assert_debug(i >= 0 && !(p->rho < 0) && !(p->law.friction < 0) &&
               "coefficients are not below zero");
  problem->levers[i] = (PointLever){p->basis.row[0], p->basis.row[1], p->low_arm};
  problem->friction[i] = p->law.friction;
  problem->offset[i] = p->offset.x;
  problem->rho[i] = p->rho;
  problem->speed[i] = p->speed;
  problem->size[i] = p->size;
  problem->r[i] = p->r;
  if (problem->limits) problem->limits[i] = law_limits(p->law, p->offset.y, p->offset.z);
}

static Twist velocity_of_rigid(const Problem *problem, int row, const vec3 *r, Twist u)
{
  const MidState *mid = &problem->mid[row];
  for (int k = problem->body_start[row]; k < problem->body_start[row + 1]; k++) {
    const PairSide side = problem_side(problem, problem->body_pairs[k]);
    for (int i = side.first; i < side.end; i++) {
      const PointLever *lever = &problem->levers[i];
      const vec3 impulse = mat3_mul_transposed(lever_basis(lever), r[i]);
      u = rigid_push(u, mid, impulse, vec3_add(lever->low_arm, side.shift), side.sign);
    }
  }
  return u;
}

Twist problem_velocity_of_body(const Problem *problem, int row, const vec3 *r, Twist u)
{
  assert_debug(row >= 0 && row < problem->own_rows && "pairs of own rows are known");
  if (rigid_pairs_body(problem->bodies, row)) return velocity_of_rigid(problem, row, r, u);
  for (int k = problem->body_start[row]; k < problem->body_start[row + 1]; k++) {
    const PairSide side = problem_side(problem, problem->body_pairs[k]);
    for (int i = side.first; i < side.end; i++) u = problem_push_side(problem, &side, i, r[i], u);
  }
  return u;
}

// What the points of an own row give it, in order of key.
static DyadLoad dyad_load(const Problem *problem, int row, const vec3 *r)
{
  assert_debug(row >= 0 && row < problem->own_rows && "pairs of own rows are known");
  DyadLoad sum = {{0, 0, 0}, mat3_diagonal(0, 0, 0)};
  for (int k = problem->body_start[row]; k < problem->body_start[row + 1]; k++) {
    const PairSide side = problem_side(problem, problem->body_pairs[k]);
    for (int i = side.first; i < side.end; i++) {
      const PointLever *lever = &problem->levers[i];
      const vec3 impulse = mat3_mul_transposed(lever_basis(lever), vec3_scale(side.sign, r[i]));
      sum.push = vec3_add(sum.push, impulse);
      const vec3 arm =
          side.sign > 0 ? lever->low_arm : problem_high_arm(problem, &problem->pairs[side.pair], i);
      sum.dyad = mat3_add(sum.dyad, mat3_outer(impulse, arm));
    }
  }
  return sum;
}

void problem_push_nodes(const Problem *problem, int row, const vec3 *r, vec3 *nodes)
{
  assert_debug(row >= 0 && row < problem->own_rows && "pairs of own rows are known");
  const MidState *mid = &problem->mid[row];
  for (int k = problem->body_start[row]; k < problem->body_start[row + 1]; k++) {
    const PairSide side = problem_side(problem, problem->body_pairs[k]);
    for (int i = side.first; i < side.end; i++) {
      const FinitePoint *place = side.sign > 0 ? &problem->low_place[i] : &problem->high_place[i];
      const vec3 impulse =
          mat3_mul_transposed(lever_basis(&problem->levers[i]), vec3_scale(side.sign, r[i]));
      finite_rows_push(place, mid, impulse, nodes);
    }
  }
}

void problem_respond(const Problem *problem, int row, const vec3 *r, Velocities base,
                     VelocityColumns to)
{
  const ElasticFinite *finite = finite_rows_find(problem->finite, row);
  assert(finite != NULL && base.nodes != NULL && to.nodes != NULL && "a row with nodes");
  const int first = problem->finite->first[row], count = finite->body->nodes;
  vec3 *given = finite->load;
  for (int n = 0; n < count; n++) given[n] = (vec3){0, 0, 0};
  problem_push_nodes(problem, row, r, given);
  finite_body_respond(finite->body, given);
  for (int n = 0; n < count; n++) to.nodes[first + n] = vec3_add(base.nodes[first + n], given[n]);
  const bool led = kind_held(problem->bodies, row) != 0;
  to.twist[row] = led ? base.twist[row] : velocity_of_rigid(problem, row, r, base.twist[row]);
}

VelocityColumns problem_copy_velocities(const Problem *problem, Velocities of, Arena *arena)
{
  assert(of.twist != NULL && "rows have velocities");
  const size_t rows = (size_t)problem->row_count;
  VelocityColumns copy = {.twist = arena_allocate(arena, (rows + 1) * sizeof(Twist))};
  memcpy(copy.twist, of.twist, rows * sizeof(Twist));
  if (of.stretch) {
    copy.stretch = arena_allocate(arena, (rows + 1) * sizeof(mat3));
    memcpy(copy.stretch, of.stretch, rows * sizeof(mat3));
  }
  if (problem->finite && of.nodes) {
    const size_t nodes = (size_t)finite_rows_nodes(problem->finite, problem->row_count);
    copy.nodes = arena_allocate(arena, (nodes + 1) * sizeof(vec3));
    memcpy(copy.nodes, of.nodes, nodes * sizeof(vec3));
  }
  return copy;
}

void problem_take_row(const Problem *problem, int row, Velocities from, VelocityColumns to)
{
  assert_debug(row >= 0 && row < problem->row_count && "a row of the problem");
  to.twist[row] = from.twist[row];
  if (to.stretch) to.stretch[row] = from.stretch[row];
  if (!finite_rows_find(problem->finite, row)) return;
  for (int n = problem->finite->first[row]; n < problem->finite->first[row + 1]; n++)
    to.nodes[n] = from.nodes[n];
}

void problem_velocities(const Problem *problem, Velocities base, VelocityColumns to)
{
  Twist *twist = to.twist;
  mat3 *stretch = to.stretch;
  assert(problem->own_rows <= problem->row_count && "own rows come first");
  assert((!problem->elastic || (stretch && base.stretch)) && "what deforms has rates");
  for (int m = 0; m < problem_mover_count(problem); m++) {
    const int b = problem_mover(problem, m);
    const ElasticRow *elastic = elastic_rows_find(problem->elastic, b);
    if (problem->elastic) stretch[b] = base.stretch[b];
    if (finite_rows_find(problem->finite, b)) {
      problem_respond(problem, b, problem->r, base, to);
      continue;
    }
    if (!elastic) {
      twist[b] = problem_velocity_of_body(problem, b, problem->r, base.twist[b]);
      continue;
    }
    const DyadLoad load = dyad_load(problem, b, problem->r);
    twist[b] = base.twist[b];
    twist[b].v = vec3_axpy(problem->mid[b].inverse_mass, load.push, twist[b].v);
    stretch[b] = mat3_add(stretch[b], elastic_row_respond(elastic, load.dyad));
  }
}

void problem_refresh(Problem *problem, Arena *arena)
{
  halo_refresh(&problem->all, problem->twist, sizeof *problem->twist, arena);
  if (problem->elastic)
    halo_refresh(&problem->all, problem->stretch, sizeof *problem->stretch, arena);
  if (problem->finite)
    halo_refresh(&problem->all_nodes, problem->nodes, sizeof *problem->nodes, arena);
}

static void take_impulses_by_kind(const Problem *problem, Bodies *bodies, int row)
{
  for (int k = problem->body_start[row]; k < problem->body_start[row + 1]; k++) {
    const PairSide side = problem_side(problem, problem->body_pairs[k]);
    for (int i = side.first; i < side.end; i++) {
      const vec3 impulse = mat3_mul_transposed(lever_basis(&problem->levers[i]), problem->r[i]);
      const MaterialPoint point = problem_side_point(problem, &side, i);
      material_point_take_impulse(bodies, &point, impulse, side.sign);
    }
  }
}

void problem_take_impulses(const Problem *problem, Bodies *bodies, int row)
{
  assert_debug(row >= 0 && row < problem->own_rows && "pairs of own rows are known");
  if (!rigid_pairs_body(bodies, row)) {
    take_impulses_by_kind(problem, bodies, row);
    return;
  }
  vec3 angular = bodies->angular[row];
  for (int k = problem->body_start[row]; k < problem->body_start[row + 1]; k++) {
    const PairSide side = problem_side(problem, problem->body_pairs[k]);
    for (int i = side.first; i < side.end; i++) {
      const PointLever *lever = &problem->levers[i];
      const vec3 impulse = mat3_mul_transposed(lever_basis(lever), problem->r[i]);
      rigid_take_impulse(&angular, impulse, vec3_add(lever->low_arm, side.shift), side.sign);
    }
  }
  bodies->angular[row] = angular;
}
