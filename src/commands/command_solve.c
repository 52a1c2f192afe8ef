// drystone solve: reads a contact problem of the field's exchange format, solves it, says how well.
// All ranks do the same work, so that one answer comes out of any number.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "command.h"
#include "fclib.h"
#include "matrix_problem.h"
#include "parallel.h"
#include "values.h"

#define DEFAULT_TOLERANCE 1e-6
#define DEFAULT_SWEEPS 20000
#define MOST_SWEEPS 1000000000

typedef struct {
  const char *path;
  const char *solver;   // method of the parameters
  SolverParameters parameters;
  bool json;
} SolveOptions;

// -- options --------------------------------------------------------------------------------------

// The method of a name; SOLVER_METHOD_COUNT where there is none.
static SolverMethod method_of(const char *word)
{
  int m = 0;
  while (m < SOLVER_METHOD_COUNT && strcmp(word, convergence_method_name((SolverMethod)m)) != 0)
    m++;
  return (SolverMethod)m;
}

static bool is_method(const char *word) { return method_of(word) != SOLVER_METHOD_COUNT; }

static const Option options_of_solve[] = {
    {"--solver", "S",
     "automatic, admm (also admm-cholesky), nesterov or gauss-seidel\n(default: automatic)",
     OPTION_TEXT, .offset = offsetof(SolveOptions, solver), .accepts = is_method,
     .refusal = "option --solver: expected automatic, admm, admm-cholesky, nesterov or "
                "gauss-seidel, found '%s'"},
    {"--tolerance", "T", "of the largest residual (default: 1e-6)", OPTION_REAL,
     .offset = offsetof(SolveOptions, parameters.tolerance), .high = 1, .without_ends = true},
    {"--max-sweeps", "N", "iterations of a method (default: 20000)", OPTION_COUNT,
     .offset = offsetof(SolveOptions, parameters.max_sweeps), .high = MOST_SWEEPS},
    {"--json", NULL, "one JSON text for programs", OPTION_FLAG,
     .offset = offsetof(SolveOptions, json)}};

const OptionTable COMMAND_SOLVE_OPTIONS = {
    .command = "solve",
    .purpose = "solve a contact problem of the FCLIB format, say how\nwell",
    .file = "FILE",
    .files = "problems",
    .no_file = "solve needs a file: drystone solve FILE",
    .file_offset = offsetof(SolveOptions, path),
    .count = sizeof options_of_solve / sizeof *options_of_solve,
    .options = options_of_solve,
};

static bool read_options(int count, char **words, SolveOptions *o)
{
  *o = (SolveOptions){.solver = convergence_method_name(SOLVER_AUTOMATIC),
                      .parameters = {.tolerance = DEFAULT_TOLERANCE, .max_sweeps = DEFAULT_SWEEPS}};
  if (!options_read(&COMMAND_SOLVE_OPTIONS, count, words, o)) return false;
  o->parameters.method = method_of(o->solver);
  assert(o->parameters.method < SOLVER_METHOD_COUNT && "names of no method are refused");
  const SolverMethod method = o->parameters.method;
  return all_ok(method != SOLVER_ADMM_AMG && method != SOLVER_INTERIOR,
                "option --solver: %s needs the places of bodies, which matrices do not tell; admm "
                "solves its systems by sparse factors",
                o->solver);
}

// -- what is printed ------------------------------------------------------------------------------

typedef struct {
  const SolveOptions *options;
  const MatrixProblem *problem;
  const FclibTexts *texts;
  MatrixSolution solution;
  int open, sticking, sliding;
  double seconds;
} SolveReport;

// by what the impulse says: none, inside the cone, on its surface
static void count_states(SolveReport *report)
{
  const double rounding = 1e-12;
  for (int i = 0; i < report->problem->count; i++) {
    const double *r = report->solution.r + 3 * i, cone = report->problem->friction[i] * r[0];
    const double size = sqrt(r[1] * r[1] + r[2] * r[2]);
    if (r[0] == 0) report->open++;
    else if (size < cone * (1 - rounding)) report->sticking++;
    else report->sliding++;
  }
  assert(report->open + report->sticking + report->sliding == report->problem->count &&
         "a contact is in one state");
}

