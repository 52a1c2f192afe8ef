// Solves contact problems given as matrices by every method.
#include "matrix_problem.h"

#include <assert.h>
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "admm.h"
#include "choice.h"
#include "matrix_pairs.h"
#include "matrix_sweeps.h"
#include "matrix_system.h"
#include "parallel.h"

#define SQUARINGS 40         // of W_aa' W_aa, until its largest eigenvalue stands alone
#define SKEWNESS_OF_M 1e-9   // relative; more is not rounding

// |A|_2: the powers of B = A'A over their traces come to the projection on its largest eigenvalues
static double spectral_norm(mat3 a)
{
  const mat3 b = mat3_mul_mat(mat3_transpose(a), a);
  double trace = b.row[0].x + b.row[1].y + b.row[2].z;
  if (!(trace > 0)) return 0;
  mat3 power = mat3_scale(1 / trace, b);
  for (int i = 0; i < SQUARINGS; i++) {
    const mat3 square = mat3_mul_mat(power, power);
    trace = square.row[0].x + square.row[1].y + square.row[2].z;
    power = mat3_scale(1 / trace, square);
  }
  const mat3 largest = mat3_mul_mat(b, power);
  return sqrt(largest.row[0].x + largest.row[1].y + largest.row[2].z);
}

typedef struct {
  ConeProblem cone;
  MatrixSystem *system;
  mat3 *diagonal;       // [count] W_aa
  double *rho;          // [count]
  vec3 *r, *u, *free;   // [count]; free: U_free
  bool faces;           // bodies meet in faces rather than in single points
} Context;

static bool prepare(void *context, const double *weight)
{
  return matrix_system_prepare(((Context *)context)->system, weight);
}

static int respond(void *context, const vec3 *d, double accuracy, vec3 *u)
{
  (void)accuracy;   // factors go to rounding
  matrix_system_respond(((Context *)context)->system, d, u);
  return 0;
}

static void velocity(void *context, const vec3 *r, vec3 *u)
{
  matrix_system_velocity(((Context *)context)->system, r, u);
}

// rho of all contacts: 0 where W_aa is zero but for rounding
static void set_rho(Context *c)
{
  double largest = 0;
  for (int i = 0; i < c->cone.point_count; i++) {
    c->diagonal[i] = matrix_system_diagonal(c->system, i);
    c->rho[i] = spectral_norm(c->diagonal[i]);
    largest = fmax(largest, c->rho[i]);
  }
  for (int i = 0; i < c->cone.point_count; i++)
    c->rho[i] = c->rho[i] > DBL_EPSILON * largest ? 1 / c->rho[i] : 0;
}

// A file has neither gravity nor bodies: what contacts ask for at most, each with its own rho.
static void set_sizes(Context *c, Arena *arena)
{
  double fastest = 0;
  for (int i = 0; i < c->cone.point_count; i++)
    if (c->rho[i] > 0) fastest = fmax(fastest, vec3_norm(c->free[i]));
  double *size = arena_allocate(arena, ((size_t)c->cone.point_count + 1) * sizeof *size);
  for (int i = 0; i < c->cone.point_count; i++) size[i] = c->rho[i] * fastest;
  c->cone.size = size;
}

static Context context_new(const MatrixProblem *problem, MatrixSystem *system, Arena *arena)
{
  assert(problem->count >= 0 && system != NULL && "a problem has its operators");
  const size_t count = (size_t)problem->count + 1;
  Context c = {.system = system,
               .diagonal = arena_allocate(arena, count * sizeof(mat3)),
               .rho = arena_allocate(arena, count * sizeof(double)),
               .r = arena_allocate_zero(arena, count, sizeof(vec3)),
               .u = arena_allocate_zero(arena, count, sizeof(vec3)),
               .free = arena_allocate(arena, count * sizeof(vec3))};
  // all ranks know the whole problem; the first counts
  unsigned char *owned = arena_allocate_zero(arena, count, 1);
  memset(owned, par_rank() == 0, count);
  c.cone = (ConeProblem){.point_count = problem->count,
                         .owned = owned,
                         .friction = problem->friction,
                         .rho = c.rho,
                         .offset = arena_allocate_zero(arena, count, sizeof(double)),
                         .prepare = prepare,
                         .respond = respond,
                         .velocity = velocity};
  set_rho(&c);
  matrix_system_velocity(system, c.r, c.free);
  set_sizes(&c, arena);
  return c;
}

// -------------------------------------------------------------------------------------------------
// Methods

