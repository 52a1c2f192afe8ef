// Every method behind one door, and what goes from step to step.
#include "solver.h"

#include <assert.h>

#include "gauss_seidel.h"
#include "giving.h"
#include "joint_agree.h"
#include "parallel.h"
#include "residual.h"
#include "solve_groups.h"

#define ENDLESS \
  1e6   // times the largest impulse that would undo a velocity: no joint holds that, but loops
        // whose offsets contradict each other pull so

#define FORCES_AGAIN 4   // times that a solution is judged anew by its own forces, and goes on

SolverMemory solver_memory_new(void) { return (SolverMemory){0}; }

StateWords solver_memory_words(const SolverMemory *memory)
{
  return group_memories_words(&memory->memories);
}

void solver_memory_restore(SolverMemory *memory, const StateWords *words)
{
  group_memories_restore(&memory->memories, words);
}

void solver_memory_destroy(SolverMemory *memory)
{
  contact_system_cache_destroy(&memory->cache);
  contact_system_cache_destroy(&memory->cache_alone);
}

static Convergence solve_by_method(Problem *problem, Velocities free, SolverParameters parameters,
                                   SolverMemory *memory, Arena *arena)
{
  assert(parameters.method < SOLVER_METHOD_COUNT && "a method that there is");
  assert(!(parameters.tolerance < 0) && parameters.max_sweeps >= 0 && "the solver has an aim");
  assert((memory != NULL && (free.twist != NULL || problem->row_count == 0)) &&
         "rows have free velocities");
  if (convergence_sweeps(parameters.method))
    return gauss_seidel_solve(problem, free, parameters, arena);
  return solve_groups(problem, free, parameters, memory, arena);
}

// Stops judge errors by the forces at bodies, those that the problem held before it was solved. It
// is judged anew by the forces found, and solved further where they are so much less that it does
// not serve.
static Convergence solve_with_stops(Problem *problem, Velocities free, SolverParameters parameters,
                                    SolverMemory *memory, Arena *arena)
{
  Convergence result = solve_by_method(problem, free, parameters, memory, arena);
  if (!(problem->stops.unbalanced > 0)) return result;
  const int most = parameters.max_sweeps;
  bool moved = result.sweeps > 0;
  for (int again = 0; moved && again < FORCES_AGAIN; again++) {
    const GroupMemories learned = memory->memories;
    parameters.max_sweeps = most > result.sweeps ? most - result.sweeps : 0;
    const Convergence next = solve_by_method(problem, free, parameters, memory, arena);
    moved = next.sweeps > 0;
    if (!moved) memory->memories = learned;   // nothing is learned of a look
    const SolverMethod method = moved ? next.method : result.method;
    result = convergence_join(result, next);
    result.method = method;
  }
  return result;
}

// The largest impulse that would undo a velocity. Stops raise the sizes of contacts beyond that.
static double largest_size(const Problem *problem)
{
  const bool joints_alone = stops_any(problem->stops);
  double largest = 0;
  for (int k = 0; k < problem->pair_count; k++) {
    int i = joints_alone ? problem_contacts_end(problem, k) : problem->pairs[k].first;
    for (; i < problem->pairs[k].end; i++) par_raise(&largest, problem->size[i]);
  }
  return largest;
}

// Joints that pull against each other without end get the offsets of the motion found.
static Convergence solve_with_joints(Problem *problem, Velocities free, SolverParameters parameters,
                                     SolverMemory *memory, Arena *arena)
{
  Convergence result = solve_with_stops(problem, free, parameters, memory, arena);
  if (!problem->jointed) return result;
  double largest[2] = {joint_offsets_strain(problem), largest_size(problem)};
  par_max_many(largest, 2);
  if (largest[0] <= ENDLESS * largest[1]) return result;
  residual_of_impulses(problem, free, arena);
  joint_offsets_relax(problem);
  return convergence_join(result, solve_with_stops(problem, free, parameters, memory, arena));
}

Convergence solver_solve(Problem *problem, Velocities free, SolverParameters parameters,
                         SolverMemory *memory, Arena *arena)
{
  assert((problem->jointed || !problem->joints) && "the case has the joints of a rank");
  Giving giving = giving_new(problem, parameters, &memory->memories, arena);
  Convergence result = solve_with_joints(problem, free, giving.parameters, memory, arena);
  SolverParameters second;
  if (!result.converged && giving_begin(&giving, &second))
    result = convergence_join(result, solve_with_joints(problem, free, second, memory, arena));
  result.given = giving_end(&giving);
  return result;
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
