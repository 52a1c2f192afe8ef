// Chooses the method that solves the contact problem of a step, and runs it.
#include "solver.h"

#include <assert.h>
#include <string.h>

#include "choice.h"
#include "gauss_seidel.h"
#include "joint_agree.h"
#include "parallel.h"
#include "residual.h"

#define TRIAL_SWEEPS \
  60   // of Gauss-Seidel before a linear system is made, which costs about as much
#define TRIAL_AFTER_HARD 10   // of these in a step after one that needed the system
#define ENDLESS \
  1e6   // times the largest impulse that would undo a velocity: no joint holds that, but loops
        // whose offsets contradict each other pull so
#define DIRECT_BODIES 400   // up to which sparse factors on every rank are faster than multigrid
#define DIRECT_ELASTIC \
  4000                    // the same where bodies deform: the multigrid knows their rigid motions
#define DIRECT_WORK 3e6   // products of factors a body up to which they are worth it there, too

SolverMemory solver_memory_new(void) { return (SolverMemory){.controller = {.k = -1}}; }

_Static_assert(3 + ADMM_GRID <= STATE_WORDS, "what the controller knows has room");

StateWords solver_memory_words(const SolverMemory *memory)
{
  assert(memory->controller.k >= -1 && memory->controller.k < ADMM_GRID && "sigma is on its grid");
  assert((memory->hard == 0 || memory->hard == 1) && "a step was hard or not");
  const AdmmController *c = &memory->controller;
  StateWords words = {{(uint64_t)(c->k + 1), c->tried, (uint64_t)memory->hard}};
  memcpy(&words.word[3], c->rate, sizeof c->rate);
  return words;
}

void solver_memory_restore(SolverMemory *memory, const StateWords *words)
{
  AdmmController *c = &memory->controller;
  c->k = (int32_t)words->word[0] - 1;
  c->tried = (uint32_t)words->word[1];
  memory->hard = (int32_t)words->word[2];
  memcpy(c->rate, &words->word[3], sizeof c->rate);
}

void solver_memory_destroy(SolverMemory *memory) { contact_system_cache_destroy(&memory->cache); }

static vec3 *copy_impulses(const Problem *problem, Arena *arena)
{
  vec3 *r = arena_allocate(arena, ((size_t)problem->point_count + 1) * sizeof *r);
  if (problem->point_count > 0) memcpy(r, problem->r, (size_t)problem->point_count * sizeof *r);
  return r;
}

// impulses of the last answer to velocities and residual
static void finish(Problem *problem, Velocities free, double scale, double tolerance,
                   Convergence *result, Arena *arena)
{
  assert((problem->point_count == 0 || problem->r != NULL) && "points have impulses");
  const Residual residual = residual_of_impulses(problem, free, scale, arena);
  result->residual_max = residual.largest;
  result->residual_rms = residual.rms;
  result->worst = residual.worst;
  result->converged = residual.largest <= tolerance;
}

// What a choice goes by.
typedef struct {
  bool faces;      // bodies meet in faces rather than in single points
  bool joints;     // some hang together by joints: chains are long ways for sweeps
  bool impulses;   // there are any to begin with
} FirstLook;

// Collective.
static FirstLook look_at(const Problem *problem)
{
  assert(problem->owned_points <= problem->point_count && "own points are among those known");
  int64_t counts[3] = {problem->owned_points, 0, 0};
  for (int k = 0; k < problem->pair_count; k++) {
    if (!problem->owned[problem->pairs[k].first]) continue;
    counts[1]++;
    counts[2] += problem->pairs[k].end - problem_contacts_end(problem, k);
  }
  double largest = 0;
  for (int i = 0; i < problem->point_count; i++) largest = fmax(largest, vec3_norm(problem->r[i]));
  par_reduce((Reduction[]){{REDUCE_SUM, counts, 3}, {REDUCE_MAX, &largest, 1}}, 2);
  const bool faces = (double)counts[0] > POINTS_OF_FACES * (double)counts[1];
  return (FirstLook){faces, counts[2] > 0, largest > 0};
}

// The linear system of a step and how it is solved: as asked for, or the way that costs less.
typedef struct {
  ContactSystem *system;
  bool direct;
} ChosenSystem;

