// Problems given as matrices: known answers by every method, ADMM's promises, FCLIB files written
// and read again.
#include "matrix_problem.h"

#include <stdlib.h>
#include <string.h>

#include "admm.h"
#include "fclib.h"
#include "harness.h"
#include "hash.h"
#include "matrix_pairs.h"
#include "matrix_sweeps.h"
#include "matrix_system.h"
#include "memory.h"

#define MASS 3.0
#define INERTIA 0.5
#define STEP_SPEED 0.0981   // g h, m/s

static const SolverMethod METHODS[] = {SOLVER_AUTOMATIC, SOLVER_ADMM, SOLVER_NESTEROV,
                                       SOLVER_ANDERSON, SOLVER_GAUSS_SEIDEL};

// A cube of edge 1 on four corners on a fixed floor, in units of the mass: hyperstatic. unit: power
// of two of lengths, masses and times at once.
static MatrixProblem cube(MatrixForm form, double friction, double push, double unit, Arena *arena)
{
  double h[6][12] = {{0}}, mass[6], free[6] = {push, 0, -STEP_SPEED, 0, 0, 0};
  for (int k = 0; k < 6; k++) mass[k] = unit * (k < 3 ? MASS : INERTIA);
  for (int c = 0; c < 4; c++) {
    const vec3 arm = {c & 1 ? 0.5 : -0.5, c & 2 ? 0.5 : -0.5, -0.5};
    const vec3 axes[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (int j = 0; j < 3; j++) {
      const vec3 turn = vec3_cross(arm, axes[j]);
      const double column[6] = {axes[j].x, axes[j].y, axes[j].z, turn.x, turn.y, turn.z};
      for (int k = 0; k < 6; k++) h[k][3 * c + j] = column[k];
    }
  }
  MatrixProblem p = {.form = form, .count = 4};
  p.friction = arena_allocate(arena, 4 * sizeof *p.friction);
  for (int c = 0; c < 4; c++) p.friction[c] = friction;
  p.free = arena_allocate_zero(arena, 12, sizeof *p.free);
  int row[144], column[144], count = 0;
  double value[144];
  if (form == MATRIX_LOCAL) {
    for (int i = 0; i < 12; i++) {
      for (int k = 0; k < 6; k++) p.free[i] += h[k][i] * free[k];
      for (int j = 0; j < 12; j++) {
        double w = 0;
        for (int k = 0; k < 6; k++) w += h[k][i] * h[k][j] / mass[k];
        row[count] = i;
        column[count] = j;
        value[count++] = w;
      }
    }
    p.w = sparse_matrix_new(12, 12, (SparseEntries){count, row, column, value}, arena);
    return p;
  }
  p.freedom = 6;
  p.force = arena_allocate(arena, 6 * sizeof *p.force);
  const int diagonal[6] = {0, 1, 2, 3, 4, 5};
  for (int k = 0; k < 6; k++) p.force[k] = mass[k] * free[k];
  p.m = sparse_matrix_new(6, 6, (SparseEntries){6, diagonal, diagonal, mass}, arena);
  for (int k = 0; k < 6; k++) {
    for (int j = 0; j < 12; j++) {
      row[count] = k;
      column[count] = j;
      value[count++] = h[k][j];
    }
  }
  p.h = sparse_matrix_new(6, 12, (SparseEntries){count, row, column, value}, arena);
  return p;
}

static MatrixSolution solve(const MatrixProblem *p, SolverMethod method, double *r, double *u,
                            Arena *arena)
{
  MatrixSolution s;
  char why[256] = "";
  const SolverParameters parameters = {.method = method, .tolerance = 1e-10, .max_sweeps = 20000};
  CHECK(matrix_problem_solve(p, parameters, &s, (ErrorText){why, sizeof why}, arena));
  memcpy(r, s.r, 3 * (size_t)p->count * sizeof *r);
  memcpy(u, s.u, 3 * (size_t)p->count * sizeof *u);
  return s;
}

// the cube stands, slides, or is lifted: impulses add up to what its motion needs
static void test_cube(void)
{
  const double slide = STEP_SPEED;   // push for which friction 0.5 does not suffice
  const struct {
    double friction, push, moves;
  } cases[] = {{0.5, 0.2 * slide, 0},
               {0.5, 0.8 * slide, 0.8 * slide - 0.5 * slide},
               {0, 0.3 * slide, 0.3 * slide},
               {10, 0.9 * slide, 0}};
  for (int k = 0; k < 4; k++) {
    for (int form = 0; form < 2; form++) {
      for (int m = 0; m < 4; m++) {
        Arena arena = arena_new();
        const MatrixProblem p = cube((MatrixForm)form, cases[k].friction, cases[k].push, 1, &arena);
        double r[12], u[12], lift = 0, drag = 0;
        const MatrixSolution s = solve(&p, METHODS[m], r, u, &arena);
        CHECK(s.convergence.converged);
        for (int c = 0; c < 4; c++) {
          lift += r[3 * c];
          drag += r[3 * c + 1];
          CHECK_NEAR(u[3 * c], 0, 1e-8);
          CHECK_NEAR(u[3 * c + 1], cases[k].moves, 1e-8);
          CHECK_NEAR(u[3 * c + 2], 0, 1e-8);
        }
        CHECK_NEAR(lift, MASS * STEP_SPEED, 1e-8);
        CHECK_NEAR(drag, MASS * (cases[k].moves - cases[k].push), 1e-8);
        arena_destroy(&arena);
      }
    }
  }
}

// masses four times as large: the same bits scaled
static void test_scale(void)
{
  for (int m = 0; m < 4; m++) {
    Arena arena = arena_new();
    const MatrixProblem small = cube(MATRIX_LOCAL, 0.5, 0.8 * STEP_SPEED, 1, &arena),
                        large = cube(MATRIX_LOCAL, 0.5, 0.8 * STEP_SPEED, 4, &arena);
    double r[2][12], u[2][12];
    const MatrixSolution a = solve(&small, METHODS[m], r[0], u[0], &arena),
                         b = solve(&large, METHODS[m], r[1], u[1], &arena);
    for (int i = 0; i < 12; i++) r[1][i] /= 4;
    CHECK(memcmp(r[0], r[1], sizeof *r) == 0);
    CHECK(memcmp(u[0], u[1], sizeof *u) == 0);
    CHECK(a.convergence.sweeps == b.convergence.sweeps);
    arena_destroy(&arena);
  }
}

// -------------------------------------------------------------------------------------------------
// ADMM by its operators

typedef struct {
  ConeProblem cone;
  MatrixSystem *system;
  double friction[4], rho[4], offset[4], size[4];
  PointLimits limits[4];
  int prepared;
  double broken_below;   // sigma below which the system fails
} Bench;

static bool bench_prepare(void *context, const double *weight)
{
  Bench *b = context;
  b->prepared++;
  double sigma = 0;
  for (int i = 0; i < 4; i++) sigma = fmax(sigma, weight[i] / b->rho[i]);
  return sigma >= b->broken_below && matrix_system_prepare(b->system, weight);
}

static int bench_respond(void *context, const vec3 *d, double accuracy, vec3 *u)
{
  CHECK(accuracy > 0);
  matrix_system_respond(((Bench *)context)->system, d, u);
  return 2;
}

static void bench_velocity(void *context, const vec3 *r, vec3 *u)
{
  matrix_system_velocity(((Bench *)context)->system, r, u);
}

static void bench_begin(Bench *b, const MatrixProblem *p, PointLaw law, Arena *arena)
{
  *b = (Bench){.system = matrix_system_new(p, arena)};
  for (int i = 0; i < 4; i++) {
    b->friction[i] = law.friction;
    b->limits[i] = law_limits(law, 0, 0);
    b->rho[i] = 1;
    b->size[i] = STEP_SPEED;
  }
  b->cone = (ConeProblem){.point_count = 4,
                          .friction = b->friction,
                          .limits = b->limits,
                          .rho = b->rho,
                          .offset = b->offset,
                          .size = b->size,
                          .context = b,
                          .prepare = bench_prepare,
                          .respond = bench_respond,
                          .velocity = bench_velocity};
}

static Convergence bench_solve(Bench *b, vec3 *r, int first_k, double tolerance, Arena *arena)
{
  AdmmController controller = {.k = -1};
  const SolverParameters parameters = {
      .method = SOLVER_ADMM, .tolerance = tolerance, .max_sweeps = 3000};
  b->cone.first_k = first_k;
  return admm_solve(&b->cone, r, &controller, parameters, arena);
}

// what was found is taken as it is; a guess near it takes fewer iterations than none; one that is
// no number does no harm
static void test_guesses(void)
{
  Arena arena = arena_new();
  const MatrixProblem p = cube(MATRIX_LOCAL, 0.5, 0.8 * STEP_SPEED, 1, &arena);
  Bench b;
  bench_begin(&b, &p, law_of_contact(0.5), &arena);
  vec3 r[4] = {{0, 0, 0}}, again[4];
  const Convergence cold = bench_solve(&b, r, 2, 1e-10, &arena);
  CHECK(cold.converged && cold.sweeps > 3 && cold.inner == 2 * cold.sweeps);
  CHECK(cold.factorisations == b.prepared);
  memcpy(again, r, sizeof r);
  const Convergence warm = bench_solve(&b, again, 2, 1e-10, &arena);
  CHECK(warm.converged && warm.sweeps == 0 && memcmp(again, r, sizeof r) == 0);
  for (int i = 0; i < 4; i++) again[i] = vec3_scale(1 + 1e-9, r[i]);
  const Convergence near_it = bench_solve(&b, again, 2, 1e-10, &arena);
  CHECK(near_it.converged && near_it.sweeps < cold.sweeps);
  again[2].y = NAN;
  CHECK(bench_solve(&b, again, 2, 1e-10, &arena).converged);
  matrix_system_destroy(b.system);
  arena_destroy(&arena);
}

// any sigma to begin with comes to an end (a large one has the rounding of sigma times a velocity);
// where no system can be solved the guess stays
static void test_sigma(void)
{
  for (int k = 0; k < ADMM_GRID; k++) {
    Arena arena = arena_new();
    const MatrixProblem p = cube(MATRIX_LOCAL, 0.5, 0.8 * STEP_SPEED, 1, &arena);
    Bench b;
    bench_begin(&b, &p, law_of_contact(0.5), &arena);
    vec3 r[4] = {{0, 0, 0}};
    CHECK(bench_solve(&b, r, k, 1e-8, &arena).converged);
    b.broken_below = INFINITY;
    const vec3 none = {0, 0, 0};
    for (int i = 0; i < 4; i++) r[i] = none;
    const Convergence broken = bench_solve(&b, r, k, 1e-8, &arena);
    CHECK(!broken.converged && broken.residual_max < INFINITY && r[0].x == 0);
    matrix_system_destroy(b.system);
    arena_destroy(&arena);
  }
}

// a corner that takes no part leaves the load to the others
static void test_absent_point(void)
{
  Arena arena = arena_new();
  const MatrixProblem p = cube(MATRIX_LOCAL, 0.5, 0, 1, &arena);
  Bench b;
  bench_begin(&b, &p, law_of_contact(0.5), &arena);
  b.rho[3] = 0;
  b.offset[3] = INFINITY;
  vec3 r[4] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {5, 0, 0}};
  CHECK(bench_solve(&b, r, 2, 1e-10, &arena).converged);
  CHECK(r[3].x == 0 && r[3].y == 0 && r[3].z == 0);
  CHECK_NEAR(r[0].x + r[1].x + r[2].x, MASS * STEP_SPEED, 1e-8);
  matrix_system_destroy(b.system);
  arena_destroy(&arena);
}

