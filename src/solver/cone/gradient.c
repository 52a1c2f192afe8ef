// Solves a contact problem by accelerated projected gradients.
#include "gradient.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "exact_sum.h"
#include "parallel.h"

#define CHECK_EVERY 10   // products between two measures of the residual
#define PATIENCE 400     // products in which the best residual must halve
#define SAFETY 0.9       // of the step that the curvature seen allows
#define REGROWTH 1.02    // of the step in each product, as far as that

typedef struct {
  const ConeProblem *problem;
  SolverParameters parameters;
  vec3 *best;             // [points] where the answer is
  vec3 *r, *before, *y;   // [points] impulses, those before, where the gradient is taken
  vec3 *u;                // [points] velocities of y
  vec3 *v, *v_before;     // [points] what the law asks to vanish there, and at the last y
  vec3 *y_before;         // [points]
  double step;            // of all points, relative to rho
  double momentum;        // t of Nesterov's sequence
  double best_residual, halved;
  int halved_at;
  Convergence result;
} Gradient;

static vec3 *vectors(int points, Arena *arena)
{
  return arena_allocate_zero(arena, (size_t)points + 1, sizeof(vec3));
}

// Sums over own points, exactly: squares of the way over rho, of the change of v times rho, and v
// along the last step of r.
typedef struct {
  double ways, curvature, uphill;
} Sums;

// Collective.
static Sums add_up(const Gradient *g)
{
  const ConeProblem *problem = g->problem;
  ExactSum sums[3];
  for (int k = 0; k < 3; k++) sums[k] = exact_sum_new();
  for (int i = 0; i < problem->point_count; i++) {
    const double rho = cone_rho(problem, i);
    if (rho == 0 || (problem->owned && !problem->owned[i])) continue;
    const vec3 way = vec3_sub(g->y[i], g->y_before[i]), change = vec3_sub(g->v[i], g->v_before[i]);
    exact_sum_add(&sums[0], vec3_dot(way, way) / rho);
    exact_sum_add(&sums[1], rho * vec3_dot(change, change));
    exact_sum_add(&sums[2], vec3_dot(g->v[i], vec3_sub(g->r[i], g->before[i])));
  }
  exact_sum_reduce(sums, 3);
  return (Sums){exact_sum_value(&sums[0]), exact_sum_value(&sums[1]), exact_sum_value(&sums[2])};
}

// v = U + b + give y + mu |V_T| n at y
static void take_gradient(Gradient *g)
{
  const ConeProblem *problem = g->problem;
  problem->velocity(problem->context, g->y, g->u);
  g->result.sweeps++;
  for (int i = 0; i < problem->point_count; i++) {
    g->v_before[i] = g->v[i];
    if (cone_rho(problem, i) == 0) continue;
    vec3 v = cone_velocity(problem, i, g->u[i], g->y[i]);
    v.x += problem->friction[i] * sqrt(v.y * v.y + v.z * v.z);
    g->v[i] = v;
  }
}

// r = P_C(y - step rho v)
static void move(Gradient *g)
{
  const ConeProblem *problem = g->problem;
  memcpy(g->before, g->r, (size_t)problem->point_count * sizeof *g->r);
  for (int i = 0; i < problem->point_count; i++) {
    const double rho = cone_rho(problem, i);
    if (rho == 0) continue;
    g->r[i] = cone_project(problem, i, 0, vec3_axpy(-g->step * rho, g->v[i], g->y[i]));
  }
}

// y = r + beta (r - before); from r anew where the last way led uphill.
static void extrapolate(Gradient *g, bool restart)
{
  const double now = g->momentum, next = 0.5 * (1 + sqrt(1 + 4 * now * now));
  const double beta = restart ? 0 : (now - 1) / next;
  g->momentum = restart ? 1 : next;
  for (int i = 0; i < g->problem->point_count; i++) {
    g->y_before[i] = g->y[i];
    g->y[i] = vec3_axpy(beta, vec3_sub(g->r[i], g->before[i]), g->r[i]);
  }
}

// measures r and keeps the best; true at the end
static bool check(Gradient *g)
{
  const ConeProblem *problem = g->problem;
  problem->velocity(problem->context, g->r, g->u);
  g->result.sweeps++;
  double residual = cone_residual_largest(problem, g->r, g->u);
  if (residual <= g->parameters.tolerance && problem->confirm)
    residual = problem->confirm(problem->context, g->r);
  if (residual < g->best_residual) {
    g->best_residual = residual;
    memcpy(g->best, g->r, (size_t)problem->point_count * sizeof *g->r);
  }
  if (g->best_residual <= 0.5 * g->halved) {
    g->halved = g->best_residual;
    g->halved_at = g->result.sweeps;
  }
  return g->best_residual <= g->parameters.tolerance || !(residual < INFINITY) ||
         g->result.sweeps >= g->parameters.max_sweeps || g->result.sweeps - g->halved_at > PATIENCE;
}

static void run(Gradient *g)
{
  take_gradient(g);
  for (int k = 1;; k++) {
    move(g);
    if (k % CHECK_EVERY == 0 && check(g)) return;
    extrapolate(g, false);
    take_gradient(g);
    const Sums sums = add_up(g);
    if (sums.uphill > 0) {
      extrapolate(g, true);
      take_gradient(g);
    }
    // the largest eigenvalue of rho W seen on the way bounds the step
    g->step *= REGROWTH;
    const double seen = sqrt(sums.curvature / sums.ways);
    if (sums.ways > 0 && g->step * seen > SAFETY) g->step = SAFETY / seen;
  }
}

Convergence gradient_solve(const ConeProblem *problem, vec3 *r, SolverParameters parameters,
                           Arena *arena)
{
  assert(problem->velocity != NULL && problem->point_count >= 0 && "a problem is its operators");
  assert(!(parameters.tolerance < 0) && "the solver has an aim");
  const ArenaMark mark = arena_mark(arena);
  const int points = problem->point_count;
  Gradient g = {.problem = problem,
                .parameters = parameters,
                .best = r,
                .r = vectors(points, arena),
                .before = vectors(points, arena),
                .y = vectors(points, arena),
                .u = vectors(points, arena),
                .v = vectors(points, arena),
                .v_before = vectors(points, arena),
                .y_before = vectors(points, arena),
                .step = 1,
                .momentum = 1,
                .best_residual = INFINITY,
                .halved = INFINITY,
                .result = {.method = SOLVER_GRADIENT}};
  for (int i = 0; i < points; i++)
    g.r[i] = g.y[i] = cone_rho(problem, i) > 0 ? cone_project(problem, i, 0, r[i]) : (vec3){0};
  if (!check(&g)) run(&g);

  problem->velocity(problem->context, r, g.u);
  const ConeResidual residual = cone_residual(problem, r, g.u);
  g.result.residual_max = residual.largest;
  g.result.residual_rms = residual.rms;
  g.result.converged = residual.largest <= parameters.tolerance;
  arena_release(arena, mark);
  return g.result;
}
