// drystone solve: reads a contact problem of the field's exchange format, solves it, says how well.
// All ranks do the same work, so that one answer comes out of any number.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "command_json.h"
#include "fclib.h"
#include "matrix_problem.h"
#include "parallel.h"

#define DEFAULT_TOLERANCE 1e-6
#define DEFAULT_SWEEPS 20000
#define MOST_SWEEPS 1000000000

typedef struct {
  const char *path;
  SolverParameters parameters;
  bool json;
} SolveOptions;

// -- options --------------------------------------------------------------------------------------

static bool parse_solver(const char *word, SolverMethod *method)
{
  for (int m = 0; m < SOLVER_METHOD_COUNT; m++) {
    if (strcmp(word, convergence_method_name((SolverMethod)m)) != 0) continue;
    *method = (SolverMethod)m;
    return all_ok(
        m != SOLVER_ADMM_AMG,
        "option --solver: admm-amg needs the places of bodies, which matrices do not tell; "
        "admm solves its systems by sparse factors");
  }
  return all_ok(false,
                "option --solver: expected automatic, admm, admm-cholesky, nesterov or "
                "gauss-seidel, found '%s'",
                word);
}

static bool parse_tolerance(const char *word, double *tolerance)
{
  char *end;
  *tolerance = strtod(word, &end);
  const bool sound = end != word && *end == 0 && *tolerance > 0 && *tolerance < 1;
  return all_ok(sound, "option --tolerance: expected a number between 0 and 1, found '%s'", word);
}

static bool parse_sweeps(const char *word, int *sweeps)
{
  char *end;
  const long number = strtol(word, &end, 10);
  const bool sound = end != word && *end == 0 && number >= 0 && number <= MOST_SWEEPS;
  *sweeps = sound ? (int)number : 0;
  return all_ok(sound, "option --max-sweeps: expected an integer from 0 to %d, found '%s'",
                MOST_SWEEPS, word);
}

static bool parse_words(int count, char **words, SolveOptions *o)
{
  *o = (SolveOptions){.parameters = {.method = SOLVER_AUTOMATIC,
                                     .tolerance = DEFAULT_TOLERANCE,
                                     .max_sweeps = DEFAULT_SWEEPS}};
  for (int i = 0; i < count; i++) {
    const bool solver = strcmp(words[i], "--solver") == 0,
               tolerance = strcmp(words[i], "--tolerance") == 0,
               sweeps = strcmp(words[i], "--max-sweeps") == 0;
    if (solver || tolerance || sweeps) {
      if (i + 1 == count) return all_ok(false, "option %s needs a value", words[i]);
      const char *value = words[++i];
      if (solver && !parse_solver(value, &o->parameters.method)) return false;
      if (tolerance && !parse_tolerance(value, &o->parameters.tolerance)) return false;
      if (sweeps && !parse_sweeps(value, &o->parameters.max_sweeps)) return false;
    } else if (strcmp(words[i], "--json") == 0) {
      o->json = true;
    } else if (words[i][0] == '-') {
      return all_ok(false, "unknown option %s; drystone --help lists the options", words[i]);
    } else if (o->path) {
      return all_ok(false, "two problems given, %s and %s; solve takes one", o->path, words[i]);
    } else {
      o->path = words[i];
    }
  }
  return o->path ? true : all_ok(false, "solve needs a file: drystone solve FILE");
}

// -- what is printed ------------------------------------------------------------------------------

typedef struct {
  const SolveOptions *options;
  const MatrixProblem *problem;
  const FclibTexts *texts;
  MatrixSolution solution;
  double *r, *u;   // [3 count]
  int open, sticking, sliding;
  double seconds;
} SolveReport;

// by what the impulse says: none, inside the cone, on its surface
static void count_states(SolveReport *report)
{
  const double rounding = 1e-12;
  for (int i = 0; i < report->problem->count; i++) {
    const double *r = report->r + 3 * i, cone = report->problem->friction[i] * r[0];
    const double size = sqrt(r[1] * r[1] + r[2] * r[2]);
    if (r[0] == 0) report->open++;
    else if (size < cone * (1 - rounding)) report->sticking++;
    else report->sliding++;
  }
}

static const char *form_name(const MatrixProblem *problem)
{
  return problem->form == MATRIX_LOCAL ? "local" : "global";
}