// an offset is a velocity that the contact adds: at -v the body is thrown back with v (restitution)
static void test_offset(void)
{
  Arena arena = arena_new();
  const MatrixProblem p = cube(MATRIX_LOCAL, 0.5, 0, 1, &arena);
  Bench b;
  bench_begin(&b, &p, law_of_contact(0.5), &arena);
  for (int i = 0; i < 4; i++) b.offset[i] = -0.5 * STEP_SPEED;
  vec3 r[4] = {{0, 0, 0}}, u[4];
  CHECK(bench_solve(&b, r, 2, 1e-10, &arena).converged);
  bench_velocity(&b, r, u);
  for (int i = 0; i < 4; i++) CHECK_NEAR(u[i].x, 0.5 * STEP_SPEED, 1e-9);
  matrix_system_destroy(b.system);
  arena_destroy(&arena);
}

// -------------------------------------------------------------------------------------------------
// Joints and springs: the same answer by ADMM and by sweeps

static Convergence bench_sweep(Bench *b, vec3 *r, SolverMethod method, double tolerance,
                               Arena *arena)
{
  SparseMatrix delassus;
  CHECK(matrix_system_delassus(b->system, &delassus, arena));
  mat3 diagonal[4];
  double free[12];
  vec3 none[4] = {{0, 0, 0}}, u[4];
  matrix_system_velocity(b->system, none, u);
  for (int i = 0; i < 4; i++) {
    diagonal[i] = matrix_system_diagonal(b->system, i);
    const double at[3] = {u[i].x, u[i].y, u[i].z};
    memcpy(free + 3 * i, at, sizeof at);
  }
  const MatrixSweeps sweeps = {&b->cone, &delassus, diagonal, free};
  const SolverParameters parameters = {
      .method = method, .tolerance = tolerance, .max_sweeps = 20000};
  return matrix_sweeps_solve(&sweeps, r, parameters, arena);
}

