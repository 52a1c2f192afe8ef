// Columns, points and velocities of a contact problem.
#include "problem.h"

#include <assert.h>

#include "check.h"
#include "halo.h"

// (out of line, as all that asks kinds: the way of rigid bodies has no stack frame then)
__attribute__((noinline)) vec3 problem_velocity_by_kind(const SolverPoint *p, Velocities u)
{
  const MaterialPoint low = problem_low_point(p), high = problem_high_point(p);
  vec3 a = material_point_velocity(&low, u.twist[p->low]),
       b = material_point_velocity(&high, u.twist[p->high]);
  if (u.stretch) {
    a = vec3_add(a, mat3_mul(u.stretch[p->low], p->low_arm));
    b = vec3_add(b, mat3_mul(u.stretch[p->high], p->high_arm));
  }
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
      sum.dyad = mat3_add(sum.dyad, elastic_dyad(impulse, arm));
    }
  }
  return sum;
}

void problem_velocities(const Problem *problem, Velocities base, Twist *twist, mat3 *stretch)
{
  assert(problem->own_rows <= problem->row_count && "own rows come first");
  assert((!problem->elastic || (stretch && base.stretch)) && "what deforms has rates");
  for (int m = 0; m < problem_mover_count(problem); m++) {
    const int b = problem_mover(problem, m);
    const ElasticRow *elastic = elastic_rows_find(problem->elastic, b);
    if (problem->elastic) stretch[b] = base.stretch[b];
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
