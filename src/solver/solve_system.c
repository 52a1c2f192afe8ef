// Solves a contact problem by a linear system: which kind, and with which sigmas.
#include "solve_system.h"

#include <assert.h>

#include "choice.h"
#include "gradient.h"
#include "residual.h"

#define DIRECT_BODIES 400   // up to which sparse factors on every rank are faster than multigrid
#define DIRECT_ELASTIC \
  4000                    // the same where bodies deform: the multigrid knows their rigid motions
#define DIRECT_WORK 3e6   // products of factors a body up to which they are worth it there, too

#define FIRST_TURN \
  80   // iterations of ADMM and of the gradient where nodes move; then twice as many

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
  if (problem->elastic && !problem->finite) operators.inner_share = ELASTIC_SHARE;
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

// Bodies of finite elements: ADMM, and where it stalls, on points between open and closed, the
// gradient, by turns; each goes on from the best impulses.
static Convergence solve_nodes(Problem *problem, Velocities free, SystemTask task, Arena *arena)
{
  const SolverParameters asked = task.parameters;
  assert(problem->finite != NULL && asked.method == SOLVER_AUTOMATIC && "nothing was asked for");
  Convergence result = {.method = SOLVER_AUTOMATIC};
  int left = asked.max_sweeps, turn = FIRST_TURN;
  for (bool gradient = false;; gradient = !gradient) {
    task.parameters.method = gradient ? SOLVER_GRADIENT : SOLVER_ADMM;
    task.parameters.max_sweeps = left < turn ? left : turn;
    const Convergence found = solve_with_sigma(problem, free, task, arena);
    result = left == asked.max_sweeps ? found : convergence_join(result, found);
    left -= found.sweeps > 0 ? found.sweeps : 1;
    if (result.converged || left <= 0) return result;
    if (gradient) turn *= 2;
  }
}

Convergence solve_system(Problem *problem, Velocities free, SystemTask task, Arena *arena)
{
  AdmmController *controller = task.memory.controller;
  assert(controller != NULL && task.memory.cache != NULL && "the system has a memory");
  if (problem->finite && task.parameters.method == SOLVER_AUTOMATIC)
    return solve_nodes(problem, free, task, arena);
  Convergence result = solve_with_sigma(problem, free, task, arena);
  if (task.parameters.method != SOLVER_AUTOMATIC || !problem->elastic) return result;

  // sweeps know rigid bodies alone: where large sigmas end at nothing, small ones go on from there
  if (result.converged || !task.faces || result.sweeps >= task.parameters.max_sweeps) return result;
  const AdmmController learned = *controller;   // which is about large ones
  controller->k = -1;
  task.faces = false;
  task.parameters.max_sweeps -= result.sweeps;
  result = convergence_join(result, solve_with_sigma(problem, free, task, arena));
  *controller = learned;
  return result;
}