// ADMM from a small sigma and from a large one, sweeps of all kinds
enum { WAYS = 5 };
static void bench_solve_all(Bench *b, vec3 r[WAYS][4], int ways, Arena *arena)
{
  memset(r, 0, WAYS * sizeof *r);
  for (int way = 0; way < ways; way++) {
    static const SolverMethod of_sweeps[] = {SOLVER_GAUSS_SEIDEL, SOLVER_NESTEROV, SOLVER_ANDERSON};
    const SolverMethod method = of_sweeps[way < 2 ? 0 : way - 2];
    const Convergence c = way < 2 ? bench_solve(b, r[way], way ? 6 : 2, 1e-11, arena)
                                  : bench_sweep(b, r[way], method, 1e-11, arena);
    CHECK(c.converged && c.sweeps < 400);
  }
}

// Balls at four corners weld the cube, with rows to spare; offsets lead it; a limit of push or of
// shear lets it go with what is left.
static void test_joints(void)
{
  const PointLaw ball = {.tension = INFINITY, .shear = INFINITY, .push = INFINITY};
  PointLaw weak = ball, smooth = ball;
  weak.push = 0.1 * MASS * STEP_SPEED;
  smooth.shear = 0.05 * MASS * STEP_SPEED;
  const struct {
    PointLaw law;
    double push, down, along;   // without points; velocities of the cube
  } cases[] = {{ball, 0.8 * STEP_SPEED, 0, 0},
               {ball, 0.8 * STEP_SPEED, 0, 0.3},
               {weak, 0, -0.6 * STEP_SPEED, 0},
               {smooth, 0.8 * STEP_SPEED, 0, 0.8 * STEP_SPEED - 0.2 * STEP_SPEED}};
  for (int k = 0; k < 4; k++) {
    Arena arena = arena_new();
    const MatrixProblem p = cube(MATRIX_LOCAL, 0, cases[k].push, 1, &arena);
    Bench b;
    bench_begin(&b, &p, cases[k].law, &arena);
    for (int i = 0; i < 4 && k == 1; i++) b.limits[i].along[0] = -0.3;
    vec3 r[WAYS][4], u[4];
    bench_solve_all(&b, r, WAYS, &arena);
    for (int way = 0; way < WAYS; way++) {
      bench_velocity(&b, r[way], u);
      for (int i = 0; i < 4; i++) {
        CHECK_NEAR(u[i].x, cases[k].down, 1e-10);
        CHECK_NEAR(u[i].y, cases[k].along, 1e-10);
        CHECK_NEAR(u[i].z, 0, 1e-10);
      }
    }
    matrix_system_destroy(b.system);
    arena_destroy(&arena);
  }
}

