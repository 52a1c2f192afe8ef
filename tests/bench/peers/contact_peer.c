// Siconos' NSGS beside drystone's solvers on contact problems of the FCLIB format:
//   contact_peer SICONOS_NSGS FOLDER MAX_SWEEPS FILE...
//
// The same W, q and mu go to both, from zero impulses, without the time to make W. Their results
// agree when ours reach every target, and when each side's measure of the other side's impulses
// lies where its own must: with F_rho = r - P_K(r - rho U_hat), |F_rho| grows with rho and
// |F_rho| / rho falls, so that |F_1| of Siconos lies between min(1, 1/rho_a) and max(1, 1/rho_a)
// times our |F_rho_a|, point by point.
//
// Exchanged, in the machine's numbers: PROBLEM counts of contacts, entries, impulses given (int32),
// W by rows (int32 starts, columns; double values), q, mu, the impulses; ANSWERS per impulses given
// Siconos' errors (absolute, and relative as it stops by), then per target reached, sweeps (int32),
// seconds, both errors (double) and impulses.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena.h"
#include "fclib.h"
#include "law.h"
#include "matrix_system.h"
#include "parallel.h"
#include "spread.h"

static const double targets[] = {1e-3, 1e-4, 1e-6, 1e-8};
static const char *const target_words[] = {"1e-3", "1e-4", "1e-6", "1e-8"};
enum { TARGETS = sizeof targets / sizeof *targets };

#define ROUNDING 1e-10   // of the errors, relative to the largest |r|

typedef struct {
  const MatrixProblem *problem;
  SparseMatrix w;
  double *q, *rho;   // [3 count], [count]
  double scale;      // max rho_a |q_a|
} Peers;

// what our measure says of impulses, and between which bounds Siconos' error must lie
typedef struct {
  double residual, least, most, slack;
} Judgement;

typedef struct {
  double absolute, own;
} Errors;

typedef struct {
  int reached, sweeps;
  double seconds;
  Errors errors;   // Siconos'
  double *r;
} Answer;

static vec3 at(const double *numbers, int point)
{
  return (vec3){numbers[3 * point], numbers[3 * point + 1], numbers[3 * point + 2]};
}

// 1 / |W_aa|_2 by power iteration on W_aa' W_aa, apart from how the solver finds it
static double inverse_norm(const SparseMatrix *w, int point)
{
  mat3 a;
  double rows[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) rows[i][j] = sparse_matrix_at(w, 3 * point + i, 3 * point + j);
  for (int i = 0; i < 3; i++) a.row[i] = (vec3){rows[i][0], rows[i][1], rows[i][2]};
  vec3 x = {1, 0.7, 0.4};
  double norm = 0;
  for (int i = 0; i < 2000; i++) {
    const vec3 y = mat3_mul(mat3_transpose(a), mat3_mul(a, x));
    norm = vec3_norm(y) / vec3_norm(x);
    if (!(norm > 0)) return 0;
    x = vec3_scale(1 / vec3_norm(y), y);
  }
  return 1 / sqrt(norm);
}

static double natural_map(PointLaw law, vec3 r, vec3 u, double rho)
{
  u.x += law.friction * sqrt(u.y * u.y + u.z * u.z);
  return vec3_norm(vec3_sub(r, law_project(law, vec3_axpy(-rho, u, r))));
}

static Judgement judge(const Peers *p, const double *r, Arena *arena)
{
  const int count = p->problem->count;
  double *u = arena_allocate(arena, (3 * (size_t)count + 1) * sizeof *u);
  sparse_matrix_multiply(&p->w, r, u);
  double largest = 0, least = 0, most = 0, impulse = 0;
  for (int i = 0; i < count; i++) {
    const vec3 velocity = vec3_add(at(u, i), at(p->q, i)), push = at(r, i);
    const PointLaw law = law_of_contact(p->problem->friction[i]);
    const double e = natural_map(law, push, velocity, p->rho[i]);
    const double by = p->rho[i] > 0 ? 1 / p->rho[i] : INFINITY;
    largest = fmax(largest, e);
    impulse = fmax(impulse, vec3_norm(push));
    least += pow(fmin(1, by) * e, 2);
    most += pow(fmax(1, by) * e, 2);
  }
  return (Judgement){largest / p->scale, sqrt(least), sqrt(most), ROUNDING * impulse};
}

