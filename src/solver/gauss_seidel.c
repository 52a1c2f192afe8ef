#include "gauss_seidel.h"

#include "exact_sum.h"
#include "halo.h"
#include "parallel.h"
#include "residual.h"

#define CHECK_EVERY 5        // sweeps between two measurements of the residual, after the first few
#define RESTART_GROWTH 4.0   // a change whose square grows by this factor restarts the acceleration

// the points of a pair one after another, velocities of both bodies at hand
static void relax_pair(Problem *problem, const SolverPair *pair)
{
  const MidState *low = &problem->mid[pair->low], *high = &problem->mid[pair->high];
  Twist a = problem->twist[pair->low], b = problem->twist[pair->high];
  for (int i = pair->first; i < pair->end; i++) {
    SolverPoint *p = &problem->points[i];
    const vec3 relative = vec3_sub(vec3_add(a.v, vec3_cross(a.w, p->low_arm)),
                                   vec3_add(b.v, vec3_cross(b.w, p->high_arm)));
    vec3 q = vec3_sub(mat3_mul(p->frame, relative), law_apply(&p->w, p->r));
    q = vec3_add(q, p->offset);
    const vec3 r = law_solve_point(&p->w, p->law, q);
    const vec3 change = vec3_sub(r, p->r);
    if (change.x == 0 && change.y == 0 && change.z == 0) continue;
    p->r = r;
    const vec3 impulse = mat3_mul_transposed(p->frame, change);
    a = problem_push(a, low, impulse, p->low_arm, 1);
    b = problem_push(b, high, impulse, p->high_arm, -1);
  }
  problem->twist[pair->low] = a;
  problem->twist[pair->high] = b;
}

void gauss_seidel_sweep(Problem *problem, Arena *arena)
{
  for (int c = 0; c < problem->colour_count; c++) {
    halo_refresh(&problem->before_colour[c], problem->twist, sizeof *problem->twist, arena);
    for (int k = problem->colour_start[c]; k < problem->colour_start[c + 1]; k++)
      relax_pair(problem, &problem->pairs[k]);
  }
}

static void refresh(Problem *problem, Arena *arena)
{
  halo_refresh(&problem->all, problem->twist, sizeof *problem->twist, arena);
}

// Nesterov's sequence with restarts, and the best impulses so far.
typedef struct {
  double theta, last_change;
  bool has_old;
  vec3 *x, *r_old;    // where the sweep started; where the sweep before ended
  Twist *twist_old;   // velocities that belong to r_old, own rows
  vec3 *best;
  double best_residual;
} Acceleration;

static Acceleration acceleration_new(const Problem *problem, Arena *arena)
{
  const size_t points = (size_t)problem->point_count + 1;
  return (Acceleration){.theta = 1,
                        .last_change = INFINITY,
                        .x = arena_allocate(arena, points * sizeof(vec3)),
                        .r_old = arena_allocate(arena, points * sizeof(vec3)),
                        .twist_old =
                            arena_allocate(arena, ((size_t)problem->own_rows + 1) * sizeof(Twist)),
                        .best = arena_allocate(arena, points * sizeof(vec3)),
                        .best_residual = INFINITY};
}

// factor of the last change by which to go on; 0 restarts (O'Donoghue and Candes 2015)
static double momentum(Acceleration *a, const Problem *problem)
{
  ExactSum sums[2] = {exact_sum_new(), exact_sum_new()};
  for (int i = 0; i < problem->point_count; i++) {
    if (!problem->owned[i]) continue;
    const vec3 r = problem->points[i].r, step = vec3_sub(a->x[i], r);
    exact_sum_add(&sums[0], vec3_dot(step, vec3_sub(r, a->r_old[i])));
    exact_sum_add(&sums[1], vec3_dot(step, step));
  }
  exact_sum_reduce(sums, 2);
  const double turn = exact_sum_value(&sums[0]), change = exact_sum_value(&sums[1]);
  const bool restart = turn > 0 || change > RESTART_GROWTH * a->last_change;
  a->last_change = change;
  if (restart) {
    a->theta = 1;
    return 0;
  }
  const double next = 0.5 * (1 + sqrt(1 + 4 * a->theta * a->theta));
  const double factor = (a->theta - 1) / next;
  a->theta = next;
  return factor;
}

