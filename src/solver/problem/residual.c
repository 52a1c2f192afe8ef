// Measures how far impulses are from a solution, by the natural map.
#include "residual.h"

#include <assert.h>
#include <float.h>

#include "check.h"
#include "exact_sum.h"
#include "parallel.h"

// e_a = |r_a - P_C(r_a - rho_a (V_a + mu |V_T| n))|, V with the law's offset and with what the
// point gives; 0 where it is rounding
static inline double point_error(const SolverPoint *p, Velocities now)
{
  const bool limited = p->problem->limits != NULL;
  vec3 u = vec3_add(problem_velocity(p, now), p->offset);
  if (limited) u = law_add_elastic(p->law, u, p->r);
  u.x += p->law.friction * sqrt(u.y * u.y + u.z * u.z);
  const vec3 x = vec3_axpy(-p->rho, u, p->r);
  const vec3 nearest =
      limited ? law_project(p->law, x) : law_project(law_of_contact(p->law.friction), x);
  const vec3 apart = vec3_sub(p->r, nearest);
  const double square = vec3_dot(apart, apart);
  const double rounding = law_rounding(p->rho, p->speed, vec3_norm(p->r));
  return square <= rounding * rounding ? 0 : square;
}

static inline double speed_of(const Twist *twist, vec3 arm)
{
  return vec3_norm(twist->v) + vec3_norm(twist->w) * vec3_norm(arm);
}

// what the deformation of both bodies adds
static double speed_of_stretch(const SolverPoint *p, const mat3 *stretch)
{
  return vec3_norm(mat3_mul(stretch[p->low], p->low_arm)) +
         vec3_norm(mat3_mul(stretch[p->high], p->high_arm));
}

double residual_scale(Problem *problem, Velocities free)
{
  assert((free.twist != NULL || problem->point_count == 0) && "points have free velocities");
  double scale = 0;
  for (int k = 0; k < problem->pair_count; k++)
    for (int i = problem->pairs[k].first; i < problem->pairs[k].end; i++) {
      const SolverPoint p = problem_point(problem, k, i);
      const Twist *low = &free.twist[p.low], *high = &free.twist[p.high];
      problem->speed[i] = speed_of(low, p.low_arm) + speed_of(high, p.high_arm);
      if (free.stretch) problem->speed[i] += speed_of_stretch(&p, free.stretch);
      if (!(p.offset.x < INFINITY)) continue;   // no constraint in this step
      par_raise(&scale, p.rho * vec3_norm(problem_velocity(&p, free)));
    }
  return par_max(scale);
}

ResidualSums residual_sums_new(void) { return (ResidualSums){0, 0, exact_sum_new()}; }

void residual_sums_raise(ResidualSums *sums, double error, double impulse)
{
  assert_debug(!(error < 0) && !(impulse < 0) && "squares are not below zero");
  // what is not finite stays the largest
  if (!(error < INFINITY)) error = INFINITY;
  if (!(impulse < INFINITY)) impulse = INFINITY;
  if (error > sums->error) sums->error = error;
  if (impulse > sums->impulse) sums->impulse = impulse;
}

// Collective. All in one call.
static Residual reduce(ResidualSums *sums, int owned_points, double scale, ParFirst worst)
{
  double largest[2] = {sqrt(sums->error), sqrt(sums->impulse)};
  int64_t count = owned_points;
  const Reduction all[] = {{REDUCE_MAX, largest, 2},
                           {REDUCE_SUM, &count, 1},
                           {REDUCE_FIRST, &worst, 1},
                           exact_sum_reduction(&sums->squares)};
  par_reduce(all, sizeof all / sizeof *all);
  if (scale < DBL_EPSILON * largest[1]) scale = DBL_EPSILON * largest[1];
  const IdPair pair = {worst.low, worst.high};
  if (largest[0] == 0) return (Residual){0};
  if (!(largest[0] < INFINITY && largest[1] < INFINITY))
    return (Residual){.largest = INFINITY, .rms = INFINITY, .worst = pair};
  assert(count > 0 && "an error is that of a point");
  const double mean = exact_sum_value(&sums->squares) / (double)count;
  return (Residual){.largest = largest[0] / scale, .rms = sqrt(mean) / scale, .worst = pair};
}

Residual residual_of_sums(ResidualSums *sums, int owned_points, double scale)
{
  assert(owned_points >= 0 && !(scale < 0) && "points are counted, a scale is a size");
  return reduce(sums, owned_points, scale, (ParFirst){0});
}

// the largest error and the lowest pair of bodies that holds it
static void worst_raise(ParFirst *worst, const Problem *problem, const SolverPoint *p, double error)
{
  if (!(error < INFINITY)) error = INFINITY;
  if (error == 0 || error < worst->size) return;
  const uint64_t *id = problem->bodies->id;
  const ParFirst found = {error, id[p->low], id[p->high]};
  if (par_comes_first(found, *worst)) *worst = found;
}

double residual_add_pair(ResidualSums *sums, ParFirst *worst, const Problem *problem, int k)
{
  assert_debug(k >= 0 && k < problem->pair_count && "a pair of the problem");
  const SolverPair *pair = &problem->pairs[k];
  double squares = 0;
  for (int i = pair->first; i < pair->end; i++) {
    const SolverPoint p = problem_point(problem, k, i);
    const double error = point_error(&p, problem_now(problem));
    squares += error;
    residual_sums_raise(sums, error, vec3_dot(p.r, p.r));
    worst_raise(worst, problem, &p, error);
  }
  return squares;
}

Residual residual_measure(const Problem *problem, double scale)
{
  assert(problem->owned_points <= problem->point_count && !(scale < 0) && "a scale is a size");
  ResidualSums sums = residual_sums_new();
  ParFirst worst = {0};
  for (int k = 0; k < problem->pair_count; k++) {
    const double squares = residual_add_pair(&sums, &worst, problem, k);
    if (problem->owned[problem->pairs[k].first]) exact_sum_add(&sums.squares, squares);
  }
  return reduce(&sums, problem->owned_points, scale, worst);
}

Residual residual_of_impulses(Problem *problem, Velocities free, double scale, Arena *arena)
{
  assert(problem->own_rows <= problem->row_count && "own rows come first");
  for (int b = problem->own_rows; b < problem->row_count; b++) {
    problem->twist[b] = free.twist[b];
    if (problem->elastic) problem->stretch[b] = free.stretch[b];
  }
  problem_velocities(problem, free, problem->twist, problem->stretch);
  problem_refresh(problem, arena);
  return residual_measure(problem, scale);
}
