// Coloured Gauss-Seidel over the points of a problem, plain or accelerated.
#include "gauss_seidel.h"

#include <assert.h>
#include <string.h>

#include "batches.h"
#include "exact_sum.h"
#include "halo.h"
#include "pair_sweep.h"
#include "parallel.h"
#include "residual.h"
#include "split.h"

#define CHECK_EVERY \
  5   // sweeps between two measurements of the residual, after the first few;
      // PATIENCE_WINDOW is a multiple
#define RESTART_GROWTH 4.0   // a change whose square grows by this factor restarts the acceleration

void gauss_seidel_sweep(Problem *problem, Arena *arena)
{
  assert(problem->colour_count >= 0 && "colours are counted");
  split_begin(problem);
  for (int c = 0; c < problem->colour_count; c++) {
    halo_refresh(&problem->before_colour[c], problem->twist, sizeof *problem->twist, arena);
    for (int k = problem->colour_start[c]; k < problem->colour_start[c + 1]; k++)
      if (split_pair(problem, k).swept) pair_sweep(problem, k, problem->r);
  }
  split_end(problem, arena);
}

static void refresh(const HaloPlan *plan, Problem *problem, Arena *arena)
{
  halo_refresh(plan, problem->twist, sizeof *problem->twist, arena);
}

// Nesterov's sequence with restarts. The best impulses so far are those of the problem.
typedef struct {
  Batches batches;
  double theta, last_change;
  Vec3Lane *x, *old;   // [batches of points] where the sweep started; where the sweep before ended
  vec3 *single_x, *single_old;   // [points] likewise, of pairs that go in no batch; NULL: none do
  Twist *twist_old;              // velocities that belong to old, own rows
  double best_residual;
  vec3 *cut;               // [points] what the projection takes off; in the place of x
  unsigned char *is_cut;   // [points]
} Acceleration;

static Acceleration acceleration_new(Problem *problem, Arena *arena)
{
  Acceleration a = {.batches = batches_new(problem, arena), .theta = 1, .last_change = INFINITY};
  const size_t batches = (size_t)a.batches.point_count + 1, points = (size_t)problem->point_count;
  // what a sweep started from is no longer asked for when its end is projected: cut takes its
  // place, which holds points that others sweep too
  const size_t starts = batches * sizeof *a.x, cuts = (points + 1) * sizeof *a.cut;
  a.x = arena_allocate(arena, starts > cuts ? starts : cuts);
  a.old = arena_allocate(arena, batches * sizeof *a.old);
  a.twist_old = arena_allocate(arena, ((size_t)problem->own_rows + 1) * sizeof *a.twist_old);
  a.cut = (vec3 *)(void *)a.x;
  a.is_cut = arena_allocate_zero(arena, points + 1, 1);
  if (a.batches.single_count > 0) {
    a.single_x = arena_allocate(arena, points * sizeof *a.single_x);
    a.single_old = arena_allocate(arena, points * sizeof *a.single_old);
  }
  return a;
}

static void copy_impulses(const Batches *batches, Vec3Lane *r, vec3 *single_r)
{
  for (int i = 0; i < batches->point_count; i++) r[i] = batches->points[i].r;
  if (single_r)
    memcpy(single_r, batches->single_r, (size_t)batches->problem->point_count * sizeof *single_r);
}

// What the change of points in the last sweep adds to the two sums of momentum.
static void add_single_changes(const Acceleration *a, ExactSum sums[2])
{
  const Batches *batches = &a->batches;
  for (int s = 0; s < batches->single_count; s++) {
    const int k = batches->singles[s];
    if (!split_pair(batches->problem, k).counted) continue;
    double turns = 0, changes = 0;
    for (int i = batches->problem->pairs[k].first; i < batches->problem->pairs[k].end; i++) {
      const vec3 r = batches->single_r[i], step = vec3_sub(a->single_x[i], r);
      turns += vec3_dot(step, vec3_sub(r, a->single_old[i]));
      changes += vec3_dot(step, step);
    }
    exact_sum_add(&sums[0], turns);
    exact_sum_add(&sums[1], changes);
  }
}