// x = P_K(r + factor (r - r_old)); velocities follow: they are linear in r, and what the projection
// cuts off is added in order of key
static void extrapolate(Acceleration *a, Problem *problem, double factor)
{
  vec3 *cut = a->x;   // x is done with
  for (int i = 0; i < problem->point_count; i++) {
    SolverPoint *p = &problem->points[i];
    const vec3 r = p->r, ahead = vec3_axpy(factor, vec3_sub(r, a->r_old[i]), r);
    p->r = law_project(p->law, ahead);
    cut[i] = vec3_sub(p->r, ahead);
    a->r_old[i] = r;
  }
  for (int b = 0; b < problem->own_rows; b++) {
    const Twist now = problem->twist[b], old = a->twist_old[b];
    Twist u = {vec3_axpy(factor, vec3_sub(now.v, old.v), now.v),
               vec3_axpy(factor, vec3_sub(now.w, old.w), now.w)};
    for (int k = problem->body_start[b]; k < problem->body_start[b + 1]; k++) {
      const int i = problem->body_points[k];
      if (cut[i].x == 0 && cut[i].y == 0 && cut[i].z == 0) continue;
      const SolverPoint *p = &problem->points[i];
      const vec3 impulse = mat3_mul_transposed(p->frame, cut[i]);
      u = p->low == b ? problem_push(u, &problem->mid[b], impulse, p->low_arm, 1)
                      : problem_push(u, &problem->mid[b], impulse, p->high_arm, -1);
    }
    a->twist_old[b] = now;
    problem->twist[b] = u;
  }
}

static void remember(Acceleration *a, const Problem *problem)
{
  for (int i = 0; i < problem->point_count; i++) a->r_old[i] = problem->points[i].r;
  for (int b = 0; b < problem->own_rows; b++) a->twist_old[b] = problem->twist[b];
}

static void keep_best(Acceleration *a, const Problem *problem, double residual)
{
  if (!(residual < a->best_residual)) return;
  a->best_residual = residual;
  for (int i = 0; i < problem->point_count; i++) a->best[i] = problem->points[i].r;
}

static bool is_check(int sweep, int max_sweeps)
{
  return sweep <= 3 || sweep % CHECK_EVERY == 0 || sweep == max_sweeps;
}

Convergence gauss_seidel_solve(Problem *problem, const Twist *free, SolverParameters parameters,
                               Arena *arena)
{
  Convergence result = {.method = SOLVER_NESTEROV};
  const double scale = residual_scale(problem, free);
  for (int b = 0; b < problem->row_count; b++) problem->twist[b] = free[b];
  problem_velocities(problem, free, problem->twist);
  refresh(problem, arena);

  // perhaps the last step's impulses will do
  Acceleration a = acceleration_new(problem, arena);
  double residual = residual_measure(problem, scale).largest;
  keep_best(&a, problem, residual);
  while (residual > parameters.tolerance && result.sweeps < parameters.max_sweeps) {
    for (int i = 0; i < problem->point_count; i++) a.x[i] = problem->points[i].r;
    gauss_seidel_sweep(problem, arena);
    result.sweeps++;
    if (is_check(result.sweeps, parameters.max_sweeps)) {
      refresh(problem, arena);
      residual = residual_measure(problem, scale).largest;
      keep_best(&a, problem, residual);
      if (!(residual < INFINITY)) break;
      if (residual <= parameters.tolerance) break;
    }
    if (result.sweeps == 1) {
      remember(&a, problem);
    } else {
      const double factor = momentum(&a, problem);
      extrapolate(&a, problem, factor);
    }
    refresh(problem, arena);
  }

  // the best state seen, its velocities anew from its impulses
  if (a.best_residual < INFINITY)
    for (int i = 0; i < problem->point_count; i++) problem->points[i].r = a.best[i];
  problem_velocities(problem, free, problem->twist);
  refresh(problem, arena);
  const Residual final = residual_measure(problem, scale);
  result.residual_max = final.largest;
  result.residual_rms = final.rms;
  result.converged = final.largest <= parameters.tolerance;
  return result;
}
