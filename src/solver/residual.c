#include "residual.h"

#include <float.h>

#include "exact_sum.h"
#include "parallel.h"

// e_a = |r_a - P_C(r_a - rho_a (U_a + mu |U_T| n))|, U with the law's offset
static double point_error(const SolverPoint *p, const Twist *twist)
{
  vec3 u = vec3_add(problem_velocity(p, twist), p->offset);
  u.x += p->law.friction * sqrt(u.y * u.y + u.z * u.z);
  return vec3_norm(vec3_sub(p->r, law_project(p->law, vec3_axpy(-p->rho, u, p->r))));
}

double residual_scale(const Problem *problem, const Twist *free)
{
  double scale = 0;
  for (int i = 0; i < problem->point_count; i++) {
    const SolverPoint *p = &problem->points[i];
    if (!(p->offset.x < INFINITY)) continue;   // no constraint in this step
    const double s = p->rho * vec3_norm(problem_velocity(p, free));
    if (!(s <= scale)) scale = s;
  }
  return par_max(scale);
}

Residual residual_measure(const Problem *problem, double scale)
{
  double largest[2] = {0, 0};   // error, impulse
  ExactSum squares = exact_sum_new();
  for (int i = 0; i < problem->point_count; i++) {
    const SolverPoint *p = &problem->points[i];
    const double e = point_error(p, problem->twist), r = vec3_norm(p->r);
    if (!(e <= largest[0])) largest[0] = e;
    if (!(r <= largest[1])) largest[1] = r;
    if (problem->owned[i]) exact_sum_add(&squares, e * e);
  }
  par_max_many(largest, 2);
  exact_sum_reduce(&squares, 1);
  const int64_t count = par_sum(problem->owned_points);
  if (scale < DBL_EPSILON * largest[1]) scale = DBL_EPSILON * largest[1];
  if (largest[0] == 0) return (Residual){0, 0};
  return (Residual){largest[0] / scale, sqrt(exact_sum_value(&squares) / (double)count) / scale};
}

IdPair residual_worst(const Problem *problem, const Bodies *bodies)
{
  double largest = 0;
  for (int i = 0; i < problem->point_count; i++) {
    const double e = point_error(&problem->points[i], problem->twist);
    if (!(e <= largest)) largest = e;
  }
  const double worst = par_max(largest);
  // ids are below 2^53
  double low = INFINITY, high = INFINITY;
  for (int i = 0; i < problem->point_count; i++) {
    const double id = (double)bodies->id[problem->points[i].low];
    if (point_error(&problem->points[i], problem->twist) == worst && id < low) low = id;
  }
  low = par_min(low);
  for (int i = 0; i < problem->point_count; i++) {
    const SolverPoint *p = &problem->points[i];
    const double id = (double)bodies->id[p->high];
    if ((double)bodies->id[p->low] == low && point_error(p, problem->twist) == worst && id < high)
      high = id;
  }
  high = par_min(high);
  if (!(low < INFINITY && high < INFINITY)) return (IdPair){0, 0};
  return (IdPair){(uint64_t)low, (uint64_t)high};
}