static bool agrees(Judgement j, double error)
{
  return error >= j.least * (1 - 1e-6) - j.slack && error <= j.most * (1 + 1e-6) + j.slack;
}

static Peers peers_new(const MatrixProblem *problem, MatrixSystem *system, Arena *arena)
{
  const size_t count = (size_t)problem->count + 1;
  Peers p = {.problem = problem,
             .q = arena_allocate(arena, 3 * count * sizeof(double)),
             .rho = arena_allocate(arena, count * sizeof(double))};
  vec3 *zero = arena_allocate_zero(arena, count, sizeof *zero);
  vec3 *free = arena_allocate(arena, count * sizeof *free);
  matrix_system_velocity(system, zero, free);
  if (!matrix_system_delassus(system, &p.w, arena)) die("W is too large");
  for (int i = 0; i < problem->count; i++) {
    const double parts[] = {free[i].x, free[i].y, free[i].z};
    memcpy(p.q + 3 * i, parts, sizeof parts);
    p.rho[i] = inverse_norm(&p.w, i);
    p.scale = fmax(p.scale, p.rho[i] * vec3_norm(free[i]));
  }
  return p;
}

static void put(FILE *file, const void *numbers, size_t bytes)
{
  if (fwrite(numbers, 1, bytes, file) != bytes) die("cannot write the problem");
}

static void get(FILE *file, void *numbers, size_t bytes)
{
  if (fread(numbers, 1, bytes, file) != bytes) die("the answers end too soon");
}

static void write_problem(const Peers *p, const char *path, double *const *given)
{
  FILE *file = fopen(path, "wb");
  if (!file) die("cannot write %s", path);
  const int rows = p->w.rows, entries = p->w.start[rows];
  const int32_t head[] = {p->problem->count, entries, TARGETS};
  put(file, head, sizeof head);
  put(file, p->w.start, ((size_t)rows + 1) * sizeof(int));
  put(file, p->w.column, (size_t)entries * sizeof(int));
  put(file, p->w.value, (size_t)entries * sizeof(double));
  put(file, p->q, (size_t)rows * sizeof(double));
  put(file, p->problem->friction, (size_t)p->problem->count * sizeof(double));
  for (int t = 0; t < TARGETS; t++) put(file, given[t], (size_t)rows * sizeof(double));
  if (fclose(file) != 0) die("cannot write %s", path);
}

static void read_answers(const char *path, int count, Answer *ours, Answer *answers, Arena *arena)
{
  FILE *file = fopen(path, "rb");
  if (!file) die("cannot read %s", path);
  for (int t = 0; t < TARGETS; t++) get(file, &ours[t].errors, sizeof(Errors));
  for (int t = 0; t < TARGETS; t++) {
    Answer *a = &answers[t];
    a->r = arena_allocate(arena, (3 * (size_t)count + 1) * sizeof(double));
    get(file, &a->reached, sizeof(int32_t));
    get(file, &a->sweeps, sizeof(int32_t));
    get(file, &a->seconds, sizeof(double));
    get(file, &a->errors, sizeof(Errors));
    get(file, a->r, 3 * (size_t)count * sizeof(double));
  }
  fclose(file);
}

static void run_siconos(char **words, const char *problem, const char *answers)
{
  const pid_t child = fork();
  if (child == 0) {
    execl(words[1], words[1], problem, answers, words[3], target_words[0], target_words[1],
          target_words[2], target_words[3], (char *)NULL);
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) die("%s failed", words[1]);
}

static Answer solve(const MatrixProblem *problem, SolverMethod method, double target, int sweeps,
                    Arena *arena)
{
  MatrixSolution solution;
  char why[256] = "";
  const double begin = spread_clock();
  const SolverParameters parameters = {method, target, sweeps, 0};
  if (!matrix_problem_solve(problem, parameters, &solution, (ErrorText){why, sizeof why}, arena))
    die("%s", why);
  return (Answer){.r = solution.r,
                  .seconds = spread_clock() - begin,
                  .reached = solution.convergence.converged,
                  .sweeps = solution.convergence.sweeps};
}