static Convergence sweeps_solve(Context *c, SolverParameters parameters, Arena *arena)
{
  SparseMatrix delassus;
  if (!matrix_system_delassus(c->system, &delassus, arena))
    return (Convergence){
        .method = parameters.method, .residual_max = INFINITY, .residual_rms = INFINITY};
  double *free = arena_allocate(arena, (3 * (size_t)c->cone.point_count + 1) * sizeof *free);
  for (int i = 0; i < c->cone.point_count; i++) {
    free[3 * i] = c->free[i].x;
    free[3 * i + 1] = c->free[i].y;
    free[3 * i + 2] = c->free[i].z;
  }
  const MatrixSweeps sweeps = {
      .problem = &c->cone, .delassus = &delassus, .diagonal = c->diagonal, .free = free};
  return matrix_sweeps_solve(&sweeps, c->r, parameters, arena);
}

// counts of both, the better result; false: that is the first one's
static bool join(Convergence *best, Convergence next)
{
  next.sweeps += best->sweeps;
  next.inner += best->inner;
  next.factorisations += best->factorisations;
  next.choice = best->choice;
  const bool better = next.residual_max < best->residual_max;
  if (better) {
    *best = next;
  } else {
    best->sweeps = next.sweeps;
    best->inner = next.inner;
    best->factorisations = next.factorisations;
  }
  return better;
}

static Convergence admm_from(Context *c, int first_k, SolverParameters parameters, double *sigma,
                             Arena *arena)
{
  assert(first_k >= 0 && sigma != NULL && "sigma starts on its grid");
  AdmmController controller = {.k = -1};
  c->cone.first_k = first_k;
  Convergence result = admm_solve(&c->cone, c->r, &controller, parameters, arena);
  *sigma = admm_sigma(controller.k);
  result.method = SOLVER_ADMM_CHOLESKY;   // there are sparse factors alone
  return result;
}

// Bodies on faces that hit others rather than rest on them have been seen to need a small sigma:
// it is tried where the usual one comes to nothing.
static Convergence admm(Context *c, SolverParameters parameters, double *sigma, Arena *arena)
{
  if (!c->faces) {
    c->cone.most_k = MOST_POINTS;
    return admm_from(c, FIRST_POINTS, parameters, sigma, arena);
  }
  Convergence best = admm_from(c, FIRST_FACES, parameters, sigma, arena);
  if (best.converged || best.sweeps >= parameters.max_sweeps) return best;
  const size_t bytes = (size_t)c->cone.point_count * sizeof *c->r;
  vec3 *first = arena_allocate(arena, bytes + 1);
  memcpy(first, c->r, bytes);
  memset(c->r, 0, bytes);
  double second;
  parameters.max_sweeps -= best.sweeps;
  if (join(&best, admm_from(c, FIRST_POINTS, parameters, &second, arena))) *sigma = second;
  else memcpy(c->r, first, bytes);
  return best;
}

// As in a step from no impulses: bodies on points are swept as long as that promises to end soon.
// Then ADMM; what it leaves is a first guess of accelerated sweeps, and what these leave one of
// plain sweeps; each keeps the best.
static Convergence automatic(Context *c, SolverParameters parameters, double *sigma, Arena *arena)
{
  const int most = parameters.max_sweeps;
  SolverParameters part = parameters;
  Convergence best = {.residual_max = INFINITY, .residual_rms = INFINITY};
  vec3 *swept = arena_allocate(arena, ((size_t)c->cone.point_count + 1) * sizeof *swept);
  if (!c->faces) {
    part.method = SOLVER_NESTEROV;
    part.patience = PATIENCE_OF_POINTS;
    best = sweeps_solve(c, part, arena);
    if (best.converged || best.sweeps >= most) return best;
    memcpy(swept, c->r, (size_t)c->cone.point_count * sizeof *swept);
    memset(c->r, 0, (size_t)c->cone.point_count * sizeof *c->r);
  }
  best.choice =
      (SolverChoice){.faces = c->faces, .sweeps = best.sweeps, .residual = best.residual_max};

  part = (SolverParameters){.method = SOLVER_ADMM,
                            .tolerance = parameters.tolerance,
                            .max_sweeps = (most - best.sweeps + 1) / 2};
  if (!join(&best, admm(c, part, sigma, arena)) && !c->faces)
    memcpy(c->r, swept, (size_t)c->cone.point_count * sizeof *swept);
  const SolverMethod methods[] = {SOLVER_NESTEROV, SOLVER_GAUSS_SEIDEL};
  for (int i = 0; i < 2 && !best.converged && best.sweeps < most; i++) {
    part = (SolverParameters){
        .method = methods[i], .tolerance = parameters.tolerance, .max_sweeps = most - best.sweeps};
    join(&best, sweeps_solve(c, part, arena));
  }
  return best;
}

