// Columns, points and velocities of a contact problem.
#include "problem.h"

#include <assert.h>

#include "check.h"

// (out of line, as all that asks kinds: the way of rigid bodies has no stack frame then)
__attribute__((noinline)) vec3 problem_velocity_by_kind(const SolverPoint *p, const Twist *twist)
{
  const MaterialPoint low = problem_low_point(p), high = problem_high_point(p);
  return mat3_mul(p->basis, vec3_sub(material_point_velocity(&low, twist[p->low]),
                                     material_point_velocity(&high, twist[p->high])));
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
  double **const columns[] = {&problem->friction, &problem->offset, &problem->rho, &problem->speed};
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

void problem_velocities(const Problem *problem, const Twist *base, Twist *twist)
{
  assert(problem->own_rows <= problem->row_count && "own rows come first");
  for (int b = 0; b < problem->own_rows; b++)
    twist[b] = problem_velocity_of_body(problem, b, problem->r, base[b]);
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
