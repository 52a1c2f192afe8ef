// Laws of points with limits, and errors of impulses.
#include "cone_problem.h"

#include <assert.h>

#include "check.h"
#include "exact_sum.h"
#include "parallel.h"

__attribute__((noinline)) vec3 cone_velocity_of_limited(const ConeProblem *problem, int i, vec3 u,
                                                        vec3 r)
{
  assert_debug(problem->limits != NULL && i >= 0 && i < problem->point_count && "it has limits");
  return law_add_elastic(cone_law(problem, i), cone_with_along(problem, i, u), r);
}

__attribute__((noinline)) vec3 cone_project_limited(const ConeProblem *problem, int i,
                                                    double weight, vec3 z)
{
  assert_debug(!(weight < 0) && "a weight is not below zero");
  return law_project_state(cone_law(problem, i), weight, z);
}

// The square of e_a / s_a (residual.h); 0 where it is rounding.
static double point_error(const ConeProblem *problem, int i, vec3 r, vec3 u)
{
  const double rho = cone_rho(problem, i), size = problem->size[i];
  if (rho == 0) return law_relative(vec3_dot(r, r), size);
  const vec3 x = vec3_axpy(-rho, cone_velocity(problem, i, u, r), r);
  const vec3 apart = vec3_sub(r, law_nearest(cone_law(problem, i), r, x));
  const double square = vec3_dot(apart, apart), speed = problem->speed ? problem->speed[i] : 0;
  const double rounding = law_rounding(rho, speed, vec3_norm(r));
  return square <= rounding * rounding ? 0 : law_relative(square, size);
}

double cone_residual_largest(const ConeProblem *problem, const vec3 *r, const vec3 *u)
{
  double largest = 0;
  for (int i = 0; i < problem->point_count; i++)
    par_raise(&largest, point_error(problem, i, r[i], u[i]));
  return sqrt(par_max(largest));
}

ConeResidual cone_residual(const ConeProblem *problem, const vec3 *r, const vec3 *u)
{
  assert((problem->point_count == 0 || (r != NULL && u != NULL)) &&
         "points have impulses and velocities");
  double largest = 0;
  int64_t count = 0;
  ExactSum squares = exact_sum_new();
  for (int i = 0; i < problem->point_count; i++) {
    const double square = point_error(problem, i, r[i], u[i]);
    par_raise(&largest, square);
    if (problem->owned && !problem->owned[i]) continue;
    exact_sum_add(&squares, square);
    count++;
  }
  const Reduction all[] = {
      {REDUCE_MAX, &largest, 1}, {REDUCE_SUM, &count, 1}, exact_sum_reduction(&squares)};
  par_reduce(all, sizeof all / sizeof *all);
  if (largest == 0) return (ConeResidual){0, 0};
  if (!(largest < INFINITY)) return (ConeResidual){INFINITY, INFINITY};
  return (ConeResidual){sqrt(largest), sqrt(exact_sum_value(&squares) / (double)count)};
}
