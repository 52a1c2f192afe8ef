// Sums impulses at nodes that are held: what they need less what contacts give them.
#include "anchorage.h"

#include <assert.h>

#include "kind.h"

// What holds an own row: its sum, world axes, N s. The work is that at the mean of the velocities
// at both ends of the interval.
static vec3 hold(World *world, const Step *step, int row, ExactSum *work)
{
  const Problem *problem = &step->problem;
  const Deforming *deforming = step->acting.deforming;
  const HeldMotion *held = &step->acting.held[row];
  const mat3 r = step->mid[row].rotation;
  const FiniteBody *body = kind_mesh(&world->bodies, row)->body;
  const int first = deforming->first[row];
  const size_t nodes = (size_t)body->nodes;
  vec3 *given = arena_allocate_zero(&world->scratch, nodes, sizeof *given);
  if (problem->finite) problem_push_nodes(problem, row, problem->r, given);
  vec3 sum = {0, 0, 0}, turn = {0, 0, 0};   // body axes, about the centre of mass
  for (int n = 0; n < body->nodes; n++) {
    if (!body->held[n]) continue;
    const vec3 impulse = vec3_sub(deforming->reaction[first + n], given[n]);
    sum = vec3_add(sum, impulse);
    turn = vec3_add(turn, vec3_cross(body->place[n], impulse));
  }
  sum = mat3_mul(r, sum);
  turn = mat3_mul(r, turn);
  exact_sum_add(work, 0.5 * (vec3_dot(sum, vec3_add(held->start.v, held->end.v)) +
                             vec3_dot(turn, vec3_add(held->start.w, held->end.w))));
  return sum;
}

void anchorage_record(World *world, const Step *step, ExactSum *work)
{
  assert(step->problem.row_count == world->bodies.table.count && "the interval is solved");
  world->anchorage = NULL;
  if (!world->c->founded) return;
  const Bodies *b = &world->bodies;
  vec3 *sums = arena_allocate_zero(&world->scratch, (size_t)b->table.owned + 1, sizeof *sums);
  for (int i = 0; i < b->table.owned; i++) {
    if (!kind_founded(b, i)) continue;
    const ArenaMark mark = arena_mark(&world->scratch);
    sums[i] = hold(world, step, i, work);
    arena_release(&world->scratch, mark);
  }
  world->anchorage = sums;
}