// What a problem that leaves nothing to find has none of; NULL: there is something to solve.
static const char *missing(const MatrixProblem *problem, const Convergence *convergence)
{
  if (!convergence->converged) return NULL;   // contacts that approach and that nothing moves
  if (problem->count == 0) return "contacts";
  return problem->form == MATRIX_GLOBAL && problem->freedom == 0 ? "velocities" : NULL;
}

static Value *values_of(const SolveReport *report, Arena *arena)
{
  const MatrixProblem *p = report->problem;
  const MatrixSolution *s = &report->solution;
  const Convergence *c = &s->convergence;
  Value *all = values_new(arena);
  values_add(all, "file %s title %s", report->options->path, report->texts->title);
  values_add(all, "form %s contacts %d", p->form == MATRIX_LOCAL ? "local" : "global", p->count);
  values_add(all, "-comma %s", p->form == MATRIX_GLOBAL ? ", " : "");
  values_add(all, "velocities %d pairs %d faces %i", p->freedom, s->pairs, s->faces);
  values_add(all, "-faces %s", s->faces ? "faces" : "points");
  values_add(all, "trial_sweeps %d", c->choice.sweeps);
  values_add(all, "trial_residual %g", c->choice.sweeps > 0 ? c->choice.residual : NAN);
  values_add(all, "solver %s", convergence_method_name(c->method));
  values_add(all, "tolerance %g converged %i", report->options->parameters.tolerance, c->converged);
  const char *none = missing(p, c);
  values_text(all, "-missing", none);
  values_text(all, "-converged", none ? NULL : c->converged ? "converged" : "NOT CONVERGED");
  values_add(all, "residual %g residual_rms %g", c->residual_max, c->residual_rms);
  values_add(all, "residual_unscaled %g merit_1 %g sweeps %d", s->unscaled, s->merit, c->sweeps);
  values_add(all, "inner %d factorisations %d sigma %g", c->inner, c->factorisations, s->sigma);
  values_add(all, "open %d sticking %d sliding %d", report->open, report->sticking,
             report->sliding);
  values_add(all, "immovable %d unsolvable %d", s->immovable, s->unsolvable);
  values_add(all, "-unsolvable %s", s->unsolvable ? "there is no solution" : "no matter");
  values_add(all, "seconds %g", report->seconds);
  return all;
}

static const char *const layout =
    "problem       {file}<, '{title}'>\n"
    "              {form} form, {contacts} contacts<{-comma}{velocities} velocities>\n"
    "solver        {solver}<, sigma {sigma:.3g}>\n"
    "              {pairs} pairs of bodies on {-faces}"
    "<; {trial_sweeps} sweeps of nesterov left a residual of {trial_residual:.2g}>\n"
    "residual      {residual:.3g} largest, {residual_rms:.3g} rms; "
    "unscaled {residual_unscaled:.3g}, MERIT_1 {merit_1:.3g}\n"
    "sweeps        {sweeps}, {factorisations} factorisations\n"
    "contacts      {open} open, {sticking} sticking, {sliding} sliding\n"
    "<immovable     {immovable} contacts that no impulse moves, of which {unsolvable} approach: "
    "{-unsolvable}\n>"
    "seconds       {seconds:.6f}\n"
    "<nothing to solve: the problem has no {-missing}\n>"
    "<{-converged} to {tolerance:g}\n>";

// -- the command ----------------------------------------------------------------------------------

static int solve(const SolveOptions *o, const MatrixProblem *problem, const FclibTexts *texts,
                 Arena *arena)
{
  assert(o->parameters.tolerance > 0 && o->parameters.max_sweeps >= 0 && "limits of options hold");
  SolveReport report = {.options = o, .problem = problem, .texts = texts};
  char why[256] = "";
  const double start = par_seconds();
  const bool sound = matrix_problem_solve(problem, o->parameters, &report.solution,
                                          (ErrorText){why, sizeof why}, arena);
  report.seconds = par_seconds() - start;
  if (!all_ok(sound, "%s: %s", o->path, why)) return EXIT_IO;
  count_states(&report);
  if (par_rank() == 0) {
    const Value *all = values_of(&report, arena);
    if (o->json) values_json(all, true);
    else values_print(all, layout);
  }
  return report.solution.convergence.converged ? EXIT_DONE : EXIT_NOT_CONVERGED;
}

int command_solve(int count, char **words)
{
  SolveOptions options;
  if (!read_options(count, words, &options)) return EXIT_USER;
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
