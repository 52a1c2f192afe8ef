// Gauss-Seidel on matrix problems, plain, with Nesterov's momentum or with Anderson's mixing.
#include "matrix_sweeps.h"

#include <assert.h>
#include <string.h>

#include "anderson.h"
#include "check.h"

#define CHECK_ALWAYS 10        // sweeps of which each is checked; later ones
#define CHECK_EVERY 10         // at such intervals; PATIENCE_WINDOW is a multiple
#define HALVING_SWEEPS 3000    // in which the best residual must halve
#define RESTART_GROWTH 4.0     // a change whose square grows by this factor restarts
#define PROXIMAL_SHARE 1e-10   // of |W_aa|, added to its diagonal in the one-contact problem

// the one-contact problem of a point: D = basis (W_aa + W_aa') / 2 basis' and a little more
typedef struct {
  mat3 basis;
  LocalDelassus w;
} PointSolver;

typedef struct {
  const MatrixSweeps *in;
  PointSolver *solvers;   // [points]
  double *r;              // [3 points] impulses as W multiplies them
  vec3 *now, *u, *start, *old, *best;
  double theta, last_change, best_residual;
  Anderson anderson;
  ConeState *ahead;   // [points] where the next sweep starts
} Sweeps;

// Any D that is positive definite gives the fixed points of the law, whatever W_aa is: U = W r +
// U_free enters as q = U - D r.
static PointSolver point_solver(mat3 w, PointLaw law, double rho)
{
  assert_debug(rho > 0 && "an impulse moves the contact");
  const double more = PROXIMAL_SHARE / rho;
  mat3 d = mat3_scale(0.5, mat3_add(w, mat3_transpose(w)));
  d = mat3_add(d, mat3_diagonal(more + law.give[0], more + law.give[1], more + law.give[1]));
  PointSolver s = {.basis = mat3_diagonal(1, 1, 1)};
  s.w = law_diagonalize(d, &s.basis);
  return s;
}

static Sweeps sweeps_new(const MatrixSweeps *in, vec3 *best, Arena *arena)
{
  const size_t points = (size_t)in->problem->point_count + 1;
  Sweeps s = {.in = in,
              .solvers = arena_allocate(arena, points * sizeof(PointSolver)),
              .r = arena_allocate_zero(arena, 3 * points, sizeof(double)),
              .now = arena_allocate(arena, points * sizeof(vec3)),
              .u = arena_allocate(arena, points * sizeof(vec3)),
              .start = arena_allocate(arena, points * sizeof(vec3)),
              .old = arena_allocate(arena, points * sizeof(vec3)),
              .best = best,
              .theta = 1,
              .last_change = INFINITY,
              .best_residual = INFINITY,
              .anderson = anderson_new(in->problem->point_count, NULL, in->problem->rho, arena),
              .ahead = arena_allocate(arena, points * sizeof(ConeState))};
  anderson_restart_in(&s.anderson, arena);
  for (int i = 0; i < in->problem->point_count; i++)
    if (in->problem->rho[i] > 0)
      s.solvers[i] = point_solver(in->diagonal[i], cone_law(in->problem, i), in->problem->rho[i]);
  return s;
}

static void set_impulse(Sweeps *s, int i, vec3 r)
{
  assert_debug(i >= 0 && i < s->in->problem->point_count && "a contact has a number");
  s->now[i] = r;
  s->r[3 * i] = r.x;
  s->r[3 * i + 1] = r.y;
  s->r[3 * i + 2] = r.z;
}

static void sweep(Sweeps *s)
{
  const ConeProblem *p = s->in->problem;
  const SparseMatrix *w = s->in->delassus;
  for (int i = 0; i < p->point_count; i++) {
    if (p->rho[i] == 0) continue;
    const double *free = s->in->free + 3 * i;
    const vec3 u = {sparse_matrix_row(w, 3 * i, s->r) + free[0],
                    sparse_matrix_row(w, 3 * i + 1, s->r) + free[1],
                    sparse_matrix_row(w, 3 * i + 2, s->r) + free[2]};
    const PointSolver *solver = &s->solvers[i];
    const vec3 before = mat3_mul(solver->basis, s->now[i]);
    const vec3 q = vec3_sub(mat3_mul(solver->basis, cone_velocity(p, i, u, s->now[i])),
                            law_apply(&solver->w, before));
    const vec3 r = law_solve_point(&solver->w, cone_law(p, i), q);
    set_impulse(s, i, mat3_mul_transposed(solver->basis, r));
  }
}

