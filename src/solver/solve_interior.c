// The interior-point method on the system of a step.
#include "solve_interior.h"

#include <assert.h>
#include <math.h>

#include "interior_system.h"
#include "residual.h"

#define MOST_BODIES 3000   // factors of larger heaps take longer than what they save
#define FIRST_STEPS 30     // from there on sweeps are tried first
#define MOST_STEPS 60
#define GAP_SHARE 0.01   // of the tolerance: errors of points on the edge are roots of the gap
#define LEAST_GAP 1e-9   // below it the system is rounding
#define NEAR_GAP 1e-4    // at most where sweeps may do the rest: errors are roots of the gap

bool solve_interior_fits(const Problem *problem)
{
  assert(problem != NULL && "a problem is given");
  if (problem->elastic || contact_system_bodies(problem) > MOST_BODIES) return false;
  const ConeProblem points = {.point_count = problem->point_count, .limits = problem->limits};
  return interior_knows(&points);
}

InteriorResult solve_interior(Problem *problem, Velocities free, InteriorTask task,
                              SystemCache *cache, Arena *arena)
{
  const SolverParameters parameters = task.parameters;
  assert(cache != NULL && parameters.max_sweeps > 0 && "there are steps to make");
  const ArenaMark mark = arena_mark(arena);
  ContactSystem *system = contact_system_new(problem, free, true, cache, arena);
  const ConeProblem points = contact_system_operators(system);
  InteriorSystem *interior = interior_system_new(system, &cache->lu, arena);
  const InteriorOperators operators = interior_system_operators(interior);
  const int steps = task.whole ? MOST_STEPS : FIRST_STEPS;
  const InteriorGoal goal = {fmax(GAP_SHARE * parameters.tolerance, LEAST_GAP),
                             task.whole ? 0 : fmin(NEAR_GAP, parameters.tolerance),
                             parameters.max_sweeps < steps ? parameters.max_sweeps : steps};
  const InteriorEnd end = interior_solve(&points, &operators, problem->r, goal, arena);
  const Residual residual = residual_of_impulses(problem, free, arena);
  arena_release(arena, mark);
  return (InteriorResult){{.converged = residual.largest <= parameters.tolerance,
                           .method = SOLVER_INTERIOR,
                           .sweeps = end.steps,
                           .factorisations = end.steps,
                           .residual_max = residual.largest,
                           .residual_rms = residual.rms,
                           .worst = residual.worst},
                          end.near || (!task.whole && end.steps == FIRST_STEPS)};
}