// factor of the last change by which to go on; 0 restarts (O'Donoghue and Candes 2015)
static double momentum(Acceleration *a)
{
  const Batches *batches = &a->batches;
  ExactSum sums[2] = {exact_sum_new(), exact_sum_new()};
  for (int k = 0; k < batches->pair_count; k++) {
    // points of a pair in order, then pairs exactly
    const PairBatch *b = &batches->pairs[k];
    Lane turns = lane_all(0), changes = lane_all(0);
    for (int i = b->start; i < b->start + b->depth; i++) {
      const Vec3Lane r = batches->points[i].r, step = lane3_sub(a->x[i], r);
      turns += lane3_dot(step, lane3_sub(r, a->old[i]));
      changes += lane3_dot(step, step);
    }
    for (int lane = 0; lane < LANES; lane++) {
      if (!b->counted[lane]) continue;
      exact_sum_add(&sums[0], turns[lane]);
      exact_sum_add(&sums[1], changes[lane]);
    }
  }
  add_single_changes(a, sums);
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

static void keep_split(const PairBatch *b, Vec3Lane ahead, Vec3Lane *r)
{
  for (int lane = 0; lane < LANES; lane++)
    if (b->split[lane]) lane3_set(r, lane, lane3_get(&ahead, lane));
}

static void extrapolate_singles(Acceleration *a, double factor)
{
  const Batches *batches = &a->batches;
  const Problem *problem = batches->problem;
  for (int s = 0; s < batches->single_count; s++) {
    const int k = batches->singles[s];
    const SweepPair sweep = split_pair(problem, k);
    const bool split = sweep.low_copies > 1 || sweep.high_copies > 1;
    for (int i = problem->pairs[k].first; i < problem->pairs[k].end; i++) {
      const vec3 r = batches->single_r[i],
                 ahead = vec3_axpy(factor, vec3_sub(r, a->single_old[i]), r),
                 next = split ? ahead : law_project(problem_law(problem, i), ahead);
      a->single_old[i] = r;
      batches->single_r[i] = next;
      a->cut[i] = vec3_sub(next, ahead);
      a->is_cut[i] = a->cut[i].x != 0 || a->cut[i].y != 0 || a->cut[i].z != 0;
    }
  }
}

// x = P_C(r + factor (r - old)), remembering what the projection takes off; none at pairs of split
// bodies, whose ranks need not sweep them
static void extrapolate_impulses(Acceleration *a, double factor)
{
  Batches *batches = &a->batches;
  for (int k = 0; k < batches->pair_count; k++) {
    const PairBatch *b = &batches->pairs[k];
    for (int i = 0; i < b->depth; i++) {
      PointBatch *p = &batches->points[b->start + i];
      Vec3Lane *old = &a->old[b->start + i];
      const Vec3Lane ahead = lane3_axpy(lane_all(factor), lane3_sub(p->r, *old), p->r);
      *old = p->r;
      p->r = batches_project(batches, b, i, ahead);
      if (b->has_split) keep_split(b, ahead, &p->r);
      const Vec3Lane cut = lane3_sub(p->r, ahead);
      const LaneMask cuts = (cut.x != 0.0) | (cut.y != 0.0) | (cut.z != 0.0);
      if (!lane_any(cuts)) continue;
      for (int lane = 0; lane < LANES; lane++) {
        if (!cuts[lane]) continue;
        a->cut[b->first[lane] + i] = lane3_get(&cut, lane);
        a->is_cut[b->first[lane] + i] = 1;
      }
    }
  }
}

// The velocity of a body with what the projection took off its points, in order of key.
static Twist add_cuts(const Acceleration *a, const Problem *problem, int body, Twist u)
{
  for (int k = problem->body_start[body]; k < problem->body_start[body + 1]; k++) {
    const PairSide side = problem_side(problem, problem->body_pairs[k]);
    for (int i = side.first; i < side.end; i++)
      if (a->is_cut[i]) u = problem_push_side(problem, &side, i, a->cut[i], u);
  }
  return u;
}

// The same where all bodies are rigid, in line.
static inline Twist add_rigid_cuts(const Acceleration *a, const Problem *problem, int body, Twist u)
{
  const MidState *mid = &problem->mid[body];
  for (int k = problem->body_start[body]; k < problem->body_start[body + 1]; k++) {
    const PairSide side = problem_side(problem, problem->body_pairs[k]);
    for (int i = side.first; i < side.end; i++) {
      if (!a->is_cut[i]) continue;
      const PointLever *lever = &problem->levers[i];
      const vec3 impulse = mat3_mul_transposed(lever_basis(lever), a->cut[i]);
      u = rigid_push(u, mid, impulse, vec3_add(lever->low_arm, side.shift), side.sign);
    }
  }
  return u;
}

// velocities follow: they are linear in r, and what the projection takes off is added in order of
// key
static void extrapolate(Acceleration *a, Problem *problem, double factor)
{
  assert(!(factor < 0) && "a change is gone on with");
  extrapolate_impulses(a, factor);
  extrapolate_singles(a, factor);
  const bool rigid = rigid_pairs_all(problem->bodies);
  for (int b = 0; b < problem->own_rows; b++) {
    const Twist now = problem->twist[b], old = a->twist_old[b];
    Twist u = {vec3_axpy(factor, vec3_sub(now.v, old.v), now.v),
               vec3_axpy(factor, vec3_sub(now.w, old.w), now.w)};
    a->twist_old[b] = now;
    problem->twist[b] = rigid ? add_rigid_cuts(a, problem, b, u) : add_cuts(a, problem, b, u);
  }
  memset(a->is_cut, 0, (size_t)problem->point_count);
}

static void accelerate(Acceleration *a, Problem *problem, int sweep)
{
  assert(sweep > 0 && "sweeps are counted");
  if (sweep > 1) {
    extrapolate(a, problem, momentum(a));
    return;
  }
  copy_impulses(&a->batches, a->old, a->single_old);
  for (int b = 0; b < problem->own_rows; b++) a->twist_old[b] = problem->twist[b];
}

static void keep_best(Acceleration *a, double residual)
{
  if (!(residual < a->best_residual)) return;
  a->best_residual = residual;
  batches_store(&a->batches);
}

static bool is_check(int sweep, int max_sweeps)
{
  return sweep <= 3 || sweep % CHECK_EVERY == 0 || sweep == max_sweeps;
}

// sweeps until the residual serves; adds to those done; leaves the best impulses in the problem;
// returns their residual by the velocities that sweeps have kept up, which rounding carries off
static double improve(Problem *problem, double residual, double scale, SolverParameters parameters,
                      int *done, Arena *arena)
{
  assert(!(residual < 0) && *done >= 0 && "sweeps done are counted");
  const ArenaMark mark = arena_mark(arena);
  Acceleration a = acceleration_new(problem, arena);
  a.best_residual = residual < INFINITY ? residual : INFINITY;
  int sweeps = 0;
  double window_start = residual;
  const TrafficKind served = par_traffic_serves(TRAFFIC_SWEEPS);
  while (residual > parameters.tolerance && sweeps < parameters.max_sweeps) {
    if (parameters.method != SOLVER_GAUSS_SEIDEL) copy_impulses(&a.batches, a.x, a.single_x);
    batches_sweep(&a.batches, arena);
    sweeps++;
    if (is_check(sweeps, parameters.max_sweeps)) {
      refresh(&problem->swept, problem, arena);
      residual = batches_residual(&a.batches, scale).largest;
      keep_best(&a, residual);
      if (!(residual < INFINITY) || residual <= parameters.tolerance) break;
      if (sweeps % PATIENCE_WINDOW == 0) {
        if (convergence_is_hopeless(window_start, a.best_residual, parameters)) break;
        window_start = a.best_residual;
      }
    }
    if (parameters.method != SOLVER_GAUSS_SEIDEL) accelerate(&a, problem, sweeps);
    refresh(&problem->swept, problem, arena);
  }
  par_traffic_rounds(sweeps);
  par_traffic_serves(served);
  if (!(a.best_residual < INFINITY)) batches_store(&a.batches);
  split_share_impulses(problem, arena);
  *done += sweeps;
  arena_release(arena, mark);
  return a.best_residual;
}

Convergence gauss_seidel_solve(Problem *problem, Velocities free, SolverParameters parameters,
                               Arena *arena)
{
  assert((problem->row_count == 0 || free.twist != NULL) && "rows have free velocities");
  assert(!problem->elastic && "sweeps know rigid bodies alone");
  assert(!(parameters.tolerance < 0) && parameters.patience >= 0 && "the solver has an aim");
  const bool plain = parameters.method == SOLVER_GAUSS_SEIDEL;
  Convergence result = {.method = plain ? SOLVER_GAUSS_SEIDEL : SOLVER_NESTEROV};
  const double scale = residual_scale(problem, free);
  for (int b = 0; b < problem->row_count; b++) problem->twist[b] = free.twist[b];
  problem_velocities(problem, free, problem->twist, NULL);
  refresh(&problem->all, problem, arena);

  // perhaps the last step's impulses will do
  Residual residual = residual_measure(problem, scale);
  bool goes_on = true;
  while (goes_on && residual.largest > parameters.tolerance && parameters.max_sweeps > 0) {
    const int before = result.sweeps;
    const double reached =
        improve(problem, residual.largest, scale, parameters, &result.sweeps, arena);
    parameters.max_sweeps -= result.sweeps - before;

    // velocities anew from the best impulses; again where the residual served only without that
    problem_velocities(problem, free, problem->twist, NULL);
    refresh(&problem->all, problem, arena);
    residual = residual_measure(problem, scale);
    goes_on = reached <= parameters.tolerance && result.sweeps > before;
  }
  result.residual_max = residual.largest;
  result.residual_rms = residual.rms;
  result.worst = residual.worst;
  result.converged = residual.largest <= parameters.tolerance;
  return result;
}