// springs under the four corners share the load in one way alone, whatever the method: those of
// contacts that stick and slide, of bonds, of joints
static void test_elastic_points(void)
{
  const double pushes[] = {0, 0.3, 0.8};
  PointLaw laws[] = {law_of_contact(0.5), law_of_contact(0.5), law_of_contact(0.5)};
  laws[1].tension = 0.1 * MASS * STEP_SPEED;
  laws[1].shear = 0.2 * MASS * STEP_SPEED;
  laws[2] = (PointLaw){.tension = INFINITY, .shear = 0.1 * MASS * STEP_SPEED, .push = INFINITY};
  for (int k = 0; k < 9; k++) {
    Arena arena = arena_new();
    PointLaw law = laws[k / 3];
    law.give[0] = 0.4 / MASS;
    law.give[1] = 0.2 / MASS;
    const MatrixProblem p = cube(MATRIX_LOCAL, 0.5, pushes[k % 3] * STEP_SPEED, 1, &arena);
    Bench b;
    bench_begin(&b, &p, law, &arena);
    b.offset[1] = 0.02 * STEP_SPEED;
    b.limits[2].along[1] = 0.03 * STEP_SPEED;
    vec3 r[WAYS][4];
    bench_solve_all(&b, r, 3, &arena);
    for (int way = 1; way < 3; way++)
      for (int i = 0; i < 4; i++)
        CHECK_NEAR(vec3_norm(vec3_sub(r[way][i], r[0][i])), 0, 1e-9 * MASS * STEP_SPEED);
    CHECK(vec3_norm(r[0][1]) > 0);

    // the answer is taken as it is
    vec3 again[4];
    memcpy(again, r[2], sizeof again);
    const Convergence warm = bench_solve(&b, again, 2, 1e-9, &arena);
    CHECK(warm.converged && warm.sweeps == 0);
    for (int i = 0; i < 4; i++) again[i] = vec3_scale(1 + 1e-7, again[i]);
    CHECK(bench_solve(&b, again, 2, 1e-10, &arena).sweeps <= 20);
    matrix_system_destroy(b.system);
    arena_destroy(&arena);
  }
}