static Convergence solve(Context *c, SolverParameters parameters, double *sigma, Arena *arena)
{
  if (convergence_sweeps(parameters.method)) return sweeps_solve(c, parameters, arena);
  if (parameters.method == SOLVER_AUTOMATIC) return automatic(c, parameters, sigma, arena);
  return admm(c, parameters, sigma, arena);
}

// -------------------------------------------------------------------------------------------------
// What came out

// contacts that no impulse moves, and those of them that approach
static void count_immovable(const Context *c, double tolerance, MatrixSolution *solution)
{
  double fastest = 0;
  for (int i = 0; i < c->cone.point_count; i++) fastest = fmax(fastest, vec3_norm(c->free[i]));
  for (int i = 0; i < c->cone.point_count; i++) {
    if (c->rho[i] > 0) continue;
    solution->immovable++;
    if (c->free[i].x < -tolerance * fastest) solution->unsolvable++;
  }
}

// the natural map with rho = 1
static void measure_unscaled(const Context *c, MatrixSolution *solution)
{
  double largest = 0, squares = 0, free_squares = 0;
  for (int i = 0; i < c->cone.point_count; i++) {
    const PointLaw law = cone_law(&c->cone, i);
    vec3 u = c->u[i];
    u.x += law.friction * sqrt(u.y * u.y + u.z * u.z);
    const vec3 e = vec3_sub(c->r[i], law_project(law, vec3_sub(c->r[i], u)));
    largest = fmax(largest, vec3_norm(e));
    squares += vec3_dot(e, e);
    free_squares += vec3_dot(c->free[i], c->free[i]);
  }
  solution->unscaled = largest;
  solution->merit = sqrt(squares) / (1 + sqrt(sqrt(free_squares)));
}

static bool is_sound(const MatrixProblem *problem, ErrorText why)
{
  assert(why.text != NULL && why.bytes > 0 && "a refusal has room");
  if (problem->form == MATRIX_LOCAL) return true;
  const double skewness = sparse_matrix_skewness(&problem->m),
               largest = sparse_matrix_largest(&problem->m);
  if (skewness <= SKEWNESS_OF_M * largest) return true;
  snprintf(why.text, why.bytes,
           "the matrix M is not symmetric: entries differ by %.3g of the largest",
           skewness / largest);
  return false;
}

bool matrix_problem_solve(const MatrixProblem *problem, SolverParameters parameters,
                          MatrixSolution *solution, ErrorText why, Arena *arena)
{
  assert(parameters.method < SOLVER_METHOD_COUNT && "a method that there is");
  assert(problem->count >= 0 && "contacts are counted");
  const size_t rows = 3 * (size_t)problem->count + 1;
  *solution = (MatrixSolution){.r = arena_allocate_zero(arena, rows, sizeof(double)),
                               .u = arena_allocate_zero(arena, rows, sizeof(double)),
                               .convergence = {.method = parameters.method}};
  if (!is_sound(problem, why)) return false;
  MatrixSystem *system = matrix_system_new(problem, arena);
  if (!system) {
    snprintf(why.text, why.bytes, "the matrix %s",
             problem->form == MATRIX_LOCAL ? "W cannot be analysed" : "M is not positive definite");
    return false;
  }
  Context c = context_new(problem, system, arena);
  c.cone.context = &c;
  solution->pairs = matrix_pairs_count(problem, arena);
  c.faces = problem->count > POINTS_OF_FACES * solution->pairs;
  solution->faces = c.faces;
  solution->convergence = solve(&c, parameters, &solution->sigma, arena);
  count_immovable(&c, parameters.tolerance, solution);
  if (solution->unsolvable > 0) solution->convergence.converged = false;
  matrix_system_velocity(system, c.r, c.u);
  measure_unscaled(&c, solution);
  for (int i = 0; i < problem->count; i++) {
    const double impulse[] = {c.r[i].x, c.r[i].y, c.r[i].z};
    const double motion[] = {c.u[i].x, c.u[i].y, c.u[i].z};
    memcpy(solution->r + 3 * i, impulse, sizeof impulse);
    memcpy(solution->u + 3 * i, motion, sizeof motion);
  }
  matrix_system_destroy(system);
  return true;
}
