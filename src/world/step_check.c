// The validators of all concepts, called around the stages of a step in builds that check.
#include "step_check.h"

#include "bodies_fault.h"
#include "check.h"
#include "contact_bodies.h"
#include "contacts_fault.h"
#include "graph_fault.h"
#include "halo_fault.h"
#include "problem_fault.h"

void step_check_tables(const World *world, const char *when)
{
  check_valid(bodies_fault(&world->bodies, world->c->material_count, world->shapes.count), when);
  check_valid(contacts_fault(&world->contacts), when);
  assert_debug(world->step >= 0 && "steps are counted from zero");
}

void step_check_ghosts(World *world, const Halo *halo)
{
  if (!CHECK_ON) return;
  const Table *t = &world->bodies.table;
  const char *when = "after the ghosts came";
  step_check_tables(world, when);
  check_valid(halo_ranks_fault(halo, t->count - t->owned), when);
  const char *fault =
      halo_fault(&halo->plan, world->bodies.id, t->owned, t->count, &world->scratch);
  check_valid(fault, when);
}

void step_check_contacts(World *world)
{
  const char *when = "after the contacts were found";
  step_check_tables(world, when);
  check_valid(contact_bodies_fault(&world->contacts, &world->bodies, &world->shapes), when);
}

void step_check_problem(World *world, const Problem *problem, const char *when)
{
  const GraphSource source = {&world->bodies, NULL, &world->contacts, world_joints(world), 0};
  if (world->graph.made > 0)
    check_valid(graph_fault(&world->graph.graph, &source, &world->scratch), when);
  check_valid(problem_fault(problem), when);
}

void step_check_solution(const Problem *problem)
{
  check_valid(problem_fault(problem), "after the solution and the correction");
}
