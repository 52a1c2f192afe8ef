// Iterates of a step: poses, terms, grips and energies.
#include "barrier_problem.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "barrier_law.h"
#include "exact_sum.h"
#include "parallel.h"

#define ROUNDING 4e-16        // of a coordinate, and of an energy
#define CARRYING_SHARE 0.03   // of all surface: what carries what is to be stopped
#define MOST_LONGER 0.3       // of the distance
#define HARDLY_SHARE 0.1      // of what barriers are longer by: couples no deeper hardly press

static Twist scaled(double s, Twist u) { return (Twist){vec3_scale(s, u.v), vec3_scale(s, u.w)}; }

BarrierPath barrier_problem_path(const BarrierProblem *problem, int row, Twist u, Twist by)
{
  assert(row >= 0 && row < problem->count && "a row of the problem");
  return (BarrierPath){problem->surfaces[row], problem->position[row], problem->orientation[row],
                       scaled(problem->step, u), scaled(problem->step, by)};
}

void barrier_problem_look(const BarrierProblem *problem, BarrierIterate *iterate)
{
  Arena *memory = &iterate->memory;
  const Twist none = {{0, 0, 0}, {0, 0, 0}};
  iterate->bodies = arena_allocate(memory, ((size_t)problem->count + 1) * sizeof(BarrierBody));
  iterate->start = arena_allocate(memory, ((size_t)problem->couple_count + 1) * sizeof(int));
  iterate->terms = (BarrierTerms){0};
  for (int i = 0; i < problem->count; i++) {
    const BarrierPath path = barrier_problem_path(problem, i, iterate->u[i], none);
    iterate->bodies[i] = barrier_advance_body(&path, 0);
  }
  bool apart = true;
  iterate->start[0] = 0;
  for (int c = 0; c < problem->couple_count; c++) {
    const BarrierCouple *couple = &problem->couples[c];
    const BarrierBody bodies[2] = {iterate->bodies[couple->low], iterate->bodies[couple->high]};
    if (apart) apart = barrier_pair_find(bodies, problem->settings.scale, &iterate->terms, memory);
    iterate->start[c + 1] = iterate->terms.count;
  }
  iterate->apart = par_all(apart);
}

// Collective. By which share of the distance barriers are to be longer, so that b' at the distance,
// -3 s^2 for a small share s, stops the free velocities in the step.
static double share_longer(const BarrierProblem *problem)
{
  ExactSum sums[2] = {exact_sum_new(), exact_sum_new()};   // momenta, areas
  for (int i = 0; i < problem->own; i++) {
    if (!barrier_problem_moves(problem, i)) continue;
    exact_sum_add(&sums[0], problem->mass[i] * vec3_norm(problem->free[i].v));
    const BarrierSurface *surface = problem->surfaces[i];
    for (int k = 0; k < surface->cell_count; k++) exact_sum_add(&sums[1], surface->cells[k].area);
  }
  exact_sum_reduce(sums, 2);
  const double area = CARRYING_SHARE * exact_sum_value(&sums[1]);
  const double pressure = area > 0 ? exact_sum_value(&sums[0]) / (problem->step * area) : 0;
  return fmin(sqrt(pressure / (3 * problem->settings.scale.stiffness)), MOST_LONGER);
}

// Does a couple get deeper into the barrier than to this distance?
static bool presses(const BarrierIterate *iterate, int c, double distance)
{
  for (int i = iterate->start[c]; i < iterate->start[c + 1]; i++) {
    if (iterate->terms.of[i].gap < distance) return true;
  }
  return false;
}

static void copy_terms(const BarrierIterate *from, int c, BarrierTerms *to, Arena *arena)
{
  const int first = from->start[c], count = from->start[c + 1] - first;
  if (count == 0) return;
  to->of = arena_grow(arena, to->of, to->count + count, &to->capacity, sizeof *to->of);
  memcpy(&to->of[to->count], &from->terms.of[first], (size_t)count * sizeof *to->of);
  to->count += count;
}