// -------------------------------------------------------------------------------------------------
// Pairs of bodies, and what follows from them

// a chain of balls, each joined with the next by so many contacts, the first with the ground too
static MatrixProblem chain(MatrixForm form, int balls, int contacts, Arena *arena)
{
  const int count = balls * contacts, freedom = 3 * balls;
  int *row = arena_allocate(arena, (size_t)(36 * count * contacts + 1) * sizeof *row),
      *column = arena_allocate(arena, (size_t)(36 * count * contacts + 1) * sizeof *column);
  double *value = arena_allocate(arena, (size_t)(36 * count * contacts + 1) * sizeof *value);
  double *zeros = arena_allocate_zero(arena, (size_t)(3 * count + freedom), sizeof *zeros);
  MatrixProblem p = {.form = form, .count = count, .friction = zeros, .free = zeros};
  int end = 0;
  for (int c = 0; c < count; c++) {
    for (int other = 0; other < (form == MATRIX_LOCAL ? count : balls); other++) {
      const int apart = abs(c / contacts - (form == MATRIX_LOCAL ? other / contacts : other));
      const bool coupled =
          form == MATRIX_LOCAL ? apart <= 1 : other == c / contacts || other + 1 == c / contacts;
      for (int k = 0; k < 9 && coupled; k++) {
        const int of_contact = 3 * c + k / 3, of_other = 3 * other + k % 3;
        row[end] = form == MATRIX_LOCAL ? of_contact : of_other;
        column[end] = form == MATRIX_LOCAL ? of_other : of_contact;
        value[end++] = 1 + apart;
      }
    }
  }
  if (form == MATRIX_LOCAL) {
    p.w = sparse_matrix_new(3 * count, 3 * count, (SparseEntries){end, row, column, value}, arena);
    return p;
  }
  p.freedom = freedom;
  p.h = sparse_matrix_new(freedom, 3 * count, (SparseEntries){end, row, column, value}, arena);
  for (int i = 0; i < freedom; i++) row[i] = column[i] = i, value[i] = 1;
  p.m = sparse_matrix_new(freedom, freedom, (SparseEntries){freedom, row, column, value}, arena);
  return p;
}

// contacts on two nodes are of one pair where M couples these
static void test_nodes(void)
{
  Arena arena = arena_new();
  for (int coupled = 0; coupled < 2; coupled++) {
    int row[16], column[16], end = 6;
    double mass[16];
    for (int i = 0; i < 6; i++) row[i] = column[i] = i, mass[i] = 3;
    for (int i = 0; i < 5; i++)
      for (int k = 0; k < 2; k++) row[end] = i + k, column[end] = i + 1 - k, mass[end++] = -1;
    const MatrixProblem p = {
        .form = MATRIX_GLOBAL,
        .count = 2,
        .freedom = 6,
        .m = sparse_matrix_new(6, 6, (SparseEntries){coupled ? 16 : 6, row, column, mass}, &arena),
        .h = sparse_matrix_new(6, 6, (SparseEntries){6, row, column, mass}, &arena)};
    CHECK(matrix_pairs_count(&p, &arena) == (coupled ? 1 : 2));
  }
  arena_destroy(&arena);
}