static void print_text(const SolveReport *report)
{
  const MatrixProblem *p = report->problem;
  const MatrixSolution *s = &report->solution;
  const Convergence *c = &s->convergence;
  printf("problem       %s", report->options->path);
  if (report->texts->title[0]) printf(", '%s'", report->texts->title);
  printf("\n              %s form, %d contacts", form_name(p), p->count);
  if (p->form == MATRIX_GLOBAL) printf(", %d velocities", p->freedom);
  printf("\nsolver        %s", convergence_method_name(c->method));
  if (s->sigma > 0) printf(", sigma %.3g", s->sigma);
  printf("\n              %d pairs of bodies on %s", s->pairs, s->faces ? "faces" : "points");
  if (c->choice.sweeps > 0)
    printf("; %d sweeps of nesterov left a residual of %.2g", c->choice.sweeps, c->choice.residual);
  printf("\nresidual      %.3g largest, %.3g rms; unscaled %.3g, MERIT_1 %.3g\n", c->residual_max,
         c->residual_rms, s->unscaled, s->merit);
  printf("sweeps        %d, %d factorisations\n", c->sweeps, c->factorisations);
  printf("contacts      %d open, %d sticking, %d sliding\n", report->open, report->sticking,
         report->sliding);
  if (s->immovable > 0) {
    printf("immovable     %d contacts that no impulse moves, of which %d approach: %s\n",
           s->immovable, s->unsolvable, s->unsolvable ? "there is no solution" : "no matter");
  }
  printf("seconds       %.6f\n", report->seconds);
  printf("%s to %g\n", c->converged ? "converged" : "NOT CONVERGED",
         report->options->parameters.tolerance);
}

static void print_json(const SolveReport *report)
{
  const MatrixProblem *p = report->problem;
  const MatrixSolution *s = &report->solution;
  const Convergence *c = &s->convergence;
  json_t *text = json_object();
  command_json_add(text, "file", command_json_text(report->options->path));
  command_json_add(text, "title", command_json_text(report->texts->title));
  command_json_add(text, "form", command_json_text(form_name(p)));
  command_json_add(text, "contacts", json_integer(p->count));
  command_json_add(text, "velocities", json_integer(p->freedom));
  command_json_add(text, "pairs", json_integer(s->pairs));
  command_json_add(text, "faces", json_boolean(s->faces));
  command_json_add(text, "trial_sweeps", json_integer(c->choice.sweeps));
  command_json_add(text, "trial_residual",
                   command_json_number(c->choice.sweeps > 0 ? c->choice.residual : NAN));
  command_json_add(text, "solver", command_json_text(convergence_method_name(c->method)));
  command_json_add(text, "tolerance", command_json_number(report->options->parameters.tolerance));
  command_json_add(text, "converged", json_boolean(c->converged));
  command_json_add(text, "residual", command_json_number(c->residual_max));
  command_json_add(text, "residual_rms", command_json_number(c->residual_rms));
  command_json_add(text, "residual_unscaled", command_json_number(s->unscaled));
  command_json_add(text, "merit_1", command_json_number(s->merit));
  command_json_add(text, "sweeps", json_integer(c->sweeps));
  command_json_add(text, "inner", json_integer(c->inner));
  command_json_add(text, "factorisations", json_integer(c->factorisations));
  command_json_add(text, "sigma", command_json_number(s->sigma));
  command_json_add(text, "open", json_integer(report->open));
  command_json_add(text, "sticking", json_integer(report->sticking));
  command_json_add(text, "sliding", json_integer(report->sliding));
  command_json_add(text, "immovable", json_integer(s->immovable));
  command_json_add(text, "unsolvable", json_integer(s->unsolvable));
  command_json_add(text, "seconds", command_json_number(report->seconds));
  command_json_print(text, true);
}

// -- the command ----------------------------------------------------------------------------------

static int solve(const SolveOptions *o, const MatrixProblem *problem, const FclibTexts *texts,
                 Arena *arena)
{
  const size_t rows = 3 * (size_t)problem->count + 1;
  SolveReport report = {.options = o,
                        .problem = problem,
                        .texts = texts,
                        .r = arena_allocate_zero(arena, rows, sizeof(double)),
                        .u = arena_allocate_zero(arena, rows, sizeof(double))};
  char why[256] = "";
  const double start = par_seconds();
  const bool sound = matrix_problem_solve(problem, o->parameters, report.r, report.u,
                                          &report.solution, why, sizeof why, arena);
  report.seconds = par_seconds() - start;
  if (!all_ok(sound, "%s: %s", o->path, why)) return EXIT_IO;
  count_states(&report);
  if (par_rank() == 0) {
    if (o->json) print_json(&report);
    else print_text(&report);
  }
  return report.solution.convergence.converged ? EXIT_DONE : EXIT_NOT_CONVERGED;
}

int command_solve(int count, char **words)
{
  SolveOptions options;
  if (!parse_words(count, words, &options)) return EXIT_USER;
  Arena arena = arena_new();
  MatrixProblem problem;
  FclibTexts texts;
  DiskStatus status = {0};
  const FclibResult result = fclib_read(options.path, &problem, &texts, &arena, &status);
  int code = result == FCLIB_REFUSED ? EXIT_USER : EXIT_IO;
  if (all_ok(result == FCLIB_READ, "%s", status.reason))
    code = solve(&options, &problem, &texts, &arena);
  else code = (int)par_max(result == FCLIB_READ ? 0 : code);
  arena_destroy(&arena);
  return code;
}