// measures the impulses and keeps the best
static double check(Sweeps *s)
{
  const ConeProblem *p = s->in->problem;
  p->velocity(p->context, s->now, s->u);
  const double residual = cone_residual_largest(p, s->now, s->u);
  if (residual < s->best_residual) {
    s->best_residual = residual;
    memcpy(s->best, s->now, (size_t)p->point_count * sizeof *s->best);
  }
  return residual;
}

// x = P_C(r + factor (r - r_old)), the factor by Nesterov's sequence; 0 restarts it (O'Donoghue and
// Candes 2015)
static void extrapolate(Sweeps *s, bool first)
{
  const ConeProblem *p = s->in->problem;
  double turn = 0, change = 0, factor = 0;
  for (int i = 0; i < p->point_count; i++) {
    const vec3 step = vec3_sub(s->start[i], s->now[i]);
    if (!first) turn += vec3_dot(step, vec3_sub(s->now[i], s->old[i]));
    change += vec3_dot(step, step);
  }
  if (first || turn > 0 || change > RESTART_GROWTH * s->last_change) {
    s->theta = 1;
  } else {
    const double next = 0.5 * (1 + sqrt(1 + 4 * s->theta * s->theta));
    factor = (s->theta - 1) / next;
    s->theta = next;
  }
  s->last_change = change;
  for (int i = 0; i < p->point_count; i++) {
    const vec3 r = s->now[i];
    if (factor != 0 && p->rho[i] > 0) {
      const vec3 ahead = vec3_axpy(factor, vec3_sub(r, s->old[i]), r);
      set_impulse(s, i, law_project(cone_law(p, i), ahead));
    }
    s->old[i] = r;
  }
}

// The state of Anderson's mixing has no speeds here.
static ConeState state_of(vec3 r) { return (ConeState){r, 0}; }

static void mix(Sweeps *s)
{
  const ConeProblem *p = s->in->problem;
  for (int i = 0; i < p->point_count; i++)
    anderson_note(&s->anderson, i, state_of(s->start[i]), state_of(s->now[i]));
  anderson_step(&s->anderson, s->ahead);
  for (int i = 0; i < p->point_count; i++)
    if (p->rho[i] > 0) set_impulse(s, i, law_project(cone_law(p, i), s->ahead[i].z));
}

static void go_on(Sweeps *s, SolverMethod method, bool first)
{
  if (method == SOLVER_NESTEROV) extrapolate(s, first);
  if (method == SOLVER_ANDERSON) mix(s);
}

// When sweeps are given up.
typedef struct {
  double halved, window;   // best residual when it last halved; when the window began
  int halved_at;           // sweep
} Hopes;

static bool is_hopeless(Hopes *hopes, int done, double best, SolverParameters parameters)
{
  if (best <= 0.5 * hopes->halved) {
    hopes->halved = best;
    hopes->halved_at = done;
  } else if (done - hopes->halved_at >= HALVING_SWEEPS) {
    return true;
  }
  if (done % PATIENCE_WINDOW != 0) return false;
  const double before = hopes->window;
  hopes->window = best;
  return convergence_is_hopeless(before, best, parameters);
}

Convergence matrix_sweeps_solve(const MatrixSweeps *sweeps, vec3 *r, SolverParameters parameters,
                                Arena *arena)
{
  assert(convergence_sweeps(parameters.method) && "sweeps are asked for");
  assert(sweeps->delassus->rows == 3 * sweeps->problem->point_count && "a contact has three rows");
  const ConeProblem *p = sweeps->problem;
  Convergence result = {.method = parameters.method};
  Sweeps s = sweeps_new(sweeps, r, arena);
  for (int i = 0; i < p->point_count; i++)
    set_impulse(&s, i, p->rho[i] > 0 ? r[i] : (vec3){0, 0, 0});
  double residual = check(&s);
  Hopes hopes = {.halved = s.best_residual, .window = s.best_residual};
  while (residual > parameters.tolerance && residual < INFINITY &&
         result.sweeps < parameters.max_sweeps) {
    memcpy(s.start, s.now, (size_t)p->point_count * sizeof *s.start);
    sweep(&s);
    const int done = ++result.sweeps;
    if (done <= CHECK_ALWAYS || done % CHECK_EVERY == 0 || done == parameters.max_sweeps)
      residual = check(&s);
    if (residual > parameters.tolerance && is_hopeless(&hopes, done, s.best_residual, parameters))
      break;
    go_on(&s, parameters.method, done == 1);
  }

  p->velocity(p->context, r, s.u);
  const ConeResidual final = cone_residual(p, r, s.u);
  result.residual_max = final.largest;
  result.residual_rms = final.rms;
  result.converged = final.largest <= parameters.tolerance;
  return result;
}