static void test_pairs(void)
{
  for (int form = 0; form < 2; form++) {
    Arena arena = arena_new();
    for (int contacts = 1; contacts <= 4; contacts++) {
      const MatrixProblem p = chain((MatrixForm)form, 6, contacts, &arena);
      CHECK(matrix_pairs_count(&p, &arena) == 6);
    }
    const MatrixProblem none = {
        .form = (MatrixForm)form,
        .w = sparse_matrix_new(0, 0, (SparseEntries){0, NULL, NULL, NULL}, &arena),
        .h = sparse_matrix_new(0, 0, (SparseEntries){0, NULL, NULL, NULL}, &arena),
        .m = sparse_matrix_new(0, 0, (SparseEntries){0, NULL, NULL, NULL}, &arena)};
    CHECK(matrix_pairs_count(&none, &arena) == 0);

    // four corners of one face: a linear system at once
    const MatrixProblem p = cube((MatrixForm)form, 0.5, 0, 1, &arena);
    double r[12], u[12];
    const MatrixSolution s = solve(&p, SOLVER_AUTOMATIC, r, u, &arena);
    CHECK(s.pairs == 1 && s.faces && s.convergence.method == SOLVER_ADMM_CHOLESKY);
    arena_destroy(&arena);
  }
}

// -------------------------------------------------------------------------------------------------
// Matrices and files

static void test_sparse(void)
{
  Arena arena = arena_new();
  const int row[] = {1, 0, 1, 2, 1}, column[] = {2, 0, 0, 1, 2};
  const double value[] = {1, 2, 3, 4, 5}, x[] = {1, 10, 100};
  const SparseMatrix a = sparse_matrix_new(3, 3, (SparseEntries){5, row, column, value}, &arena);
  const SparseMatrix t = sparse_matrix_transpose(&a, &arena);
  double y[3];
  sparse_matrix_multiply(&a, x, y);
  CHECK(a.start[3] == 4 && y[0] == 2 && y[1] == 603 && y[2] == 40);
  sparse_matrix_multiply(&t, x, y);
  CHECK(y[0] == 32 && y[1] == 400 && y[2] == 60);
  CHECK(sparse_matrix_at(&a, 1, 2) == 6 && sparse_matrix_at(&a, 1, 1) == 0);
  CHECK(sparse_matrix_at(&t, 2, 1) == 6 && sparse_matrix_largest(&a) == 6);
  CHECK(sparse_matrix_skewness(&a) == 3);
  const SparseMatrix none = sparse_matrix_new(0, 0, (SparseEntries){0, row, column, value}, &arena);
  CHECK(none.rows == 0 && none.start[0] == 0);
  arena_destroy(&arena);
}

// products and sums beside those of full matrices; empty rows, columns in no order, zeros that stay
static void test_product(void)
{
  enum { ROWS = 9, INNER = 7, COLUMNS = 8, ENTRIES = 24 };
  Arena arena = arena_new();
  for (int trial = 0; trial < 50; trial++) {
    int row[3][ENTRIES], column[3][ENTRIES];
    double value[3][ENTRIES];
    const int rows[3] = {ROWS, INNER, ROWS}, columns[3] = {INNER, COLUMNS, COLUMNS};
    SparseMatrix m[3], product, sum;
    for (int k = 0; k < 3; k++) {
      for (int e = 0; e < ENTRIES; e++) {
        const uint64_t chance = hash_mix((uint64_t)(3 * trial + k), (uint64_t)e);
        row[k][e] = (int)(chance % (uint64_t)rows[k]);
        column[k][e] = (int)(chance / 1000 % (uint64_t)columns[k]);
        value[k][e] = (double)(chance / 1000000 % 7) - 3;
      }
      m[k] = sparse_matrix_new(rows[k], columns[k],
                               (SparseEntries){ENTRIES, row[k], column[k], value[k]}, &arena);
    }
    CHECK(sparse_matrix_product(&m[0], &m[1], &product, &arena));
    CHECK(sparse_matrix_sum(&product, &m[2], &sum, &arena));
    for (int i = 0; i < ROWS; i++) {
      for (int j = 0; j < COLUMNS; j++) {
        double full = 0;   // of small integers, so without rounding
        bool there = false;
        for (int k = m[0].start[i]; k < m[0].start[i + 1]; k++) {
          const int inner = m[0].column[k];
          full += m[0].value[k] * sparse_matrix_at(&m[1], inner, j);
          for (int e = m[1].start[inner]; e < m[1].start[inner + 1]; e++)
            there |= m[1].column[e] == j;
        }
        CHECK(sparse_matrix_at(&product, i, j) == full);
        CHECK(sparse_matrix_at(&sum, i, j) == full + sparse_matrix_at(&m[2], i, j));
        int found = 0;
        for (int k = product.start[i]; k < product.start[i + 1]; k++) {
          found += product.column[k] == j;
          CHECK(k == product.start[i] || product.column[k - 1] < product.column[k]);
        }
        CHECK(found == there);
      }
    }
  }
  arena_destroy(&arena);
}