bool barrier_problem_expect(const BarrierProblem *problem, const BarrierIterate *start,
                            const double *distances, BarrierIterate *expected, Arena *arena)
{
  assert(start->apart && "forces are those of bodies apart");
  const BarrierScale scale = problem->settings.scale;
  const double longer = share_longer(problem), reach = scale.distance * (1 + longer),
               hardly = scale.distance * (1 - HARDLY_SHARE * longer);
  *expected = *start;
  expected->start = arena_allocate(arena, ((size_t)problem->couple_count + 1) * sizeof(int));
  expected->terms = (BarrierTerms){0};
  bool others = false;
  for (int c = 0; c < problem->couple_count; c++) {
    const BarrierCouple *couple = &problem->couples[c];
    const BarrierBody bodies[2] = {start->bodies[couple->low], start->bodies[couple->high]};
    const bool near = distances[c] < reach && !presses(start, c, hardly);
    expected->start[c] = expected->terms.count;
    others = others || near;
    if (near)
      barrier_pair_find(bodies, (BarrierScale){reach, scale.stiffness}, &expected->terms, arena);
    else copy_terms(start, c, &expected->terms, arena);
  }
  expected->start[problem->couple_count] = expected->terms.count;
  return par_any(others);
}

BarrierGrips barrier_problem_grips(const BarrierProblem *problem, const BarrierIterate *iterate,
                                   Arena *arena)
{
  assert(iterate->apart && "forces are those of bodies apart");
  const size_t room = (size_t)iterate->terms.count + 1;
  BarrierGrips grips = {arena_allocate(arena, ((size_t)problem->couple_count + 1) * sizeof(int)),
                        arena_allocate(arena, room * sizeof(BarrierGrip))};
  int count = 0;
  grips.start[0] = 0;
  for (int c = 0; c < problem->couple_count; c++) {
    const double friction = problem->couples[c].friction;
    for (int i = iterate->start[c]; i < iterate->start[c + 1] && friction > 0; i++) {
      const BarrierTerm *term = &iterate->terms.of[i];
      const double force = vec3_norm(term->gradient);
      if (!(force > 0)) continue;
      grips.of[count++] = (BarrierGrip){term->kind,
                                        {term->feature[0], term->feature[1]},
                                        {term->arm[0], term->arm[1]},
                                        vec3_scale(1 / force, term->gradient),
                                        friction * force};
    }
    grips.start[c + 1] = count;
  }
  return grips;
}

static void add_kinetic(const BarrierProblem *problem, const BarrierIterate *iterate, ExactSum *sum)
{
  for (int i = 0; i < problem->own; i++) {
    if (!barrier_problem_moves(problem, i)) continue;
    const vec3 v = vec3_sub(iterate->u[i].v, problem->free[i].v);
    const vec3 w = vec3_sub(iterate->u[i].w, problem->free[i].w);
    exact_sum_add(sum, 0.5 * problem->mass[i] * vec3_dot(v, v));
    exact_sum_add(sum, 0.5 * vec3_dot(w, mat3_mul(problem->inertia[i], w)));
  }
}

BarrierEnergy barrier_problem_energy(const BarrierProblem *problem, const BarrierIterate *iterate,
                                     const BarrierGrips *grips)
{
  if (!iterate->apart) return (BarrierEnergy){INFINITY, 0};
  ExactSum sums[2] = {exact_sum_new(), exact_sum_new()};
  add_kinetic(problem, iterate, &sums[0]);
  const double stick = problem->step * problem->settings.stick_speed;
  for (int c = 0; c < problem->couple_count; c++) {
    const BarrierCouple *couple = &problem->couples[c];
    if (!couple->counted) continue;
    const double size = vec3_norm(iterate->bodies[couple->low].position) +
                        vec3_norm(iterate->bodies[couple->high].position);
    for (int i = iterate->start[c]; i < iterate->start[c + 1]; i++) {
      const BarrierTerm *term = &iterate->terms.of[i];
      const double reach = size + vec3_norm(term->arm[0]) + vec3_norm(term->arm[1]);
      exact_sum_add(&sums[0], term->energy);
      exact_sum_add(&sums[1], ROUNDING * reach * vec3_norm(term->gradient));
    }
    const Twist pair[2] = {iterate->u[couple->low], iterate->u[couple->high]};
    for (int i = grips->start[c]; i < grips->start[c + 1]; i++) {
      const BarrierGrip *grip = &grips->of[i];
      const double slip = problem->step * vec3_norm(barrier_problem_slip(grip, pair));
      exact_sum_add(&sums[0], grip->limit * barrier_law_friction(slip, stick).value);
    }
  }
  exact_sum_reduce(sums, 2);
  const double value = exact_sum_value(&sums[0]);
  return (BarrierEnergy){value, exact_sum_value(&sums[1]) + ROUNDING * value};
}