static void print_row(const char *name, int points, const char *solver, const char *target,
                      Judgement j, double error, const Answer *a, const char *verdict)
{
  char measured[32] = "-";
  if (isfinite(error)) snprintf(measured, sizeof measured, "%.2e", error);
  printf("%-14.14s %7d %-13s %6s %10.2e %10s %8d %10.4f  %s\n", name, points, solver, target,
         j.residual, measured, a->sweeps, a->seconds, verdict);
}

// Both on one problem; false: they disagree or ours misses a target.
static bool compare(const char *path, const MatrixProblem *problem, char **words, Arena *arena)
{
  const int sweeps = atoi(words[3]);
  MatrixSystem *system = matrix_system_new(problem, arena);
  if (!system) die("%s: the matrices cannot be factored", path);
  const Peers p = peers_new(problem, system, arena);
  const MatrixProblem local = {.form = MATRIX_LOCAL,
                               .count = problem->count,
                               .w = p.w,
                               .friction = problem->friction,
                               .free = p.q};
  Answer ours[TARGETS], plain[TARGETS], theirs[TARGETS];
  double *given[TARGETS];
  for (int t = 0; t < TARGETS; t++) {
    ours[t] = solve(problem, SOLVER_AUTOMATIC, targets[t], 20000, arena);
    plain[t] = solve(&local, SOLVER_NESTEROV, targets[t], sweeps, arena);
    given[t] = ours[t].r;
  }
  char problem_path[512], answers_path[512];
  snprintf(problem_path, sizeof problem_path, "%s/problem.bin", words[2]);
  snprintf(answers_path, sizeof answers_path, "%s/answers.bin", words[2]);
  write_problem(&p, problem_path, given);
  run_siconos(words, problem_path, answers_path);
  read_answers(answers_path, problem->count, ours, theirs, arena);

  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  bool fine = true;
  for (int t = 0; t < TARGETS; t++) {
    Judgement j = judge(&p, ours[t].r, arena);
    const bool met = j.residual <= targets[t] * (1 + 1e-6),
               same = agrees(j, ours[t].errors.absolute);
    print_row(name, problem->count, "drystone", target_words[t], j, ours[t].errors.own, &ours[t],
              !met   ? "MISSED"
              : same ? ""
                     : "MEASURES DIFFER");
    fine = fine && met && same;

    j = judge(&p, plain[t].r, arena);
    print_row(name, problem->count, "  nesterov", target_words[t], j, NAN, &plain[t],
              plain[t].reached ? "" : "not reached");

    j = judge(&p, theirs[t].r, arena);
    const bool sound = agrees(j, theirs[t].errors.absolute);
    print_row(name, problem->count, "Siconos NSGS", target_words[t], j, theirs[t].errors.own,
              &theirs[t],
              !sound              ? "MEASURES DIFFER"
              : theirs[t].reached ? ""
                                  : "not reached, it says");
    fine = fine && sound;
  }
  matrix_system_destroy(system);
  return fine;
}

int main(int count, char **words)
{
  par_begin(&count, &words);
  if (count < 5) die("contact_peer SICONOS_NSGS FOLDER MAX_SWEEPS FILE...");
  printf("%-14s %7s %-13s %6s %10s %10s %8s %10s\n", "problem", "points", "solver", "target",
         "residual", "Siconos'", "sweeps", "seconds");
  bool fine = true;
  for (int i = 4; i < count; i++) {
    Arena arena = arena_new();
    MatrixProblem problem;
    FclibTexts texts;
    DiskStatus status = {0};
    if (fclib_read(words[i], &problem, &texts, &arena, &status) != FCLIB_READ)
      die("%s", status.reason);
    if (!compare(words[i], &problem, words, &arena)) fine = false;
    fflush(stdout);
    arena_destroy(&arena);
  }
  par_end();
  return fine ? 0 : 1;
}