// W made from the global form is that of the local one
static void test_delassus(void)
{
  Arena arena = arena_new();
  const MatrixProblem local = cube(MATRIX_LOCAL, 0.5, 0, 1, &arena),
                      global = cube(MATRIX_GLOBAL, 0.5, 0, 1, &arena);
  MatrixSystem *system = matrix_system_new(&global, &arena);
  SparseMatrix w;
  CHECK(matrix_system_delassus(system, &w, &arena));
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++)
      CHECK_NEAR(sparse_matrix_at(&w, i, j), sparse_matrix_at(&local.w, i, j), 1e-14);
  for (int c = 0; c < 4; c++) {
    const mat3 block = matrix_system_diagonal(system, c);
    for (int j = 0; j < 3; j++) {
      CHECK_NEAR(block.row[j].x, sparse_matrix_at(&local.w, 3 * c + j, 3 * c), 1e-14);
      CHECK_NEAR(block.row[j].z, sparse_matrix_at(&local.w, 3 * c + j, 3 * c + 2), 1e-14);
    }
  }
  matrix_system_destroy(system);
  arena_destroy(&arena);
}

static bool same_matrix(const SparseMatrix *a, const SparseMatrix *b)
{
  if (a->rows != b->rows || a->columns != b->columns) return false;
  const size_t count = (size_t)a->start[a->rows];
  return memcmp(a->start, b->start, ((size_t)a->rows + 1) * sizeof(int)) == 0 &&
         memcmp(a->column, b->column, count * sizeof(int)) == 0 &&
         memcmp(a->value, b->value, count * sizeof(double)) == 0;
}

// what was written is read again, bit for bit
static void test_file(void)
{
  for (int form = 0; form < 2; form++) {
    Arena arena = arena_new();
    const MatrixProblem p = cube((MatrixForm)form, 0.5, 0.03, 1, &arena);
    const FclibTexts texts = {"cube", "four corners", ""};
    MatrixProblem found;
    FclibTexts told;
    DiskStatus status = {0};
    const char *name = form == MATRIX_LOCAL ? "cube-local.hdf5" : "cube-global.hdf5";
    fclib_write(".", name, &p, &texts, &status);
    CHECK(!status.failed);
    CHECK(fclib_read(name, &found, &told, &arena, &status) == FCLIB_READ);
    CHECK(found.form == p.form && found.count == 4 && found.freedom == p.freedom);
    CHECK(memcmp(found.friction, p.friction, 4 * sizeof(double)) == 0);
    CHECK(memcmp(found.free, p.free, 12 * sizeof(double)) == 0);
    CHECK(strcmp(told.title, "cube") == 0 && strcmp(told.description, "four corners") == 0);
    if (form == MATRIX_LOCAL) {
      CHECK(same_matrix(&found.w, &p.w));
    } else {
      CHECK(same_matrix(&found.m, &p.m) && same_matrix(&found.h, &p.h));
      CHECK(memcmp(found.force, p.force, 6 * sizeof(double)) == 0);
    }
    fclib_write("/no/such/folder", "cube.hdf5", &p, &texts, &status);
    CHECK(status.failed && strstr(status.reason, "/no/such/folder"));
    arena_destroy(&arena);
  }
}

int main(void)
{
  test_cube();
  test_scale();
  test_guesses();
  test_sigma();
  test_absent_point();
  test_offset();
  test_joints();
  test_elastic_points();
  test_pairs();
  test_nodes();
  test_sparse();
  test_product();
  test_delassus();
  test_file();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
