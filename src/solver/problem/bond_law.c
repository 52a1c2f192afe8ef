// Sets the limits of a bond's points, corrects their places, and breaks points that yielded.
#include "bond_law.h"

#include <assert.h>
#include <math.h>

#include "check.h"

#define AT_LIMIT (1 - 1e-9)   // of a limit: an impulse that has reached it
#define YIELD_SHARE \
  1e-2   // of the limit: impulse that is missing to hold a point, beyond which it has yielded
#define ERRORS_OF_POINT \
  10   // times the largest error of a point as it counts there, which it may lack beyond that share

PointLaw bond_law_of_point(const SurfaceLaw *surface, const Contacts *contacts, int contact,
                           double step)
{
  assert_debug(contact >= 0 && contact < contacts->table.count && step > 0 &&
               "a contact has a row");
  PointLaw law = law_of_contact(surface->friction);
  if (!contacts_whole(contacts, contact)) return law;
  if (surface->cohesion == INFINITY) law.friction = 0;   // whatever presses on it
  const double force = step * contacts->area[contact];
  law.tension = force * surface->tensile_strength;
  law.shear = force * surface->cohesion;
  return law;
}

// Impulses of a correction are far below this many times the largest single one; a limit takes as
// many digits from the solution of a point, which needs few.
#define HOLD_FACTOR 0x1p20

typedef enum { YIELD_NONE, YIELD_DOUBTFUL, YIELD_TENSION, YIELD_SHEAR } Yield;

static Yield yield_of_point(const SolverPoint *p, Velocities now, double residual)
{
  const double tangential = sqrt(p->r.y * p->r.y + p->r.z * p->r.z),
               shear = p->law.shear + p->law.friction * p->r.x;
  const bool pulled = p->r.x <= -AT_LIMIT * p->law.tension,
             sheared = tangential >= AT_LIMIT * shear;
  if (!pulled && !sheared) return YIELD_NONE;

  // redundant points may share a load in many ways: one at its limit has yielded if the others do
  // not hold it either
  const vec3 u = vec3_add(problem_velocity(p, now), p->offset);
  const bool gives = p->law.give[0] > 0 || p->law.give[1] > 0;
  const vec3 v = gives ? law_add_elastic(p->law, u, p->r) : u;
  const double missing = p->rho * vec3_norm(v);
  const double limit = pulled ? p->law.tension : shear;
  if (!(missing > YIELD_SHARE * limit)) return YIELD_NONE;
  const double error = residual * p->size;
  if (!(missing > YIELD_SHARE * limit + ERRORS_OF_POINT * error)) return YIELD_DOUBTFUL;
  return pulled ? YIELD_TENSION : YIELD_SHEAR;
}

bool bond_law_holds(const Problem *problem, int k, int i, const Contacts *contacts)
{
  assert_debug(i >= problem->pairs[k].first && i < problem->pairs[k].end &&
               "a point is of its pair");
  const int contact = problem_contact(problem, k, i);
  return contact >= 0 && contacts_whole(contacts, contact);
}

static void break_point(const Problem *problem, int k, int i, Contacts *contacts, double residual,
                        BondCount *count)
{
  if (!bond_law_holds(problem, k, i, contacts)) return;
  const SolverPoint p = problem_point(problem, k, i);
  const Yield yield = yield_of_point(&p, problem_now(problem), residual);
  if (yield == YIELD_DOUBTFUL) count->doubtful += problem->owned[i];
  if (yield == YIELD_NONE || yield == YIELD_DOUBTFUL) return;
  contacts->bond[p.contact] = BOND_BROKEN;
  if (!problem->owned[i]) return;
  const IdPair ids = {problem->bodies->id[p.low], problem->bodies->id[p.high]};
  bonds_count(count, yield == YIELD_TENSION, yield == YIELD_SHEAR, ids);
}

void bond_law_break(const Problem *problem, Contacts *contacts, double residual, BondCount *count)
{
  assert(!(residual < 0) && count != NULL && "broken points are counted");
  if (!contacts->bond) return;
  for (int k = 0; k < problem->pair_count; k++)
    for (int i = problem->pairs[k].first; i < problem->pairs[k].end; i++)
      break_point(problem, k, i, contacts, residual, count);
}

vec3 bond_law_moved(const Problem *problem, int k, int i, const Contacts *contacts, double step)
{
  assert_debug(step > 0 && bond_law_holds(problem, k, i, contacts) && "a whole point moves");
  const SolverPoint p = problem_point(problem, k, i);
  const BondBodies held = {.bodies = problem->bodies,
                           .mid = problem->mid,
                           .low = p.low,
                           .high = p.high,
                           .low_at = problem_place_in(problem, p.low, i, false),
                           .high_at = problem_place_in(problem, p.high, i, true)};
  const vec3 shift = bond_shift(contacts, p.contact, held);
  return vec3_axpy(0.5 * step, problem_velocity(&p, problem_now(problem)),
                   mat3_mul(p.basis, shift));
}

void bond_law_correct(Problem *problem, int i, vec3 back)
{
  assert_debug(i >= 0 && i < problem->point_count && "a point of the problem");
  problem->offset[i] = back.x;
  problem->limits[i] = law_no_limits();
  problem->limits[i].along[0] = back.y;
  problem->limits[i].along[1] = back.z;
}

void bond_law_hold(Problem *problem, const Contacts *contacts, double scale)
{
  assert(!(scale < 0) && "a displacement times its rho is a size");
  if (!problem->limits) return;
  for (int k = 0; k < problem->pair_count; k++)
    for (int i = problem->pairs[k].first; i < problem->pairs[k].end; i++) {
      const bool whole = bond_law_holds(problem, k, i, contacts) && problem->offset[i] < INFINITY;
      problem->limits[i].tension = whole ? HOLD_FACTOR * scale : 0;
      problem->limits[i].shear = (1 + problem->friction[i]) * problem->limits[i].tension;
    }
}
