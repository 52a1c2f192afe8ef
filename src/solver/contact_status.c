// Tells contact points whether they slide and how far, and nodes what acts on them.
#include "contact_status.h"

#include <assert.h>
#include <math.h>

#include "nodes.h"

// Share of the limit of friction from which a point slides; rounding lies below it.
#define SLIDING_SHARE (1 - 1e-9)

uint32_t contact_status_of(const SolverPoint *p)
{
  assert(!p->joined && "a contact is no joint");
  if (p->r.x == 0 && p->r.y == 0 && p->r.z == 0) return CONTACT_OPEN;
  if (!(p->r.x > -p->law.tension)) return CONTACT_OPEN;
  const double tangential = sqrt(p->r.y * p->r.y + p->r.z * p->r.z);
  const double limit = p->law.shear + p->law.friction * p->r.x;
  return tangential < SLIDING_SHARE * limit ? CONTACT_STICKS : CONTACT_SLIDES;
}

void contact_status_fill(Contacts *c, const Problem *problem, double time)
{
  assert(time > 0 && c->table.owned <= c->table.count && "own rows come first");
  if (!c->status) return;
  for (int i = 0; i < c->table.owned; i++) {
    c->status[i] = CONTACT_OPEN;
    c->slip[i] = 0;
  }
  const Velocities now = problem_now(problem);
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    if (!problem->owned[pair->first]) continue;
    for (int i = pair->first; i < problem_contacts_end(problem, k); i++) {
      const SolverPoint p = problem_point(problem, k, i);
      const vec3 u = problem_velocity(&p, now);
      c->slip[p.contact] = time * sqrt(u.y * u.y + u.z * u.z);
      c->status[p.contact] = contact_status_of(&p);
    }
  }
}

void contact_status_fill_nodes(const Bodies *bodies, const Problem *problem)
{
  Nodes *nodes = bodies->nodes;
  assert(bodies->table.owned == problem->own_rows && "the problem is that of the bodies");
  if (!nodes || !nodes->impulse) return;
  for (int row = 0; row < bodies->table.owned; row++) {
    const int count = kind_mesh_nodes(bodies, row);
    if (count == 0) continue;
    vec3 *impulse = nodes->impulse + nodes_find(nodes, bodies->id[row]);
    for (int n = 0; n < count; n++) impulse[n] = (vec3){0, 0, 0};
    problem_push_nodes(problem, row, problem->r, impulse);
    const mat3 rotation = problem->mid[row].rotation;
    for (int n = 0; n < count; n++) impulse[n] = mat3_mul(rotation, impulse[n]);
  }
}
