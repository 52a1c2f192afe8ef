// Solves a contact problem by a linear system: which kind, and with which sigmas.
#include "solve_system.h"

#include <assert.h>

#include "admm.h"
#include "choice.h"
#include "gradient.h"
#include "residual.h"

#define DIRECT_BODIES 400   // up to which sparse factors on every rank are faster than multigrid
#define DIRECT_ELASTIC \
  4000                    // the same where bodies deform: the multigrid knows their rigid motions
#define DIRECT_WORK 3e6   // products of factors a body up to which they are worth it there, too

#define FIRST_TURN \
  80   // iterations of ADMM and of the gradient where nodes move; then twice as many
#define MOST_DOUBLED 20   // times

// turns of affine bodies on faces, iterations
enum { FIRST_OF_FACES = 40, FIRST_GRADIENT = 30, LONG_TURN = 400 };

// The linear system of a step and how it is solved: as asked for, or the way that costs less.
typedef struct {
  ContactSystem *system;
  bool direct;
} ChosenSystem;

static ChosenSystem choose_system(Problem *problem, Velocities free, SolverMethod method,
                                  SystemCache *cache, Arena *arena)
{
  assert(!convergence_sweeps(method) && "linear systems are asked for");
  const bool open = method != SOLVER_ADMM_CHOLESKY && method != SOLVER_ADMM_AMG;
  bool direct = method == SOLVER_ADMM_CHOLESKY && !problem->finite;
  if (open && !problem->finite)
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
static Convergence solve_with_sigma(Problem *problem, Velocities free, SystemTask task,
                                    Arena *arena)
{
  const SolverParameters parameters = task.parameters;
  const SystemMemory memory = task.memory;
  const bool faces = task.faces;
  const ArenaMark mark = arena_mark(arena);
  const ChosenSystem chosen = choose_system(problem, free, parameters.method, memory.cache, arena);
  const bool direct = chosen.direct;
  ConeProblem operators = contact_system_operators(chosen.system);
  operators.first_k = faces ? FIRST_FACES : FIRST_POINTS;
  if (!faces) operators.most_k = MOST_POINTS;
  else if (problem->elastic) operators.least_k = direct ? LEAST_ELASTIC : LEAST_OF_CYCLES;
  if (faces && problem->finite) operators.most_k = MOST_OF_NODES;
  operators.dear = problem->finite != NULL;
  operators.finish = problem->elastic && !problem->finite;
  if (problem->elastic) operators.inner_share = problem->finite ? NODES_SHARE : ELASTIC_SHARE;
  Convergence result =
      parameters.method == SOLVER_GRADIENT
          ? gradient_solve(&operators, problem->r, parameters, arena)
          : admm_solve(&operators, problem->r, memory.controller, parameters, arena);
  const Residual residual = residual_of_impulses(problem, free, arena);
  result.residual_max = residual.largest;
  result.residual_rms = residual.rms;
  result.converged = residual.largest <= parameters.tolerance;
  arena_release(arena, mark);
  if (result.method != SOLVER_GRADIENT)
    result.method = direct ? SOLVER_ADMM_CHOLESKY : SOLVER_ADMM_AMG;
  return result;
}

// One of the methods that bodies that deform have in turn, each from the best impulses so far.
typedef struct {
  SolverMethod method;
  bool faces;   // as of a task
  int most;     // iterations
} Turn;

// Bodies of finite elements: ADMM, and where it stalls, on points between open and closed, the
// gradient. Affine bodies on faces: the gradient closes points that the first impulses leave open
// where they fade with height; then large sigmas and small ones go on from each other's impulses.
static Turn turn_of(const Problem *problem, bool faces, int number)
{
  assert(number >= 0 && "turns are counted");
  const SolverMethod either = number % 2 ? SOLVER_GRADIENT : SOLVER_ADMM;
  const int doubled = number / 2 < MOST_DOUBLED ? number / 2 : MOST_DOUBLED;
  if (problem->finite) return (Turn){either, faces, FIRST_TURN << doubled};
  static const Turn of_faces[] = {{SOLVER_ADMM, true, FIRST_OF_FACES},
                                  {SOLVER_GRADIENT, true, FIRST_GRADIENT},
                                  {SOLVER_ADMM, true, LONG_TURN},
                                  {SOLVER_ADMM, false, LONG_TURN}};
  return of_faces[number < 2 ? number : 2 + number % 2];
}

// Bodies of finite elements, and affine ones on faces.
static Convergence solve_in_turns(Problem *problem, Velocities free, SystemTask task, Arena *arena)
{
  const SolverParameters asked = task.parameters;
  assert(asked.method == SOLVER_AUTOMATIC && "nothing was asked for");
  AdmmController of_points = {.k = -1}, *const learned = task.memory.controller;
  const bool faces = task.faces;
  Convergence result = {.method = SOLVER_AUTOMATIC};
  int left = asked.max_sweeps;
  for (int number = 0;; number++) {
    const Turn turn = turn_of(problem, faces, number);
    task.parameters.method = turn.method;
    task.parameters.max_sweeps = left < turn.most ? left : turn.most;
    task.faces = turn.faces;
    // what steps before have learned of sigma misleads affine bodies
    AdmmController fresh = {.k = -1};
    task.memory.controller = problem->finite ? learned : turn.faces ? &fresh : &of_points;
    const Convergence found = solve_with_sigma(problem, free, task, arena);
    result = number == 0 ? found : convergence_join(result, found);
    left -= found.sweeps > 0 ? found.sweeps : 1;
    if (result.converged || left <= 0) return result;
  }
}

Convergence solve_system(Problem *problem, Velocities free, SystemTask task, Arena *arena)
{
  assert(task.memory.controller != NULL && task.memory.cache != NULL && "the system has a memory");
  const bool turns = problem->finite || (problem->elastic && task.faces);
  if (turns && task.parameters.method == SOLVER_AUTOMATIC)
    return solve_in_turns(problem, free, task, arena);
  return solve_with_sigma(problem, free, task, arena);
}