static ChosenSystem choose_system(Problem *problem, Velocities free, SolverMethod method,
                                  SystemCache *cache, Arena *arena)
{
  assert(method != SOLVER_GAUSS_SEIDEL && method != SOLVER_NESTEROV &&
         "linear systems are asked for");
  bool direct = method == SOLVER_ADMM_CHOLESKY;
  const bool open = !direct && method != SOLVER_ADMM_AMG;
  if (open)
    direct = contact_system_bodies(problem) <= (problem->elastic ? DIRECT_ELASTIC : DIRECT_BODIES);
  const ArenaMark mark = arena_mark(arena);
  ContactSystem *system = contact_system_new(problem, free, direct, cache, arena);
  if (open && direct && problem->elastic && contact_system_work(system) > DIRECT_WORK) {
    arena_release(arena, mark);
    direct = false;
    system = contact_system_new(problem, free, direct, cache, arena);
  }
  return (ChosenSystem){system, direct};
}

// faces: bodies meet in faces, or are taken so: sigma is large.
static Convergence solve_with_sigma(Problem *problem, Velocities free, SolverParameters parameters,
                                    bool faces, SolverMemory *memory, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  const ChosenSystem chosen =
      choose_system(problem, free, parameters.method, &memory->cache, arena);
  const bool direct = chosen.direct;
  ConeProblem operators = contact_system_operators(chosen.system);
  operators.first_k = faces ? FIRST_FACES : FIRST_POINTS;
  if (!faces) operators.most_k = MOST_POINTS;
  else if (problem->elastic) operators.least_k = direct ? LEAST_ELASTIC : LEAST_OF_CYCLES;
  if (problem->elastic) operators.inner_share = ELASTIC_SHARE;
  Convergence result = admm_solve(&operators, problem->r, &memory->controller, parameters, arena);
  finish(problem, free, operators.scale, parameters.tolerance, &result, arena);
  arena_release(arena, mark);   // what sweeps may still need comes in its place
  result.method = direct ? SOLVER_ADMM_CHOLESKY : SOLVER_ADMM_AMG;
  return result;
}

static Convergence solve_by_admm(Problem *problem, Velocities free, SolverParameters parameters,
                                 SolverMemory *memory, Arena *arena)
{
  return solve_with_sigma(problem, free, parameters, look_at(problem).faces, memory, arena);
}

// what both did; the later one has the result
static Convergence join(Convergence first, Convergence second)
{
  second.sweeps += first.sweeps;
  second.inner += first.inner;
  second.factorisations += first.factorisations;
  second.choice = first.choice;
  return second;
}

static void swap_impulses(Problem *problem, vec3 **r)
{
  vec3 *const other = *r;
  *r = problem->r;
  problem->r = other;
}

// Sweeps that bodies on faces get: none before the first impulses, few after a step that needed
// more.
static int trial_of_faces(FirstLook first, const SolverMemory *memory)
{
  if (!first.impulses) return 0;
  return memory->hard ? TRIAL_AFTER_HARD : TRIAL_SWEEPS;
}

static int least(int a, int b) { return a < b ? a : b; }

// Sweeps know rigid bodies alone: where large sigmas end at nothing, small ones go on from there.
static Convergence solve_elastic(Problem *problem, Velocities free, SolverParameters parameters,
                                 bool faces, SolverMemory *memory, Arena *arena)
{
  assert(problem->elastic != NULL && "some row deforms");
  Convergence result = solve_with_sigma(problem, free, parameters, faces, memory, arena);
  result.choice = (SolverChoice){contact_system_bodies(problem), faces, 0, 0};
  if (result.converged || !faces || result.sweeps >= parameters.max_sweeps) return result;
  const AdmmController learned = memory->controller;   // which is about large ones
  memory->controller.k = -1;
  const SolverParameters rest = {parameters.method, parameters.tolerance,
                                 parameters.max_sweeps - result.sweeps, 0};
  result = join(result, solve_with_sigma(problem, free, rest, false, memory, arena));
  memory->controller = learned;
  return result;
}

// A few sweeps, then the linear system, then sweeps again if that comes to nothing.
static Convergence solve_automatic(Problem *problem, Velocities free, SolverParameters parameters,
                                   SolverMemory *memory, Arena *arena)
{
  assert(parameters.method == SOLVER_AUTOMATIC && "the choice is left to the solver");
  const int most = parameters.max_sweeps;
  const FirstLook first = look_at(problem);
  const bool faces = first.faces;
  if (problem->elastic) return solve_elastic(problem, free, parameters, faces, memory, arena);
  SolverParameters part = {SOLVER_NESTEROV, parameters.tolerance, most, 0};
  if (faces || first.joints) part.max_sweeps = least(most, trial_of_faces(first, memory));
  else part.patience = PATIENCE_OF_POINTS;
  vec3 *other = part.max_sweeps > 0 ? copy_impulses(problem, arena) : NULL;
  const Convergence tried = gauss_seidel_solve(problem, free, part, arena);
  memory->hard = !tried.converged;
  Convergence result = tried;
  if (tried.converged && tried.sweeps == 0) result.method = SOLVER_AUTOMATIC;
  if (result.converged || result.sweeps >= most) return result;

  // from the first guess: what sweeps have left is slow modes, which ADMM takes longest for
  if (other) swap_impulses(problem, &other);
  result.choice =
      (SolverChoice){contact_system_bodies(problem), faces, tried.sweeps, tried.residual_max};
  part = (SolverParameters){SOLVER_ADMM, parameters.tolerance, (most - result.sweeps + 1) / 2, 0};
  result = join(result, solve_by_admm(problem, free, part, memory, arena));
  if (other && tried.residual_max < result.residual_max) {
    swap_impulses(problem, &other);
    finish(problem, free, residual_scale(problem, free), parameters.tolerance, &result, arena);
    result.method = tried.method;
  }
  if (result.converged || result.sweeps >= most) return result;

  part = (SolverParameters){SOLVER_NESTEROV, parameters.tolerance, most - result.sweeps, 0};
  return join(result, gauss_seidel_solve(problem, free, part, arena));
}

static Convergence solve_by_method(Problem *problem, Velocities free, SolverParameters parameters,
                                   SolverMemory *memory, Arena *arena)
{
  assert(parameters.method < SOLVER_METHOD_COUNT && "a method that there is");
  assert(!(parameters.tolerance < 0) && parameters.max_sweeps >= 0 && "the solver has an aim");
  assert((memory != NULL && (free.twist != NULL || problem->row_count == 0)) &&
         "rows have free velocities");
  switch (parameters.method) {
  case SOLVER_AUTOMATIC: {
    // the arena may go before the problem, and what lies in it by then with it
    vec3 *const home = problem->r;
    const Convergence result = solve_automatic(problem, free, parameters, memory, arena);
    if (problem->r != home && problem->point_count > 0)
      memcpy(home, problem->r, (size_t)problem->point_count * sizeof *home);
    problem->r = home;
    return result;
  }
  case SOLVER_GAUSS_SEIDEL:
  case SOLVER_NESTEROV: return gauss_seidel_solve(problem, free, parameters, arena);
  default: return solve_by_admm(problem, free, parameters, memory, arena);
  }
}

Convergence solver_solve(Problem *problem, Velocities free, SolverParameters parameters,
                         SolverMemory *memory, Arena *arena)
{
  assert((problem->jointed || !problem->joints) && "the case has the joints of a rank");
  Convergence result = solve_by_method(problem, free, parameters, memory, arena);
  if (!problem->jointed) return result;
  const double scale = residual_scale(problem, free);
  if (par_max(joint_offsets_strain(problem)) <= ENDLESS * scale) return result;
  residual_of_impulses(problem, free, scale, arena);
  joint_offsets_relax(problem);
  return join(result, solve_by_method(problem, free, parameters, memory, arena));
}

void solver_store(const Problem *problem, Contacts *contacts)
{
  assert((problem->contacts != NULL || problem->pair_count == 0) && "pairs have rows of contacts");
  for (int i = 0; i < contacts->table.count; i++) contacts->reaction[i] = (vec3){0, 0, 0};
  for (int k = 0; k < problem->pair_count; k++)
    for (int i = problem->pairs[k].first, end = problem_contacts_end(problem, k); i < end; i++) {
      // from the basis with turned tangents to the contact's own; exactly zero where it is zero
      const SolverPoint p = problem_point(problem, k, i);
      if (p.r.x == 0 && p.r.y == 0 && p.r.z == 0) continue;
      const vec3 world = mat3_mul_transposed(p.basis, p.r);
      vec3 local = mat3_mul(contacts_basis(contacts->normal[p.contact]), world);
      local.x = p.r.x;
      contacts->reaction[p.contact] = local;
    }
}
